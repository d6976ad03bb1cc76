"""The claim: what is said of which inputs, on what trust."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..dsl.pretty import pretty
from ..dsl.privacy import (
    Blowfish,
    ContextAwareLDP,
    DPrivacy,
    InputDiscriminativeLDP,
    UtilityOptimizedLDP,
)
from ..dsl.program import Program
from ..dsl.rules import rule_of
from ..dsl.terms import Linear
from ..dsl.unparse import unparse
from .letters import is_sum
from .model import Block, Display, Entry, Items, Maths, Section, listed, paragraph
from .notation import Notation
from .relation import definition_name, moves, neighbours

#: How many characters of LaTeX an exponent may have.
_LONGEST_EXPONENT = 40


def claim_section(
    program: Program,
    preconditions: Sequence[str],
    assumptions: Sequence[str],
    notation: Notation,
) -> Section:
    """The claim in words and symbols, the relation, the preconditions, and what is trusted."""
    return Section("Claim", tuple(_blocks(program, preconditions, assumptions, notation)))


def budget(program: Program, notation: Notation) -> Maths:
    """The budget of a pair as a formula."""
    shown = pretty(program.budget)
    match program.privacy:
        case DPrivacy(distance=function):
            distance = unparse(rule_of(function).condition)
            text = notation.of(shown).latex
            factor = rf"\left( {text} \right)" if is_sum(text) else text
            inner = notation.of(distance).latex
            inner = rf"\left( {inner} \right)" if is_sum(inner) else inner
            return Maths(rf"{factor} \cdot {inner}", f"{shown} · ({distance})")
        case ContextAwareLDP(budget=function):
            return notation.of(unparse(rule_of(function).condition))
        case InputDiscriminativeLDP(budget=function):
            of_one = notation.of(unparse(rule_of(function).condition))
            smaller = rf"\min_{{\text{{both values}}}} \left( {of_one.latex} \right)"
            return Maths(smaller, f"the smaller one of {of_one.plain}")
    return notation.of(shown)


def short_budget(program: Program, notation: Notation) -> str:
    """The budget as an exponent: itself, or a β that stands for it where it is long."""
    allowed = budget(program, notation).latex
    return allowed if len(allowed) <= _LONGEST_EXPONENT else r"\beta"


def _blocks(
    program: Program,
    preconditions: Sequence[str],
    assumptions: Sequence[str],
    notation: Notation,
) -> Iterator[Block]:
    allowed = budget(program, notation)
    pair = {"d": Maths("D", "D"), "e": Maths("D'", "D′")}
    yield paragraph(
        "{m} claims {definition}: for all neighbours {d} and {e}, and every set {s} of "
        + ("protected " if isinstance(program.privacy, UtilityOptimizedLDP) else "")
        + "outputs,",
        m=Maths("M", program.name),
        definition=definition_name(program.privacy),
        s=Maths("S", "S"),
        **pair,
    )
    short = short_budget(program, notation)
    bound = rf"\Pr[M(D) \in S] \leq e^{{{short}}} \thinspace \Pr[M(D') \in S]"
    yield Display(Maths(bound, f"Pr[M(D) in S] <= exp({allowed.plain}) Pr[M(D') in S]"))
    if short != allowed.latex:
        yield paragraph("where the budget of the pair is {b}.", b=_named(r"\beta", allowed))
    if isinstance(program.privacy, UtilityOptimizedLDP):
        yield from _utility_optimised(program.privacy, notation)
    else:
        yield neighbours(program.privacy, notation)
        yield from _cases(program, notation)
    if preconditions:
        met = listed(notation.of(part) for text in preconditions for part in _conjuncts(text))
        yield paragraph("It is made for all inputs with {met}.", met=met)
    if assumptions:
        yield paragraph("Taken on trust:")
        yield Items(tuple(Entry((f"{text[:1].upper()}{text[1:]}.",)) for text in assumptions))


def _conjuncts(text: str) -> Iterator[str]:
    """The members of a conjunction, which may stand in different lines."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        yield from map(ast.unparse, tree.values)
    else:
        yield text


def _cases(program: Program, notation: Notation) -> Iterator[Block]:
    found = {case.name: moves(program, case, notation) for case in program.cases}
    several = len(set(found.values())) > 1
    for name, moved in found.items():
        if moved is None:
            continue
        if not several:
            within = (
                ", of those that the graph joins" if isinstance(program.privacy, Blowfish) else ""
            )
            yield paragraph(f"So much may a private input differ{within}:")
            yield moved
            return
        yield paragraph("Where " + case_words(name) + ":")
        yield moved


def case_words(name: str, budget_of_case: Linear | None = None) -> str:
    """A case of the relation in the middle of a sentence, with its budget if that is its own."""
    if not name:
        return "nothing is special"
    record, budget_word, k = name.rpartition("budget ")
    if not budget_word:
        return name
    is_own = "" if budget_of_case is None else f" {pretty(budget_of_case)},"
    joined = f"{record.strip()} and " if record else ""
    return f"{joined}the budget is{is_own} its alternative {k}"


def _named(symbol: str, formula: Maths) -> Maths:
    return Maths(f"{symbol} = {formula.latex}", formula.plain)


def _utility_optimised(privacy: UtilityOptimizedLDP, notation: Notation) -> Iterator[Block]:
    rules = tuple(map(rule_of, privacy.functions))
    output = Notation({**notation.symbols, rules[1].parameters[0]: "o"})
    yield paragraph(
        "Any two values {x} are neighbours. Protected are the outputs {o} with {protected}. "
        "Besides, every other output comes from one value alone, and that is not sensitive; "
        "sensitive are the values with {sensitive}.",
        x=notation.name(rules[0].parameters[0]),
        o=Maths("o", rules[1].parameters[0]),
        protected=output.of(unparse(rules[1].condition)),
        sensitive=notation.of(unparse(rules[0].condition)),
    )
