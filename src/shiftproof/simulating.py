"""A simulation for the command line: it goes on until it is done, or until Ctrl-C."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from .dsl.simulation.simulate import Simulation
from .executors import Opener
from .importing import AnyMechanism
from .summaries.account import Account
from .summaries.summary import FIRST_RUNS, Summariser, Summary
from .terminal import Interrupts


def simulated(
    mechanism: AnyMechanism,
    inputs: Mapping[str, Any],
    samples: int,
    *,
    seed: int | None = None,
    opener: Opener,
    show: Callable[[int, float], None],
) -> Account:
    """Run a mechanism on one input, and sum up what it releases.

    Args:
        mechanism: it need not be able to run.
        inputs: all of them, converted.
        samples: how many runs.
        seed: by default one that is drawn, and told.
        opener: where the runs are made.
        show: is told how many runs are done and for how many seconds it has been going on.

    Returns:
        The account of all runs; after Ctrl-C of those of the first blocks, perhaps of none.

    Raises:
        BadInput: an input, the seed or the executor cannot be used.
        LimitReached: a whole number of a run is too large.
    """
    simulation = Simulation(mechanism, **inputs)
    seed = secrets.randbits(48) if seed is None else seed
    began = time.monotonic()
    summary = Summary()
    with Interrupts() as interrupts:
        try:
            with interrupts.allowed():
                first = simulation.outcomes(min(samples, FIRST_RUNS), seed=seed)
            summarise = Summariser.after(first)
            summary.bins = summarise.bins
            with opener() as executor:
                parts = simulation.map(summarise, samples, seed=seed, executor=executor)
                while True:
                    with interrupts.allowed():
                        part = next(parts, None)
                    if part is None:
                        break
                    summary.add(part)
                    show(summary.runs, time.monotonic() - began)
        except KeyboardInterrupt:
            pass
    seconds = time.monotonic() - began
    return Account(mechanism.function.__name__, inputs, samples, seed, seconds, summary)
