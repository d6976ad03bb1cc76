"""The mechanisms of dp_auditorium, which are there to be audited: some are wrong on purpose.

The package is on no registry, and imports TensorFlow as soon as it is imported.  Its mechanisms
need NumPy alone: they are loaded from the folder on ``sys.path`` without the rest.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways


def without_init(name: str, folder: Path) -> None:
    """Let a package be one whose modules can be imported, and whose ``__init__`` does not run."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


_found = find_spec("dp_auditorium")
if _found is None or _found.origin is None:
    raise ImportError("there is no package dp_auditorium")
_folder = Path(_found.origin).parent
for _name in ("dp_auditorium", "dp_auditorium.configs", "dp_auditorium.mechanisms"):
    without_init(_name, _folder.joinpath(*_name.split(".")[1:]))

configs = import_module("dp_auditorium.configs.mechanism_config")
mean = import_module("dp_auditorium.mechanisms.mean")
noisy_max = import_module("dp_auditorium.mechanisms.noisy_max")
sparse_vectors = import_module("dp_auditorium.mechanisms.sparse_vector_technique")

LIBRARY = Library("dp-auditorium", release="source")
MANY = 200_000
ONE = 1.0
#: A record of 1 in place of one of 0; and one record of 1 more.
REPLACED, ONE_MORE = both_ways(((0.0,), (1.0,))), both_ways(((1.0,), (1.0, 1.0)))
OF_TEN = [((0.0,) * 10, (0.0,) * 9 + (1.0,))]
#: All queries but the last are the last record, and the last is the record before it.
REVEALING = both_ways(((0.0, 1.0), (0.0, 1.0, 0.0)))
QUERIES = 10


def _mean(data: Any, rng: Any, size: int, *, noisy_mean: bool, noisy_scale: bool) -> Any:
    config = configs.MeanMechanismConfig(
        epsilon=ONE, delta=0.0, max_value=1.0, min_value=0.0,
        use_noised_counts_for_calculating_mean=noisy_mean,
        use_noised_counts_for_calculating_noise_scale=noisy_scale,
    )  # fmt: skip
    return mean.MeanMechanism(config, rng)(np.array(data), size)


@LIBRARY.box(
    [*REPLACED, *OF_TEN], ONE, ideal=VIOLATION, samples=MANY,
    why="below 0 the noisy count leaves a noise of 1e-12: 0 comes of a sum of 0 and of no other",
)  # fmt: skip
def auditorium_private_mean(data: Any, rng: np.random.Generator, size: int) -> Any:
    """What it calls private_mean: sum, count and scale of the noise use one noisy count."""
    return _mean(data, rng, size, noisy_mean=True, noisy_scale=True)


@LIBRARY.box(
    OF_TEN, ONE, ideal=VIOLATION, samples=5 * MANY,
    why="the same for ten records, whose noisy count is below 0 in three runs of a thousand",
)  # fmt: skip
def auditorium_private_mean_of_ten(data: Any, rng: np.random.Generator, size: int) -> Any:
    """The same on ten records."""
    return _mean(data, rng, size, noisy_mean=True, noisy_scale=True)


@LIBRARY.box(
    ONE_MORE, 0.5 * ONE, ideal=VIOLATION, samples=MANY,
    why="the count is no secret, and makes the noise: half as much where there are two records",
)  # fmt: skip
def auditorium_mean_of_exact_count(data: Any, rng: np.random.Generator, size: int) -> Any:
    """What it calls non_private_mean_v1, at half of its ε."""
    return _mean(data, rng, size, noisy_mean=False, noisy_scale=False)


@LIBRARY.box(
    REPLACED, ONE, ideal=VIOLATION, samples=MANY,
    why="the mean is exact; its noise is made of a noisy count, and as good as 0 below 0",
)  # fmt: skip
def auditorium_mean_of_exact_mean(data: Any, rng: np.random.Generator, size: int) -> Any:
    """What it calls non_private_mean_v2."""
    return _mean(data, rng, size, noisy_mean=False, noisy_scale=True)


@LIBRARY.box(
    both_ways(((0, 1, 1), (2, 1, 1))), ideal=NOTHING, samples=MANY,
    why="Gumbel noise of 2/ε: the exponential mechanism, of counts that move by 1",
)  # fmt: skip
def auditorium_noisy_max(data: Any, rng: np.random.Generator, size: int) -> Any:
    """Which of three records is the most frequent."""
    config = configs.NoisyMaxMechanismConfig(epsilon=EPSILON, num_elements=3)
    return noisy_max.NoisyMaxMechanism(config, rng)(data, size)


def _sparse_vector(
    number: int, data: Any, rng: Any, size: int, *, answered: int, epsilon: float = ONE
) -> Any:
    config = configs.SVTMechanismConfig(
        epsilon=epsilon, max_value=1.0, min_value=0.0, num_queries=QUERIES, threshold=0.5,
        query_type=configs.QueryType.QUERY_TYPE_REVEAL_RECORDS, max_answered_queries=answered,
    )  # fmt: skip
    return getattr(sparse_vectors, f"SVT{number}")(config, rng)(np.array(data), size)


@LIBRARY.box(
    REVEALING, ONE, ideal=NOTHING, samples=MANY // 8,
    why="ε/2 for the threshold, ε/2 for the one answer above it",
)  # fmt: skip
def auditorium_svt1(data: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector that stops at the first answer above the threshold."""
    return _sparse_vector(1, data, rng, size, answered=1)


@LIBRARY.box(
    REVEALING, ONE, ideal=NOTHING, samples=MANY // 8,
    why="ε/4 for the threshold, ε/4 for each of two answers above it",
)  # fmt: skip
def auditorium_svt2(data: Any, rng: np.random.Generator, size: int) -> Any:
    """The same for two answers, with more noise of the threshold."""
    return _sparse_vector(2, data, rng, size, answered=2)


@LIBRARY.box(
    REVEALING, 2 * ONE, ideal=VIOLATION, samples=MANY // 2,
    why="a low answer above the threshold bounds it, and with it all answers before",
)  # fmt: skip
def auditorium_svt3(data: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector that tells the noisy answer."""
    return _sparse_vector(3, data, rng, size, answered=1, epsilon=2 * ONE)


@LIBRARY.box(
    REVEALING, ONE, ideal=VIOLATION, samples=MANY,
    why="noise of 4/3 for each of five answers: its ε is up to (1 + 6·5) / 4 = 7.75",
)  # fmt: skip
def auditorium_svt4(data: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector of five answers with noise for a third of one."""
    return _sparse_vector(4, data, rng, size, answered=5)


@LIBRARY.box(
    REVEALING, 7.75, ideal=NOTHING, samples=MANY // 8, why="at the ε that is proved for it"
)
def auditorium_svt4_at_what_it_keeps(data: Any, rng: np.random.Generator, size: int) -> Any:
    """The same, with the ε that its documentation says."""
    return _sparse_vector(4, data, rng, size, answered=5)


@LIBRARY.box(
    REVEALING, ONE, ideal=VIOLATION, samples=MANY,
    why="answers have no noise, so their order is told",
)  # fmt: skip
def auditorium_svt5(data: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector without noise of the answers."""
    return _sparse_vector(5, data, rng, size, answered=QUERIES)


@LIBRARY.box(
    REVEALING, ONE, ideal=VIOLATION, samples=MANY,
    why="it does not stop, and each answer above the threshold costs ε/2 more",
)  # fmt: skip
def auditorium_svt6(data: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector that does not stop."""
    return _sparse_vector(6, data, rng, size, answered=QUERIES)
