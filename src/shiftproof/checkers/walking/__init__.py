"""The kernel: re-checks a certificate from the program alone, without the prover that found it.

It imports nothing but the language (``dsl``).  Everything in a certificate is a hint; what the
hints leave to be shown is generated anew from the program, and every bit of it goes to a solver.
"""
