"""`sample` stands after `and`, where it may not be reached."""

from shiftproof import ADP, Bernoulli, Count, Epsilon, Policy, Public, mechanism, sample

visited = Policy(sensitive={1})


# truth: True has probability 1/2 for f > t and 0 for f <= t: infinite
@mechanism(ADP(visited))
def row16_sample_in_and(f: Count, t: Public[int], eps: Epsilon) -> bool:
    return f > t and sample(Bernoulli(1 / 2))
