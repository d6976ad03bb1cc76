"""Certificates that somebody forged: the kernel has to refuse them, soon and with ``Wrong``.

Each of these was accepted, crashed or went on for ever once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.check import as_json, check, relation_of
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.kernel.mutating import counterexample, proved_anew

#: A tree for the budget where nothing is moved, and those of a coin on a way that no run takes.
BUDGET = "f 2 0 1 5 1"
ZERODIV = [BUDGET, *"------", "f 2 5 1 6 1"]

#: A head's text whose name is a variable on arrival, and a bound name at the start.
BOUND = """\
@mechanism(DP())
def m(q: Count, eps: Epsilon):
    x = q
    y = q
    for i in range(0, 1, 1):
        break
    yield x"""
BOUND_HEADS = [
    {
        "loop": 0,
        "variables": {
            "x": {"kind": "int", "other": "(lambda y: other(y))(x)"},
            "y": {"kind": "int", "other": "?"},
            "i": {"kind": "int"},
        },
    }
]

#: Heads of which one keeps ``outcome(1)`` alone: it is then taken for the next integer.
FORETOLD = """\
@mechanism(DP())
def m(q: Annotated[float, Query(sensitivity=1, direction='decreasing', differing='all')], eps: Epsilon):
    eta = sample(DiscreteUniform(0, 1))
    if eta == 1:
        x = None
    else:
        x = 0
    for i in range(0, 1, 1):
        pass
    yield 7
    yield 8
    if q > 0 or eta == 0:
        yield 1
    else:
        yield 2"""  # noqa: E501
SHIFT = "(1 - 2*eta if q > 0 and other(q) <= 0 and {}(1) == 7 else 0)"


def foretold_head(eta: int, kind: str, other: str) -> dict[str, Any]:
    kept = ("outcome(0)", "outcome(1)") if kind == "int" else ("outcome(1)",)
    there = f"eta + {SHIFT.format('first_outcome')}"
    return {
        "loop": 0,
        "variables": {
            "eta": {"kind": "int", "value": str(eta), "other": there},
            "i": {"kind": "int"},
            "x": {"kind": kind, "other_kind": other},
            **{name: {"kind": "int", "value": f"first_{name}"} for name in kept},
        },
    }


FORETOLD_HEADS = [
    foretold_head(eta, kind, other)
    for eta, kind in ((1, "None"), (0, "int"))
    for other in ("None", "int")
]


def certificate(core: str, **said: Any) -> dict[str, Any]:
    start_work()
    _, relation = relation_of(read(core))
    parts = [{"case": c.name, "relation": as_json(c), "costs": {}, **said} for c in relation[:-1]]
    return {"kind": "proof", "version": 2, "core": core.split("\n"), "parts": parts}


def test_a_bound_name_is_no_variable() -> None:
    assert not proved_anew(certificate(BOUND, shifts=[], heads=BOUND_HEADS))


def test_what_is_foretold_stays_in_order() -> None:
    shifts = [SHIFT.format("outcome")]
    assert not proved_anew(certificate(FORETOLD, shifts=shifts, heads=FORETOLD_HEADS))


@pytest.mark.parametrize("core", [BOUND, FORETOLD])
def test_they_are_not_private(core: str) -> None:
    assert counterexample(core.split("\n")).startswith("refuted")


def test_a_coin_of_odds_without_bound() -> None:
    core = """\
@mechanism(DP())
def m(q: Count, d: Public[float], eps: Epsilon):
    if d > 0:
        if d < 0:
            b = sample(Bernoulli(d / d))
            yield b
    yield 1"""
    with pytest.raises(Wrong):
        check(certificate(core, shifts=["True"], costs={"eps": "0"}, trees=ZERODIV))


@pytest.mark.parametrize("body", ["pass", "while True:\n        return\n    return 1"])
def test_what_is_said_to_be_returned_is(body: str) -> None:
    with pytest.raises(Wrong):
        read(f"@mechanism(DP())\ndef m(q: Count, eps: Epsilon) -> int:\n    {body}")


# What takes too long: each of these ran for more than half a minute, or took 200 MB and more.

HEAD = "@mechanism(DP())\ndef m(q: Count, a: Public[float], eps: Epsilon):\n"
PLAIN = HEAD + "    eta = sample(Laplace(1 / eps))\n    yield q + eta"
SAME = (
    HEAD + "    c = a > 0\n    d = a > 1\n" + "    d = d == c\n    c = c == d\n" * 9 + "    yield 1"
)
PIECES = " + ".join(f"(1 if x > {k} else 2)" for k in range(24))
RULE = f"def f(x):\n    return {PIECES}\n\n@mechanism(ContextAwareLDP(f))\n"
DRAWS = HEAD + "    eta = sample(Laplace(1 / eps))\n" * 19 + "    yield 1"
ARMS = "".join(
    f"        if a > {k}:\n            x = {k}\n        else:\n            x = x\n"
    for k in range(20)
)
MEMORY = 200_000_000
LOADED = """\
import sys
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import check_file
try:
    check_file(sys.stdin.buffer.read())
except Wrong:
    pass
# The peak of this process; what getrusage says includes that of the process it was forked from.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
sys.exit(int(peak.split()[1]) * 1000 > int(sys.argv[1]))
"""


def one_part(core: str, trees: list[str], shifts: list[str], **costs: str) -> dict[str, Any]:
    said = {"facts": [], "inputs": {}, "budget": "eps"}
    if "ContextAware" not in core:
        return certificate(core, shifts=shifts, trees=trees, costs=costs)
    part = {"case": "", "relation": said, "shifts": shifts, "trees": trees}
    return {"kind": "proof", "version": 2, "core": core.split("\n"), "parts": [part]}


HIGH = "m 0 0 " + "".join(f"m {k} {k} " for k in range(6, 26)) + "f 1 0 1"
SQUARES = HEAD + "    x = eps\n" + "    x = x * x\n" * 30 + "    yield 1"
PLACES = "".join(
    f"    j{k} = {k} if a > {k} else 0\n    if j{k} < 0 or j{k} > 2:\n        return\n"
    for k in range(11)
)
SUM_OF_READS = " + ".join(f"b[j{k}]" for k in range(11))
READS = HEAD + f"    b = [0] * 3\n{PLACES}    y = {SUM_OF_READS}\n    yield 1"
BRANCHES = HEAD + f"    if q > 0:\n        x = 0\n{ARMS}    else:\n        x = 0\n    yield 1"
FORGED = {
    "a huge exponent": one_part(PLAIN, ["c 1 1e1000000000 0 f 0"], ["0"], eps="1"),
    "a long monomial": one_part(PLAIN, ["c 1 1 300000 " + "0 " * 300_000], ["0"], eps="1"),
    "high degrees": one_part(PLAIN, [HIGH], ["0"], eps="1"),
    "squares": one_part(SQUARES, [BUDGET], []),
    "equal conditions": one_part(SAME, [BUDGET], []),
    "pieces": one_part(RULE + "def m(x: Private[float], eps: Epsilon):\n    yield 1", [], []),
    "long shifts": one_part(DRAWS, [], ["[" + "a," * 99_000 + "]"] * 19),
    "arms": one_part(BRANCHES, [BUDGET], []),
    "reads": one_part(READS, [BUDGET], []),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_takes_no_time_and_no_memory(name: str) -> None:
    data = json.dumps(FORGED[name]).encode()
    command = [sys.executable, "-c", LOADED, str(MEMORY)]
    subprocess.run(command, input=data, check=True, timeout=60)
