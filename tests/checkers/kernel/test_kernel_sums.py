"""Proofs by sums without a solver: right ones are accepted, and nothing whose claim is false."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.kernel.arithmetic import Condition, Wrong, start_work
from shiftproof.checkers.kernel.check import as_json, check, relation_of
from shiftproof.checkers.kernel.claim.policies import Case, Kind
from shiftproof.checkers.kernel.language.steps import Mechanism as Steps
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.kernel.paired.powers import Registry
from shiftproof.checkers.kernel.sums.comparison import Comparison, check_sums
from shiftproof.checkers.trees.cells import Patterns, cells_and_trees
from shiftproof.checkers.trees.refuter import Refuter
from shiftproof.dsl.errors import LimitReached, ShiftproofError
from shiftproof.dsl.normalise.core import core_text
from shiftproof.mechanisms import (
    incorrect_metric_privacy,
    incorrect_one_sided_privacy,
    incorrect_randomized_response,
    metric_privacy,
    one_sided_privacy,
    randomized_response,
)
from tests.checkers.finite.summing_oracle import violation
from tests.checkers.finite.test_summing import BUDGETS, KNOWN, RIGHT, UNTOLD, WRONG, mutated
from tests.loading import load
from tests.places import PROGRAMS
from tests.programs.checkers import summed_at_a_distance as apart
from tests.sampling import every

Any_ = Mechanism[..., Any]
#: All that the gallery has by sums, and what it has beside them that is wrong.
GALLERY: dict[str, Any_] = {
    m.program.name: m
    for m in (
        metric_privacy.context_aware_response,
        metric_privacy.input_discriminative_response,
        one_sided_privacy.one_sided_response,
        randomized_response.k_ary_response,
        randomized_response.mangat,
        randomized_response.one_bit_mean,
        randomized_response.utility_optimized_response,
        randomized_response.warner,
    )
}
INCORRECT: dict[str, Any_] = {
    m.program.name: m
    for m in (
        incorrect_metric_privacy.context_aware_response_for_zero,
        incorrect_metric_privacy.input_discriminative_response_of_zero,
        incorrect_one_sided_privacy.one_sided_response_to_all,
        incorrect_one_sided_privacy.one_sided_response_too_often,
        incorrect_randomized_response.k_ary_response_without_the_last,
        incorrect_randomized_response.mangat_protecting_zeros,
        incorrect_randomized_response.mangat_too_honest,
        incorrect_randomized_response.one_bit_mean_half_noise,
        incorrect_randomized_response.utility_optimized_response_for_two,
        incorrect_randomized_response.warner_twice_as_honest,
    )
}
#: These take their time to fail.
SLOW = {"wrong_endless", "wrong_private_sum"}
UTILITY = load(PROGRAMS / "attacks" / "values" / "equal_outcomes.py")


class Finder:
    """Trees for all questions."""

    def __init__(self) -> None:
        self.refuters: dict[int, tuple[Registry, Refuter]] = {}

    def __call__(self, unknowns: Registry, question: Sequence[Condition]) -> str:
        _, refuter = self.refuters.setdefault(
            id(unknowns), (unknowns, Refuter(unknowns, polynomials=True))
        )
        return refuter.tree(list(question)) or "-"


def read_of(mechanism_: Any_) -> tuple[list[str], Steps, dict[str, Kind], list[Case]]:
    start_work()
    core = list(core_text(mechanism_.program))
    steps = read("\n".join(core))
    kinds, cases = relation_of(steps)
    return core, steps, kinds, cases[:-1]


def certificate(mechanism_: Any_) -> dict[str, Any]:
    """A certificate of a mechanism.

    Raises:
        Wrong: there is none.
    """
    core, steps, kinds, cases = read_of(mechanism_)
    parts = [
        {
            "case": case.name,
            "relation": as_json(case),
            **cells_and_trees(steps, kinds, case, Finder()),
        }
        for case in cases
    ]
    return {"kind": "proof", "version": 2, "core": core, "parts": parts}


def accepted(mechanism_: Any_) -> bool:
    try:
        found = certificate(mechanism_)
    except (Wrong, LimitReached):
        return False
    assert check(found).questions
    return True


@cache
def genuine(name: str) -> dict[str, Any]:
    return certificate(KNOWN[name])


@pytest.mark.parametrize("name", sorted(GALLERY))
def test_the_gallery_is_accepted(name: str) -> None:
    assert accepted(GALLERY[name])


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_accepted(name: str) -> None:
    assert accepted(KNOWN[name])


@pytest.mark.parametrize("name", [*WRONG, *sorted(INCORRECT)])
def test_wrong_ones_are_not(name: str) -> None:
    assert not accepted({**KNOWN, **INCORRECT}[name])


def test_a_distance_multiplies_the_budget() -> None:
    assert accepted(apart.distant) and accepted(apart.from_a_list)
    assert not accepted(apart.too_distant)


@pytest.mark.parametrize("name", sorted(UTILITY))
def test_outcomes_are_numbers_however_they_are_written(name: str) -> None:
    """T and U may be the same number; what tells of a value then is not proved."""
    assert not accepted(UTILITY[name])


@pytest.mark.parametrize("name", every(3, sorted(set(RIGHT) - UNTOLD)))
def test_no_wrong_mutant_is_accepted(name: str, tmp_path: Path) -> None:
    for mutant in mutated(name, tmp_path, 0.1).values():
        try:
            found = accepted(mutant)
        except ShiftproofError:
            continue  # not even a program
        if found:
            assert not violation(mutant, BUDGETS.get(name, 1))


# Certificates that say what is not so, of right programs and of wrong ones.


Cells = list[list[tuple[list[int], list[int]]]]


def tampered(cells: Cells) -> Iterator[Cells]:
    """The cells of one case with one thing changed."""
    for k, group in enumerate(cells):
        rows = [sorted({r for cell in group for r in cell[side]}) for side in (0, 1)]
        for j, (here, there) in enumerate(group):
            others = [group[:j], group[j + 1 :]]

            def instead(*new: Any, k: int = k, others: Any = others) -> Cells:
                return [*cells[:k], [*others[0], *new, *others[1]], *cells[k + 1 :]]

            yield instead()
            yield instead((there, here))
            for r in rows[0]:
                yield instead(([x for x in here if x != r], there))
                yield instead((sorted({*here, r}), there))
            for r in rows[1]:
                yield instead((here, sorted({*there, r})))
                yield instead((here, [x for x in there if x != r]))
        yield [*cells[:k], [(rows[0], rows[1])], *cells[k + 1 :]]
        yield [*cells[:k], *cells[k + 1 :]]


def patterns(mechanism_: Any_) -> Iterator[tuple[Steps, dict[str, Kind], Case, Cells]]:
    """All cells of each case, whether or not the bound holds in them."""
    _, steps, kinds, cases = read_of(mechanism_)
    for case in cases:
        start_work()
        try:
            comparison = Comparison(steps, kinds, case, Finder())
            found = Patterns(comparison)
            for k, _ in enumerate(comparison.outcomes):
                found.cells(k, ())
        except Wrong:
            continue
        yield steps, kinds, case, [[(list(a), list(b)) for a, b in g] for g in found.found]


def holds(steps: Steps, kinds: dict[str, Kind], case: Case, cells: Cells) -> bool:
    """Whether the kernel is convinced by these cells, when all trees are found that there are."""
    start_work()
    try:
        check_sums(steps, kinds, case, cells, Finder())
    except Wrong:
        return False
    return True


@pytest.mark.parametrize("name", every(8, sorted({*WRONG, *INCORRECT} - SLOW)))
def test_no_cells_prove_what_is_wrong(name: str) -> None:
    """A claim with one case is false: whatever the cells are, and all trees given, it stays so."""
    for steps, kinds, case, cells in patterns({**KNOWN, **INCORRECT}[name]):
        if case.name:
            continue
        ways = list(tampered(cells))
        for wrong in random.Random(name).sample(ways, min(15, len(ways))):
            assert not holds(steps, kinds, case, wrong), wrong


@pytest.mark.parametrize("name", every(3, ["right_truth", "right_mangat", "right_one_sided"]))
def test_cells_that_are_not_all_prove_nothing(name: str) -> None:
    """The cells that are found are those that there are: none may be left out."""
    for steps, kinds, case, cells in patterns(KNOWN[name]):
        assert holds(steps, kinds, case, cells)
        for k, group in enumerate(cells):
            for j, (here, _) in enumerate(group):
                kept = [cell for cell in group if cell[0] != here]
                assert not holds(steps, kinds, case, [*cells[:k], kept, *cells[k + 1 :]]), j


def rejected(changed: dict[str, Any]) -> bool:
    try:
        check(changed)
    except Wrong:
        return True
    return False


@pytest.mark.parametrize("name", ["right_warner", "right_keep", "right_one_sided"])
def test_trees_of_other_questions_prove_nothing(name: str) -> None:
    genuine_ = genuine(name)
    trees = genuine_["parts"][0]["trees"]
    for k, tree in enumerate(trees):
        if tree == "-":
            continue
        for another in {"", "-", "f 0", "f 1 0 1", "s 0", "nonsense", "f 1 999 1", "m 0 0"}:
            changed = copy.deepcopy(genuine_)
            changed["parts"][0]["trees"][k] = another
            # What need not be shown may be left out: then a row is kept, or a divisor stays.
            assert rejected(changed) or another == "-"
    for k in range(len(trees)):
        changed = copy.deepcopy(genuine_)
        del changed["parts"][0]["trees"][k]
        assert rejected(changed), k
    changed = copy.deepcopy(genuine_)
    changed["parts"][0]["trees"].append("-")
    assert rejected(changed)


@pytest.mark.parametrize("name", every(6, [n for n in WRONG if n != "wrong_endless"]))
def test_a_certificate_fits_its_own_program_only(name: str) -> None:
    core = list(core_text(KNOWN[name].program))
    for right in ("right_warner", "right_keep", "right_truth", "right_mangat", "right_one_sided"):
        assert rejected({**genuine(right), "core": core})


STRANGE: tuple[Any, ...] = (
    None, [], [[]], [[[]]], [[[[0], [0], [0]]]], [[[0, 0]]], [[[["0"], [0]]]], [[[[0.5], [0]]]],
    [[[[0], [99]]]], [[[[-1], [-1]]]], [[[[], [0]]]], {"0": []}, "cells", [[[[True], [0]]]],
)  # fmt: skip


@pytest.mark.parametrize("cells", STRANGE, ids=range(len(STRANGE)))
def test_strange_cells_are_rejected(cells: Any) -> None:
    changed = copy.deepcopy(genuine("right_warner"))
    changed["parts"][0]["cells"] = cells
    assert rejected(changed)


def changed_text(name: str, before: str, after: str) -> dict[str, Any]:
    """A certificate whose text was changed, with all trees that there are for what is asked."""
    start_work()
    text = "\n".join(genuine(name)["core"])
    assert before in text
    steps = read(text.replace(before, after))
    kinds, cases = relation_of(steps)
    (part,) = [cells_and_trees(steps, kinds, case, Finder()) for case in cases[:-1]]
    return part


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("right_keep", "(exp(eps) + k - 1)", "(exp(eps) + k - 2)"),
        ("right_keep", "DiscreteUniform(1, k)", "DiscreteUniform(1, k + 1)"),
        ("right_keep", "DiscreteUniform(1, k)", "DiscreteUniform(2, k)"),
        ("right_keep", "DiscreteUniform(1, k)", "DiscreteUniform(1, k / 2)"),
        ("right_truth", "return x\n", "return x + 1\n"),
        ("right_warner", "LDP()", "LDP(), budget=lambda eps: eps / 2"),
        ("right_weights", "[exp(eps), 1, 1]", "[exp(eps), 1, -1]"),
        ("right_weights", "[exp(eps), 1, 1]", "[exp(eps), x, 1]"),
        ("right_two_draws", "u if v >= 1", "u if v >= u"),
        ("right_constant", "DiscreteUniform(0, 1)", "DiscreteUniform(0, 2)"),
        ("right_keep", "return x if keep else u", "return x if keep else u // 2"),
        ("right_keep", "return x if keep else u", "return x if keep else 1 / u"),
        ("right_keep", "return x if keep else u", "return x if keep else exp(u)"),
        ("right_keep", "return x if keep else u", "return x if u % 2 == 0 else u"),
        ("right_utility", "z <= s", "z < s"),
        ("right_utility", "z <= s", "z <= s + 1"),
        ("right_utility", "x <= s", "x <= n"),
        ("right_utility", "def is_sensitive(x, s):", "def is_sensitive(x):"),
    ],
)
def test_no_changed_text_is_accepted(name: str, before: str, after: str) -> None:
    with pytest.raises((Wrong, LimitReached)):
        changed_text(name, before, after)
