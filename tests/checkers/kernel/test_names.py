"""A name means one thing in a certificate: an input of the call, or a variable, in both runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shiftproof import Verdict, verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.language.syntax import WORDS
from shiftproof.checkers.kernel.language.text import read
from shiftproof.dsl.normalise import core_text
from shiftproof.dsl.normalise.core import _WORDS
from tests.checkers.kernel.finding import objection
from tests.dsl.making import body, made
from tests.loading import source

LOOP = "for i in range(len(f)):\n    "
#: Each releases answers as they are, after a parameter was assigned; T > 0 before.
PROGRAMS = {
    "dead from the start": "u = t\nt = -1.0\n" + LOOP + "yield u + f[i]",
    "read in the loop": "u = t\nt = -1.0\n" + LOOP + "yield t + f[i]",
    "in a branch": "if c > 1:\n    t = -1.0\n" + LOOP + "yield 1.0 * f[i]",
    "in the loop": LOOP + "t = -1.0\n    yield t + f[i]",
    "of a variable": "u = 1.0\nu = -1.0\n" + LOOP + "yield 1.0 * f[i]",
}
#: What contradicts what is known elsewhere; a kernel that mixes up names takes it for true.
INVARIANTS = ("t < 0", "u < 0", "t != t", "(t·1) < 0", "u == -1", "other(t) < 0", "given(t) < 0")


def core(text: str) -> str:
    source = body("assert t > 0\n" + text, "f: Counts, t: Public[float], c: Public[Nat]")
    return "\n".join(core_text(made(source).program))


def objection_to(text: str, *invariants: str, extra: tuple[str, ...] = ()) -> str:
    """What the kernel has against a proof that moves nothing, with these words about the loop."""
    mechanism = read(text)
    (head,) = mechanism.loops
    said = {n for line in text.split("\n") for n in ("u", "t·1") if f"{n} = " in line}
    hidden = {part.split(" ")[0] for part in text.split("for ")[1:]}
    hidden |= {n for n in text.replace("(", " ").split() if n.startswith("stop·")}
    kinds = {n: "float" if n[0] in "tu" else "int" for n in sorted(said | hidden | {*extra})}
    kinds = {n.strip(",)"): kind for n, kind in kinds.items()}
    variables: dict[str, Any] = {n: {"kind": kind} for n, kind in kinds.items()}
    heads = [{"loop": 0, "variables": variables, "invariants": list(invariants)}]
    assert head
    return objection(text, {"heads": heads, "costs": {"eps": "1"}})


@pytest.mark.parametrize("invariant", INVARIANTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_invariant_is_read_in_two_ways(name: str, invariant: str) -> None:
    text = core(PROGRAMS[name])
    for extra in ((), ("t",), ("u",)):
        assert objection_to(text, invariant, extra=extra)


def test_the_head_is_otherwise_right() -> None:
    """Without the private answer the same certificate is accepted."""
    text = core(PROGRAMS["dead from the start"].replace("f[i]", "1"))
    assert objection_to(text, "u > 0") == ""
    assert objection_to(text, "u > 1")


ASSIGNED = """
@mechanism(DP())
def m(f: Count, t: Public[float], eps: Epsilon):
    {}
    return 1
"""


@pytest.mark.parametrize(
    "line",
    [
        "t = 1", "f = 1", "eps = 1", "m = 1", "t, u = (1, 2)", "t = sample(Laplace(1 / eps))",
        "t = [0] * 3", "t = []", "t = argmax(a)",
        "for t in range(0, 3, 1):\n        pass",
        "x = (lambda t: t)(1)", "x = (lambda m: m)(1)", "x = (lambda x: x)(1)",
        "len = 1\n    y = len(f)", "record = 1", "t[0] = 1", "t.append(1)", "x = y",
        "x = (lambda a, a: a)(1, 2)", "x = (lambda *a: a)(1)", "x = (lambda a=1: a)()",
    ],
)  # fmt: skip
def test_no_text_has_two_meanings_for_a_name(line: str) -> None:
    assert objection(ASSIGNED.format("pass")) == ""
    assert objection(ASSIGNED.format(line)), line


@pytest.mark.parametrize(
    "text",
    [
        "def m(x):\n    return x\n" + ASSIGNED.format("pass"),
        "def t(x):\n    return x\n" + ASSIGNED.format("pass"),
        ASSIGNED.format("pass") + ASSIGNED.format("pass"),
        "def sample(x):\n    return x\n" + ASSIGNED.format("pass"),
        ASSIGNED.format("pass").replace("def m", "def range"),
        ASSIGNED.format("pass").replace("t: ", "any: "),
        ASSIGNED.format("pass").replace("t: ", "f: "),
        ASSIGNED.format("pass") + "x = 1\n",
        "x = 1\n" + ASSIGNED.format("pass"),
        "from shiftproof import DP\n" + ASSIGNED.format("pass"),
    ],
)
def test_no_module_has_two_meanings_for_a_name(text: str) -> None:
    with pytest.raises(Wrong):
        read(text)


def test_inputs_are_no_variables_of_a_head() -> None:
    """Not even in a head that no path comes to."""
    text = core(PROGRAMS["of a variable"].replace("f[i]", "1"))
    assert objection_to(text) == ""
    for name in ("c", "eps", "t"):
        assert objection_to(text, extra=(name,))


def test_a_quotient_is_no_inverse() -> None:
    """Names that begin with a slash are those of inverses; this one is not."""
    text = """
        @mechanism(DP())
        def m(f: Count, n: Public[Nat], eps: Epsilon):
            assert n // 2 > 0
            x = 1 / (n // 2)
            y = x * (n // 2)
            if y == 1:
                return 1
            else:
                return f
        """
    assert objection(text) == ""
    assert objection(text.replace("y == 1", "x == 1"))


#: Two names for costs whose sum reads like one of them: the budget is c z, the truth c + z a query.
SUMS_IN_NAMES = """
@mechanism(DP(), budget=lambda c, z: c * z)
def m(f: Counts, c: Public[float], z: Public[float]):
    assert c > 0 and z > 0
    stop·2 = len(f)
    for i·1 in range(0, stop·2, 1):
        noise = sample(Laplace(1 / (c + z)))
        yield f[i·1] + noise
"""


@pytest.mark.parametrize("rate", ["c+z", "c + z", "z + c", "1*c + z", "(c + z)"])
def test_the_cost_of_a_sum_is_no_sum(rate: str) -> None:
    head = {
        "loop": 0,
        "variables": {"i·1": {"kind": "int"}, "stop·2": {"kind": "int", "value": "len(f)"}},
        "costs": {rate: "?", "c": "?"},
        "invariants": ["i·1 >= 0", "z >= cost(c)"],
    }
    part = {"shifts": ["f[i·1] - other(f[i·1])"], "heads": [head], "costs": {"c": "z", rate: "0"}}
    assert ": cost: " in objection(SUMS_IN_NAMES, part)


def test_no_function_is_written_like_a_word_of_the_kernel() -> None:
    """The kernel refuses it: what reads the program writes another name in its place."""
    assert {word for word in WORDS if not word[0].isupper()} <= _WORDS


@pytest.mark.parametrize("word", ["unless", "log_odds", "change1", "capped", "to_be_picked"])
def test_functions_of_the_user_may_be_called_like_words_of_the_kernel(
    word: str, tmp_path: Path
) -> None:
    text = f"""
from typing import Annotated
from shiftproof import DP, DPrivacy, Count, Epsilon, IntegerValue, Laplace, TwoSidedGeometric
from shiftproof import mechanism, other, sample

def {word}(x: int) -> int:
    return abs(x - other(x))

@mechanism(DPrivacy({word}))
def of_a_rule(x: Annotated[int, IntegerValue(0, 9)], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise
"""
    mechanism = f"""
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def {word}(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise
"""
    for found in (source(tmp_path, text)["of_a_rule"], source(tmp_path, mechanism)[word]):
        report = verify(found, effort=0)
        assert report.verdict is Verdict.PROVED, report.reasons
