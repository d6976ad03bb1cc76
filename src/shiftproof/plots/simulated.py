"""The errors of a whole mechanism, simulated: for answers that are more than a count with noise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dsl.errors import BadInput
from ..dsl.simulation.columns import columns
from ..dsl.simulation.simulate import Simulation
from ..experiments.bands import Band
from ..importing import AnyMechanism

#: Half the width of a band of 95 %, in standard errors.
_WIDE = 1.959964


@dataclass(frozen=True, slots=True)
class SimulatedUtility:
    """The errors of what a mechanism releases first, with bands of 95 % for large samples.

    Attributes:
        mechanism: its name.
        over: the parameter that varies.
        rmse, mean_absolute_error, bias, variance: by value of the parameter.
    """

    mechanism: str
    over: str
    rmse: Mapping[float, Band]
    mean_absolute_error: Mapping[float, Band]
    bias: Mapping[float, Band]
    variance: Mapping[float, Band]


def simulated_utility(
    mechanism: AnyMechanism,
    truth: float,
    inputs: Mapping[str, Any],
    over: str = "eps",
    values: Sequence[float] = (0.1, 0.2, 0.5, 1, 2, 5),
    *,
    samples: int = 10_000,
    seed: int = 0,
) -> SimulatedUtility:
    """Run a mechanism often, and tell how far its first number is from the truth.

    Args:
        mechanism: it must release a number first, in every run.
        truth: what it ought to be.
        inputs: all but the parameter that varies.
        over: that parameter.
        values: of it.
        samples: how many runs are made at each value, at least 2.
        seed: the same seed gives the same errors.

    Raises:
        BadInput: an input or the seed cannot be used, or a run releases no number first.
    """
    if samples < 2:
        raise BadInput(f"samples: got {samples}; want at least 2")
    found: dict[str, dict[float, Band]] = {
        "rmse": {}, "mean_absolute_error": {}, "bias": {}, "variance": {},
    }  # fmt: skip
    for value in values:
        simulation = Simulation(mechanism, **{**inputs, over: value})
        released = columns(simulation.outcomes(samples, seed=seed), 1)
        numbers = released[0].numbers()[0] if released else np.zeros(0)
        if len(numbers) < samples:
            raise BadInput(
                f"{simulation.name}: {samples - len(numbers)} of {samples} runs release no number "
                f"first at {over} = {value:g}, so they have no error"
            )
        errors = numbers.astype(np.float64) - truth
        square = _band(errors**2)
        found["rmse"][value] = Band(*(math.sqrt(max(0.0, x)) for x in _parts(square)))
        found["mean_absolute_error"][value] = _band(np.abs(errors))
        found["bias"][value] = _band(errors)
        found["variance"][value] = _band((errors - errors.mean()) ** 2)
    return SimulatedUtility(mechanism.function.__name__, over, **found)


def _band(some: Any) -> Band:
    """The mean with its band, by the central limit theorem."""
    mean = float(some.mean())
    wide = _WIDE * float(some.std(ddof=1)) / math.sqrt(len(some))
    return Band(mean, mean - wide, mean + wide)


def _parts(band: Band) -> tuple[float, float, float]:
    return band.mean, band.low, band.high
