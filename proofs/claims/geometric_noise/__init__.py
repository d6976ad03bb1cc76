"""Claims of Kacem and Palamidessi, "Geometric Noise for Locally Private Counting Queries" (2018).

Throughout, α = e^(-ε), and channels are matrices with one row an input.
"""
