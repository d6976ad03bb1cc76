"""Statements: a program as a machine, its neighbours, and what is claimed."""
