"""ε and δ that follow from a ρ: sums of normal noise, and of Laplace noise, of any length."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Verdict, explain, verify
from shiftproof.checkers.walking.certificate import certificate_text
from tests.checkers.kernel.mutating import proved_anew
from tests.loading import source
from tests.sampling import every

HEAD = """
from collections.abc import Iterator
from math import exp, log, sqrt
from shiftproof import (
    ADP, DP, ZCDP, Count, Counts, Delta, Epsilon, Gaussian, Laplace, Nat, Policy, Public, Rho,
    ensure, mechanism, sample,
)

@mechanism(ZCDP())
def called(f: Count, rho: Rho) -> tuple[float]:
    noise = sample(Gaussian(1 / sqrt(2 * rho)))
    return (f + noise,)

"""
#: The largest ε of which a ρ and a δ tell: 2 sqrt(ρ log(1 / δ)) beyond ρ.
FOLLOWS = "budget=lambda rho, delta: rho + 2 * sqrt(rho * log(1 / delta))"
COUNTS = f"""
@mechanism(DP(delta="delta"), {FOLLOWS})
def m(f: Counts, rho: Rho, delta: Delta) -> Iterator[float]:
    assert len(f) >= 1
    for x in f:
        noise = sample(Gaussian(sqrt(len(f)) / sqrt(2 * rho)))
        yield x + noise
"""
ONE_WAY = COUNTS.replace("DP(", "ADP(Policy({1}), ")
NUMBERS = """
@mechanism(DP(delta=1e-6), budget=1.0)
def m(f: Count) -> Iterator[float]:
    for _ in range(10):
        noise = sample(Gaussian(17.0))
        yield f + noise
"""
WIDTH = """
@mechanism(
    DP(delta="delta"),
    budget=lambda n, s, delta: n / (2 * s * s) + sqrt(2 * n * log(1 / delta)) / s,
)
def m(f: Count, n: Public[Nat], s: Public[float], delta: Delta) -> Iterator[float]:
    assert s > 0
    for _ in range(n):
        noise = sample(Gaussian(s))
        yield f + noise
"""
LAPLACE = """
@mechanism(
    DP(delta="delta"),
    budget=lambda eps, n, delta: n * eps * eps / 2 + eps * sqrt(2 * n * log(1 / delta)),
)
def m(f: Count, n: Public[Nat], eps: Epsilon, delta: Delta) -> Iterator[float]:
    for _ in range(n):
        noise = sample(Laplace(1 / eps))
        yield f + noise
"""
ROUNDS = f"""
@mechanism(DP(delta="delta"), {FOLLOWS})
def m(f: Count, k: Public[Nat], rho: Rho, delta: Delta) -> Iterator[float]:
    assert k >= 1
    for _ in range(k):
        (x,) = called(f, rho / k)
        yield x
        if x > 1000:
            return
"""
#: Each with what makes it wrong: less noise, or a claim of less.
PROGRAMS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "counts": (
        COUNTS,
        {
            "noise for one": ("sqrt(len(f)) / sqrt(2 * rho)", "1 / sqrt(2 * rho)"),
            "half of the root": ("2 * sqrt(rho *", "sqrt(rho *"),
            "without ρ": ("delta: rho + 2", "delta: 2"),
            "a root of log δ": ("1 / delta))", "1 / delta) / 2)"),
        },
    ),
    "one way": (ONE_WAY, {"twice": ("x + noise", "2 * x + noise")}),
    "numbers": (
        NUMBERS,
        {"less noise": ("17.0", "16.5"), "less δ": ("1e-6", "5e-7"), "more": ("(10)", "(11)")},
    ),
    "width": (
        WIDTH,
        {"no square": ("n / (2 * s * s)", "n / (4 * s * s)"), "no n": ("2 * n * log", "2 * log")},
    ),
    "Laplace": (
        LAPLACE,
        {
            "half": ("n * eps * eps / 2", "n * eps * eps / 4"),
            "both": ("f + noise", "2 * f + noise"),
        },
    ),
    "rounds": (ROUNDS, {"all of ρ in each": ("called(f, rho / k)", "called(f, rho)")}),
}
#: What is of normal noise, as it is written where all is numbers; δ as a plain parameter.
MORE = (
    """
@mechanism(DP(delta=1e-5), budget=0.3)
def m(f: Count) -> float:
    noise = sample(Gaussian(sqrt(2 * log(1.25 / 1e-5)) / 0.3))
    return f + noise
""",
    """
@mechanism(DP(delta="d"), budget=lambda rho, d: rho + 2 * sqrt(rho * log(1 / d)))
def m(f: Count, rho: Rho, d: Public[float]) -> float:
    assert 0 < d < 1
    noise = sample(Gaussian(1 / sqrt(2 * rho)))
    return f + noise
""",
    """
@mechanism(DP(delta=lambda rho: exp(-rho)), budget=lambda rho: 3 * rho)
def m(f: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / sqrt(2 * rho)))
    return f + noise
""",
    """
@mechanism(DP(delta=lambda x: 1 / x), budget=lambda x: 1 / 72 + sqrt(log(x) / 18))
def m(f: Count, x: Public[float]) -> float:
    assert x > 1
    noise = sample(Gaussian(6.0))
    return f + noise
""",
    """
@mechanism(DP(delta=1e-6), budget=1.0)
def m(f: Count) -> float:
    noise = sample(Gaussian(6.0))
    ensure(f >= 0)
    return max(0.0, f + noise)
""",
)
WRONG = [(name, what) for name, (_, changes) in PROGRAMS.items() for what in changes]


@pytest.mark.parametrize("name", every(2, PROGRAMS))
def test_it_follows(tmp_path: Path, name: str) -> None:
    report = verify(source(tmp_path, HEAD + PROGRAMS[name][0])["m"], effort=0)
    assert report.verdict is Verdict.PROVED, report
    assert "A mechanism of ρ keeps every ε from ρ on" in explain(report).as_markdown()


@pytest.mark.parametrize("text", MORE)
def test_these_follow_too(tmp_path: Path, text: str) -> None:
    report = verify(source(tmp_path, HEAD + text)["m"], effort=0)
    assert report.verdict is Verdict.PROVED, report


def test_a_delta_that_may_be_zero_is_none_to_follow(tmp_path: Path) -> None:
    text = MORE[1].replace("0 < d", "0 <= d")
    report = verify(source(tmp_path, HEAD + text)["m"])
    assert report.verdict is Verdict.UNKNOWN and not report.fault, report


@pytest.mark.parametrize(("name", "what"), every(3, WRONG), ids=lambda told: told)
def test_what_does_not_follow_is_not_proved(tmp_path: Path, name: str, what: str) -> None:
    text, changes = PROGRAMS[name]
    old, new = changes[what]
    assert old in text
    report = verify(source(tmp_path, HEAD + text.replace(old, new))["m"], effort=0)
    assert report.verdict is Verdict.UNKNOWN and not report.fault
    assert not any("alarm" in reason for reason in report.reasons)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    found = {}
    for name in ("counts", "numbers"):
        module = source(tmp_path_factory.mktemp("m"), HEAD + PROGRAMS[name][0])
        certificate = verify(module["m"], effort=0).certificate
        assert certificate is not None
        found[name] = json.loads(certificate_text(certificate))
    return found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("counts", {"rho": "rho / 2"}),
        ("counts", {"rho": "2 * rho"}),
        ("counts", {"rho": "0"}),
        ("counts", {"rho": "-rho"}),
        ("counts", {"rho": ""}),
        ("counts", {"tail": "0"}),
        ("counts", {"tail": "log(1 / delta) / 2"}),
        ("counts", {"tail": "2 * log(1 / delta)"}),
        ("counts", {"tail": "-log(1 / delta)"}),
        ("counts", {"pure": "rho"}),
        ("counts", {"pure": "rho", "rho": ""}),
        ("numbers", {"tail": "138 / 10"}),
        ("numbers", {"tail": "15"}),
        ("numbers", {"rho": "17 / 1000"}),
        ("numbers", {"rho": "19 / 1000"}),
    ],
    ids=str,
)
def test_forged_conversions_are_refused(
    honest: dict[str, dict[str, Any]], name: str, said: dict[str, str]
) -> None:
    assert proved_anew(honest[name])
    forged = copy.deepcopy(honest[name])
    for part in forged["parts"]:
        part.update(said)
    assert not proved_anew(forged)
