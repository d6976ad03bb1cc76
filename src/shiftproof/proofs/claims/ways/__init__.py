"""Means of deciding claims that several entries share."""
