"""Two runs through loops: heads, clauses, invariants, and bounds on what rounds cost."""
