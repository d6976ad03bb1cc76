"""What watches the prover without sharing anything with it: small data sets, written down."""
