"""A simulation for the command line: it goes on until it is done, or until Ctrl-C."""

from __future__ import annotations

import json
import math
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.privacy.inputs import DataSet, InputKind, Value
from ...dsl.simulation.simulate import Simulation
from ...showing.summaries.summary import FIRST_RUNS, Simulated, Summariser, Summary
from ...workspace.executors import Opener
from ...workspace.files import read_whole
from ...workspace.importing import AnyMechanism
from ...workspace.interrupts import Interrupts
from .settings import parse_settings

# All inputs of a mechanism, private ones too.

_FRACTION = re.compile(r"[+-]?[0-9]+/[0-9]+")


def all_inputs(
    mechanism: AnyMechanism, settings: Sequence[str], file: Path | None
) -> dict[str, Any]:
    """A value for every input, in their order, converted by the mechanism itself.

    Args:
        mechanism: whose inputs are meant.
        settings: each ``name=value``; one number for a public sequence is repeated until it is
            as long as the given sequences, if these are equally long.
        file: a JSON object with values by name, where ``"1/3"`` is a fraction.

    Raises:
        BadInput: an input is missing, unknown, given twice, or of the wrong kind.
    """
    kinds, name = mechanism.inputs, mechanism.function.__name__
    sets = [n for n, kind in kinds.items() if isinstance(kind, DataSet)]
    for item in settings:
        known = item.partition("=")[0].strip()
        if known in sets:
            raise BadInput(f"--set {item!r}: {known} is a data set; give {_example(known, kinds)}")
    given: dict[str, Any] = dict(parse_settings(settings, [n for n in kinds if n not in sets]))
    for known, value in (_read(file, kinds) if file is not None else {}).items():
        if known in given:
            raise BadInput(f"{file}: {known!r} is given by --set, too")
        given[known] = value
    missing = [n for n in kinds if n not in given]
    if missing:
        wanted = " ".join(_example(n, kinds) for n in missing)
        raise BadInput(f"{name}: no value is given for {', '.join(missing)}; give, say, {wanted}")
    return dict(mechanism.convert(**_repeated(given, kinds)))


def _repeated(given: Mapping[str, Any], kinds: Mapping[str, InputKind]) -> dict[str, Any]:
    lengths = {len(v) for n, v in given.items() if kinds[n].array and isinstance(v, tuple | list)}
    length = lengths.pop() if len(lengths) == 1 else None
    values = {}
    for name in kinds:
        value, kind = given[name], kinds[name]
        single = kind.public and kind.array and not isinstance(value, tuple | list | str)
        values[name] = (value,) * length if single and length is not None else value
    return values


def _example(name: str, kinds: Mapping[str, InputKind]) -> str:
    """How a value can be given."""
    kind = kinds[name]
    if isinstance(kind, DataSet):
        record = [0] * kind.attributes
        held = json.dumps({name: [record, [1, *record[1:]]]})
        return f"--inputs FILE.json (a file with {held})"
    one = str(_number(name, kinds))
    return f"--set {name}={one},{one}" if kind.array else f"--set {name}={one}"


def _number(name: str, kinds: Mapping[str, InputKind]) -> Any:
    """A number that an input can have; the others have numbers of such examples, too."""
    kind = kinds[name]
    if isinstance(kind, Value):
        high = kind.high if not isinstance(kind.high, str) else _number(kind.high, kinds)
        return math.floor(high) if kind.whole else high
    for value in kinds.values():
        if not isinstance(value, Value):
            continue
        # Beside the other end of the range.
        if value.high == name and not isinstance(value.low, str):
            return value.low + (3 if kind.whole else 0.5)
        if value.low == name and not isinstance(value.high, str):
            return value.high - (3 if kind.whole else 0.5)
    return 3 if kind.whole else 0.5


def _read(file: Path, kinds: Mapping[str, InputKind]) -> dict[str, Any]:
    loads = partial(json.loads, object_pairs_hook=_distinct, parse_constant=_constant)
    found = read_whole(file, loads)
    if not isinstance(found, dict):
        raise BadInput(f'{file}: want one JSON object with values by name, as in {{"eps": 0.5}}')
    for name in found:
        if name not in kinds:
            raise BadInput(f"{file}: unknown name {name!r}: want some of {', '.join(kinds)}")
    return {name: _value(file, name, value) for name, value in found.items()}


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _value(file: Path, name: str, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_value(file, name, v) for v in value)
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        try:
            return Fraction(value)
        except ZeroDivisionError:
            pass
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput(f"{file}: {name}: a number is too large")
    if isinstance(value, bool | int | float):
        return value
    shown = json.dumps(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    raise BadInput(f'{file}: {name}: got {shown}; want numbers, fractions like "1/3", and lists')


def simulated(
    mechanism: AnyMechanism,
    inputs: Mapping[str, Any],
    samples: int,
    *,
    seed: int | None = None,
    opener: Opener,
    show: Callable[[int, float], None],
) -> Simulated:
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
    return Simulated(mechanism.function.__name__, inputs, samples, seed, seconds, summary)
