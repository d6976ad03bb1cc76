"""Proofs by the probabilities of all outcomes, added up."""
