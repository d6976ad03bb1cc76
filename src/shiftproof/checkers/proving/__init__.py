"""Proofs by alignment: clauses, invariants, and the search for the least budget."""
