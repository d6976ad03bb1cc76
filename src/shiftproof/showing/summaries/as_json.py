"""A simulation as JSON values: the keys are documented in ``docs/simulation.md``."""

from __future__ import annotations

import math
from typing import Any

from ...dsl.simulation.outcomes import FALSE, FIRST_ATOM, FLOAT, INT, TRUE, Ending
from ..report import json_value
from .counts import AnyFloat, Bins, CountedOutcome, Numbers, quantile
from .summary import Position, Simulated, Summary

#: How many outcomes are listed.
LISTED = 100

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def as_json(account: Simulated) -> dict[str, Any]:
    """Everything there is to say; numbers that are not finite are ``None``."""
    s = account.summary
    return {
        "mechanism": account.mechanism,
        "inputs": {name: json_value(value) for name, value in account.inputs.items()},
        "seed": account.seed,
        "samples": account.samples,
        "runs": s.runs,
        "interrupted": account.interrupted,
        "seconds": account.seconds,
        "runs_per_second": account.rate,
        "endings": {ending.name.lower(): s.endings.get(ending, 0) for ending in Ending},
        "wrong": s.wrong,
        "lengths": {"least": s.shortest, "mean": s.released / s.runs, "most": s.longest},
        "outcomes": _outcomes(s),
        "positions": [_position(s, k) for k in range(len(s.positions))],
        "longer": s.longer,
    }


def _outcomes(s: Summary) -> dict[str, Any]:
    return {
        "most_frequent": [
            {**_outcome(outcome), "count": count, "share": count / s.runs}
            for outcome, count in s.table.most_frequent(LISTED)
        ],
        "different": len(s.table.counts),
        "others": s.table.others,
        "complete": not s.table.others,
    }


def _outcome(outcome: CountedOutcome) -> dict[str, Any]:
    values = [{"any": "float"} if isinstance(v, AnyFloat) else v for v in outcome.values]
    return {"values": values, "length": outcome.length, "ending": outcome.ending.name.lower()}


def _position(s: Summary, k: int) -> dict[str, Any]:
    position = s.positions[k]
    values = [
        {"value": value, "count": count} for value, count in atoms_at(position, s.table.atoms)
    ]
    numbers, bins = position.numbers, s.bins_at(k)
    return {
        "position": k + 1,
        "runs": sum(position.codes.values()),
        "ints": position.codes.get(INT, 0),
        "floats": position.codes.get(FLOAT, 0),
        "values": values,
        "numbers": _numbers(numbers, bins) if numbers.count else None,
        "not_finite": numbers.special,
    }


def atoms_at(
    position: Position, atoms: tuple[str | None, ...]
) -> list[tuple[str | bool | None, int]]:
    """What is no number, with how often it was released there; the most frequent first."""
    found: list[tuple[str | bool | None, int]] = []
    for code, count in position.codes.items():
        if code >= FIRST_ATOM:
            found.append((atoms[code - FIRST_ATOM], count))
        elif code in (FALSE, TRUE):
            found.append((code == TRUE, count))
    return sorted(found, key=lambda pair: (-pair[1], str(pair[0])))


def _numbers(numbers: Numbers, bins: Bins | None) -> dict[str, Any]:
    return {
        "count": numbers.count,
        "mean": _finite(numbers.mean),
        "standard_deviation": _finite(numbers.deviation),
        "least": numbers.least,
        "most": numbers.most,
        "quantiles": {
            f"{share:g}": found
            for share in QUANTILES
            if (found := quantile(numbers, bins, share)) is not None
        },
        "histogram": None if bins is None else histogram(numbers, bins),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def histogram(numbers: Numbers, bins: Bins) -> dict[str, Any]:
    """How many numbers are in each bar; a bar holds its left limit and not its right one."""
    assert numbers.places is not None
    inside = numbers.places[1:-1].reshape(bins.bars, bins.fine).sum(axis=1)
    return {
        "limits": [bins.limit(k) for k in range(bins.bars + 1)],
        "counts": inside.tolist(),
        "below": int(numbers.places[0]),
        "above": int(numbers.places[-1]),
    }
