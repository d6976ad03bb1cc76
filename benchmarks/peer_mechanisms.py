"""The mechanisms and input pairs of StatDP's and DP-Sniper's benchmark, as black boxes.

Each function takes the data, a generator and a number of runs, and returns that many independent
outputs, one a row.  ``EPSILON`` is the parameter of all of them.  The published exact values hold
for sparse vectors that stop at the first positive answer and have the threshold 1 (1/2 the first).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from math import ceil, inf, log
from operator import ne
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Data: TypeAlias = tuple[float, ...]
Outputs: TypeAlias = NDArray[np.float64 | np.int64]
Pair: TypeAlias = tuple[str, Data, Data]
Mechanism: TypeAlias = Callable[[Data, np.random.Generator, int], Outputs]

EPSILON = 0.5
#: What a sparse vector prints once it has stopped, when the answers are 0 and 1.
STOPPED = -1
#: The same beside real numbers, and what stands for a negative answer: both far from any answer.
STOPPED_AMONG_REALS = -2e6
NEGATIVE_AMONG_REALS = -1e6
#: Truncated counts are 0 to this.
LARGEST_COUNT = 5
#: RAPPOR's filter, and which bits a value sets.  No two differences of the offsets are equal:
#: values that are 1, 2 or 3 apart share one bit and differ in six, as the exact values imply.
FILTER_BITS = 20
HASH_OFFSETS = (0, 1, 3, 9)
#: The chance that a bit is reported as it is: kept with 1 − f/2 = .525, or kept with 1 − f/2 = .625
#: and then reported with q = .55, or flipped and then reported with 1 − q = p = .45.
ONE_TIME_KEPT = 0.525
KEPT = 0.625 * 0.55 + 0.375 * 0.45


def _laplace(rng: np.random.Generator, scale: float, *shape: int) -> NDArray[np.float64]:
    # An exponential with a random sign costs half of numpy's Laplace, which takes a logarithm.
    noise = rng.standard_exponential(shape)
    signs = np.frombuffer(rng.bytes(noise.size), np.int8).reshape(shape)
    np.copysign(noise, signs, out=noise)
    noise *= scale
    return noise


def laplace(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release one number with Laplace noise."""
    return data[0] + _laplace(rng, 1 / EPSILON, size)


def truncated_geometric(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release a count with two-sided geometric noise, clamped; by whole numbers only."""
    # The noise falls by 2^k / (2^k + 1) a step: every probability is a whole number of parts.
    down = 2 ** ceil(log(2 / EPSILON))
    up, last = down + 1, LARGEST_COUNT
    parts = (down + up) * up ** (last - 1)
    weights = [
        down ** (steps := abs(value - int(data[0]))) * up ** (last - steps - (0 < value < last))
        for value in range(last + 1)
    ]
    return np.repeat(np.arange(last + 1), weights).take(rng.integers(parts, size=size))


def histogram(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release every cell with Laplace noise."""
    return np.asarray(data) + _laplace(rng, 1 / EPSILON, size, len(data))


def histogram_wrong_scale(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release every cell with noise of scale ε instead of 1/ε."""
    return np.asarray(data) + _laplace(rng, EPSILON, size, len(data))


def _index_of_largest(data: Data, noise: NDArray[np.float64]) -> Outputs:
    # A running maximum over long columns is faster than argmax over short rows.
    largest = data[0] + noise[0]
    index = np.zeros(largest.size, np.int64)
    for i in range(1, len(data)):
        value = data[i] + noise[i]
        np.copyto(index, i, where=value > largest)
        np.maximum(largest, value, out=largest)
    return index


def max_index_laplace(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Which answer is the largest after Laplace noise."""
    return _index_of_largest(data, _laplace(rng, 2 / EPSILON, len(data), size))


def max_index_exponential(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Which answer is the largest after exponential noise."""
    return _index_of_largest(data, 2 / EPSILON * rng.standard_exponential((len(data), size)))


def _largest(data: Data, noise: NDArray[np.float64]) -> Outputs:
    noise += np.asarray(data)[:, None]
    return np.asarray(noise.max(axis=0))


def max_value_laplace(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release the largest noisy answer itself: every answer leaks."""
    return _largest(data, _laplace(rng, 2 / EPSILON, len(data), size))


def max_value_exponential(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release the largest noisy answer: never below the largest answer, so supports differ."""
    return _largest(data, 2 / EPSILON * rng.standard_exponential((len(data), size)))


def _first_above(
    data: Data, rng: np.random.Generator, threshold: NDArray[np.float64], scale: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Index of the first answer that is not below the threshold, or their number; its value."""
    # Runs that have stopped are dropped, so that no noise is drawn for answers nobody sees.
    first = np.full(threshold.size, len(data))
    found = np.empty(threshold.size)
    live = np.arange(threshold.size)
    for i, answer in enumerate(data):
        noisy = answer + _laplace(rng, scale, live.size)
        below = noisy < threshold
        hits, rest = np.flatnonzero(~below), np.flatnonzero(below)
        stopped = live.take(hits)
        first[stopped] = i
        found[stopped] = noisy.take(hits)
        live, threshold = live.take(rest), threshold.take(rest)
    return first, found


def _until_first(
    data: Data, rng: np.random.Generator, size: int, limit: float, spread: float, scale: float
) -> Outputs:
    """Outputs of 0 to the first 1; the threshold's noise has scale ``spread``."""
    first, _ = _first_above(data, rng, limit + _laplace(rng, spread, size), scale)
    stop, position = np.ogrid[: len(data) + 1, : len(data)]
    rows = np.where(position > stop, STOPPED, position == stop).astype(np.int64)
    return rows.take(first, axis=0)


def _with_value(length: int, first: NDArray[np.int64], value: NDArray[np.float64]) -> Outputs:
    """Outputs whose positive answer is a real number."""
    stop, position = np.ogrid[: length + 1, :length]
    rows = np.where(position > stop, STOPPED_AMONG_REALS, NEGATIVE_AMONG_REALS)
    outputs = rows.take(first, axis=0)
    hits = np.flatnonzero(first < length)
    outputs[hits, first.take(hits)] = value.take(hits)
    return outputs


def sparse_vector_1(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """The correct one; threshold 1/2."""
    return _until_first(data, rng, size, 0.5, 2 / EPSILON, 4 / EPSILON)


def sparse_vector_2(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """The same, as it stops before it would draw its threshold anew; threshold 1."""
    return _until_first(data, rng, size, 1, 2 / EPSILON, 4 / EPSILON)


def sparse_vector_3(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Prints the value that was compared, which bounds the noisy threshold; threshold 1."""
    threshold = 1 + _laplace(rng, 2 / EPSILON, size)
    return _with_value(len(data), *_first_above(data, rng, threshold, 2 / EPSILON))


def sparse_vector_4(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Too little noise on the answers; threshold 1."""
    return _until_first(data, rng, size, 1, 4 / EPSILON, 4 / (3 * EPSILON))


def sparse_vector_5(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """No noise on the answers, and no stop; threshold 1."""
    threshold = 1 + _laplace(rng, 2 / EPSILON, size, 1)
    return (np.asarray(data) >= threshold).astype(np.int64)


def sparse_vector_6(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """No stop; threshold 1."""
    threshold = 1 + _laplace(rng, 2 / EPSILON, size, 1)
    noisy = np.asarray(data) + _laplace(rng, 2 / EPSILON, size, len(data))
    return (noisy >= threshold).astype(np.int64)


def numeric_sparse_vector(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Prints the positive answer with fresh noise; threshold 1."""
    threshold = 1 + _laplace(rng, 3 / EPSILON, size)
    first, _ = _first_above(data, rng, threshold, 6 / EPSILON)
    answer = np.asarray((*data, 0.0)).take(first)
    return _with_value(len(data), first, answer + _laplace(rng, 3 / EPSILON, size))


def _reported_filter(value: float, kept: float, rng: np.random.Generator, size: int) -> Outputs:
    chances = np.full(FILTER_BITS, 1 - kept)
    chances[[(int(value) + offset) % FILTER_BITS for offset in HASH_OFFSETS]] = kept
    return (rng.random((size, FILTER_BITS)) < chances).astype(np.int64)


def rappor(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Report a Bloom filter with f = .75, p = .45, q = .55: two randomisations, drawn as one."""
    return _reported_filter(data[0], KEPT, rng, size)


def one_time_rappor(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Report a Bloom filter with f = .95, and no second randomisation."""
    return _reported_filter(data[0], ONE_TIME_KEPT, rng, size)


def prefix_sum(data: Data, rng: np.random.Generator, size: int) -> Outputs:
    """Release the running sums of the noisy entries."""
    noisy = np.asarray(data) + _laplace(rng, 1 / EPSILON, size, len(data))
    return noisy.cumsum(axis=1)


def _both_ways(*pairs: Pair) -> tuple[Pair, ...]:
    return pairs + tuple((f"{name}, reversed", second, first) for name, first, second in pairs)


def _numbers(first: int, second: int) -> Pair:
    return f"{first} and {second}", (float(first),), (float(second),)


def _answers(length: int) -> tuple[Pair, ...]:
    half, rest = length // 2, length - length // 2
    zeros, ones, twos = (0.0,) * length, (1.0,) * length, (2.0,) * length
    return _both_ways(
        ("one above", ones, twos[:1] + ones[1:]),
        ("one below", ones, zeros[:1] + ones[1:]),
        ("one above rest below", ones, twos[:1] + zeros[1:]),
        ("one below rest above", ones, zeros[:1] + twos[1:]),
        ("half half", ones, twos[:half] + zeros[:rest]),
        ("all above", ones, twos),
        ("all below", ones, zeros),
        ("x shape", ones[:half] + zeros[:rest], zeros[:half] + ones[:rest]),
    )


#: What StatDP proposes for each kind of data, both ways round.
PAIRS: dict[str, tuple[Pair, ...]] = {
    "five answers": _answers(5),
    "ten answers": _answers(10),
    "five cells": tuple(pair for pair in _answers(5) if sum(map(ne, *pair[1:])) == 1),
    "number": _both_ways(_numbers(1, 2), _numbers(1, 0)),
    "count": _both_ways(*(_numbers(count, count + 1) for count in range(LARGEST_COUNT))),
    "value": tuple(_numbers(*values) for values in permutations(range(4), 2)),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism, and what StatDP and DP-Sniper found on such pairs: once, on another machine."""

    name: str
    function: Mechanism
    pairs: tuple[Pair, ...]
    #: The largest ε of any event on any of the pairs.
    exact: float
    #: The largest ε that StatDP rejected: 0 if it rejected none, None if it was not tried.
    statdp: float | None
    #: DP-Sniper's lower bound, which holds with 90 %.
    sniper: float
    sniper_seconds: float
    sniper_runs: float


_FIVE, _TEN = PAIRS["five answers"], PAIRS["ten answers"]
_CELLS, _COUNTS, _VALUES = PAIRS["five cells"], PAIRS["count"], PAIRS["value"]
_FEW, _MANY = 16e6, 34e6
_BIT, _ONE_TIME_BIT = (log(kept / (1 - kept)) for kept in (KEPT, ONE_TIME_KEPT))

#: Exact values with six decimals are integrals over the threshold's or the winner's noise.
ROWS: tuple[Row, ...] = (
    Row("Laplace", laplace, PAIRS["number"], EPSILON, 0.4, 0.485, 7.7, _FEW),
    Row("Truncated geometric", truncated_geometric, _COUNTS, log(1.25), 0.2, 0.209, 6.2, _FEW),
    Row("Histogram", histogram, _CELLS, EPSILON, 0.4, 0.495, 4.2, _FEW),
    Row("Histogram, scale ε", histogram_wrong_scale, _CELLS, 1 / EPSILON, 1.5, 1.992, 4.2, _FEW),
    # The published .4998 is that of ten answers.
    Row("Noisy max index, Laplace", max_index_laplace, _FIVE, 0.483945, 0.4, 0.470, 8.1, _MANY),
    Row("Noisy max index, exponential", max_index_exponential, _FIVE, 0.5, 0.4, 0.487, 7.5, _MANY),
    Row("Noisy max value, Laplace", max_value_laplace, _FIVE, 1.25, 1.0, 1.237, 8.2, _MANY),
    Row("Noisy max value, exponential", max_value_exponential, _FIVE, inf, 0.75, 1.439, 7.8, _MANY),
    Row("SVT1", sparse_vector_1, _TEN, 0.454508, 0.4, 0.444, 18.5, _MANY),
    Row("SVT2", sparse_vector_2, _TEN, 0.448429, None, 0.432, 25, _MANY),
    Row("SVT3", sparse_vector_3, _TEN, 10 * EPSILON / 2, 1.0, 0.81, 24, _MANY),
    Row("SVT4", sparse_vector_4, _TEN, 0.868116, 0.75, 0.846, 18.5, _MANY),
    Row("SVT5", sparse_vector_5, _TEN, inf, 4.0, 3.12, 8.5, _MANY),
    Row("SVT6", sparse_vector_6, _TEN, 2.179662, 1.5, 1.265, 12, _MANY),
    # The published figure is only a bound, .5.
    Row("NumericalSVT", numeric_sparse_vector, _TEN, 0.463740, None, 0.150, 22, _MANY),
    Row("RAPPOR", rappor, _VALUES, 6 * _BIT, None, 0.281, 16, _FEW),
    Row("One-time RAPPOR", one_time_rappor, _VALUES, 6 * _ONE_TIME_BIT, 0.0, 0.585, 9.3, _FEW),
    Row("Prefix sum, all ten differ", prefix_sum, _TEN, 10 * EPSILON, 1.5, 2.228, 12, _MANY),
)
