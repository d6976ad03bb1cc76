"""What names and expressions of a library stand for, and arithmetic with it."""
