"""Alignments: what one is, what it costs, and the templates and examples that one is found with."""
