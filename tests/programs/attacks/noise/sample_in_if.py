"""`sample` stands in a condition, after a short circuit."""

from shiftproof import ADP, Bernoulli, Count, Epsilon, Policy, Public, mechanism, sample

visited = Policy(sensitive={1})


# truth: True has probability 1 for f > t and 1/2 for f <= t: ratio exactly 2 for every eps
@mechanism(ADP(visited))
def row16_sample_in_if(f: Count, t: Public[int], eps: Epsilon) -> bool:
    if f > t or sample(Bernoulli(1 / 2)):
        return True
    else:
        return False
