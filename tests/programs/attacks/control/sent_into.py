"""A value sent into the generator."""

from collections.abc import Generator

from shiftproof import ADP, Count, Epsilon, Laplace, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: `asked` is None when called, so f is released raw: 1 against 0
@mechanism(ADP(visited))
def single_sent_into(f: Count, eps: Epsilon) -> Generator[float, object, None]:
    noise = sample(Laplace(1 / eps))
    asked = yield f + noise
    yield f if asked is None else 0
