"""Proofs that sum noise, against all runs of the text as Python, on small inputs.

By default some programs with fixed seeds; SHIFTPROOF_FULL=1 takes 1,000 of them.
"""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shiftproof import Verdict, verify
from tests.checkers.random_blocks import PREAMBLE, Program, written
from tests.loading import source

PROGRAMS, SUMMED = (1_000, 60) if os.environ.get("SHIFTPROOF_FULL") else (30, 2)
#: How far geometric noise is followed; what is beyond is less than this much of a probability.
FAR = 6
EPSILONS = (math.log(2), 1.7)
#: A program with more noise than that is left out where noise is followed.
MOST_NOISE = 1

Outcome = tuple[Any, ...]
Law = Counter[Outcome]


class _More(Exception):
    """A draw that the run was not told."""


def _values(name: str, *parameters: float) -> list[tuple[Any, float]]:
    if name == "Bernoulli":
        (p,) = parameters
        return [(True, p), (False, 1 - p)]
    if name == "DiscreteUniform":
        low, high = map(int, parameters)
        return [(k, 1 / (high - low + 1)) for k in range(low, high + 1)]
    ratio = math.exp(-1 / parameters[0])
    return [(k, (1 - ratio) / (1 + ratio) * ratio ** abs(k)) for k in range(-FAR, FAR + 1)]


def law(body: str, *arguments: Any) -> Law:
    """The probabilities of all that a program may release; nothing of the product is used."""
    found: Law = Counter()
    waiting: list[list[tuple[Any, float]]] = [[]]
    while waiting:
        told = waiting.pop()
        left = iter(told)

        def sample(options: list[tuple[Any, float]], left: Any = left, told: Any = told) -> Any:
            for value, _ in left:
                return value
            waiting.extend([*told, option] for option in options)
            raise _More

        names: dict[str, Any] = {"sample": sample, "exp": math.exp}
        for law_name in ("Bernoulli", "DiscreteUniform", "TwoSidedGeometric"):
            names[law_name] = lambda *p, law_name=law_name: _values(law_name, *p)
        exec(body, names)
        try:
            outcome = tuple((type(v).__name__, v) for v in names["drawn"](*arguments))
        except _More:
            continue
        found[outcome] += math.prod(p for _, p in told)
    return found


def neighbours(private: str, size: int) -> Iterator[tuple[Any, Any]]:
    """All pairs of small inputs, in both orders."""
    if private == "x":
        yield from itertools.permutations(range(3), 2)
        return
    values = range(2 if private == "xs" else 3)
    for one, other in itertools.permutations(itertools.product(values, repeat=size), 2):
        moved = [abs(a - b) for a, b in zip(one, other, strict=True)]
        if max(moved) <= 1 and (private == "f" or sum(moved) == 1):
            yield one, other


def broken(program: Program) -> str:
    """Where a program does not keep what it claims, of what was looked at."""
    head, *lines = program.text.split("\n")[1:]
    plain = "\n".join([f"def drawn({program.private}, k, eps):", *lines])
    noise = plain.count("TwoSidedGeometric")
    for eps, size in itertools.product(EPSILONS, (1, 2)):
        slack = 1e-9 + (4 * math.exp(-FAR * eps / 2) if noise else 0)
        laws: dict[Any, Law] = {}
        for one, other in neighbours(program.private, size) if noise <= MOST_NOISE else ():
            for data in (one, other):
                laws[data] = laws.get(data) or law(plain, data, size, eps)
            for outcome, p in laws[one].items():
                if p > math.exp(program.multiple * eps) * laws[other][outcome] * (1 + 1e-9) + slack:
                    return f"{head} ε = {eps}, k = {size}: {one}, {other}, {outcome}"
    return ""


def test_what_is_proved_is_kept(tmp_path: Path) -> None:
    summed = 0
    for seed in range(PROGRAMS):
        program = written(seed)
        mechanism = source(tmp_path, PREAMBLE + program.text)["drawn"]
        report = verify(mechanism, effort=0)
        assert not any("alarm" in r or "fault" in r for r in report.reasons), (seed, report.reasons)
        if report.verdict is Verdict.PROVED:
            summed += any("summed(" in shift for shift in report.alignment.values())
            assert not broken(program), (seed, broken(program))
    assert summed >= SUMMED


def test_a_false_claim_is_seen() -> None:
    lines = (
        "@mechanism",
        "def drawn",
        "    c = sample(Bernoulli(1 / 3))",
        "    yield x if c else 0",
    )
    assert broken(Program("\n".join(lines), "x", 1))
