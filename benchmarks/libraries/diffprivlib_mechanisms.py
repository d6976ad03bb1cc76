"""The mechanisms of diffprivlib that claim ε without δ."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import exp, log
from typing import Any

import diffprivlib.mechanisms as mechanisms  # type: ignore[import-not-found,unused-ignore]
import numpy as np
from scipy.optimize import brentq

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import AGAINST, FLOATS, INTEGERS, SCORES, answers

LIBRARY = Library("diffprivlib")
LATTICE = "four uniform numbers make its noise, and the floats of a sum still tell the input"
#: From here on a float is not every integer.
LARGE = 2**53
#: Ten options: all scores but the first rise by 1.
RISING = [("the others rise", (0.0,) * 10, (0.0,) + (1.0,) * 9), *answers("all-rising:3")]
#: The leaves of two hierarchies, the second of which is not balanced.
BALANCED = [["a", "b"], ["c", "d"]]
UNBALANCED = [["a", "b", "c"], ["d"]]
LEAVES = list(permutations("abcd", 2))


@cache
def _mechanism(name: str, **options: Any) -> Any:
    return getattr(mechanisms, name)(epsilon=EPSILON, **options)


@LIBRARY.box(FLOATS, ideal=NOTHING, code=VIOLATION, why=LATTICE)
def diffprivlib_laplace(x: float) -> float:
    """The Laplace mechanism."""
    return float(_mechanism("Laplace", sensitivity=1).randomise(x))


@LIBRARY.box(
    FLOATS, ideal=NOTHING, code=VIOLATION,
    why="clamping leaves the floats between the bounds as they are",
)  # fmt: skip
def diffprivlib_laplace_truncated(x: float) -> float:
    """The Laplace mechanism, clamped."""
    return float(_mechanism("LaplaceTruncated", sensitivity=1, lower=-1, upper=2).randomise(x))


@LIBRARY.box(
    FLOATS, ideal=NOTHING, code=VIOLATION,
    why="folding leaves the floats between the bounds as they are",
)  # fmt: skip
def diffprivlib_laplace_folded(x: float) -> float:
    """The Laplace mechanism, folded at its bounds."""
    return float(_mechanism("LaplaceFolded", sensitivity=1, lower=-1, upper=2).randomise(x))


@LIBRARY.box(
    FLOATS, ideal=NOTHING, code=VIOLATION, samples=20_000,
    why="more noise pays for the rejections; its floats are those of a sum",
)  # fmt: skip
def diffprivlib_laplace_bounded_domain(x: float) -> float:
    """The Laplace mechanism, drawn until it is between the bounds."""
    return float(_mechanism("LaplaceBoundedDomain", sensitivity=1, lower=0, upper=2).randomise(x))


@LIBRARY.box(FLOATS, ideal=NOTHING, why="what is put out are multiples of a power of two above 1/ε")
def diffprivlib_snapping(x: float) -> float:
    """Mironov's snapping mechanism."""
    return float(_mechanism("Snapping", sensitivity=1, lower=-9, upper=10).randomise(x))


@LIBRARY.box(
    FLOATS,
    ideal=NOTHING,
    code=VIOLATION,
    why="its noise is exact, and one float is added to another",
)
def diffprivlib_staircase(x: float) -> float:
    """The staircase mechanism."""
    return float(_mechanism("Staircase", sensitivity=1).randomise(x))


@LIBRARY.box(INTEGERS, ideal=NOTHING, why="integers, and the logarithm that makes them is no sum")
def diffprivlib_geometric(x: int) -> int:
    """The geometric mechanism."""
    return int(_mechanism("Geometric").randomise(x))


@LIBRARY.box(INTEGERS, ideal=NOTHING, why="clamped integers")
def diffprivlib_geometric_truncated(x: int) -> int:
    """The geometric mechanism, clamped."""
    return int(_mechanism("GeometricTruncated", lower=-1, upper=2).randomise(x))


@LIBRARY.box(INTEGERS, ideal=NOTHING, why="folded integers", samples=20_000)
def diffprivlib_geometric_folded(x: int) -> int:
    """The geometric mechanism, folded at its bounds."""
    return int(_mechanism("GeometricFolded", lower=-4, upper=5).randomise(x))


@LIBRARY.box(
    both_ways((LARGE + 2, LARGE + 3)), ideal=VIOLATION,
    why="the integer is added to a float, in which 2⁵³ + 3 is 2⁵³ + 4: neighbours are 2 apart",
)  # fmt: skip
def diffprivlib_geometric_of_large(x: int) -> int:
    """The geometric mechanism on integers that no float holds."""
    return int(_mechanism("Geometric").randomise(x)) - LARGE


@LIBRARY.box(
    [*SCORES, *AGAINST], ideal=NOTHING, why="the exponential mechanism with its factor 1/2"
)
def diffprivlib_exponential(scores: tuple[float, ...]) -> int:
    """The exponential mechanism."""
    return int(_of_scores("Exponential", scores).randomise())


@LIBRARY.box(RISING, ideal=NOTHING, why="where all scores rise, weight and sum move the same way")
def diffprivlib_exponential_monotonic(scores: tuple[float, ...]) -> int:
    """The exponential mechanism without its factor 1/2, for scores that move one way."""
    return int(_of_scores("Exponential", scores, monotonic=True).randomise())


@LIBRARY.box(
    AGAINST, ideal=VIOLATION, why="monotonic is said of scores that are not: up to 2 ε is due"
)
def diffprivlib_exponential_not_monotonic(scores: tuple[float, ...]) -> int:
    """The same for scores that move against each other, as a user may ask for it."""
    return int(_of_scores("Exponential", scores, monotonic=True).randomise())


@LIBRARY.box([*SCORES, *AGAINST], ideal=NOTHING, why="never worse than the exponential mechanism")
def diffprivlib_permute_and_flip(scores: tuple[float, ...]) -> int:
    """Permute and flip."""
    return int(_of_scores("PermuteAndFlip", scores).randomise())


@cache
def _of_scores(name: str, scores: tuple[float, ...], **options: Any) -> Any:
    # The constructor takes the scores, so this is one mechanism for each input.
    return getattr(mechanisms, name)(
        epsilon=EPSILON, sensitivity=1, utility=list(scores), **options
    )


@LIBRARY.box(LEAVES, ideal=NOTHING, why="all rows have the same sum, and none needs the factor 1/2")
def diffprivlib_hierarchical(leaf: str) -> str:
    """A leaf of a balanced hierarchy, the nearer the likelier."""
    return str(_of_hierarchy("balanced").randomise(leaf))


@LIBRARY.box(LEAVES, ideal=NOTHING, why="sums of rows differ, and the factor 1/2 pays for them")
def diffprivlib_hierarchical_unbalanced(leaf: str) -> str:
    """A leaf of a hierarchy with one branch of three and one of one."""
    return str(_of_hierarchy("unbalanced").randomise(leaf))


@cache
def _of_hierarchy(which: str) -> Any:
    hierarchy = BALANCED if which == "balanced" else UNBALANCED
    return mechanisms.ExponentialHierarchical(epsilon=EPSILON, hierarchy=hierarchy)


@LIBRARY.box(
    list(permutations("abcd", 2)), ideal=NOTHING, why="the factor 1/2 pays for unequal sums of rows"
)
def diffprivlib_categorical(category: str) -> str:
    """One of four categories on a line, the nearer the likelier."""
    return str(_line().randomise(category))


@cache
def _line() -> Any:
    places = [(one, other, abs(ord(one) - ord(other))) for one, other in permutations("abcd", 2)]
    return mechanisms.ExponentialCategorical(epsilon=EPSILON, utility_list=places)


#: A larger ε, at which sums of rows that agree at ε/2 differ much at ε.
FOUR = 4.0


@LIBRARY.box(
    [("a", "b")], FOUR, ideal=VIOLATION, samples=400_000,
    why="whether sums of rows agree is asked at ε/2 and relied on at ε, where b has 1.4 times a's",
)  # fmt: skip
def diffprivlib_categorical_balanced_by_half(category: str) -> str:
    """Ten categories whose rows have equal sums, but with half of ε only."""
    return str(_balanced_by_half().randomise(category))


@cache
def _balanced_by_half() -> Any:
    """Ten categories: a is as far from all of cdefghij, b close to cdef and far from ghij."""
    far, close = exp(-FOUR / 2), 1.0
    middle = (far + close) / 2
    among_close = middle + (far - close) / 3  # makes up for what they have more from b

    def weight(one: str, other: str) -> float:
        if one == "a":
            return far if other == "b" else middle
        if one == "b":
            return close if other in "cdef" else far
        return among_close if one in "cdef" and other in "cdef" else middle

    names = "abcdefghij"
    pairs = [(a, b) for a, b in permutations(names, 2) if a < b]
    distances = [(a, b, -2 / FOUR * log(weight(a, b))) for a, b in pairs]
    return mechanisms.ExponentialCategorical(epsilon=FOUR, utility_list=distances)


@LIBRARY.box(both_ways(("no", "yes")), ideal=NOTHING, why="the odds of the truth are e^ε to 1")
def diffprivlib_binary(answer: str) -> str:
    """Randomised response."""
    return str(_mechanism("Binary", value0="no", value1="yes").randomise(answer))


@LIBRARY.box(
    both_ways((1.0, -1.0), (1.0, 0.0)), ideal=NOTHING, code=VIOLATION, samples=10_000,
    why="the proof of Chaudhuri et al. is for records up to 1; the solver's last bits are no part",
)  # fmt: skip
def diffprivlib_vector(record: float) -> float:
    """Where the loss of a logistic regression of one record is least, with its vector mechanism."""
    return _least_loss(record, longest=1.0, alpha=1.0)


@LIBRARY.box(
    both_ways((1_000.0, 0.0)), ideal=VIOLATION, samples=10_000,
    why="the second derivative grows with the square of the longest record; paid for is its length",
)  # fmt: skip
def diffprivlib_vector_of_long_records(record: float) -> float:
    """The same for records up to 1000, as LogisticRegression(data_norm=1000, C=1e-4) asks."""
    return _least_loss(record, longest=1_000.0, alpha=10_000.0)


def _least_loss(record: float, longest: float, alpha: float) -> float:
    def loss(weight: Any) -> tuple[Any, Any]:
        margin = record * weight[0]
        slope = -record / (1 + np.exp(margin)) + alpha * weight[0]
        return np.logaddexp(0, -margin) + alpha / 2 * weight[0] ** 2, np.array([slope])

    noisy = _mechanism(
        "Vector", function_sensitivity=0.25, data_sensitivity=longest, dimension=1, alpha=alpha
    ).randomise(loss)
    return float(brentq(lambda weight: noisy(np.array([weight]))[1][0], -1e6, 1e6, xtol=1e-9))
