"""Answers for people and programs: accounts, formats, pages, plots, notebooks."""
