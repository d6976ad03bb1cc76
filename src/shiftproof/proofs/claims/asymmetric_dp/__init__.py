"""Claims of Takagi, Cao and Yoshikawa, "Asymmetric Differential Privacy" (PVLDB 14, 2020)."""
