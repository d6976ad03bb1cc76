"""Proofs of statements: what certificates say, in words that Rocq replays."""
