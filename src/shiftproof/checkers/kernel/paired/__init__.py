"""Two runs side by side, for proofs by alignment."""
