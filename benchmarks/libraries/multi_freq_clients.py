"""Clients of multi-freq-ldpy: what one person sends about a value, which may be any other."""

from __future__ import annotations

from importlib import import_module
from itertools import permutations
from typing import Any

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import CATEGORIES

_PURE, _LONG, _SEVERAL = (
    f"multi_freq_ldpy.{room}"
    for room in ("pure_frequency_oracles", "long_freq_est", "mdim_freq_est")
)
ADP_Client = import_module(f"{_PURE}.ADP").ADP_Client
GRR_Client = import_module(f"{_PURE}.GRR").GRR_Client
HE_Client = import_module(f"{_PURE}.HE").HE_Client
SS_Client = import_module(f"{_PURE}.SS").SS_Client
UE_Client = import_module(f"{_PURE}.UE").UE_Client
L_GRR_Client = import_module(f"{_LONG}.L_GRR").L_GRR_Client
L_OSUE_Client = import_module(f"{_LONG}.L_OSUE").L_OSUE_Client
dBitFlipPM_Client = import_module(f"{_LONG}.dBitFlipPM").dBitFlipPM_Client
SAMPLED = import_module(f"{_SEVERAL}.RSpFD_solution")
SHARED = import_module(f"{_SEVERAL}.SPL_solution")

LIBRARY = Library("multi-freq-ldpy")
FEW = 40_000
#: Values of 6, of which a subset has two; two attributes of 2 values each.
SIX = list(permutations(range(6), 2))[:6]
BOTH_DIFFER, ONE_DIFFERS = both_ways(((0, 0), (1, 1))), both_ways(((0, 0), (0, 1)))
#: What the first report may tell where later ones may tell up to twice as much.
FIRST, ALL = 1.0, 2.0


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=FEW, why="the odds of each lie are e^ε")
def multi_freq_randomized_response(value: int) -> int:
    """The value, or another one."""
    return int(GRR_Client(value, 4, EPSILON))


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=FEW, why="two bits differ, ε/2 each")
def multi_freq_symmetric_unary_encoding(value: int) -> Any:
    """The value as bits."""
    return UE_Client(value, 4, EPSILON, False)


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=FEW, why="all of ε is for one of two bits")
def multi_freq_optimised_unary_encoding(value: int) -> Any:
    """The value as bits that are flipped with other probabilities for 0 and 1."""
    return UE_Client(value, 4, EPSILON, True)


@LIBRARY.box(
    both_ways((0, 1)), ideal=NOTHING, code=VIOLATION, samples=3 * FEW,
    why="0 + noise and 1 + noise in floats, the noise for an l1 distance of 2",
)  # fmt: skip
def multi_freq_histogram_encoding(value: int) -> Any:
    """The value as bits with Laplace noise."""
    return HE_Client(value, 4, EPSILON)


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=FEW, why="it is one of the others for all values")
def multi_freq_adaptive(value: int) -> Any:
    """Randomised response or unary encoding, whichever has less variance."""
    return ADP_Client(value, 4, EPSILON)


@LIBRARY.box(SIX, ideal=NOTHING, samples=FEW, why="the odds of the true value are e^ε")
def multi_freq_subset(value: int) -> Any:
    """A subset of two that holds the value rather than another one, in order."""
    return sorted(SS_Client(value, 6, EPSILON).tolist())


@LIBRARY.box(
    SIX, ideal=VIOLATION, samples=FEW,
    why="the true value, if it is there, is the first: whatever is second is not true",
)  # fmt: skip
def multi_freq_subset_as_it_is(value: int) -> Any:
    """The same in the order in which it is sent."""
    return SS_Client(value, 6, EPSILON)


@LIBRARY.box(
    CATEGORIES, FIRST, ideal=NOTHING, samples=FEW,
    why="a second randomisation of the first one leaves ε = 0.9 of the 1 that is claimed",
)  # fmt: skip
def multi_freq_longitudinal_response(value: int) -> int:
    """The first report of many, each made of the same randomised value."""
    return int(L_GRR_Client(value, 4, ALL, FIRST))


@LIBRARY.box(
    CATEGORIES, FIRST, ideal=NOTHING, samples=FEW, why="both randomisations together are ε exactly"
)
def multi_freq_longitudinal_encoding(value: int) -> Any:
    """The same, of bits."""
    return L_OSUE_Client(value, 4, ALL, FIRST)


@LIBRARY.box(
    both_ways((0, 3)), ideal=NOTHING, samples=FEW,
    why="which buckets are sent is chance, and two bits differ at most",
)  # fmt: skip
def multi_freq_bit_flip(value: int) -> Any:
    """Bits of two of four buckets."""
    return dBitFlipPM_Client(value, 4, 4, 2, EPSILON)


@LIBRARY.box(BOTH_DIFFER, ideal=NOTHING, samples=FEW, why="each attribute has ε/2")
def multi_freq_split(values: Any) -> Any:
    """Two attributes that share ε."""
    return SHARED.SPL_GRR_Client([*values], [2, 2], 2, EPSILON)


@LIBRARY.box(
    ONE_DIFFERS, ideal=NOTHING, samples=FEW,
    why="which attribute is not a fake is hidden: ε = ln(1 + (e^0.83 - 1) / 2), as it claims",
)  # fmt: skip
def multi_freq_fakes(values: Any) -> Any:
    """One attribute in truth and the other a fake, where one attribute may differ."""
    return SAMPLED.RSpFD_GRR_Client([*values], [2, 2], 2, EPSILON)


@LIBRARY.box(
    BOTH_DIFFER, ideal=VIOLATION, samples=4 * FEW,
    why="where both differ it does not matter which one is true: ε is 0.83 and not 0.5",
)  # fmt: skip
def multi_freq_fakes_of_others(values: Any) -> Any:
    """The same where both attributes may differ, as under local privacy."""
    return SAMPLED.RSpFD_GRR_Client([*values], [2, 2], 2, EPSILON)
