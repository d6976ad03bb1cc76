"""What tells outputs on D from outputs on D': numbers, labels, and scores of them."""
