"""Hypothesis strategies for records, data sets, answers and inputs, and for pairs of neighbours.

Pairs are made as the definitions say: the record that differs is written down before and after,
and what the inputs count follows from it.  Users import ``shiftproof.strategies``.
"""
