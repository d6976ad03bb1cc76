"""Benchmarks: how fast verdicts come, and how they compare with other tools."""
