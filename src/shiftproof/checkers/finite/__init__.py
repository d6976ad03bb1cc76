"""The second way to a proof: probabilities of finite noise are summed and compared.

An alignment maps noise to noise injectively.  Where many draws of one run answer to one of the
other (Mangat's response, k-ary response in two draws) there is none, and the probability of each
outcome is written down instead, as a rational function of e^ε, the parameters and the inputs.
"""
