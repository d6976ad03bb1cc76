"""The core text: its words, its syntax, and its steps."""
