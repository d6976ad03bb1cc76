"""Verdicts: prove, certify and re-check, refute, and audit a mechanism."""
