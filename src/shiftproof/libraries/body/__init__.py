"""Statements and expressions of a function of a library, one after the other."""
