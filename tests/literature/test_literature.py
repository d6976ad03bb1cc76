"""Private mechanisms of the literature are proved, broken ones refuted, as users write them.

What is not so today is listed in ``open_today``, with the verdict that it has: a change for the
better fails here, and its line goes.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from shiftproof import Mechanism, verify
from shiftproof.workspace.targets import resolve
from tests.literature.known import KNOWN
from tests.literature.open_today import OPEN
from tests.literature.sources import FILES, source_table
from tests.places import ROOT
from tests.sampling import every

MECHANISMS = {
    mechanism.function.__name__: mechanism for path in FILES for mechanism in resolve(str(path))
}
EXPECTED = {name: m.expect for name, m in MECHANISMS.items()}
#: Of all of them, one in so many runs by default; every one that is open runs seldom, as it costs.
ONE_IN, ONE_OPEN_IN = 4, 12


def named(names: list[str], one_in: int) -> Any:
    return pytest.mark.parametrize("name", every(one_in, sorted(names)))


@named([name for name in MECHANISMS if name not in OPEN], ONE_IN)
def test_as_the_literature_says(name: str) -> None:
    report = verify(MECHANISMS[name])
    assert str(report.verdict) == EXPECTED[name], report
    if name in KNOWN and report.holds:
        for parameters in PARAMETERS:
            assert value(report.epsilon_upper, parameters) >= value(KNOWN[name], parameters) - 1e-9


@named([name for name in MECHANISMS if name in OPEN], ONE_OPEN_IN)
def test_what_is_open_today(name: str) -> None:
    report = verify(MECHANISMS[name])
    assert str(report.verdict) == OPEN[name][0], f"{name} came out otherwise: {report}"


#: Values of the parameters at which two expressions for a budget are compared.
PARAMETERS = (
    {"eps": 1, "eps1": 1, "eps2": 1, "eps3": 1, "c": 1, "n": 1, "k": 1, "N": 1},
    {"eps": 2 / 3, "eps1": 1 / 2, "eps2": 3, "eps3": 1 / 5, "c": 3, "n": 4, "k": 2, "N": 2},
)


def value(text: str | None, parameters: dict[str, float]) -> float:
    assert text is not None
    return float(eval(text, {"log": math.log, "exp": math.exp, "inf": math.inf}, dict(parameters)))


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_what_is_known_tells_right_from_wrong(name: str) -> None:
    """A private mechanism loses what it claims at most, a broken one more for some parameters."""
    budget = MECHANISMS[name].budget
    claims = []
    for parameters in PARAMETERS:
        if callable(budget):
            arguments = budget.__code__.co_varnames[: budget.__code__.co_argcount]
            claims.append(budget(*(parameters[a] for a in arguments)))
        else:
            claims.append(parameters["eps"] if budget is None else budget)
    losses = [value(KNOWN[name], parameters) for parameters in PARAMETERS]
    kept = [loss <= claim + 1e-9 for loss, claim in zip(losses, claims)]
    assert all(kept) if EXPECTED[name] == "proved" else not all(kept)


def test_names_are_of_one_mechanism_each() -> None:
    assert len(MECHANISMS) == sum(len(resolve(str(path))) for path in FILES)
    assert set(OPEN) <= set(MECHANISMS)
    assert set(KNOWN) <= set(MECHANISMS)


def test_there_are_as_many_as_there_were() -> None:
    private = [name for name, expected in EXPECTED.items() if expected == "proved"]
    assert len(private) >= 150
    assert len(MECHANISMS) - len(private) >= 60


def test_every_one_has_a_source() -> None:
    silent = [n for n, m in MECHANISMS.items() if not re.match("Source: ", m.function.__doc__ or "")]
    assert not silent


def test_the_table_of_sources_is_that_of_the_files() -> None:
    written = ROOT / "tests" / "literature" / "sources.md"
    assert written.read_text(encoding="utf-8") == source_table(), "run tests/literature/sources.py"


def test_nothing_is_annotated() -> None:
    """What is proved here is found, not told."""
    assert not [path for path in FILES if "align(" in path.read_text(encoding="utf-8")]
