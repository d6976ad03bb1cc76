"""Proofs by counting: every run of a program whose draws and private inputs are finite."""
