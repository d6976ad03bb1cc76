"""The HTML page of an account: its text, its formulas, and two runs that the reader moves."""
