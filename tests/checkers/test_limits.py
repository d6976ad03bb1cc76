"""What would take for ever ends at a limit that is a count, and says which one."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import LimitReached, Mechanism, Verdict, verify
from shiftproof.checkers.proving import aligned
from shiftproof.checkers.refuting.refute import refutation
from shiftproof.dsl.terms.allowance import allowed, spend
from shiftproof.dsl.terms.linear import number
from tests.loading import source

HEAD = """
from shiftproof import DP, Count, Epsilon, Laplace, Public, mechanism, sample

"""
START = """
@mechanism(DP())
def m(f: Count, T: Public[float], eps: Epsilon) -> float:
"""


def _in_a_row(k: int) -> str:
    """Noisy branches one after the other: 2^k paths."""
    lines = ["    n = 0.0"]
    for i in range(k):
        lines += [f"    x{i} = sample(Laplace({k} / eps))", f"    if f + x{i} > T + {i}:"]
        lines += ["        n = n + 1"]
    return START + "\n".join([*lines, "    return n\n"])


def _doubling(k: int) -> str:
    """A value whose text is twice as long after each step."""
    lines = ["    n = 1.0 * f", *["    n = max(n, T) + min(n, T)"] * k]
    lines += [f"    x = sample(Laplace({2**k} / eps))", "    return n + x\n"]
    return START + "\n".join(lines)


def _tree(k: int) -> str:
    """Branches within branches, each with a draw: many draws and conditions on each path."""

    def below(depth: int, value: int) -> list[str]:
        indent = "    " * (depth + 1)
        if depth == k:
            return [f"{indent}n = {value}.0"]
        return [
            f"{indent}x{depth} = sample(Laplace({k} / eps))",
            f"{indent}if f + x{depth} > T + {depth}:",
            *below(depth + 1, 2 * value),
            f"{indent}else:",
            *below(depth + 1, 2 * value + 1),
        ]

    return START + "\n".join([*below(0, 0), "    return n\n"])


def _helper(k: int) -> str:
    """Tests in a row in a helper, which is one expression: 2^k of them."""
    lines = ["def h(a: float, T: float) -> float:", "    n = 0.0"]
    for i in range(k):
        lines += [f"    if a > T + {i}:", "        n = n + 1"]
    lines += ["    return n", "", START.strip(), "    x = sample(Laplace(1 / eps))"]
    return "\n".join([*lines, "    return h(f + x, T)\n"])


def _helpers(k: int) -> str:
    """Helpers that call each other twice: 2^k calls."""
    lines = ["def h0(a: float) -> float:", "    return a + 1", ""]
    for i in range(1, k):
        lines += [f"def h{i}(a: float) -> float:", f"    return h{i - 1}(a) + h{i - 1}(a)", ""]
    lines += [
        START.strip(),
        "    x = sample(Laplace(1 / eps))",
        f"    return f + x + h{k - 1}(T)\n",
    ]
    return "\n".join(lines)


def _classical(deviation: str, *asserted: str, delta: str = '"delta"') -> str:
    """Normal noise as wide as textbooks say, of which roots and logarithms stand in the tail."""
    lines = [
        "from math import exp, log, sqrt",
        "from shiftproof import Delta, Gaussian",
        f"@mechanism(DP(delta={delta}))",
        "def m(f: Count, sigma: Public[float], eps: Epsilon, delta: Delta) -> float:",
        *(f"    assert {condition}" for condition in ("sigma > 0", *asserted)),
        f"    x = sample(Gaussian({deviation}))",
        "    return f + x",
    ]
    return "\n".join(lines) + "\n"


def _mechanism(tmp_path: Path, text: str) -> Mechanism:
    return source(tmp_path, HEAD + text)["m"]


@pytest.mark.parametrize("text", [_in_a_row(13), _doubling(12)])
def test_the_search_for_a_proof_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(aligned, "PROOF_WORK", 600_000)
    report = verify(_mechanism(tmp_path, text), effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert any(
        r == "WORK: the search for a proof takes more than 600,000 units of work"
        for r in report.reasons
    )


def test_few_branches_are_proved_within_the_limit(tmp_path: Path) -> None:
    assert verify(_mechanism(tmp_path, _in_a_row(3)), effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("text", [_in_a_row(13), _tree(6)])
def test_the_search_for_a_counterexample_ends(tmp_path: Path, text: str) -> None:
    found = refutation(_mechanism(tmp_path, text).program, effort=400)
    assert found.comparison is None
    assert "effort: the search ended after " in found.why


@pytest.mark.parametrize("text", [_helper(30), _helpers(12)])
def test_helpers_that_are_too_long_when_written_out_are_refused(tmp_path: Path, text: str) -> None:
    report = verify(_mechanism(tmp_path, text))
    assert report.verdict is Verdict.UNSUPPORTED
    assert "more than 1,000 statements" in report.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        # The tail is given up at a distance of 64 ε, too, where it is (4/5 δ) ** 4096.
        _classical("sqrt(2 * log(1.25 / delta)) / eps", "4 * log(1.25 / delta) >= eps"),
        _classical("sqrt(2 * log(1.25 / 0.00001)) / eps"),
        _classical("sqrt(2 * log(1.25 / 1e-300)) / eps", delta="1e-300"),
        # Sixty products of ten unknowns.
        _classical(
            "(sqrt(sigma * log(1.25 / delta)) + sqrt(sigma) + log(sigma) + exp(sigma) + 1)"
            " / (eps + delta + sigma)",
            "sigma > 1",
            "log(1.25 / delta) >= 1",
            "eps <= 1",
        ),
        _classical("sigma", "sigma * sigma * eps * eps >= 2 * log(1.25 / delta)"),
    ],
)
def test_roots_and_logarithms_in_a_tail_end_soon(tmp_path: Path, text: str) -> None:
    report = verify(_mechanism(tmp_path, text))
    # Some hold for an ε of at most 1 alone, and fall where that is not asked for.
    assert report.verdict in (Verdict.UNKNOWN, Verdict.REFUTED)
    assert not report.fault
    assert not any(reason.startswith("alarm") for reason in report.reasons)


#: Its rounds are alike, and another one begins for sure: nothing comes out of it.
ENDLESS = """
from shiftproof import DiscreteUniform
@mechanism(DP())
def m(f: Count, eps: Epsilon) -> int:
    y = 0
    while y != f - f - 1:
        y = sample(DiscreteUniform(0, 3))
    return y
"""
#: It ends if x is 0, and else it never does.
TELLING = """
from typing import Annotated
from shiftproof import LDP, DiscreteUniform, IntegerValue
@mechanism(LDP())
def m(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    y = 3
    while y != 2 * x:
        y = sample(DiscreteUniform(0, 1))
    return y - y
"""
#: That the larger one is positive rests on the larger one, and on nothing else.
LARGER = (
    START
    + """    x = sample(Laplace(max(1.0, 1 / eps)))
    return f + x
"""
)


@pytest.mark.parametrize("text", [ENDLESS, TELLING, LARGER])
def test_what_has_no_end_is_no_fault(tmp_path: Path, text: str) -> None:
    report = verify(_mechanism(tmp_path, text), effort=0)
    assert report.verdict is not Verdict.PROVED
    assert not report.fault


def test_a_number_that_python_does_not_write_is_a_limit() -> None:
    with pytest.raises(LimitReached, match="digits"):
        str(number(10**5_000))


def test_an_allowance_ends_what_is_inside_of_it() -> None:
    spend(10**9)  # nothing is counted outside
    with allowed(10, "this"):
        spend(10)
        with allowed(5, "that"), pytest.raises(LimitReached, match="that takes more than 5 units"):
            spend(6)
        with pytest.raises(LimitReached, match="WORK: this takes more than 10 units of work"):
            spend(1)
