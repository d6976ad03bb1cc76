"""An assert over private data stands where preconditions stand."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Policy, mechanism

visited = Policy(sensitive={1})


# truth: the assert holds for f = 1 and raises for f = 0: 1 against 0
@mechanism(ADP(visited))
def row07_private_precondition(f: Count, eps: Epsilon) -> Iterator[int]:
    assert f > 0
    yield 0
