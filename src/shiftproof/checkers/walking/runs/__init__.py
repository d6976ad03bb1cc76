"""The two runs of a proof by alignment: walked anew, and what they owe put to the solvers."""
