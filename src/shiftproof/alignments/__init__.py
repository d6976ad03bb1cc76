"""Alignments: what one is, what it costs, the paired run, and the search for one."""
