"""A noise is one file: nobody else names a family, and a new one works everywhere."""

from __future__ import annotations

import ast
import inspect
import json
import math
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from shiftproof import (
    DP,
    Count,
    DiscreteLaplace,
    Distribution,
    Epsilon,
    Logistic,
    Mechanism,
    Report,
    Simulation,
    TwoSidedGeometric,
    Verdict,
    explain,
    likelihood,
    mechanism,
    noise_utility,
    sample,
    seeded,
    verify,
)
from shiftproof.checkers.kernel.check import check_file
from shiftproof.checkers.kernel.language.syntax import WORDS
from shiftproof.checkers.walking.certificate import Certificate, certificate_text
from shiftproof.commands.cli import main
from shiftproof.dsl import noise as every_noise
from shiftproof.dsl.errors import ShiftproofError
from shiftproof.dsl.noise.texts import value_of

PACKAGE = Path(inspect.getfile(every_noise)).parents[2]
FAMILIES = {
    name
    for name, kind in vars(every_noise).items()
    if isinstance(kind, type) and issubclass(kind, Distribution) and kind is not Distribution
}
#: Who uses noise, or exports it; who has a table of its own to check the others by it; and who
#: says which law a call of another library has.
MAY_NAME = (
    "dsl/noise/", "mechanisms/", "proofs/", "experiments/", "__init__.py",
    "checkers/kernel/", "checkers/guarding/worker/", "libraries/calls/",
)  # fmt: skip


def names_in(tree: ast.AST) -> Iterator[str]:
    """Every name, attribute, import and text that is exactly one word."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str() as text):
                yield text


def test_families_named_outside_of_their_files() -> None:
    found = {}
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE).as_posix()
        if not place.startswith(MAY_NAME):
            named = {*names_in(ast.parse(file.read_text(encoding="utf-8")))} & FAMILIES
            found |= {place: named} if named else {}
    assert found == {}


def test_what_the_kernel_has_rows_for() -> None:
    assert {name for name in FAMILIES if getattr(every_noise, name).tabled} == FAMILIES & WORDS


@mechanism(DP())
def logistic_count(f: Count, eps: Epsilon) -> float:
    noise = sample(Logistic(1 / eps))
    return f + noise


@mechanism(DP())
def logistic_too_small(f: Count, eps: Epsilon) -> float:
    noise = sample(Logistic(1 / (2 * eps)))
    return f + noise


@mechanism(DP())
def discrete_count(f: Count, eps: Epsilon) -> int:
    noise = sample(DiscreteLaplace(1 / eps))
    return f + noise


@mechanism(DP())
def discrete_too_small(f: Count, eps: Epsilon) -> int:
    noise = sample(DiscreteLaplace(1 / (2 * eps)))
    return f + noise


RIGHT = (logistic_count, discrete_count)


def certificate_of(report: Report) -> Certificate:
    assert report.verdict is Verdict.PROVED, report
    assert isinstance(report.certificate, Certificate)
    return report.certificate


@pytest.mark.parametrize("right", RIGHT, ids=("logistic", "discrete"))
def test_new_noise_is_proved_and_its_law_is_printed(right: Mechanism[..., Any]) -> None:
    report = verify(right)
    certificate = certificate_of(report)
    (name,) = certificate.laws
    assert any(f"the law of {name}(scale) is as it is stated" in a for a in report.assumptions)
    assert not any("no run was held" in a for a in report.assumptions)
    checked = check_file(certificate_text(certificate).encode())
    assert f"Of {name}(scale) it is assumed, and not checked" in checked.statement
    assert "log g(x) - log g(x + d) ≤ (abs(d)) * (1 / scale)" in checked.statement


@pytest.mark.parametrize("right", RIGHT, ids=("logistic", "discrete"))
def test_a_certificate_that_does_not_state_the_law_proves_nothing(
    right: Mechanism[..., Any],
) -> None:
    said = json.loads(certificate_text(certificate_of(verify(right))))
    del said["laws"]
    with pytest.raises(Exception, match="means nothing"):
        check_file(json.dumps(said).encode())


def test_too_little_discrete_noise_is_refuted() -> None:
    report = verify(discrete_too_small)
    assert report.verdict is Verdict.REFUTED


def test_logistic_noise_has_no_exact_likelihoods_and_that_is_said() -> None:
    report = verify(logistic_too_small)
    assert report.verdict is Verdict.UNKNOWN
    assert "the density of Logistic has no exact likelihoods" in " ".join(report.reasons)
    with pytest.raises(ShiftproofError, match="the density of Logistic has no exact likelihoods"):
        likelihood(logistic_count, (1,), f=0, eps=1)


def test_discrete_laplace_is_the_two_sided_geometric_law() -> None:
    one, two = DiscreteLaplace(Fraction(3, 2)), TwoSidedGeometric(Fraction(3, 2))
    source = random.Random(7)
    drawn = [one.draw(source) for _ in range(20_000)]
    q = math.exp(-2 / 3)
    for k in range(-3, 4):
        share = drawn.count(k) / len(drawn)
        assert math.isclose(share, (1 - q) / (1 + q) * q ** abs(k), abs_tol=0.015)
    assert np.isclose(
        one.draw_many(np.random.default_rng(1), 20_000).std(), np.std(drawn), rtol=0.05
    )
    left, right = (noise_utility(law) for law in (one, two))
    assert left.rmse == right.rmse and left.mean_absolute_error == right.mean_absolute_error


@pytest.mark.parametrize("kind", [Logistic, DiscreteLaplace])
def test_moments_are_those_of_the_density(kind: type[Distribution]) -> None:
    law = kind(2)
    step = 1.0 if kind.lattice == "integers" else 1 / 64
    x = np.arange(-200, 200 + step, step)
    functions: dict[str, Callable[..., Any]] = {
        "abs": np.abs, "log": np.log, "exp": np.exp, "tanh": np.tanh,
    }  # fmt: skip
    weights = np.exp(value_of(kind.log_density, {"scale": 2.0, "x": x}, float, functions)) * step
    found = noise_utility(law).at()
    assert math.isclose(weights.sum(), 1, rel_tol=1e-6)
    assert math.isclose(found.rmse, math.sqrt((weights * x**2).sum()), rel_tol=1e-4)
    assert math.isclose(found.mean_absolute_error, (weights * np.abs(x)).sum(), rel_tol=1e-4)
    drawn = law.draw_many(np.random.default_rng(3), 40_000)
    assert math.isclose(float(drawn.std()), found.rmse, rel_tol=0.03)
    source = random.Random(5)
    assert math.isclose(np.std([law.draw(source) for _ in range(20_000)]), found.rmse, rel_tol=0.04)


@pytest.mark.parametrize("right", RIGHT, ids=("logistic", "discrete"))
def test_it_runs_is_simulated_and_explained(right: Mechanism[..., Any]) -> None:
    with seeded(3):
        released = right(f=2, eps=1.0)
    with seeded(3):
        assert right(f=2, eps=1.0) == released
    assert len(Simulation(right, f=2, eps=1.0).outcomes(100, seed=1)) == 100
    shown = explain(right).as_markdown()
    assert "law of this scale" in shown and "any " in shown


def test_the_page_that_shows_how() -> None:
    page = PACKAGE.parents[1] / "docs" / "extending.md"
    if not page.exists():
        pytest.skip("the packages hold no pages")
    text = page.read_text(encoding="utf-8")
    code, shown = text.split("```python\n")[1].split("```\n\n```text\n")
    lines: list[str] = []
    names: dict[str, Any] = {"print": lambda *values: lines.append(" ".join(map(str, values)))}
    exec(code, names)
    assert "\n".join(lines) + "\n" == shown.partition("```")[0]
    kind = names["Logistic"]
    for name in ("lattice", "parameters", "cost", "log_density", "moments", "symbol", "called"):
        assert getattr(kind, name) == getattr(Logistic, name)
    stated = set(re.findall(r"`(\w+)`", text.partition("| attribute |")[2].partition("\n\n")[0]))
    assert {n for n in Distribution.__annotations__ if n not in ("listed", "shiftable")} <= stated


OWN = """
from shiftproof import DP, Count, Distribution, Epsilon, Laplace, mechanism, sample

class {name}({parent}):
    lattice = "reals"
    parameters = ("scale",)
    cost = ("abs(d) / 100", "1 / scale")
    tabled = True
    shape = "falling"

    def draw(self, source):
        return 0.0

@mechanism(DP())
def noisy(f: Count, eps: Epsilon) -> float:
    noise = sample({name}(1 / eps))
    return f + noise
"""


@pytest.mark.parametrize("name", ["Mine", "Laplace", "Logistic"])
@pytest.mark.parametrize("parent", ["Distribution", "Laplace"])
@pytest.mark.parametrize("imported", [False, True], ids=["read", "imported"])
def test_a_cost_that_somebody_states_is_not_believed(
    name: str, parent: str, imported: bool, tmp_path: Path
) -> None:
    """Also not if it is called like noise of the package, or inherits from it."""
    file = tmp_path / f"own_{name}_{parent}_{imported}.py"
    file.write_text(OWN.format(name=name, parent=parent), encoding="utf-8")
    given = ["verify", str(file), *(["--import"] if imported else [])]
    found = CliRunner().invoke(main, [*given, "--json"])
    (report,) = json.loads(found.stdout)
    assert report["verdict"] == "unsupported"
