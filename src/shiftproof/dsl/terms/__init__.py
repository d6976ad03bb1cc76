"""Linear terms, formulas, their simplification, and their text for solvers."""
