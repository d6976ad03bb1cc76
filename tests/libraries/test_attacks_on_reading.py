"""Functions that were once read as something else: each is refused, or read as what it does."""

from __future__ import annotations

import importlib.util
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, Simulation, Unsupported
from shiftproof.dsl.static import read_text
from shiftproof.libraries.reading import Reading
from shiftproof.libraries.whole import written
from tests.libraries.test_reading_functions import flat
from tests.places import ROOT

ATTACKS = (ROOT / "tests" / "programs" / "libraries" / "attacks.txt").read_text(encoding="utf-8")
#: For each kind of case the annotations of its inputs, preconditions, and inputs to try.
_WHOLE = "Annotated[int, IntegerValue(0, 'm')]"
_SEVERAL = "Annotated[Sequence[int], IntegerValues(-2, 2)]"
_PLACES = "Annotated[Sequence[int], IntegerValues(0, 3)]"
KINDS: dict[str, tuple[dict[str, str], tuple[str, ...], list[dict[str, Any]]]] = {
    "x": ({"x": _WHOLE, "m": "Public[Nat]"}, ("m >= 1",), [{"x": x, "m": 3} for x in (0, 1, 3)]),
    "n": (
        {"x": "Annotated[int, IntegerValue(0, 1)]", "m": "Public[Nat]"},
        (),
        [{"x": x, "m": m} for x in (0, 1) for m in (0, 2)],
    ),
    "b": ({"x": "Annotated[int, IntegerValue(0, 1)]"}, (), [{"x": 0}, {"x": 1}]),
    "i": ({"x": "Annotated[int, IntegerValue(-3, 3)]"}, (), [{"x": x} for x in (-3, -2, 0, 1, 3)]),
    "v": ({"x": "Annotated[float, Value(-2, 2)]"}, (), [{"x": x} for x in (-1.5, 0.0, 1.25)]),
    "xs": ({"xs": _SEVERAL}, ("len(xs) >= 1",), [{"xs": [1, 0, 2]}, {"xs": [-2, 2]}]),
    "xs3": ({"xs": _SEVERAL}, ("len(xs) == 3",), [{"xs": [1, 0, 2]}, {"xs": [-2, 2, 2]}]),
    "xm": (
        {"xs": _PLACES, "m": "Public[Nat]"},
        ("len(xs) >= 1", "m == 3"),
        [{"xs": xs, "m": 3} for xs in ([1, 1, 3], [0, 2], [3, 2, 1, 0])],
    ),
    "xl": (
        {"xs": _PLACES, "m": "Public[Nat]"},
        ("len(xs) == m + 1", "m >= 1"),
        [{"xs": [1, 1, 2], "m": 2}, {"xs": [0, 2, 2, 0], "m": 3}],
    ),
    "xy": (
        {"xs": _SEVERAL, "ys": _SEVERAL},
        ("len(xs) >= 1", "len(ys) >= 1"),
        [{"xs": [1, 0, 2], "ys": [1, 2]}, {"xs": [-2, 2], "ys": [1, 2, 0]}],
    ),
}
RUNS = 300


def cases() -> list[Any]:
    found = []
    for part in re.split(r"^### ", ATTACKS, flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        name, *options = head.split()
        said = dict(option.split("=", 1) for option in options)
        lines = [f"import {module}" for module in ("random", "math") if f"{module}." in text]
        code = "\n".join([*lines, "import numpy as np", text])
        found.append(pytest.param(code, said, id=name))
    return found


def counted(call: Callable[[], Any]) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for _ in range(RUNS):
        try:
            found[flat(call())] += 1
        except (ArithmeticError, LookupError, TypeError, ValueError, SystemExit, RuntimeError):
            found[("raises",)] += 1
    return found


@pytest.mark.parametrize(("code", "said"), cases())
def test_it_is_refused_or_read_as_what_it_does(
    code: str, said: dict[str, str], tmp_path: Path
) -> None:
    """``function=``, ``kind=`` of its inputs; ``refused=`` if no sample tells it from another."""
    file = tmp_path / "case.py"
    file.write_text(code, encoding="utf-8")
    annotations, assumed, points = KINDS[said.get("kind", "x")]
    function, inputs = said.get("function", "f"), {**annotations, "eps": "Epsilon"}
    reading = Reading(
        f"{file}::{function}", "LDP()", inputs, assume=assumed,
        init={"k": 9} if "init" in said else {},
    )  # fmt: skip
    try:
        text = written(reading, tmp_path).text
        ((_, mechanism),) = read_text(text)
        assert mechanism.program
    except (BadInput, Unsupported):
        return
    assert "refused" not in said, text
    spec = importlib.util.spec_from_file_location("attacking_case", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    owner, _, short = function.rpartition(".")
    run = getattr(getattr(module, owner)() if owner else module, short)
    parameters = run.__code__.co_varnames[: run.__code__.co_argcount]
    for point in points:
        np.random.seed(1)
        random.seed(1)

        def call(point: dict[str, Any] = point) -> Any:
            given = {**point, "eps": 1.0}
            given |= {n: np.array(v) for n, v in given.items() if isinstance(v, list)}
            return run(**{n: v for n, v in given.items() if n in parameters})

        theirs = counted(call)
        ours: Counter[tuple[Any, ...]] = Counter()
        for output, count in (
            Simulation(mechanism, **point, eps=1.0).outcomes(RUNS, seed=1).counts()
        ):
            raised = "raises" in output or (not output and () not in theirs)
            ours[("raises",) if raised else flat(list(output))] += count
        if len(theirs.keys() | ours.keys()) > RUNS:  # real numbers: how many are below some
            sides = [np.array(list(side.elements()), float) for side in (theirs, ours)]
            assert sides[0].shape == sides[1].shape
            for share in (0.25, 0.5, 0.75):
                below = [side <= np.quantile(sides[0], share, axis=0) for side in sides]
                gaps = below[0].mean(axis=0) - below[1].mean(axis=0)
                assert np.abs(gaps).max() <= 6 * np.sqrt(0.5 / RUNS), (share, gaps, text)
            continue
        for outcome in theirs.keys() | ours.keys():
            p, q = theirs[outcome] / RUNS, ours[outcome] / RUNS
            assert abs(p - q) <= 6 * np.sqrt(max(p + q, 1 / RUNS) / RUNS), (outcome, p, q, text)
