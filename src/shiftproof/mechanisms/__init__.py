"""The gallery: mechanisms of the literature, correct and incorrect ones."""
