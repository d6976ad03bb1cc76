"""The search for counterexamples, and what is done with one that was found."""
