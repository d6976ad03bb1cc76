"""Small data sets, channels and mechanisms on finite inputs: their laws, exactly."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from typing import Any, TypeAlias, TypeVar

from ....checkers.exact.outcomes import Atom, Outcome, Real
from ....checkers.refuting.comparison import compared
from ....checkers.refuting.inputs import Input, Instance
from ....dsl.privacy.policies import DataSet, Policy, Record, neighbours
from ..claim import Undecided
from .mechanisms import Mechanism

# All policies and queries of a small size, and shortest paths by Definition 9 alone.

#: N_P(D) of each data set D.
Steps: TypeAlias = Mapping[DataSet, Sequence[DataSet]]

#: Example 1: having visited is sensitive, not having visited is not.
VISITED = Policy(sensitive={1})

_Member = TypeVar("_Member")


def visits(data: DataSet) -> int:
    """How many ones the records hold."""
    return sum(map(sum, data))


def policies(universe: Sequence[int] = (0, 1)) -> Iterator[Policy]:
    """Every policy on a universe."""
    return (Policy(sensitive, universe) for sensitive in _subsets(universe))


def queries(data: Sequence[DataSet]) -> Iterator[frozenset[DataSet]]:
    """Every decision problem on these data sets, given by where q = 0."""
    return (frozenset(chosen) for chosen in _subsets(data))


def steps_of(data: Sequence[DataSet], policy: Policy) -> Steps:
    """N_P(D) of each of these data sets."""
    return {each: list(neighbours(each, policy)) for each in data}


def distances(starts: Iterable[DataSet], steps: Steps) -> dict[DataSet, int]:
    """The fewest steps from any of the starts to each data set that can be reached at all."""
    found = dict.fromkeys(starts, 0)
    reached, k = set(found), 0
    while reached:
        k += 1
        reached = {other for each in reached for other in steps[each]} - found.keys()
        found |= dict.fromkeys(reached, k)
    return found


def leading_to(ends: Iterable[DataSet], steps: Steps) -> frozenset[DataSet]:
    """The ends, and all data from which steps lead there."""
    back: dict[DataSet, list[DataSet]] = {each: [] for each in steps}
    for each, after in steps.items():
        for other in after:
            back[other].append(each)
    return frozenset(distances(ends, back))


def _subsets(of: Sequence[_Member]) -> Iterator[tuple[_Member, ...]]:
    return chain.from_iterable(combinations(of, size) for size in range(len(of) + 1))


# All small data sets of binary records, and which of them differ by one record.

everything = Policy.everything()


def records(attributes: int) -> tuple[Record, ...]:
    """Every binary record of so many attributes."""
    return tuple(product((0, 1), repeat=attributes))


def data_sets(size: int, attributes: int) -> Iterator[DataSet]:
    """Every data set of so many records, as a family: two people with equal records are two."""
    return product(records(attributes), repeat=size)


def replacements(size: int, attributes: int) -> Iterator[tuple[DataSet, DataSet]]:
    """Every pair of such data sets of which exactly one record differs."""
    for data in data_sets(size, attributes):
        for other in data_sets(size, attributes):
            if sum(r != s for r, s in zip(data, other, strict=True)) == 1:
                yield data, other


def protected(size: int, attributes: int, policy: Policy) -> Iterator[tuple[DataSet, DataSet]]:
    """Every pair D, D' of such data sets with D' in N_P(D)."""
    for data in data_sets(size, attributes):
        for other in neighbours(data, policy):
            yield data, other


# Mechanisms on finite inputs with finitely many outputs: their laws, compared exactly.
#
# A law gives each output its probability, as an exact number (``Fraction``).  Probabilities of
# private mechanisms are mostly rational in e^ε, so an ε = ln 2 or ln 3 keeps them rational.

Law: TypeAlias = Mapping[Hashable, Fraction]


def mixed(parts: Mapping[Hashable, tuple[Fraction, Law]]) -> dict[Hashable, Fraction]:
    """The law of a choice among laws, each with its probability."""
    law: dict[Hashable, Fraction] = {}
    for chance, part in parts.values():
        for output, probability in part.items():
            law[output] = law.get(output, Fraction(0)) + chance * probability
    return law


def worst_ratio(first: Law, second: Law) -> Fraction | None:
    """The largest ratio Pr[first ∈ S] / Pr[second ∈ S]; None if it is infinite.

    On finitely many outputs a single one attains it.
    """
    ratio = Fraction(0)
    for output, probability in first.items():
        if not probability:
            continue
        below = second.get(output, Fraction(0))
        if not below:
            return None
        ratio = max(ratio, probability / below)
    return ratio


def within(first: Law, second: Law, most: Fraction) -> bool:
    """Whether Pr[first ∈ S] <= most · Pr[second ∈ S] for all S."""
    ratio = worst_ratio(first, second)
    return ratio is not None and ratio <= most


# How much likelier an outcome is on D than on D', exactly.


def ratio(
    mechanism: Mechanism,
    outcome: Sequence[bool | str | int | Fraction | None],
    left: Mapping[str, Input],
    right: Mapping[str, Input],
    /,
    eps: Fraction = Fraction(1),
    **public: Input,
) -> Fraction | None:
    """The ratio of the likelihoods of one outcome on two neighbouring inputs.

    Args:
        mechanism: with one ε, called ``eps``.
        outcome: all that one run releases; a ``Fraction`` is a released real number (then it
            is a ratio of densities), everything else a value of positive probability.
        left: the private inputs on the side of D.
        right: those of D'.
        eps: the privacy parameter in multiples of ln 2, so that its powers are rational.
        public: the other public inputs.

    Returns:
        The ratio; ``None`` if it is infinite.

    Raises:
        Undecided: the outcome is impossible on D, or a likelihood is not rational.
        BadInput: the inputs are no neighbours.
    """
    slots = tuple(Real(v) if isinstance(v, Fraction) else Atom(v) for v in outcome)
    instance = Instance("2", {"eps": eps, **public}, left, right)
    found = compared(mechanism.program, instance, Outcome(slots))
    if found.infinite:
        return None
    first, second = found.on_left.enclosure, found.on_right.enclosure
    if not (first.exact and second.exact) or not first.low:
        raise Undecided(f"the outcome {tuple(outcome)} has no exact ratio")
    return first.low / second.low


# Channels on [0, n] as matrices, one row an input, with entries that are numbers or expressions.
#
# α may be anything that can be added, multiplied and divided: a ``Fraction``, a symbol of SymPy, a
# rational function.  A column of an ε-d-private channel lies in the cone of all v >= 0 with
# α v_i <= v_(i+1) <= v_i / α.  Its extreme rays take one of the two ends at each step.

Vector: TypeAlias = list[Any]
Matrix: TypeAlias = list[Vector]


def kernel(n: int, alpha: Any) -> Matrix:
    """K with K_ij = α^|i-j|."""
    return [[alpha ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]


def column_scales(n: int, alpha: Any) -> Vector:
    """The c_j of G_ij = α^|i-j| c_j, equation (5) of the geometric-noise paper; n >= 1."""
    end = 1 / (1 + alpha)
    return [end, *[(1 - alpha) * end] * (n - 1), end]


def kernel_inverse(n: int, alpha: Any) -> Matrix:
    """The inverse of K; it is tridiagonal."""
    scale = 1 / (1 - alpha**2)
    found = [[0 * alpha for _ in range(n + 1)] for _ in range(n + 1)]
    for i in range(n + 1):
        found[i][i] = scale if i in (0, n) else (1 + alpha**2) * scale
        for beside in (i - 1, i + 1):
            if 0 <= beside <= n:
                found[i][beside] = -alpha * scale
    return found


def response(n: int, alpha: Any) -> Matrix:
    """Randomised response: the true value is 1/α times as likely as each other one."""
    true = 1 / (1 + n * alpha)
    return [[true if i == j else alpha * true for j in range(n + 1)] for i in range(n + 1)]


def dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    """The inner product."""
    first, *rest = (a * b for a, b in zip(left, right, strict=True))
    return sum(rest, first)


def times(matrix: Sequence[Sequence[Any]], vector: Sequence[Any]) -> Vector:
    """The product of a matrix and a column."""
    return [dot(row, vector) for row in matrix]


def steps(n: int) -> Iterator[tuple[int, ...]]:
    """The shapes of the extreme rays: at each step 1 where they rise, -1 where they fall."""
    return product((1, -1), repeat=n)


def valleys(shape: Sequence[int]) -> tuple[int, ...]:
    """The places where a ray of this shape has fallen and rises again."""
    return tuple(i for i, pair in enumerate(pairwise(shape), start=1) if pair == (-1, 1))


def mirrored(shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of the ray that is read from n to 0."""
    return tuple(-step for step in reversed(shape))


def heights(shape: Sequence[int]) -> tuple[int, ...]:
    """The exponents of α along the ray of this shape; the least is 0."""
    found = [0]
    for step in shape:
        found.append(found[-1] - step)
    return tuple(height - min(found) for height in found)


def ray(shape: Sequence[int], alpha: Any) -> Vector:
    """The extreme ray of this shape, its largest entry 1."""
    return [alpha**height for height in heights(shape)]


def is_d_private(matrix: Sequence[Sequence[Fraction]], alpha: Fraction) -> bool:
    """Whether C_ij <= α^-|i-h| C_hj for all i, h and j."""
    inputs, reports = range(len(matrix)), range(len(matrix[0]))
    return all(
        matrix[i][j] * alpha ** abs(i - h) <= matrix[h][j]
        for i in inputs for h in inputs for j in reports
    )  # fmt: skip
