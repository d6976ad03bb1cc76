"""Audits for people: from the command line to a target, and from a result to text and pictures."""
