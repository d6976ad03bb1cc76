"""Whether runs that are made one after another are independent, before an audit rests on it.

Independent runs come in any order with the same probability.  So how often a run is equal to the
one ``lag`` runs later, how the ranks of its numbers go with those of the next run, and how what
comes several times is spread over blocks, is known; all are asked at a level at which no honest
mechanism is refused.

Noise that is drawn once and kept for all blocks cannot be noticed: a mechanism of so few outputs
would look the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2_contingency

from ..samples import FLOAT, INT, Sample

#: With which probability independent runs look dependent, at most, over all lags and places.
LEVEL = 1e-9
#: The same for counts of blocks, where it is less exact, and how many are needed of each block.
LEVEL_OF_COUNTS, OFTEN = 1e-12, 40
#: How many places of an output are looked at for their ranks.
RANKED = 8
#: So many neighbours that are both rare must be expected: the sum of fewer is nothing normal.
ENOUGH = 100


def dependence(sample: Sample) -> str:
    """What shows that the runs of a block are not independent; nothing if nothing does."""
    if len(sample) < 2:
        return ""
    return _repeats(sample) or _goes_along(sample)


def _repeats(sample: Sample) -> str:
    """Runs that are equal to those some runs later, more often than chance has it."""
    codes = _codes(sample)
    n = len(codes)
    counts = np.bincount(codes).astype(float)
    alike = float((counts * (counts - 1)).sum()) / (n * (n - 1))
    if alike in (0.0, 1.0):  # all are different, or all are equal
        return ""
    for lag in range(1, n - 1):
        equal = np.flatnonzero(codes[:-lag] == codes[lag:])
        if _tail(len(equal), n - lag, alike) < LEVEL / n:
            first = int(equal[0])
            return (
                f"of {n - lag} pairs of runs that are {lag} apart {len(equal)} are equal, where "
                f"{(n - lag) * alike:.3g} would be by chance: runs {first + 1} and "
                f"{first + lag + 1} both put out {sample.shown(first)}"
            )
    return ""


def _goes_along(sample: Sample) -> str:
    """A number that tells of the one at the same place of the next run."""
    places = min(sample.places, RANKED)
    for place in range(places):
        numbers = _numbers(sample, place)
        if numbers is None:
            continue
        _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
        if len(numbers) * (1 - counts.max() / len(numbers)) ** 2 < ENOUGH:
            continue
        ranks = which.astype(float)
        ranks -= ranks.mean()
        spread = float(ranks @ ranks)
        if not spread:
            continue
        # Of exchangeable ranks the lag-1 sum has about mean -spread/n and deviation spread/√n.
        n = len(ranks)
        score = (float(ranks[:-1] @ ranks[1:]) + spread / n) / (spread / math.sqrt(n))
        if math.erfc(abs(score) / math.sqrt(2)) < LEVEL / places:
            way = "rise and fall with" if score > 0 else "fall where they rise from"
            return (
                f"numbers {way} those of the run before: their ranks have the correlation "
                f"{score / math.sqrt(n):.2f}"
            )
    return ""


def clustering(blocks: Sequence[Sample]) -> str:
    """What shows that runs of a block have more in common than those of several; or nothing.

    For noise that is drawn for some runs together, in whatever order they come.
    """
    pooled = Sample.joined(blocks)
    codes, block = _codes(pooled), np.repeat(np.arange(len(blocks)), [*map(len, blocks)])
    # Two runs that are equal are in the same block with a probability of at most a half.
    mixed = np.random.default_rng(0).permutation(len(codes))
    by_code = mixed[np.argsort(codes[mixed], kind="stable")]
    first = np.flatnonzero(np.diff(codes[by_code], prepend=-1))
    first = first[np.bincount(codes)[codes[by_code[first]]] > 1]
    same = int((block[by_code[first]] == block[by_code[first + 1]]).sum())
    if len(first) and _tail(same, len(first), 0.5) < LEVEL:
        return (
            f"of {len(first)} outputs that came again {same} did so in the same block, where half "
            f"would at most by chance: {pooled.shown(int(by_code[first[0]]))}, for one"
        )
    wide = int(codes.max()) + 1
    counts = np.bincount(block * wide + codes, minlength=len(blocks) * wide).reshape(-1, wide)
    counts = counts[:, counts.sum(axis=0) >= OFTEN * len(blocks)]
    if counts.shape[1] > 1:
        found = chi2_contingency(counts)
        if found.pvalue < LEVEL_OF_COUNTS:
            return (
                "what comes often comes more often in one block than in another: χ² = "
                f"{found.statistic:.0f}, where {found.dof} is expected"
            )
    return ""


def _codes(sample: Sample) -> NDArray[np.intp]:
    """A number for each run, the same for equal ones only."""
    columns = (sample.kinds, sample.bits, sample.lengths[:, None], sample.endings[:, None])
    rows = np.ascontiguousarray(np.concatenate([c.astype(np.int64) for c in columns], axis=1))
    whole = rows.view([("", np.int64)] * rows.shape[1]).ravel()
    return np.unique(whole, return_inverse=True)[1]


def _numbers(sample: Sample, place: int) -> NDArray[np.float64] | None:
    """The numbers at one place, where all runs have a finite one."""
    kinds, bits = sample.kinds[:, place], np.ascontiguousarray(sample.bits[:, place])
    if (kinds == FLOAT).all():
        numbers = bits.view(np.float64)
    elif (kinds == INT).all():
        numbers = bits.astype(np.float64)
    else:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _tail(hits: int, trials: int, chance: float) -> float:
    """P(B >= hits) at most, for a binomial B: the bound of Chernoff, e^(-n KL)."""
    share = hits / trials
    if share <= chance:
        return 1.0
    gain = share * math.log(share / chance)
    if share < 1:
        gain += (1 - share) * math.log((1 - share) / (1 - chance))
    return math.exp(-trials * gain)
