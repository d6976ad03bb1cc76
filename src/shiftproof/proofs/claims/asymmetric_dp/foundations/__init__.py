"""Sections 1 to 3: what was known, policies, and what asymmetric privacy is."""
