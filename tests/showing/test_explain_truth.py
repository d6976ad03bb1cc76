"""``shiftproof explain``: sentences that were false or misleading once."""

from __future__ import annotations

from functools import cache

import pytest

from shiftproof.checkers.walking.certificate import Head, Part
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.dsl.normalise import normalised, read_normalised
from shiftproof.dsl.relations.program import Program
from shiftproof.showing.explaining.claim import case_words
from shiftproof.showing.explaining.conditions import invariant_blocks
from shiftproof.showing.explaining.explain import Explanation, explain
from shiftproof.showing.explaining.legend import counters
from shiftproof.showing.explaining.noises import notation_of
from shiftproof.showing.explaining.notation import letters
from shiftproof.showing.explaining.refuted import _number
from shiftproof.showing.words import Section
from shiftproof.workspace.importing import AnyMechanism
from tests.programs.showing import explained_mechanisms as examples
from tests.sampling import every
from tests.showing.test_explain import check_latex, check_markdown, explained

EXPLAINED = [
    name
    for name, value in vars(examples).items()
    if isinstance(value, Mechanism) and name not in ("two_sequences", "windows", "blurred")
]


@cache
def account(name: str) -> Explanation:
    return explain(getattr(examples, name))


def text_of(name: str) -> str:
    return account(name).as_markdown()


@pytest.mark.parametrize("name", every(3, EXPLAINED))
def test_every_account_is_sound_in_both_formats(name: str) -> None:
    check_latex(account(name).as_latex())
    check_markdown(text_of(name))


def invariants(mechanism: AnyMechanism, heads: dict[int, tuple[str, ...]]) -> str:
    """The section on invariants, of such a proof."""
    program: Program = read_normalised(normalised(mechanism)).program
    found = tuple(Head(k, line, invariants=said) for k, (line, said) in enumerate(heads.items()))
    shifts = ("0",) * len(program.flow.sites)
    part = Part("", shifts=shifts, heads=found, costs={"eps": "2"})
    notation = counters(program, part, notation_of(program))
    blocks = invariant_blocks(program, program.cases[0], part, notation)
    e = Explanation("m", "proved", (), (Section("Invariants", tuple(blocks)),))
    check_latex(e.as_latex())
    return e.as_markdown()


def test_a_loop_over_a_sequence_counts_by_an_index_of_its_own() -> None:
    heads = {
        7: ("x·1 >= 0", "0 >= cost(eps) or x·1 > place1(f)", "change1(f) >= cost(eps)"),
        10: ("0 >= cost(eps) or index·2 > place1(g)",),
        13: ("2 >= cost(eps)", "_·3 >= 0"),
    }
    text = invariants(examples.two_sequences, heads)
    assert r"$j \geq 0$" in text and r"$x" not in text
    assert r"$C \leq 0 \text{ or } j \gt p_{1, f}$" in text
    assert "$j$ is the index that the loop of line 7 reads in the coming round." in text
    assert r"$C \leq 0 \text{ or } i \gt p_{1, g}$" in text  # enumerate says what it is called
    assert "$p_{1, f}$ is an index at which $f$ differs." in text
    assert r"$\delta_{1, f}$ is the difference of $f$ there, its value on $D$ less that on" in text
    assert "$k$ counts the rounds of the loop of line 13." in text


def test_a_window_begins_somewhere_and_names_are_not_mistaken_for_it() -> None:
    text = invariants(examples.windows, {7: ("0 >= cost(eps) or p1·1 > place2(w1) + 1",)})
    assert r"\mathtt{p}_{1} \gt p_{2} + 1" in text
    assert r"$p_{2}$ is the first step of a window in which $\mathtt{w}_{1}$ differs." in text


def test_everything_foretold_is_explained() -> None:
    said = ("i > outcome(0)", "first_outcome(1) == outcome(0)", "picks() >= asked_and_picked()")
    text = invariants(examples.windows, {7: said})
    assert "$z$ is the next integer that the run picks or releases." in text
    assert "$o_{2}$ is the first integer" in text
    assert r"$\mathrm{asked}$ counts the indices of $Z$ whose draws came already." in text


def test_names_of_the_account_are_set_apart() -> None:
    text = text_of("names_of_the_account")
    assert r"$\mathtt{D} - \mathtt{D}' \in [-1, 1]$" in text
    assert r"d_{3} = \mathtt{d}_{1} - \mathtt{d}_{1}'" in text
    names = ["_", "__", "_q_", "ε", "λ", "lam2", "größe", "C1", "a_b1", "x__y"]
    assert [letters(name) for name in names] == [
        r"\underline{\enspace}", r"\underline{\enspace}", r"\textit{q}", r"\epsilon",
        r"\mathtt{lambda}", r"\mathtt{lam}_{2}", r"\textit{größe}", r"\mathtt{C}_{1}",
        r"{a_{\textit{b}}}_{1}", r"x_{\textit{y}}",
    ]  # fmt: skip


def test_a_cost_that_is_a_bound_is_called_one() -> None:
    assert r"The shift costs at most $\lvert d \rvert \thinspace \epsilon$ nats." in text_of(
        "größe"
    )
    assert r"costs $\frac{d \thinspace \varepsilon}{\textit{cap}}$ nats, with" in text_of("falling")


def test_what_is_not_shifted_is_not_said_to_be() -> None:
    text = text_of("noise_only")
    assert r"$\lambda$ stays as it is (line 78)." in text and "+ d" not in text


def test_the_relation_is_that_of_the_claim() -> None:
    assert "Derived from the relation and the query" in text_of("größe")
    assert "Derived from the policy and the query" in text_of("wrong_answer")
    text = text_of("line_of_values")
    assert "if $x - x' = 1$ or the same holds with the two exchanged" in text
    assert "So much may a private input differ, of those that the graph joins:" in text
    assert "$0 \\lt \\textit{cap}$ and $\\textit{cap} \\lt 10$" in text_of("falling")


def test_a_call_costs_its_distance() -> None:
    assert r"here $\frac{\varepsilon}{3}$, times the distance of its arguments" in text_of(
        "blurred_twice"
    )
    assert r"\sum_j \mathrm{cost}_j \leq" in text_of("blurred_twice")


def test_budgets_of_pairs_are_named() -> None:
    text = text_of("coin_of_pairs")
    assert r"where the budget is eps\_fine, its alternative 2, and any outcome" in text
    assert r"\leq e^{\varepsilon_{\textit{fine}}} \cdot" in text
    assert case_words("a record is added") == "a record is added"


def test_the_bound_of_utility_optimised_privacy_is_about_protected_outputs() -> None:
    text = explained("utility_optimized_response").as_markdown()
    assert "every set $S$ of protected outputs" in text
    assert "Protected are the outputs $o$ with $o \\leq s$" in text
    assert "Take any neighbours and any protected outcome." in text
    assert "was put to a solver as well" in text


def test_there_may_be_no_sizes_and_no_epsilon() -> None:
    assert "There are no sizes to choose: the proof is complete." in text_of("same_law")
    assert r"\leq \frac{1}{2}" in text_of("no_epsilon")


def test_numbers_of_any_size_are_written() -> None:
    assert _number("1.23457e-400") == r"1.23457 \cdot 10^{-400}"
    assert _number("13/6") == r"\frac{13}{6}"
