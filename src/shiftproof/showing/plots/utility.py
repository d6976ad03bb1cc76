"""The pictures of utility: what noise costs in error, by its law or simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from typing import Any, Literal, TypeAlias

import numpy as np

from ...dsl.errors import BadInput
from ...dsl.noise import Distribution
from ...dsl.simulation.log import columns
from ...dsl.simulation.simulate import Simulation
from ...estimators.bands import Band
from ...estimators.noise_utility import NoiseUtility, noise_utility
from ...workspace.importing import AnyMechanism
from .drawing import COLOURS, frame, mark_across, panels

Measure: TypeAlias = Literal["rmse", "mean_absolute_error", "bias", "variance"]
#: What is drawn of each noise, and how it is called, with its unit.
MEASURES: Mapping[Measure, str] = {
    "rmse": "RMSE, units of the answer",
    "mean_absolute_error": "E|error|, units of the answer",
    "bias": "bias, units of the answer",
    "variance": "variance, squared units",
}
_STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1)))
_MARKS = ("o", "s", "D", "^", "v", "P")
#: The ε that are drawn by default, in nats.
EPSILONS = tuple(0.05 * 1.2**k for k in range(27))


def plot_utility(
    noises: Sequence[NoiseUtility | SimulatedUtility | Distribution | str],
    over: str = "eps",
    values: Sequence[float] = EPSILONS,
    *,
    measures: Sequence[Measure] = ("rmse", "mean_absolute_error", "bias"),
    given: Mapping[str, int | float | Fraction] | None = None,
    axes: Any = None,
) -> Any:
    """Draw the errors of answers with noise, over ε or another parameter.

    Lines are exact; dots with bars of 95 % are simulated.

    Args:
        noises: what :func:`noise_utility` found, or what it takes, of which biased noise has a
            second line, less its mean; a noise that does not have the parameter is a level line;
            or what :func:`simulated_utility` found of a whole mechanism, at values of its own.
        over: the parameter along the axis.
        values: of it, positive.
        measures: a panel for each: ``rmse``, ``mean_absolute_error``, ``bias``, ``variance``.
        given: values of the other parameters.
        axes: an axes of matplotlib for each measure; a new figure by default.

    Returns:
        The figure of matplotlib.  Errors are in the unit of the answer, ε in nats.

    Raises:
        BadInput: there is no noise, value or such measure, a parameter has no value or no noise
            has it, there is no such noise at a value, or matplotlib is not installed.
    """
    if isinstance(noises, str | Distribution | NoiseUtility | SimulatedUtility):
        noises = (noises,)
    given_lists = {"noises": noises, "values": values, "measures": measures}
    for name, members in given_lists.items():
        if not len(members):
            raise BadInput(f"{name}: there are none, so there is nothing to draw")
    for measure in measures:
        if measure not in MEASURES:
            raise BadInput(f"measures: got {measure!r}; want some of {', '.join(MEASURES)}")
    exact = [u for n in noises if not isinstance(n, SimulatedUtility) for u in _variants(n)]
    simulated = [n for n in noises if isinstance(n, SimulatedUtility)]
    for found in simulated:
        if found.over != over:
            raise BadInput(
                f"{found.mechanism}: it was simulated over {found.over}, not over {over}"
            )
    lines = _lines(exact, over, values, given or {}) if exact else []
    colours = dict(zip(dict.fromkeys(u.noise for u in exact), cycle(COLOURS), strict=False))
    figure, grid = panels(axes, (1, len(measures)), (0.4 + 3.1 * len(measures), 3.8))
    for ax, measure in zip(grid[0], measures, strict=True):
        for k, (utility, errors) in enumerate(zip(exact, lines, strict=True)):
            ax.plot(
                list(values), [getattr(error, measure) for error in errors],
                ls=_STYLES[k % len(_STYLES)], color=colours[utility.noise], lw=1.6,
                label=_label(utility),
            )  # fmt: skip
        for k, some in enumerate(simulated, start=len(colours)):
            bands = getattr(some, measure)
            ax.errorbar(
                list(bands), [b.mean for b in bands.values()],
                yerr=[[b.mean - b.low for b in bands.values()],
                      [b.high - b.mean for b in bands.values()]],
                fmt=_MARKS[k % len(_MARKS)], ms=4, capsize=2, lw=1, color=COLOURS[k % len(COLOURS)],
                label=f"{some.mechanism}, simulated",
            )  # fmt: skip
        mark_across(ax)
        if measure == "bias":
            ax.axhline(0, color="#bbbbbb", lw=0.8, zorder=0)
        else:
            ax.set_yscale("log")
        frame(ax, "", f"{over}, nats" if over == "eps" else over, MEASURES[measure])
    if axes is not None:
        grid[0, 0].legend(fontsize=7, frameon=False)
    else:
        handles, names = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=len(measures),
                      fontsize=8, frameon=False)  # fmt: skip
        of = " and ".join(["answers with noise"] * bool(exact) + [s.mechanism for s in simulated])
        figure.suptitle(f"errors of {of}", fontsize=10, parse_math=False)
    return figure


def _variants(noise: NoiseUtility | Distribution | str) -> list[NoiseUtility]:
    """A noise as it was asked for; one that is biased also without what is known of its bias."""
    if isinstance(noise, NoiseUtility):
        return [noise]
    raw = noise_utility(noise)
    return [raw] if raw.bias == 0 else [raw, noise_utility(noise, "mean")]


def _lines(
    found: Sequence[NoiseUtility], over: str, values: Sequence[float],
    given: Mapping[str, int | float | Fraction],
) -> list[list[Any]]:  # fmt: skip
    known = {name for utility in found for name in utility.parameters}
    for name in (over, *given):
        if name not in known:
            wanted = ", ".join(sorted(known)) or "no parameter at all"
            raise BadInput(f"{name}: no noise here has this parameter; there is {wanted}")
    return [
        [
            utility.at(
                **{n: v for n, v in {**given, over: value}.items() if n in utility.parameters}
            )
            for value in values
        ]
        for utility in found
    ]


def _label(utility: NoiseUtility) -> str:
    less = f", less its {utility.debias}" if utility.debias else ""
    return f"{utility.noise}{less}"


# The errors of a whole mechanism, simulated: for answers that are more than a count with noise.

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
    found: dict[str, dict[float, Band]] = {measure: {} for measure in MEASURES}
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
        found["rmse"][value] = Band(
            *(math.sqrt(max(0.0, x)) for x in (square.mean, square.low, square.high))
        )
        found["mean_absolute_error"][value] = _band(np.abs(errors))
        found["bias"][value] = _band(errors)
        found["variance"][value] = _band((errors - errors.mean()) ** 2)
    return SimulatedUtility(mechanism.function.__name__, over, **found)


def _band(some: Any) -> Band:
    """The mean with its band, by the central limit theorem."""
    mean = float(some.mean())
    wide = _WIDE * float(some.std(ddof=1)) / math.sqrt(len(some))
    return Band(mean, mean - wide, mean + wide)
