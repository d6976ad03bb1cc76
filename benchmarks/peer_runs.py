"""DP-Sniper and StatDP measured in the same run, from checkouts that the user gives.

Both get the functions and the pairs of inputs of our own audits.  DP-Sniper's classes need PyTorch
and Matplotlib, StatDP needs Numba and tqdm; neither is needed for anything else here.
"""

from __future__ import annotations

import bisect
import importlib
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peer_mechanisms import NEGATIVE_AMONG_REALS, STOPPED, STOPPED_AMONG_REALS, Row
from shiftproof.dsl.errors import BadInput

CONFIDENCE = 0.9
#: DP-Sniper's runs on each side of the final pair are this share of all; the others are shared out
#: between the pairs, and there five ways: two to learn, one for the threshold, two to compare.
FINAL, WAYS = 1 / 4, 5
#: The ε that StatDP is asked about, by bisection; 0 if it rejects none.
ASKED = tuple(round(0.05 * k, 2) for k in range(1, 80))
#: How many runs it makes for each ε, over all pairs.
STATDP_RUNS = 3_000_000
#: It rejects where its p-value is below this.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Measured:
    """A bound on ε, how many runs were made for it, and the seconds of processor time."""

    bound: float
    runs: int
    seconds: float


def _imported(path: Path, names: Iterable[str]) -> list[Any]:
    """Modules of a checkout.

    Raises:
        BadInput: it does not hold them, or what they need is not installed.
    """
    sys.path.insert(0, str(path))
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        raise BadInput(
            f"{path}: {error}; want a checkout whose requirements are installed"
        ) from None
    finally:
        sys.path.remove(str(path))


class Sniper:
    """DP-Sniper with logistic regression, as its authors' default experiment sets it up."""

    def __init__(self, path: Path) -> None:
        names = ("attack.dpsniper", "classifiers.classifier_factory", "search.ddconfig",
                 "classifiers.torch_optimizer_factory", "classifiers.feature_transformer",
                 "probability.estimators", "utils.paths", "utils.torch")  # fmt: skip
        found = _imported(path, [f"dpsniper.{name}" for name in names])
        self.attack, self.factories, self.config, self.optimizers = found[:4]
        self.features, self.estimators, paths, torch = found[4:]
        paths.set_output_directory(tempfile.mkdtemp())
        torch.torch_initialize(torch_threads=1)

    def on(self, row: Row, runs: int) -> Measured:
        """Its lower bound on ε, from about so many runs of a mechanism over all its pairs."""
        rng = np.random.default_rng(0)

        class Box:
            def m(self, a: Any, n_samples: int = 1) -> Any:
                return row.function(tuple(a), rng, n_samples)

        begun = time.process_time()
        part = int((1 - 2 * FINAL) * runs / WAYS / len(row.pairs)) // 1000 * 1000
        config = self.config.DDConfig(
            n_train=part, n=part, n_check=part, n_final=int(FINAL * runs) // 1000 * 1000,
            training_batch_size=min(100_000, part), n_processes=1, confidence=CONFIDENCE,
        )  # fmt: skip
        found = np.asarray(row.function(row.pairs[0][1], rng, 2))
        special = [STOPPED] if found.dtype.kind == "i" else []
        special += [STOPPED_AMONG_REALS, NEGATIVE_AMONG_REALS] if found.ndim > 1 else []
        width = 1 if found.ndim == 1 else found.shape[1]
        factory = self.factories.LogisticRegressionFactory(
            in_dimensions=width * (1 + len(special)),
            optimizer_factory=self.optimizers.SGDOptimizerFactory(
                learning_rate=0.3, momentum=0.3, step_size=500
            ),
            feature_transform=self.features.FlagsFeatureTransformer(special) if special else None,
            regularization_weight=0.001, epochs=10, label=row.function.__name__,
        )  # fmt: skip
        sniper = self.attack.DPSniper(Box(), factory, config)
        attacks = [(left, right, sniper.best_attack(left, right)) for _, left, right in row.pairs]
        first, last = (
            self.estimators.EpsEstimator(self.estimators.PrEstimator(Box(), size, config))
            for size in (config.n_check, config.n_final)
        )
        best = max(attacks, key=lambda found: first.compute_eps_estimate(*found)[0])
        _, bound = last.compute_eps_estimate(*best)
        made = WAYS * part * len(row.pairs) + 2 * config.n_final
        return Measured(max(float(bound), 0.0), made, time.process_time() - begun)


def _once(function: Any, prng: Any, queries: Any, epsilon: float = 0.0) -> Any:
    """One run, as StatDP calls it."""
    row = function(tuple(queries), prng, 1)[0]
    return tuple(row.tolist()) if np.ndim(row) else row


class StatDP:
    """StatDP with its own numbers of runs, which are for each pair and each ε that it is asked."""

    def __init__(self, path: Path) -> None:
        names = ("statdp.selectors", "statdp.hypotest")
        self.selectors, self.hypotest = _imported(path, names)

    def on(self, row: Row, runs: int) -> Measured:
        """The largest ε that it rejects, of those asked; a sixth of the runs chooses the event."""
        begun = time.process_time()
        algorithm = partial(_once, row.function)
        inputs: list[Any] = [(left, right, {}) for _, left, right in row.pairs]
        choosing, testing = runs // 6 // (2 * len(inputs)), 5 * runs // 12

        class Here:
            """Its pool of processes, with none."""

            _processes = 1
            imap_unordered = staticmethod(map)

        def kept(asked: float) -> bool:
            event = self.selectors.select_event(algorithm, inputs, asked, choosing, Here(), True)
            found = self.hypotest.hypothesis_test(
                algorithm, *event, asked, testing, Here(), report_p2=False
            )
            made.append(2 * len(inputs) * choosing + 2 * testing)
            return bool(found >= LEVEL)

        made: list[int] = []
        first = bisect.bisect_left(ASKED, True, key=kept)
        seconds = time.process_time() - begun
        return Measured(ASKED[first - 1] if first else 0.0, sum(made), seconds)
