"""Proofs by enumeration: everything is counted again, from the program alone."""
