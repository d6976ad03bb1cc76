"""Running a mechanism on counts: of the items of baskets (FIMI), or of a column's values (CSV)."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dsl.errors import BadInput, Unsupported
from ...dsl.idealised import Idealisation, idealisations
from ...dsl.language.runtime import seeded
from ...dsl.privacy.inputs import CountingQueries, Value, WindowCounts
from ...dsl.terms.values import exact
from ...showing.report import json_value
from ...workspace.data.baskets import ItemCounts, read_item_counts
from ...workspace.data.columns import read_column_counts
from ...workspace.importing import AnyMechanism, blame
from ...workspace.targets import one_mechanism
from .settings import Setting, parse_settings

FLOATING_POINT = (
    "Warning: this run is only idealised: {}. The proof is about ideal noise in exact real "
    "arithmetic and does not carry over to the last bits, which can give the data away: "
    "do not use this for real releases."
)
UNREAD = "what it does is outside the language, so nobody knows what is rounded in it"
COUNTING = (
    "Note: a record is taken to be a basket, and an item's count to be a counting query over "
    "the baskets; which items there are is read from the file and treated as public."
)
COUNTED = (
    "Note: a record is taken to be a row, and a count to be a counting query over the rows; which "
    "values the column has is read from the file and treated as public."
)
SEEDED = "Warning: whoever knows the seed can repeat the noise: a seeded run is not private."
KNOWN_BAD = "Warning: {} is a known-bad example; it does not have the privacy that it claims."


@dataclass(frozen=True, slots=True)
class BasketRun:
    """What one run released, in order, and what must be said with it.

    ``items[k]`` is the item that the k-th value is about; it is empty if values are not
    released item by item.
    """

    mechanism: str
    data: str
    column: str | None
    counts: ItemCounts
    settings: Mapping[str, Setting]
    seed: int | None
    released: tuple[Any, ...]
    items: tuple[int, ...] | tuple[str, ...]
    warnings: tuple[str, ...]

    def _listed(self) -> list[tuple[int | str, Any]]:
        """The values that are more than "nothing here", each with its item or position."""
        places: Sequence[int | str] = self.items or range(len(self.released))
        both = zip(places, self.released, strict=False)
        return [(place, value) for place, value in both if not _is_silent(value)]

    def _silent(self) -> dict[str, int]:
        return dict(Counter(str(value) for value in self.released if _is_silent(value)))

    def as_json(self, limit: int | None = None) -> dict[str, Any]:
        """The outcome as JSON values, with at most ``limit`` of the listed values."""
        label = (self.column or "item") if self.items else "position"
        listed = self._listed()
        return {
            "mechanism": self.mechanism,
            "data": self.data,
            **({} if self.column is None else {"column": self.column}),
            "baskets" if self.column is None else "rows": self.counts.baskets,
            "items": len(self.counts.items),
            "settings": {name: json_value(value) for name, value in self.settings.items()},
            "seed": self.seed,
            "released": [
                {label: place, "value": json_value(value)} for place, value in listed[:limit]
            ],
            "left_out": len(listed) - len(listed[:limit]),
            "counted": self._silent(),
            "warnings": list(self.warnings),
        }

    def as_text(self, limit: int | None = None) -> str:
        """The outcome for people: a line for each listed value, the others counted."""
        label = (self.column or "item") if self.items else "position"
        listed = self._listed()
        shown = listed[:limit]
        width = max([len(label), *(len(str(place)) for place, _ in shown)])
        about = f"{self.counts.baskets} baskets, {len(self.counts.items)} items"
        if self.column is not None:
            about = f"{self.counts.baskets} rows, {len(self.counts.items)} values of {self.column}"
        lines = [f"{self.mechanism} on {self.data} ({about})"]
        lines += [f"{label:>{width}}  value"] if shown else []
        lines += [f"{place:>{width}}  {value}" for place, value in shown]
        left_out = len(listed) - len(shown)
        others = [f"{number} × {value}" for value, number in self._silent().items()]
        others += [f"{left_out} more"] if left_out else []
        total = f"values released: {len(self.released)}"
        return "\n".join(
            [*lines, f"{total} (not listed: {', '.join(others)})" if others else total]
        )


def run_on_counts(
    target: str, file: Path, column: str | None, settings: Sequence[str], seed: int | None
) -> BasketRun:
    """Run the mechanism that ``target`` names on the item counts of a basket file, or a column's.

    The counts, by ascending item, are its one private input.  ``settings`` give its public ones;
    a single number for a vector is repeated for every item.

    Raises:
        BadInput: the target, the file or a setting is not usable, or the mechanism fails.
    """
    mechanism = one_mechanism(target, run=True)
    private = _private_input(mechanism, target)
    public = [name for name in mechanism.inputs if name != private]
    given = parse_settings(settings, public)
    missing = [name for name in public if name not in given]
    if missing:
        wanted = " ".join(f"--set {name}=…" for name in missing)
        raise BadInput(f"{mechanism.function.__name__}: values are missing; give {wanted}")
    counts = read_item_counts(file) if column is None else read_column_counts(file, column)
    _check_records(mechanism, private, counts, file)
    values: dict[str, Any] = {private: counts.counts}
    for name, value in given.items():
        repeat = mechanism.inputs[name].array and not isinstance(value, tuple)
        values[name] = (value,) * len(counts.items) if repeat else value
    values, idealised = _exactly(mechanism, values)
    released = _released(mechanism, values, seed)
    by_item = inspect.isgeneratorfunction(mechanism.function)
    return BasketRun(
        mechanism=mechanism.function.__name__,
        data=str(file),
        column=column,
        counts=counts,
        settings=given,
        seed=seed,
        released=released,
        items=counts.items if by_item and len(released) <= len(counts.items) else (),
        warnings=_warnings(mechanism, idealised, seed, COUNTING if column is None else COUNTED),
    )


def _private_input(mechanism: AnyMechanism, target: str) -> str:
    private = [name for name, kind in mechanism.inputs.items() if not kind.public]
    kinds = [mechanism.inputs[name] for name in private]
    others = WindowCounts | Value  # item counts are neither counts over time nor users' values
    if len(kinds) != 1 or not kinds[0].array or isinstance(kinds[0], others):
        raise BadInput(
            f"{target}: item counts can only be given to a mechanism with exactly one private "
            f"input, a sequence of answers; its private inputs are: {', '.join(private) or 'none'}"
        )
    return private[0]


def _check_records(mechanism: AnyMechanism, name: str, counts: ItemCounts, file: Path) -> None:
    """A histogram of records that may be in one place only is not what baskets give."""
    kind = mechanism.inputs[name]
    if isinstance(kind, CountingQueries) and kind.one_hot and sum(counts.counts) > counts.baskets:
        raise BadInput(
            f"{file}: has baskets of several items, but in {name} a record counts once at most"
        )


def _released(
    mechanism: AnyMechanism, values: Mapping[str, Any], seed: int | None
) -> tuple[Any, ...]:
    converted = mechanism.convert(**values)
    try:
        with nullcontext() if seed is None else seeded(seed):
            return mechanism.run(converted)
    except Exception as error:
        name = mechanism.function.__name__
        raise blame(error, name, mechanism.location.file, "cannot be run") from None


def _exactly(
    mechanism: AnyMechanism, values: dict[str, Any]
) -> tuple[dict[str, Any], tuple[Idealisation | str, ...]]:
    """The values, as fractions where these make a run exact, and what is not exact all the same.

    A decimal stands for itself then, not for the float next to it.
    """
    try:
        found = idealisations(mechanism)
    except Unsupported:
        return values, (UNREAD,)
    names = {name for i in found for name in i.parameters}
    if all(i.parameters for i in found):
        values = {n: _in_fractions(v) if n in names else v for n, v in values.items()}
    return values, idealisations(mechanism, **values)


def _in_fractions(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_in_fractions, value))
    return exact(value) if type(value) in (int, float) else value


def _warnings(
    mechanism: AnyMechanism, idealised: Sequence[Idealisation | str], seed: int | None, counted: str
) -> tuple[str, ...]:
    found = [FLOATING_POINT.format(idealised[0])] if idealised else []
    found.append(counted)
    if seed is not None:
        found.append(SEEDED)
    if mechanism.expect == "refuted":
        found.append(KNOWN_BAD.format(mechanism.function.__name__))
    return tuple(found)


def _is_silent(value: object) -> bool:
    return value is None or value is False
