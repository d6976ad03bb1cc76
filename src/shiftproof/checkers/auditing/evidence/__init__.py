"""Evidence against a claim of privacy, from how often events come on D and on D'."""
