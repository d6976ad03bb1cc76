"""Reports, their counts, and distributions: what estimators take, checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..dsl.errors import BadInput
from .channels import ROUNDING, Channel, Floats


def count_reports(reports: ArrayLike | Iterable[int], channel: Channel) -> NDArray[np.int64]:
    """How often each report came.

    Args:
        reports: whole numbers in 0, …, ``channel.reports`` − 1, one a user.
        channel: what they went through.

    Returns:
        The counts, shape (``channel.reports``,).

    Raises:
        BadInput: there is none, or one of them is no such number.
    """
    values: Any = reports if isinstance(reports, np.ndarray) else _listed(reports)
    if values.ndim != 1 or not values.size:
        raise BadInput(f"want a list of at least one report, got shape {values.shape}")
    if values.dtype.kind not in "iu":
        raise BadInput(
            f"reports are whole numbers; these are {values.dtype} (counts? pass counts=)"
        )
    least, most = int(values.min()), int(values.max())
    if least < 0 or most >= channel.reports:
        wrong = least if least < 0 else most
        raise BadInput(f"there is a report {wrong}; want 0 to {channel.reports - 1}")
    return np.bincount(values.astype(np.int64, copy=False), minlength=channel.reports)


def frequencies_of(counts: ArrayLike, channel: Channel) -> tuple[Floats, float]:
    """The share of each report, and how many reports there are.

    Args:
        counts: one a report; not negative, not all 0.  Fractions of a report are allowed, so a
            distribution of reports will do.
        channel: what the reports went through.

    Raises:
        BadInput: they are no such counts, or one is of a report that the channel never makes.
    """
    checked = _floats(counts, "counts", channel.reports, "report")
    total = float(checked.sum())
    if not 0 < total < math.inf:
        raise BadInput(f"the counts sum to {total:g}; want at least one report, finitely many")
    uniform = np.full(channel.inputs, 1 / channel.inputs)
    never = np.flatnonzero((checked > 0) & ~(channel.forward(uniform) > 0))
    if len(never):
        raise BadInput(f"report {never[0]} came, but the channel never makes it")
    return checked / total, total


def distribution_of(p: ArrayLike, channel: Channel, name: str = "p") -> Floats:
    """A distribution over the true values, its sum 1 up to rounding.

    Raises:
        BadInput: it has not one entry a true value, or is no distribution.
    """
    checked = _floats(p, name, channel.inputs, "true value")
    total = float(checked.sum())
    if not abs(total - 1) <= ROUNDING * max(1, math.sqrt(channel.inputs)):
        raise BadInput(f"{name} sums to {total:.10g}; want a distribution, with sum 1")
    return checked / total


def _floats(values: Any, name: str, size: int, each: str) -> Floats:
    try:
        checked = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{name}: want a list of numbers") from None
    if checked.shape != (size,):
        got = f"{checked.size}" if checked.ndim == 1 else f"shape {checked.shape}"
        more = " (raw reports? pass reports=)" if name == "counts" else ""
        raise BadInput(f"{name}: got {got}; want {size} numbers, one a {each}{more}")
    wrong = np.flatnonzero(~((checked >= 0) & (checked < math.inf)))
    if len(wrong):
        raise BadInput(f"{name}[{wrong[0]}] = {checked[wrong[0]]:g}; want a number ≥ 0, finite")
    return checked


def _listed(reports: Any) -> NDArray[Any]:
    try:
        return np.asarray(reports if hasattr(reports, "__len__") else list(reports))
    except (TypeError, ValueError, OverflowError):
        raise BadInput("want a list of reports, whole numbers") from None
