"""Terms, names and lines of Rocq."""
