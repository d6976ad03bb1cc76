"""Measurements of OpenDP, with the ε that their own privacy maps say.

A call takes a tenth of a millisecond and more, so runs are few; a vector measurement with its
norm counts as many runs of one number where that is all it is.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import exp
from typing import Any

import opendp.prelude as opendp  # type: ignore[import-not-found,unused-ignore]

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import AGAINST, BITS, FLOATS, INTEGERS, SCORES

opendp.enable_features("contrib")

LIBRARY = Library("opendp")
FEW = 20_000
#: Its floats are integers times a power of two, drawn exactly; a sum of floats is given a margin.
EXACT = "noise is drawn exactly, on a lattice that is the same for all inputs"
ONE_MORE = both_ways(((1.0, 9.0), (1.0, 9.0, 10.0)))
REPLACED = both_ways(((0.0, 4.0, 9.0), (10.0, 4.0, 9.0)))


def _numbers(kind: type, *, nan: bool = False) -> Any:
    return opendp.atom_domain(T=float, nan=nan) if kind is float else opendp.atom_domain(T=int)


@cache
def _added(name: str, kind: type, **options: Any) -> Any:
    """Noise for a vector of numbers, of which the l1 norm moves by 1."""
    domain, metric = opendp.vector_domain(_numbers(kind)), opendp.l1_distance(T=kind)
    return getattr(opendp.m, name)(domain, metric, scale=1 / EPSILON, **options)


@LIBRARY.box(FLOATS, ideal=NOTHING, why=EXACT)
def opendp_laplace(x: float, size: int) -> Any:
    """Laplace noise."""
    return _added("make_laplace", float)([x] * size)


@LIBRARY.box(
    both_ways((0.0, 2.0)), ideal=VIOLATION, why="its claim is for inputs 1 apart; these are 2 apart"
)
def opendp_laplace_of_two(x: float, size: int) -> Any:
    """Laplace noise for a number that moves by 2, against its map."""
    return _added("make_laplace", float)([x] * size)


@LIBRARY.box(INTEGERS, ideal=NOTHING, why=EXACT)
def opendp_laplace_of_integers(x: int, size: int) -> Any:
    """Discrete Laplace noise."""
    return _added("make_laplace", int)([x] * size)


@LIBRARY.box(INTEGERS, ideal=NOTHING, why="clamped integers, drawn exactly", samples=FEW)
def opendp_geometric_bounded(x: int, size: int) -> Any:
    """The geometric mechanism between 0 and 5."""
    return _added("make_geometric", int, bounds=(0, 5))([x] * size)


@LIBRARY.box(
    both_ways(((0.0, 0.0), (0.5, -0.5)), ((0.0, 0.0), (1.0, 0.0))), ideal=NOTHING, why=EXACT,
    samples=FEW,
)  # fmt: skip
def opendp_vector_laplace(x: Any) -> Any:
    """Two numbers that move by 1 together."""
    return _added("make_laplace", float)([*x])


@cache
def _chosen(name: str, scale: float, *, monotonic: bool = False, **options: Any) -> Any:
    domain = opendp.vector_domain(_numbers(float))
    metric = opendp.linf_distance(T=float, monotonic=monotonic)
    make = getattr(opendp.m, name)
    return make(domain, metric, opendp.max_divergence(), scale=scale, **options)


@LIBRARY.box(
    [*SCORES, *AGAINST],
    ideal=NOTHING,
    samples=FEW,
    why="exponential noise of scale 2/ε, compared exactly",
)
def opendp_noisy_max(scores: Any) -> int:
    """Where the largest score is, with exponential noise."""
    return int(_chosen("make_noisy_max", 2 / EPSILON)([*scores]))


@LIBRARY.box(
    AGAINST, ideal=VIOLATION, samples=FEW,
    why="scores were said to move one way, and these do not: half of the noise that is needed",
)  # fmt: skip
def opendp_noisy_max_not_monotonic(scores: Any) -> int:
    """The same with the noise for scores that move one way."""
    return int(_chosen("make_noisy_max", 1 / EPSILON, monotonic=True)([*scores]))


@LIBRARY.box(
    SCORES, ideal=NOTHING, samples=FEW, why="two choices with 2/ε each, and twice the scale"
)
def opendp_noisy_top_two(scores: Any) -> Any:
    """Where the two largest scores are."""
    return _chosen("make_noisy_top_k", 4 / EPSILON, k=2)([*scores])


@cache
def _boolean() -> Any:
    return opendp.m.make_randomized_response_bool(prob=1 / (1 + exp(-EPSILON)))


@LIBRARY.box(BITS, ideal=NOTHING, samples=FEW, why="the odds of the truth are e^ε to 1")
def opendp_randomized_response(truth: bool) -> bool:
    """A truth value."""
    return bool(_boolean()(truth))


@cache
def _categories() -> Any:
    truth = exp(EPSILON) / (exp(EPSILON) + 2)
    return opendp.m.make_randomized_response(categories=[*"abc"], prob=truth)


@LIBRARY.box(
    list(permutations("abc", 2)), ideal=NOTHING, samples=FEW, why="the odds of each lie are e^ε"
)
def opendp_k_randomized_response(category: str) -> str:
    """One of three categories."""
    return str(_categories()(category))


@cache
def _bits() -> Any:
    domain = opendp.bitvector_domain(max_weight=1)
    flips = 2 / (1 + exp(EPSILON / 2))
    return opendp.m.make_randomized_response_bitvec(domain, opendp.discrete_distance(), f=flips)


@LIBRARY.box(
    both_ways((b"\x01", b"\x02"), (b"\x01", b"\x00")), ideal=NOTHING, samples=FEW,
    why="vectors of one bit differ in two, ε/2 each",
)  # fmt: skip
def opendp_bit_vector(bits: bytes) -> bytes:
    """Basic RAPPOR of a byte with at most one bit."""
    return bytes(_bits()(bits))


@cache
def _quantile() -> Any:
    return opendp.m.make_private_quantile(
        opendp.vector_domain(_numbers(float)), opendp.symmetric_distance(),
        opendp.max_divergence(), candidates=[2.0, 4.0, 6.0, 8.0], alpha=0.5, scale=1 / EPSILON,
    )  # fmt: skip


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=FEW, why="a record moves each score by 1/2 at most")
def opendp_private_quantile(records: Any) -> float:
    """Which of four numbers is nearest to the median."""
    return float(_quantile()([*records]))


@cache
def _statistic(name: str, *, size: int | None, scale: float) -> Any:
    atoms = opendp.atom_domain(bounds=(0.0, 10.0), nan=False)
    domain = opendp.vector_domain(atoms) if size is None else opendp.vector_domain(atoms, size=size)
    make = getattr(opendp.t, f"make_{name}")
    return make(domain, opendp.symmetric_distance()) >> opendp.m.then_laplace(scale)


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=FEW, why="a count, with integers as noise")
def opendp_count(records: Any) -> int:
    """How many records there are."""
    return int(_statistic("count", size=None, scale=1 / EPSILON)([*records]))


@LIBRARY.box(REPLACED, ideal=NOTHING, samples=FEW, why=EXACT)
def opendp_sum(records: Any) -> float:
    """The sum of three records between 0 and 10."""
    return float(_statistic("sum", size=3, scale=10 / EPSILON)([*records]))


@LIBRARY.box(REPLACED, ideal=NOTHING, samples=FEW, why=EXACT)
def opendp_mean(records: Any) -> float:
    """The mean of three records between 0 and 10."""
    return float(_statistic("mean", size=3, scale=10 / 3 / EPSILON)([*records]))


@LIBRARY.box(
    both_ways(((0.0, 10.0, 9.0), (10.0, 10.0, 9.0))), ideal=NOTHING, samples=FEW, why=EXACT
)
def opendp_variance(records: Any) -> float:
    """The variance of three records between 0 and 10."""
    return float(_statistic("variance", size=3, scale=100 / 3 / EPSILON)([*records]))


@cache
def _histogram() -> Any:
    names = opendp.vector_domain(opendp.atom_domain(T=str))
    counts = opendp.t.make_count_by_categories(
        names, opendp.symmetric_distance(), categories=["a", "b"]
    )
    return counts >> opendp.m.then_laplace(1 / EPSILON)


@LIBRARY.box(both_ways((("a", "b"), ("a",))), ideal=NOTHING, samples=FEW, why="one count moves")
def opendp_histogram(records: Any) -> Any:
    """How many records are a, b and anything else; one may be added or removed."""
    return _histogram()([*records])


@LIBRARY.box(
    both_ways((("a", "a"), ("a", "b"))), ideal=VIOLATION, samples=FEW,
    why="its claim is for one record more or less; one that is replaced moves two counts",
)  # fmt: skip
def opendp_histogram_of_replaced(records: Any) -> Any:
    """The same where a record may be replaced."""
    return _histogram()([*records])
