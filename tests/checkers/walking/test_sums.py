"""The kernel's check of sums: genuine tables pass; tampered, foreign and false ones do not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from shiftproof import Mechanism
from shiftproof.checkers.finite import sums as cells
from shiftproof.checkers.finite import sums as prove
from shiftproof.checkers.finite.deciding import Deciding
from shiftproof.checkers.finite.sums import summed
from shiftproof.checkers.walking.sums import check as sums
from shiftproof.checkers.walking.sums.check import Cell, Row, SumsPart, check_sums
from shiftproof.checkers.walking.sums.rows import terms_of
from shiftproof.dsl.errors import ShiftproofError
from tests.checkers.finite.summing_oracle import violation
from tests.checkers.finite.test_summing import BUDGETS, KNOWN, RIGHT, UNTOLD, WRONG, mutated
from tests.loading import load
from tests.places import PROGRAMS
from tests.sampling import every

TAMPERED = ("right_truth", "right_mangat", "right_utility", "right_one_sided", "right_mean")


@cache
def genuine(mechanism: Mechanism[..., Any]) -> SumsPart:
    table = summed(mechanism.program).table
    assert table is not None
    return table


def problems(name: str, part: SumsPart) -> list[str]:
    return check_sums(KNOWN[name].program, part, ("z3",)).problems


@pytest.mark.parametrize("name", ["right_warner", "right_mangat", "right_one_sided", "right_keep"])
def test_both_solvers_accept(name: str) -> None:
    pytest.importorskip("cvc5")
    mechanism = KNOWN[name]
    checked = check_sums(mechanism.program, genuine(mechanism), ("z3", "cvc5"))
    assert not checked.problems and checked.obligations > 3


def test_a_part_is_the_same_after_writing_and_reading() -> None:
    part = genuine(KNOWN["right_truth"])
    again = msgspec.json.decode(msgspec.json.encode(part), type=SumsPart)
    assert again == part
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"rows": [], "cases": [], "more": 1}', type=SumsPart)


def with_row(part: SumsPart, k: int, **changes: Any) -> SumsPart:
    row = structs.replace(part.rows[k], **changes)
    return structs.replace(part, rows=(*part.rows[:k], row, *part.rows[k + 1 :]))


def with_cells(part: SumsPart, new: list[Cell]) -> SumsPart:
    case = structs.replace(part.cases[0], cells=tuple(new))
    return structs.replace(part, cases=(case, *part.cases[1:]))


def tampered(part: SumsPart) -> Iterator[SumsPart]:
    """The part with one thing changed that matters."""
    rows, case = part.rows, part.cases[0]
    for k, row in enumerate(rows):
        yield structs.replace(part, rows=(*rows[:k], *rows[k + 1 :]))
        yield structs.replace(part, rows=(*rows, row))
        yield with_row(part, k, probability=f"({row.probability})/2")
        yield with_row(part, k, probability="0")
        yield with_row(part, k, when=(*row.when, "eps > 1"))
        for place in range(len(row.when)):
            yield with_row(part, k, when=(*row.when[:place], *row.when[place + 1 :]))
        yield with_row(part, k, output=(*row.output, "None"))
        yield with_row(part, k, output=("'another'",) * len(row.output))
    own = list(case.cells)
    for k, cell in enumerate(own):
        # One cell may be covered by another one; so all of its rows of D go.
        yield with_cells(part, [c for c in own if c.here != cell.here])
        for bad in (0, -1, len(rows) + 1):
            yield with_cells(part, [*own, Cell((bad,), cell.there)])
            yield with_cells(part, [*own, Cell(cell.here, (bad,))])
        yield with_cells(part, [*own, Cell((), cell.there)])
    every = tuple(range(1, len(rows) + 1))
    yield with_cells(part, [Cell(every, every)])
    yield structs.replace(part, cases=())
    yield structs.replace(part, cases=(*part.cases, case))
    yield structs.replace(part, cases=(structs.replace(case, case="another"),))
    yield structs.replace(part, cases=(structs.replace(case, relation=()),))
    yield SumsPart((), ())


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_ones_are_rejected(name: str) -> None:
    part = genuine(KNOWN[name])
    assert not problems(name, part)
    every = [wrong for wrong in tampered(part) if wrong != part]
    for wrong in random.Random(name).sample(every, 12):
        assert problems(name, wrong), wrong


HOSTILE = (
    "", "(" * 500, "x +", "__import__('os')", "unknown", "1/0", "x*x*", "released(9)", "None",
    "lambda: 0", "'a'", "1 if x", "x" * 30_000, "exp(x)", "released(True)", "eps**2",
)  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_all_tampered_ones_are_rejected(name: str) -> None:
    part = genuine(KNOWN[name])
    for wrong in tampered(part):
        assert wrong == part or problems(name, wrong), wrong


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_the_check(text: str) -> None:
    part = genuine(KNOWN["right_warner"])
    row = part.rows[0]
    assert problems("right_warner", with_row(part, 0, probability=text))
    assert problems("right_warner", with_row(part, 0, when=(text, *row.when)))
    assert problems("right_warner", with_row(part, 0, output=(text,)))
    assert problems("right_warner", structs.replace(part, rows=(Row((), (), text),)))


def test_without_a_solver_nothing_is_checked() -> None:
    mechanism = KNOWN["right_warner"]
    assert check_sums(mechanism.program, genuine(mechanism), ()).problems


def test_a_part_fits_its_own_program_only() -> None:
    parts = {name: genuine(KNOWN[name]) for name in RIGHT}
    pairs = [(a, b) for a in KNOWN for b in parts if a != b]
    for name, another in random.Random(1).sample(pairs, 12):
        assert problems(name, parts[another]), (name, another)


class Believing(Deciding):
    """A prover that believes every bound, and that everything is defined."""

    def not_negative(self, subject: Any, when: Any) -> bool:
        return True

    def possible(self, facts: Any) -> bool:
        return not facts


@pytest.fixture
def believing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "Deciding", Believing)


@pytest.mark.usefixtures("believing")
@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_believes_no_prover(name: str) -> None:
    found = summed(KNOWN[name].program)
    if found.table is not None:
        assert problems(name, found.table)


@pytest.mark.usefixtures("believing")
@pytest.mark.parametrize("name", every(14, sorted(set(RIGHT) - UNTOLD)))
def test_the_kernel_believes_no_prover_of_mutants(name: str, tmp_path: Path) -> None:
    for mechanism in mutated(name, tmp_path, 0.5).values():
        try:
            table = summed(mechanism.program).table
        except ShiftproofError:
            continue
        if table is not None and violation(mechanism, BUDGETS.get(name, 1)):
            assert check_sums(mechanism.program, table, ("z3",)).problems


UTILITY = load(PROGRAMS / "attacks" / "values" / "equal_outcomes.py")


@pytest.mark.parametrize("name", ["two_parameters", "parameter_and_number", "two_multiples"])
def test_outcomes_told_apart_by_their_text_prove_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The search is made to take T and U for two outcomes; the kernel compares them as numbers."""
    program = UTILITY[name].program
    assert summed(program).table is None
    monkeypatch.setattr(prove, "terms_of", lambda runs, written: terms_of(runs, True))
    table = summed(program).table
    assert table is not None
    assert check_sums(program, table, ("z3",)).problems
    monkeypatch.setattr(sums, "terms_of", lambda runs, written: terms_of(runs, True))
    assert not check_sums(program, table, ("z3",)).problems
