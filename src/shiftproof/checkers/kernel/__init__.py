"""The kernel: reads a certificate, derives what is owed, and checks a proof of each of it.

It imports the standard library and nothing else, and asks no solver.
"""
