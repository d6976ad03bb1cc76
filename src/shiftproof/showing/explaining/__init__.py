"""Proofs written out for people: a tree of sections first, then one renderer a format."""
