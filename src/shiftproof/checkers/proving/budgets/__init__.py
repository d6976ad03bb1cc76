"""Budgets that alignments keep: what they cost at most, and the least that is claimed."""
