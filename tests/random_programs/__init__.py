"""Random mechanisms in all of the language, and what is true of them.

Programs are Python text (:mod:`.writing`).  What is true of one is found by executing its text
on small data sets and their neighbours (:mod:`.truth`), with nothing of the prover, of the
kernel or of the language's own evaluation.  ``python -m tests.random_programs --help`` runs as many
as one likes.
"""
