"""The search for counterexamples, and what is done with one that was found."""

#: A search of ``verify`` stops after so many units of work: a small integral is one.
EFFORT = 6_000
