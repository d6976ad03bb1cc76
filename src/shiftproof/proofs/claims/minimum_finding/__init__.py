"""Claims of Fukuchi, Yu, Haishima and Sakuma, "Locally Differentially Private
Minimum Finding" (2019).

The formulas are lost in the text that we have, so statements are reconstructed from the words
around them and from what can be proved; each entry says so where that matters.
"""
