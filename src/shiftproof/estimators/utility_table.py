"""The errors of several noises side by side, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from .noise_utility import Debias, NoiseUtility, noise_utility

#: One noise with everything that can be subtracted from its answers.
DEBIASES: tuple[Debias | None, ...] = (None, "mean", "median")
_HEAD = ("subtract", "bias", "RMSE", "E|error|")
_SHOWN = ("bias", "rmse", "mean_absolute_error")
#: Wider tables are printed as lists.
WIDEST = 100


def utilities(noises: Sequence[str]) -> list[list[NoiseUtility]]:
    """Of each noise its errors as it is, and without its mean and median where these are not 0.

    Raises:
        BadInput: as :func:`noise_utility`.
    """
    found = [[noise_utility(noise, debias) for debias in DEBIASES] for noise in noises]
    return [[u for u in row if u.debias is None or u.subtracted != 0] for row in found]


def as_text(found: Sequence[Sequence[NoiseUtility]], at: Mapping[str, Any] | None) -> str:
    """A table for each noise, a list if it would be too wide.

    Args:
        found: as :func:`utilities` finds them.
        at: values of the parameters, for numbers; formulas without.

    Raises:
        BadInput: as :meth:`NoiseUtility.at`.
    """
    parts = []
    for utilities in found:
        rows = [_HEAD, *(_row(u, at) for u in utilities)]
        wide = [max(len(row[k]) for row in rows) for k in range(len(_HEAD))]
        if 2 * len(wide) + sum(wide) <= WIDEST:
            lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, wide, strict=True)) for row in rows]
        else:
            pairs = (zip(_HEAD, row, strict=True) for row in rows[1:])
            lines = [f"{name:<8}  {cell}" for row in pairs for name, cell in row]
        where = _where(utilities) if at is None else []
        parts.append("\n".join([utilities[0].noise, *(f"  {x}".rstrip() for x in lines + where)]))
    return "\n\n".join(parts)


def as_json(
    found: Sequence[Sequence[NoiseUtility]], at: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """One object for each noise and what is subtracted; arguments as of :func:`as_text`.

    Raises:
        BadInput: as :meth:`NoiseUtility.at`.
    """
    return [
        {
            "noise": u.noise,
            "debias": u.debias,
            "subtracted": formula_text(u.subtracted),
            **{name: formula_text(getattr(u, name)) for name in ("variance", *_SHOWN)},
            "where": {str(name): formula_text(meaning) for name, meaning in u.where},
            "parameters": None if at is None else {k: _plain(v) for k, v in _own(u, at).items()},
            "numbers": None if at is None else asdict(u.at(**_own(u, at))),
        }
        for utilities in found
        for u in utilities
    ]


def formula_text(formula: Any) -> str:
    """The formula in Python, with 1/eps**2 for what SymPy calls eps**(-2)."""
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):  # type: ignore[misc]
        def _print_Pow(self, expression: Any, rational: bool = False) -> str:
            power = expression.exp
            if power.is_Integer and power < -1:
                return f"1/{self.parenthesize(expression.base**-power, 55)}"
            text: str = super()._print_Pow(expression, rational)
            return text

    shown: str = Printer().doprint(formula)
    return shown


def _row(u: NoiseUtility, at: Mapping[str, Any] | None) -> tuple[str, ...]:
    if at is None:
        shown = [formula_text(getattr(u, name)) for name in ("subtracted", *_SHOWN)]
    else:
        numbers = u.at(**_own(u, at))
        shown = [f"{getattr(numbers, name):.6g}" for name in ("subtracted", *_SHOWN)]
    return ("nothing" if u.debias is None else f"{u.debias} {shown[0]}", *shown[1:])


def _own(u: NoiseUtility, at: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that this noise has."""
    return {name: value for name, value in at.items() if name in u.parameters}


def _where(utilities: Sequence[NoiseUtility]) -> list[str]:
    """What the abbreviations of a table mean, in one line."""
    meanings = {str(n): formula_text(meaning) for u in utilities for n, meaning in u.where}
    shown = ", ".join(f"{name} = {meaning}" for name, meaning in meanings.items())
    return [f"with {shown}"] if shown else []


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value
