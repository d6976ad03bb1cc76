"""Alignments that the author writes: checked as written, completed where some are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, seeded, verify
from tests.loading import source
from tests.programs.checkers import annotated_mechanisms
from tests.programs.checkers.annotated_mechanisms import WRITTEN
from tests.sampling import every

PRIVATE = {n: m for n, m in vars(annotated_mechanisms).items() if isinstance(m, Mechanism)}

HEADER = """
from collections.abc import Iterator
from shiftproof import (
    DP, Bernoulli, Count, Counts, Epsilon, Laplace, Public, align, mechanism, other, sample
)

def difference(x):
    return x - other(x)

"""


def shown(alignment: dict[str, str]) -> dict[str, str]:
    """Without the lines."""
    return {name.partition(" (")[0]: shift for name, shift in alignment.items()}


@pytest.mark.parametrize("name", every(3, sorted(PRIVATE)))
def test_correct_ones_are_proved(name: str) -> None:
    report = verify(PRIVATE[name], replays=20)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.reasons == ()


@pytest.mark.parametrize("name", every(3, sorted(WRITTEN)))
def test_the_report_shows_them_as_written(name: str) -> None:
    found = shown(verify(PRIVATE[name]).alignment)
    assert {sample: found[sample] for sample in WRITTEN[name]} == WRITTEN[name]


@pytest.mark.parametrize(("name", "missing"), [("first_of_two", "b"), ("second_of_two", "a")])
def test_what_is_missing_is_found(name: str, missing: str) -> None:
    assert shown(verify(PRIVATE[name]).alignment)[missing] == "f - other(f)"


def test_a_line_tells_samples_of_the_same_name_apart(tmp_path: Path) -> None:
    text = """
@mechanism(DP(), budget=lambda eps: 2 * eps)
def twice(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, f - other(f))
    yield f + noise
    noise = sample(Laplace(1 / eps))
    yield f - noise
"""
    report = verify(source(tmp_path, HEADER + text)["twice"])
    assert report.verdict is Verdict.PROVED
    first = 3 + HEADER.count("\n") + 1
    assert report.alignment == {
        f"noise (line {first})": "f - other(f)",
        f"noise (line {first + 3})": "other(f) - f",
    }


def test_align_and_other_do_nothing_when_called() -> None:
    with seeded(5):
        (first,) = PRIVATE["single_count"](3, 1.0)
    with seeded(5):
        (second,) = PRIVATE["other_of_a_sum"](3, 9.0, 1.0)
    assert first == second != 3


WRONG_BESIDE = """
@mechanism(DP(), budget=lambda eps: 2 * eps)
def halves(f: Count, eps: Epsilon) -> tuple[float, float]:
    a = sample(Laplace(1 / eps))
    align(a, {first})
    b = sample(Laplace(1 / eps))
    return f + a, f + b
"""


def test_a_wrong_one_is_wrong_though_the_other_is_found(tmp_path: Path) -> None:
    right = source(tmp_path, HEADER + WRONG_BESIDE.format(first="f - other(f)"))["halves"]
    wrong = source(tmp_path, HEADER + WRONG_BESIDE.format(first="other(f) - f"))["halves"]
    assert verify(right).verdict is Verdict.PROVED
    report = verify(wrong)  # it is private, so nothing refutes it
    assert report.verdict is Verdict.UNKNOWN and report.refutation is None
    assert any("'same output'" in reason for reason in report.reasons)


DRAW = "noise = sample(Laplace(1 / eps))"
MISUSES = {
    "before its sample": ("align(noise, 0)", DRAW, "yield f + noise"),
    "later": (DRAW, "x = f", "align(noise, 0)", "yield f + noise"),
    "after the output": (DRAW, "yield f + noise", "align(noise, 0)"),
    "in a branch": (DRAW, "if T > 0:", "    align(noise, 0)", "yield f + noise"),
    "twice": (DRAW, "align(noise, 0)", "align(noise, 0)", "yield f + noise"),
    "of another sample": (
        "a = sample(Laplace(1 / eps))",
        DRAW,
        "align(a, 0)",
        "yield f + noise + a",
    ),
    "of a variable": ("noise = f", "align(noise, 0)", "yield noise"),
    "of an expression": (DRAW, "align(noise + 1, 0)", "yield noise"),
    "without a shift": (DRAW, "align(noise)", "yield noise"),
    "by keyword": (DRAW, "align(noise, shift=0)", "yield noise"),
    "as a value": (DRAW, "x = align(noise, 0)", "yield noise"),
    "other of itself": (DRAW, "align(noise, noise - other(noise))", "yield noise"),
    "other of itself in a sum": (DRAW, "align(noise, f - other(f + noise))", "yield noise"),
    "of a later sample": (
        "a = sample(Laplace(1 / eps))",
        "align(a, noise)",
        DRAW,
        "yield a + noise",
    ),
    "other outside": (DRAW, "yield noise + f - other(f)"),
    "other in a scale": ("a = sample(Laplace((1 + f - other(f)) / eps))", "yield a"),
    "other of nothing": (DRAW, "align(noise, other())", "yield noise"),
    "a Boolean shift": (DRAW, "align(noise, f > 1)", "yield noise"),
    "a shifted bit": ("b = sample(Bernoulli(0.5))", "align(b, 1)", "yield b"),
    "nothing": (DRAW, "align(noise, None)", "yield noise"),
    "a sample in it": (DRAW, "align(noise, sample(Laplace(1 / eps)))", "yield noise"),
}


@pytest.mark.parametrize("name", sorted(MISUSES))
def test_misuse_is_unsupported_with_its_place(name: str, tmp_path: Path) -> None:
    text = (
        "@mechanism(DP())\n"
        "def misused(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:\n"
    ) + "".join(f"    {line}\n" for line in MISUSES[name])
    report = verify(source(tmp_path, HEADER + text)["misused"])
    assert report.verdict is Verdict.UNSUPPORTED, report
    (reason,) = report.reasons
    assert ".py:" in reason and "^" in reason and "instead: " in reason


def test_other_inside_a_helper(tmp_path: Path) -> None:
    text = """
@mechanism(DP())
def helped(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, difference(f))
    yield f + noise
"""
    report = verify(source(tmp_path, HEADER + text)["helped"])
    assert report.verdict is Verdict.UNSUPPORTED
    assert "other(…) outside an alignment" in report.reasons[0]


@pytest.mark.parametrize("inner", ["noise", "f + noise"])
def test_a_helper_does_not_hide_other_of_itself(inner: str, tmp_path: Path) -> None:
    text = f"""
@mechanism(DP())
def helped(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, difference({inner}))
    yield noise
"""
    assert verify(source(tmp_path, HEADER + text)["helped"]).verdict is Verdict.UNSUPPORTED


CLIPPED = """
@mechanism(DP())
def clipped(f: Count, eps: Epsilon) -> Iterator[float]:
    x = f
    if f > 1:
        x = 1
    noise = sample(Laplace(1 / eps))
    {align}
    yield x + noise
"""


@pytest.mark.parametrize("statement", ["align(noise, x - other(x))", "pass"])
def test_a_private_branch_that_only_computes(statement: str, tmp_path: Path) -> None:
    mechanism = source(tmp_path, HEADER + CLIPPED.format(align=statement))["clipped"]
    assert verify(mechanism).verdict is Verdict.PROVED
