"""Rényi divergences between what two neighbours give: exact, or enclosed, never in floats."""
