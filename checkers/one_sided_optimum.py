"""The most that any private mechanism can do one-sidedly, exactly, on a finite universe.

A one-sided answer ("safe") is never given on data where it is false.  The theorems bound how
often it can be given where it is true; here is the least bound there is, for all data at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, TypeVar

from ..dsl.errors import BadInput
from ..dsl.policies import Policy
from ..dsl.policies import neighbours as policy_neighbours

Data = TypeVar("Data", bound=Hashable)


def one_sided_optimum(
    universe: Iterable[Data],
    neighbours: Policy | Callable[[Data], Iterable[Data]],
    query: Callable[[Data], object],
    alpha: Fraction | int,
    delta: Fraction | int = 0,
) -> dict[Data, Fraction]:
    """The largest probability of a one-sided true answer on each data set, over all mechanisms.

    *Two outputs are enough.*  Let S be the outputs that say "true", and p(D) = P[m(D) in S].  To
    say only whether the output is in S is post-processing: as private, as one-sided, with the
    same p.  So p belongs to a mechanism iff, for each neighbour D' of D, both outputs obey:

        p(D) <= e^ε p(D') + δ           and  1 - p(D) <= e^ε (1 - p(D')) + δ,
        p(D) <= a(p(D')), a(x) = x/α + δ  and  p(D') <= b(p(D)), b(x) = α x + 1 - α + α δ,

    with 0 <= p <= 1, and p(D) = 0 where q(D) = 0.

    *One mechanism is best everywhere.*  a and b increase, so if p and p' obey the bounds, their
    pointwise maximum does: there is a greatest p.  To find it, begin with 0 where the answer is
    false and 1 elsewhere, and lower what is too large.  On [0, 1] no bound is below its argument
    (a(x) >= x, and b(x) - x = (1 - α)(1 - x) + α δ >= 0), as no step of a path has a negative
    length.  So the least value that is left is final, as in Dijkstra's algorithm, and each data
    set is looked at once.

    Args:
        universe: every data set that there is; it must hold all neighbours of each.
        neighbours: the data sets of N_P(D), in the direction in which D is the protected one, as a
            function of D, or a policy.  For DP it must be symmetric.
        query: q; what it gives is taken as true or false.
        alpha: e^(-ε), exactly; above 0 and at most 1.
        delta: δ, exactly; from 0 to 1.

    Returns:
        p of the best mechanism, by data set, in the order of ``universe``.

    Raises:
        BadInput: a neighbour is not in the universe, a data set is a list and no tuple, or a
            number is out of its range or not exact.

    Source: Asymmetric Differential Privacy, Definition 13 and Theorems 8 and 9, which bound this.
    """
    a, d = _checked(alpha, delta)
    try:
        space = list(dict.fromkeys(universe))
    except TypeError as error:
        raise BadInput(f"universe: {error}; want data sets as tuples of tuples, or names") from None
    steps = _steps(space, neighbours)
    best = {data: Fraction(1 if query(data) else 0) for data in space}
    order = count()  # data sets of the same value need not be comparable
    waiting = [(value, next(order), data) for data, value in best.items()]
    heapq.heapify(waiting)
    done: set[Data] = set()
    while waiting:
        value, _, data = heapq.heappop(waiting)
        if data in done:
            continue
        done.add(data)
        after, before = steps[data]
        bounds = [(other, a * value + 1 - a + a * d) for other in after]
        bounds += [(other, value / a + d) for other in before]
        for other, bound in bounds:
            if bound < best[other]:
                best[other] = bound
                heapq.heappush(waiting, (bound, next(order), other))
    return best


def _steps(
    space: list[Data], neighbours: Policy | Callable[[Data], Iterable[Data]]
) -> dict[Data, tuple[list[Data], list[Data]]]:
    """The neighbours of each data set, and those whose neighbour it is."""
    relation: Any = neighbours
    if isinstance(neighbours, Policy):
        relation = partial(_of_policy, policy=neighbours)
    elif not callable(neighbours):
        raise BadInput(f"neighbours: got {neighbours!r:.80}; want a Policy, or a function")
    found: dict[Data, tuple[list[Data], list[Data]]] = {data: ([], []) for data in space}
    for data in space:
        for other in relation(data):
            try:
                known = other in found
            except TypeError as error:
                raise BadInput(f"neighbours: {error}; want data sets as tuples of tuples") from None
            if not known:
                raise BadInput(f"universe: {other!r:.80}, a neighbour of {data!r:.80}, is missing")
            found[data][0].append(other)
            found[other][1].append(data)
    return found


def _of_policy(data: Any, policy: Policy) -> Iterable[Any]:
    if not isinstance(data, tuple) or not all(isinstance(record, tuple) for record in data):
        raise BadInput(f"universe: got {data!r:.80}; a policy is for data such as ((1, 0), (0, 0))")
    return policy_neighbours(data, policy)


def _checked(alpha: Any, delta: Any) -> tuple[Fraction, Fraction]:
    for name, value in (("alpha", alpha), ("delta", delta)):
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise BadInput(f"{name}: got {value!r}; a Fraction is needed, as Fraction(1, 3)")
    if not 0 < alpha <= 1:
        raise BadInput(f"alpha: got {alpha}; want e^-eps, above 0 and at most 1")
    if not 0 <= delta <= 1:
        raise BadInput(f"delta: got {delta}; want a number from 0 to 1")
    return Fraction(alpha), Fraction(delta)
