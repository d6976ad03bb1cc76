"""Private mechanisms of the literature are proved, broken ones refuted, as users write them.

What is not so today is listed in ``open_today``, with the verdict that it has: a change for the
better fails here, and its line goes.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from shiftproof import Mechanism, ShiftproofError, verify
from tests.literature.known import KNOWN
from tests.literature.open_today import OPEN
from tests.literature.sources import FILES, TABLE, source_table
from tests.loading import load
from tests.sampling import every

LOADED = [load(path) for path in FILES]
MECHANISMS: dict[str, Mechanism[..., Any]] = {
    name: mechanism for loaded in LOADED for name, mechanism in loaded.items()
}
#: Of all of them, one in so many runs by default; of those that are open fewer, as they cost more.
ONE_IN, ONE_OPEN_IN = 30, 60
#: Values of the parameters at which two expressions for a budget are compared: all the same, of
#: different sizes, and all small.  They meet the preconditions of what is known in terms of them.
COUNTS = {"c": 3, "n": 4, "k": 2, "N": 2, "m": 3, "rounds": 2, "steps": 5, "last": 4}
PARAMETERS: tuple[dict[str, float], ...] = (
    dict.fromkeys(("eps", "eps1", "eps2", "eps3", *COUNTS), 1)
    | {"p": 0.6, "t": 0.1, "f": 0.8, "theta": 0.5, "lo": 0, "hi": 2, "m": 2},
    {"eps": 1 / 3, "eps1": 1 / 2, "eps2": 3, "eps3": 1 / 5}
    | COUNTS
    | {"p": 0.55, "t": 0.05, "f": 0.95, "theta": 0.25, "lo": -1, "hi": 3},
    {"eps": 1 / 5, "eps1": 1 / 5, "eps2": 1 / 7, "eps3": 1 / 9}
    | COUNTS
    | {"p": 0.52, "t": 0.01, "f": 0.96, "theta": 0.75, "lo": 0, "hi": 2},
)


def value(text: str | None, parameters: dict[str, float]) -> float:
    assert text is not None
    return float(eval(text, {"log": math.log, "exp": math.exp}, dict(parameters)))


def claimed(name: str, parameters: dict[str, float]) -> float:
    budget = MECHANISMS[name].budget
    if budget is None:
        return parameters["eps"]
    if not callable(budget):
        return float(budget)
    code = budget.__code__
    return float(budget(*(parameters[name] for name in code.co_varnames[: code.co_argcount])))


def named(names: list[str], one_in: int) -> Any:
    return pytest.mark.parametrize("name", every(one_in, sorted(names)))


@named([name for name in MECHANISMS if name not in OPEN], ONE_IN)
def test_as_the_literature_says(name: str) -> None:
    report = verify(MECHANISMS[name])
    assert str(report.verdict) == MECHANISMS[name].expect, report
    if report.holds and name in KNOWN:
        for parameters in PARAMETERS:
            assert value(report.epsilon_upper, parameters) >= value(KNOWN[name], parameters) - 1e-9


@named([name for name in MECHANISMS if name in OPEN], ONE_OPEN_IN)
def test_what_is_open_today(name: str) -> None:
    verdict, _ = OPEN[name]
    try:
        report = verify(MECHANISMS[name])
    except ShiftproofError as error:
        assert verdict == type(error).__name__
    else:
        assert str(report.verdict) == verdict, f"{name} came out otherwise: {report}"


def test_nothing_broken_is_listed_as_proved() -> None:
    wrong = [name for name, (verdict, _) in OPEN.items() if verdict in ("proved", "refuted")]
    assert not wrong


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_what_is_known_tells_right_from_wrong(name: str) -> None:
    """A private mechanism loses what it claims at most, a broken one more for some parameters."""
    kept = [
        value(KNOWN[name], parameters) <= claimed(name, parameters) + 1e-9
        for parameters in PARAMETERS
    ]
    assert all(kept) if MECHANISMS[name].expect == "proved" else not all(kept)


def test_names_are_of_one_mechanism_each() -> None:
    assert len(MECHANISMS) == sum(len(loaded) for loaded in LOADED)
    assert set(OPEN) <= set(MECHANISMS)
    assert set(KNOWN) <= set(MECHANISMS)


def test_there_are_many() -> None:
    private = [name for name, mechanism in MECHANISMS.items() if mechanism.expect == "proved"]
    assert len(private) >= 150
    assert len(MECHANISMS) - len(private) >= 60


def test_every_one_has_a_source() -> None:
    texts = {name: mechanism.function.__doc__ or "" for name, mechanism in MECHANISMS.items()}
    assert not [name for name, text in texts.items() if not text.startswith("Source: ")]


def test_the_table_of_sources_is_that_of_the_files() -> None:
    assert TABLE.read_text(encoding="utf-8") == source_table(), "python -m tests.literature.sources"


def test_nothing_is_annotated() -> None:
    """What is proved here is found, not told."""
    assert not [path for path in FILES if "align(" in path.read_text(encoding="utf-8")]
