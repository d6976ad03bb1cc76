"""What can be audited: mechanisms, functions and programs as boxes, and what they put out."""
