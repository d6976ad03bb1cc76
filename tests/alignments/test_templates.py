"""What is proposed for a shift: the guards and features that the program itself suggests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shiftproof import Mechanism
from shiftproof.alignments.alignment import annotated_shifts
from shiftproof.alignments.taint import Taint, values_in
from shiftproof.alignments.templates import GUARD_LIMIT, Template, templates
from shiftproof.dsl.language.flow import AssignNode, ReleaseNode
from shiftproof.dsl.language.syntax import (
    BooleanConstant,
    Conditional,
    Constant,
    Expression,
    Gaps,
    children,
)
from shiftproof.dsl.language.unparse import unparse
from shiftproof.dsl.relations.cases import cases_of
from tests.programs.alignments import templated_mechanisms as known


def templates_of(mechanism: Mechanism) -> list[Template]:
    program = mechanism.program
    case = cases_of(program.privacy, program.inputs)[0]
    return list(templates(program, case, Taint(program), annotated_shifts(program)))


def template_of(mechanism: Mechanism) -> Template:
    """The template of a mechanism that has nothing to foretell: one shifts, others sum coins."""
    (found,) = (template for template in templates_of(mechanism) if not template.sums)
    return found


def guards(e: Expression) -> set[str]:
    """The tests that make the pieces."""
    own = {unparse(e.test)} if isinstance(e, Conditional) else set()
    arms = (e.yes, e.no) if isinstance(e, Conditional) else ()
    return own.union(*map(guards, arms))


def features(e: Expression) -> set[str]:
    """What the unknown coefficients are multiplied with, on the first piece."""
    while isinstance(e, Conditional):
        e = e.yes
    return {unparse(p.right) for p in products(e)}  # type: ignore[attr-defined]


def products(e: Expression) -> Iterator[Expression]:
    if getattr(e, "operator", "") == "*" and "coefficient" in unparse(children(e)[0]):
        yield e
        return
    for child in children(e):
        yield from products(child)


EXPECTED: dict[str, list[tuple[set[str], set[str]]]] = {
    "plain": [({"f[i] + noise >= T[i]"}, {"f[i] - other(f[i])", "1"})],
    "renamed": [({"answer + noise >= T"}, {"answer - other(answer)", "2"})],
    "helped": [({"x + noise >= T"}, {"x - other(x)", "2"})],
    "expression": [
        ({"x + noise > T"}, {"x - other(x)", "2 * (x - other(x))", "2", "4"}),
    ],
    "noisy_threshold": [
        (set(), {"2"}),
        ({"x + noise >= T + rho"}, {"x - other(x)", "2"}),
    ],
    "earlier": [
        ({"x + first >= 0"}, {"x - other(x)", "1"}),
        ({"x + first >= 0"}, {"x - other(x)", "1"}),
    ],
    "named": [(set(), {"x - other(x)", "s"})],
    "fractional": [(set(), {"x - other(x)", "0.5"})],
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_guards_and_features_are_the_programs_own(name: str) -> None:
    mechanism = vars(known)[name]
    found = template_of(mechanism)
    sites = mechanism.program.flow.sites
    assert [guards(found.shifts[n.site]) for n in sites] == [g for g, _ in EXPECTED[name]]
    for node, (_, expected) in zip(sites, EXPECTED[name], strict=True):
        assert features(found.shifts[node.site]) == expected


def test_a_clipped_answer_is_a_feature_as_a_whole() -> None:
    (found,) = features(template_of(known.clipped).shifts[0]) - {"2", "x - other(x)"}
    assert found.startswith("(") and " - other(" in found and "T if " in found


def test_few_comparisons_make_pieces() -> None:
    found = guards(template_of(known.three_tests).shifts[0])
    assert found == {"noise >= 1", "noise >= 2"}
    assert len(found) == GUARD_LIMIT


def test_a_coin_is_flipped_never_always_or_where_inputs_differ() -> None:
    found = template_of(known.coin)
    assert "x != other(x)" in unparse(found.shifts[0])
    shown = {
        unparse(found.filled(dict.fromkeys(found.unknowns, 0) | chosen)[0])
        for chosen in ({}, {found.unknowns[0]: 1}, {found.unknowns[1]: 1})
    }
    assert shown == {"False", "True", "x != other(x)"}


def test_annotated_shifts_stay() -> None:
    found = template_of(known.partly_given)
    assert unparse(found.shifts[0]) == "1"
    assert all(name.startswith("coefficient@1") for name in found.unknowns)


def test_filling_in_simplifies() -> None:
    found = template_of(known.plain)
    first = next(n for n in found.unknowns if n.endswith("+.0"))
    zeros = dict.fromkeys(found.unknowns, 0)
    assert found.filled(zeros)[0] == Constant(found.shifts[0].span, 0, "int")  # type: ignore[arg-type]
    shown = unparse(found.filled({**zeros, first: 1})[0])
    assert shown == "f[i] - other(f[i]) if f[i] + noise >= T[i] else 0"
    shown = unparse(found.filled({**zeros, first: -1})[0])
    assert shown == "other(f[i]) - f[i] if f[i] + noise >= T[i] else 0"
    shown = unparse(found.filled({**zeros, first: 2})[0])
    assert shown == "2 * (f[i] - other(f[i])) if f[i] + noise >= T[i] else 0"


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_template_is_filled_with_no_unknown_left(name: str) -> None:
    found = template_of(vars(known)[name])
    for value in (-2, -1, 0, 1, 2):
        for shift in found.filled(dict.fromkeys(found.unknowns, value)).values():
            assert "coefficient" not in unparse(shift)
            assert not isinstance(shift, BooleanConstant)


def guards_at_sites(mechanism: Mechanism) -> list[list[set[str]]]:
    """For each template, the guards of every sample."""
    sites = mechanism.program.flow.sites
    return [[guards(t.shifts[n.site]) for n in sites] for t in templates_of(mechanism)]


COMPARED = {"f[i] + noise >= T", "f[i] - noise >= T"}
FORETOLD: dict[str, list[list[set[str]]]] = {
    "picked": [[{"i == outcome()"}], [{"best is None or f[i] + noise > top"}]],
    "picked_twice": [[{"i == outcome()", "i == outcome(1)"}], [COMPARED]],
    "picked_by_argmax": [[{"j == outcome()"}], [set()]],
    # What is stored in a list that nothing is picked from is not foretold.
    # Last, the list that is picked from keeps its gaps.
    "picked_by_top_k": [[{"j in outcome()"}, set()], [set(), set()], [set(), set()]],
}


@pytest.mark.parametrize("name", sorted(FORETOLD))
def test_what_is_foretold_is_asked_first_and_then_not_at_all(name: str) -> None:
    assert guards_at_sites(vars(known)[name]) == FORETOLD[name]


@pytest.mark.parametrize("name", sorted(FORETOLD))
def test_prophecies_take_the_place_of_guards_and_not_of_features(name: str) -> None:
    for found in templates_of(vars(known)[name]):
        for shift in (e for e in found.shifts.values() if not isinstance(e, Gaps)):
            assert {"2"} < features(shift)  # and the difference of the answer


def test_annotated_shifts_stay_in_both() -> None:
    first, second = templates_of(known.picked_as_annotated)
    assert unparse(first.shifts[0]) == unparse(second.shifts[0]) == "0"
    assert guards(first.shifts[1]) == {"i == outcome()"} != guards(second.shifts[1])


def reads() -> dict[str, tuple[bool, bool]]:
    """For each assignment and output of ``tainted``: plainly private, noisy."""
    program = known.tainted.program
    taint = Taint(program)
    found = {}
    for k, node in enumerate(program.flow.nodes):
        if isinstance(node, AssignNode | ReleaseNode):
            for e in node.step.values:
                found[unparse(e)] = taint.is_plain_private(e, k), taint.is_noisy(e, k)
    return found


@pytest.mark.parametrize(
    ("expression", "private", "noisy"),
    [
        ("len(f)", False, False),
        ("f[0]", True, False),
        ("T + 1", False, False),
        ("secret + noise", False, True),
        ("size", False, False),
        ("mixed + 0.0", False, True),
        ("hidden", False, True),
        ("level + secret", True, False),  # level tells of the branch; secret is public again
    ],
)
def test_the_taint_reading(expression: str, private: bool, noisy: bool) -> None:
    assert reads()[expression] == (private, noisy)


def test_lengths_are_no_values() -> None:
    assigned = {
        node.step.targets[0]: node.step.values[0]
        for node in known.tainted.program.flow.nodes
        if isinstance(node, AssignNode)
    }
    assert values_in(assigned["size"]) == frozenset()
    assert values_in(assigned["mixed"]) == {"secret", "noise"}


def test_a_sample_is_noise_and_not_private() -> None:
    program = known.tainted.program
    taint = Taint(program)
    (site,) = program.flow.sites
    after = program.flow.nodes[site.after]
    assert isinstance(after, AssignNode)
    (mixed,) = after.step.values
    assert taint.is_noisy(mixed, site.after)
    before = program.flow.nodes.index(site)
    assert not taint.is_noisy(mixed, before)
