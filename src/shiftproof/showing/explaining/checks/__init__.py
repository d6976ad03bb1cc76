"""What a page checks by itself: the obligations of a proof with their refutation trees."""
