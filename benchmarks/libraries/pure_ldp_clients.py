"""Clients of pure-ldp: what one person sends about an item, which may be any other.

Its items count from 1.  Local hashing is left out: it hands texts to xxhash, which refuses them by
now.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways

ORACLES = import_module("pure_ldp.frequency_oracles")
LIBRARY = Library("pure-ldp")
FEW = 40_000
ITEMS = 4
ONE_OF_FOUR = [(a + 1, b + 1) for a in range(ITEMS) for b in range(ITEMS) if a != b]
ONE_OF_TWO = both_ways((1, 2))
#: RAPPOR's f for ε/2 a bit, where an item sets one bit.
FLIPPED = 0.5


@cache
def _client(name: str, **options: Any) -> Any:
    return getattr(ORACLES, name)(epsilon=EPSILON, d=ITEMS, **options)


@LIBRARY.box(ONE_OF_FOUR, ideal=NOTHING, samples=FEW, why="the odds of each lie are e^ε")
def pure_ldp_direct_encoding(item: int) -> int:
    """The item itself, or another one."""
    return int(_client("DEClient").privatise(item))


@LIBRARY.box(ONE_OF_FOUR, ideal=NOTHING, samples=FEW, why="two bits differ, ε/2 each")
def pure_ldp_symmetric_unary_encoding(item: int) -> Any:
    """The item as bits."""
    return _client("UEClient").privatise(item)


@LIBRARY.box(
    ONE_OF_FOUR, ideal=NOTHING, samples=FEW,
    why="a 1 is told by a fair coin and a 0 with odds of e^ε: all of ε is for one of two bits",
)  # fmt: skip
def pure_ldp_optimised_unary_encoding(item: int) -> Any:
    """The item as bits that are flipped with other probabilities for 0 and 1."""
    return _client("UEClient", use_oue=True).privatise(item)


@LIBRARY.box(
    ONE_OF_TWO, ideal=NOTHING, code=VIOLATION, samples=3 * FEW,
    why="0 + noise and 1 + noise in NumPy's floats, the noise for an l1 distance of 2",
)  # fmt: skip
def pure_ldp_histogram_encoding(item: int) -> Any:
    """The item as bits with Laplace noise."""
    return _client("HEClient").privatise(item)


@LIBRARY.box(ONE_OF_FOUR, ideal=NOTHING, samples=FEW, why="the odds of each other sign are e^ε")
def pure_ldp_hadamard_mechanism(item: int) -> Any:
    """A coefficient of the Hadamard transform, or its opposite, as a list."""
    return [*_client("HadamardMechClient", t=1).privatise(item)]


@LIBRARY.box(
    ONE_OF_FOUR, ideal=VIOLATION, samples=FEW,
    why="what is true is in a list, and what is not is in a zip: a lie is known as one",
)  # fmt: skip
def pure_ldp_hadamard_mechanism_as_it_is(item: int) -> Any:
    """The same with the type in which it comes."""
    report = _client("HadamardMechClient", t=1).privatise(item)
    return [type(report).__name__, *report]


@cache
def _rappor() -> Any:
    # One cohort and one hash, so that an item is one bit and ε is known.
    hashes = [[lambda item: int(item) % ITEMS]]
    return ORACLES.RAPPORClient(f=FLIPPED, m=ITEMS, hash_funcs=hashes, num_of_cohorts=1)


@LIBRARY.box(
    ONE_OF_TWO, 2.1972, ideal=VIOLATION, samples=FEW,
    why="a bit that is 1 is set again or left as it is: it is never 0",
)  # fmt: skip
def pure_ldp_rappor(item: int) -> Any:
    """Basic RAPPOR, with the ε that convert_f_to_eps says."""
    return _rappor().privatise(item)[0]


@cache
def _sketch(*, hadamard: bool) -> Any:
    hashes = [lambda item: int(item) % ITEMS]
    return ORACLES.CMSClient(epsilon=EPSILON, hash_funcs=hashes, m=ITEMS, is_hadamard=hadamard)


@LIBRARY.box(ONE_OF_TWO, ideal=NOTHING, samples=FEW, why="two signs differ, ε/2 each")
def pure_ldp_count_mean_sketch(item: int) -> Any:
    """Apple's sketch: the signs of a hash, each of which may be flipped."""
    return _sketch(hadamard=False).privatise(item)[0]


@LIBRARY.box(ONE_OF_TWO, ideal=NOTHING, samples=FEW, why="the odds of the true sign are e^ε to 1")
def pure_ldp_hadamard_count_mean_sketch(item: int) -> Any:
    """Apple's sketch of one bit: a Hadamard coefficient of a hash."""
    sign, _, place = _sketch(hadamard=True).privatise(item)
    return [int(sign), place]


@cache
def _count_sketch() -> Any:
    places = (lambda item: int(item) % ITEMS, lambda item: int(item) % 2)
    return ORACLES.PCSClient(epsilon=EPSILON, l=1, w=ITEMS, hash_funcs=[places])


@LIBRARY.box(
    ONE_OF_FOUR, ideal=NOTHING, samples=FEW, why="all signs but one are fair coins: ε/2 and ε/2"
)
def pure_ldp_private_count_sketch(item: int) -> Any:
    """The sign of a hash among signs that are coins."""
    return _count_sketch().privatise(item)[0]


@LIBRARY.box(
    ONE_OF_FOUR, ideal=NOTHING, samples=FEW, why="half of the codes are e^ε times as likely"
)
def pure_ldp_hadamard_response(item: int) -> int:
    """A code word of the Hadamard response."""
    return int(_client("HadamardResponseClient", hash_funcs=None).privatise(item))
