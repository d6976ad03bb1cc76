"""What is claimed: privacy definition and kinds of inputs, and the facts of neighbours."""
