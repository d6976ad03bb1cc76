"""The table of neighbours: it is the relation that the product has, and that records give."""
