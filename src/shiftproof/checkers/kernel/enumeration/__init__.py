"""Proofs by all runs on all inputs of each size."""
