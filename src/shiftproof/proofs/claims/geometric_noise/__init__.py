"""Claims of Kacem and Palamidessi, "Geometric Noise for Locally Private Counting Queries" (2018).

The text that we have is a transcription: a slip in a formula may be its own.  Throughout,
α = e^(-ε), and channels are matrices with one row an input.
"""
