"""Proofs by summation: rows are derived anew, and every cell is asked for."""
