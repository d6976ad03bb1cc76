"""Certificates as theorems of Rocq: a statement to be read, and a proof that Rocq checks."""
