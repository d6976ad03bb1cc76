"""Functions of trasgodp: each record is randomised on its own."""

from __future__ import annotations

from typing import Any

import trasgodp.categorical as categorical  # type: ignore[import-not-found,unused-ignore]
import trasgodp.numerical as numerical  # type: ignore[import-not-found,unused-ignore]

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways

LIBRARY = Library("trasgodp")
FEW = 40_000


@LIBRARY.box(
    both_ways((("no", "no", "yes"), ("yes", "no", "yes"))), ideal=NOTHING, samples=FEW,
    why="the odds of the truth are e^ε to 1 for each record",
)  # fmt: skip
def trasgodp_randomized_response(answers: Any) -> Any:
    """Each of three answers."""
    return categorical.dp_randomized_response_binary_array([*answers], EPSILON).tolist()


@LIBRARY.box(
    both_ways((("a", "a", "b", "c"), ("b", "a", "b", "c"))), ideal=NOTHING, samples=FEW,
    why="the odds of each lie are e^ε for each record",
)  # fmt: skip
def trasgodp_k_randomized_response(categories: Any) -> Any:
    """Each of four categories."""
    return categorical.dp_randomized_response_kary_array([*categories], EPSILON).tolist()


@LIBRARY.box(
    both_ways((("d", "a", "b", "c"), ("a", "a", "b", "c"))), ideal=VIOLATION, samples=FEW,
    why="what can be said is what somebody has: d comes of the record with d alone",
)  # fmt: skip
def trasgodp_k_randomized_response_of_one_more(categories: Any) -> Any:
    """The same where only one record has a category."""
    return categorical.dp_randomized_response_kary_array([*categories], EPSILON).tolist()


@LIBRARY.box(
    both_ways((("a", "a", "b", "c"), ("b", "a", "b", "c"))), ideal=NOTHING, samples=FEW,
    why="each record has half of ε, though its categories need no factor 1/2",
)  # fmt: skip
def trasgodp_exponential(categories: Any) -> Any:
    """Each of four categories by the exponential mechanism."""
    return categorical.dp_exponential_array([*categories], EPSILON).tolist()


@LIBRARY.box(
    both_ways(((0.0, 0.5), (1.0, 0.5))), ideal=NOTHING, code=VIOLATION, samples=FEW,
    why="NumPy's Laplace noise, clipped: floats between the bounds are those of the sum",
)  # fmt: skip
def trasgodp_laplace(values: Any) -> Any:
    """Each of two values between 0 and 1."""
    return numerical.dp_clip_laplace_array([*values], EPSILON, 0.0, 1.0)


@LIBRARY.box(both_ways(((0, 2), (3, 2))), ideal=NOTHING, samples=FEW, why="rounded, then clipped")
def trasgodp_laplace_of_integers(values: Any) -> Any:
    """Each of two integers from 0 to 3."""
    return numerical.dp_clip_laplace_array([*values], EPSILON, 0, 3)
