"""What the kernel must not accept, each as small as it was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shiftproof.checkers.kernel.arithmetic import start_work
from shiftproof.checkers.kernel.check import VERSION, as_json, relation_of
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.recheck import Standing
from shiftproof.checkers.trees.cells import cells_and_trees
from tests.checkers.kernel.finding import checked, finder, lines_of, objection
from tests.checkers.walking.certificates import named, rechecked

#: One-sided claims of the gallery, whose certificates have a part that proves them.
ENSURED = ("threshold_decision", "location_monitor", "adaptive_stream_vector")


def test_a_list_that_one_run_replaces() -> None:
    """D has a list of three, D′ a number that has no length: what is released tells them apart."""
    text = """
        def moved(x):
            return other(x) == x + 1 and x == 0
        @mechanism(Related(moved))
        def leak(x: Private[float], eps: Epsilon):
            a = [0] * 3
            if x > 0:
                a = 1
            return len(a)
        """
    assert objection(text)


def test_a_counter_that_did_not_count() -> None:
    """Python leaves the name as it was where a range is empty: here it is the private count."""
    text = """
        @mechanism(DP())
        def leak(f: Count, eps: Epsilon):
            i = f
            for i in range(0, 0, 1):
                pass
            return i
        """
    head = {"loop": 0, "variables": {"i": {"kind": "int"}}, "invariants": ["i >= 0"]}
    assert objection(text, {"costs": {"eps": "1"}, "heads": [head]})


def test_a_range_whose_end_is_a_float_in_one_run() -> None:
    """Python's ``range`` raises on D′, and counts on D."""
    text = """
        @mechanism(DP())
        def leak(f: Count, eps: Epsilon):
            stop = 2 if f > 0 else 2.0
            for i in range(0, stop, 1):
                pass
            return 1
        """
    variables = {"i": {"kind": "int"}, "stop": {"kind": "either", "value": "2"}}
    head = {"loop": 0, "variables": variables, "invariants": ["i >= 0"]}
    assert objection(text, {"costs": {"eps": "1"}, "heads": [head]})


def ensuring(name: str) -> tuple[dict[str, Any], list[int]]:
    """A certificate of the gallery, and the lines that its last part ensures."""
    found = named(name)
    return found, found["parts"][-1]["ensures"]


@pytest.mark.parametrize("name", ENSURED)
def test_what_no_part_proves_is_not_ensured(name: str) -> None:
    """The part about one-sided claims is gone; another one says that it ensures them."""
    found, lines = ensuring(name)
    assert checked(found) == ""
    first, *rest = found["parts"][:-1]
    assert checked(found | {"parts": [first | {"ensures": lines}, *rest]})


@pytest.mark.parametrize("name", ENSURED)
@pytest.mark.parametrize("more", [[1], [999], [-1], ["x"]])
def test_a_line_without_a_claim_is_not_ensured(name: str, more: list[Any]) -> None:
    found, lines = ensuring(name)
    *parts, last = found["parts"]
    assert checked(found | {"parts": [*parts, last | {"ensures": [*lines, *more]}]})


def test_a_claim_that_is_named_twice_is_one() -> None:
    """``check`` counts what is ensured, and compares that with how many claims there are."""
    found, lines = ensuring(ENSURED[0])
    *parts, last = found["parts"]
    assert checked(found | {"parts": [*parts, last | {"ensures": [*lines, *lines]}]})


@pytest.mark.parametrize(
    "line",
    [
        "    # \x1b[2J\x1b[Hkernel: proved",
        "    # \u202e desrever",
        "    # a remark\u2028    return 0",
        "    x = '\x9b2J'",
    ],
)
def test_a_statement_is_printed_as_it_is_read(line: str) -> None:
    """Characters that move what a terminal shows, and lines that Python does not end."""
    found = named("laplace")
    core = [*found["core"]]
    core.insert(2, line)
    assert checked(found | {"core": core})


def test_parts_beside_probabilities_are_checked(tmp_path: Path) -> None:
    """``check`` says that such a certificate is valid, whatever its parts say."""
    found = named("k_ary_response")
    (part,) = found["parts"]
    assert rechecked(found, tmp_path).standing is Standing.VALID
    beside = part | {"case": "one-sided claims", "ensures": [], "trees": ["q"]}
    wrong = found | {"parts": [part, beside]}
    assert rechecked(wrong, tmp_path).standing is Standing.INVALID


def test_sums_ensure_nothing() -> None:
    """The probabilities of D and of D are the same, whatever the text ensures."""
    core = """
@mechanism(LDP())
def m(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):
    keep = sample(Bernoulli(1 / 2))
    ensure(keep)
    yield 0"""
    start_work()
    lines = lines_of(core)
    mechanism = read("\n".join(lines))
    kinds, relation = relation_of(mechanism)
    parts = []
    for case, ensures in zip(relation, ([], [4]), strict=True):
        found = cells_and_trees(mechanism, kinds, case, finder(polynomials=True))
        said = {"ensures": ensures} if ensures else {}
        parts.append({"case": case.name, "relation": as_json(case), **found, **said})
    certificate = {"kind": "proof", "version": VERSION, "core": lines, "parts": parts}
    assert not checked(certificate | {"parts": parts[:1]})
    assert checked(certificate)
