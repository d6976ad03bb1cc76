"""The claim: what is said of which inputs, on what trust; and the neighbour relation in words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from ...dsl.language.unparse import unparse
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.definitions.base import Function, OutputClaim, PairSides
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    LocationCounts,
    Queries,
    WindowCounts,
)
from ...dsl.privacy.inputs import Value as UserValue
from ...dsl.relations.cases import Case
from ...dsl.relations.moves import Move, does_not_move, farthest
from ...dsl.relations.pairs import as_rule
from ...dsl.relations.program import Program
from ...dsl.terms.linear import Linear
from ...dsl.terms.pretty import pretty
from ..words import (
    Block,
    Display,
    Entry,
    Items,
    Maths,
    Paragraph,
    Words,
    listed,
    paragraph,
    say,
)
from .notation import Notation, is_sum

#: How many characters of LaTeX an exponent may have.
_LONGEST_EXPONENT = 40


def claim_blocks(
    program: Program,
    preconditions: Sequence[str],
    assumptions: Sequence[str],
    notation: Notation,
) -> Iterator[Block]:
    """The claim in words and symbols, the relation, the preconditions, and what is trusted."""
    allowed = budget(program, notation)
    yield paragraph(
        "{m} claims {definition}: for all neighbours {d} and {e}, and every "
        + ("order {a} above 1" if program.privacy.zcdp else "set {s} of ")
        + ("protected " if program.privacy.output_claim else "")
        + ("," if program.privacy.zcdp else "outputs,"),
        m=Maths("M", program.name),
        definition=told_name(program.privacy),
        s=Maths("S", "S"),
        a=Maths(r"\alpha", "α"),
    )
    short = short_budget(program, notation)
    yield Display(_inequality(program, short, allowed.plain, notation))
    if short != allowed.latex:
        named = Maths(rf"\beta = {allowed.latex}", allowed.plain)
        yield paragraph("where the budget of the pair is {b}.", b=named)
    if program.privacy.output_claim is not None:
        yield _protected(program.privacy.output_claim, notation)
    else:
        yield neighbours(program.privacy, notation)
        yield from _cases(program, notation)
    if preconditions:
        met = listed(notation.of(part) for text in preconditions for part in _conjuncts(text))
        yield paragraph("It is made for all inputs with {met}.", met=met)
    if assumptions:
        yield paragraph("Taken on trust:")
        yield Items(tuple(Entry((f"{text[:1].upper()}{text[1:]}.",)) for text in assumptions))


def told_name(privacy: Privacy) -> str:
    """What a definition is called, with ρ in the place of ε or a δ beside it."""
    name = privacy.told().name
    if privacy.zcdp:
        return f"zero-concentrated privacy, by the neighbours of {name}"
    return name if privacy.delta is None else f"{name}, but for a δ"


def _inequality(program: Program, short: str, plain: str, notation: Notation) -> Maths:
    """What is claimed of a pair, with its budget in short."""
    if program.privacy.zcdp:
        factor = rf"\left( {short} \right)" if is_sum(short) else short
        shown = rf"D_{{\alpha}}(M(D) \parallel M(D')) \leq \alpha \thinspace {factor}"
        return Maths(shown, f"D_α(M(D) ‖ M(D')) <= α * ({plain})")
    delta, more = "", ""
    if program.privacy.delta is not None:
        given = notation.of(pretty(program.delta))
        delta, more = f" + {given.latex}", f" + {given.plain}"
    shown = rf"\Pr[M(D) \in S] \leq e^{{{short}}} \thinspace \Pr[M(D') \in S]{delta}"
    return Maths(shown, f"Pr[M(D) in S] <= exp({plain}) Pr[M(D') in S]{more}")


def budget(program: Program, notation: Notation) -> Maths:
    """The budget of a pair as a formula."""

    def times(one: Maths, two: Maths) -> Maths:
        factors = (rf"\left( {f} \right)" if is_sum(f) else f for f in (one.latex, two.latex))
        return Maths(r" \cdot ".join(factors), f"{one.plain} · ({two.plain})")

    return _budget(program, notation, times)


def distance_of(program: Program, notation: Notation) -> Maths:
    """What a definition multiplies the budget by, as a formula."""
    return _budget(program, notation, lambda _, distance: distance)


def _budget(program: Program, notation: Notation, times: Callable[[Maths, Maths], Maths]) -> Maths:
    def smaller(one: Maths, _: Maths) -> Maths:
        least = rf"\min_{{\text{{both values}}}} \left( {one.latex} \right)"
        return Maths(least, f"the smaller one of {one.plain}")

    def of(function: Function) -> Maths:
        return _condition(function, notation)

    declared = notation.of(pretty(program.budget))
    return program.privacy.budget_of_pair(PairSides(declared, of, of, times, smaller))


def short_budget(program: Program, notation: Notation) -> str:
    """The budget as an exponent: itself, or a β that stands for it where it is long."""
    allowed = budget(program, notation).latex
    return allowed if len(allowed) <= _LONGEST_EXPONENT else r"\beta"


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
            within = ", of those that the graph joins" if program.privacy.edge_rule else ""
            step = " in one step" if program.privacy.group_size > 1 else ""
            yield paragraph(f"So much may a private input differ{step}{within}:")
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


def _protected(claim: OutputClaim, notation: Notation) -> Paragraph:
    rules = tuple(map(as_rule, claim))
    output = Notation({**notation.symbols, rules[1].parameters[0]: "o"})
    return paragraph(
        "Any two values {x} are neighbours. Protected are the outputs {o} with {protected}. "
        "Besides, every other output comes from one value alone, and that is not sensitive; "
        "sensitive are the values with {sensitive}.",
        x=notation.name(rules[0].parameters[0]),
        o=Maths("o", rules[1].parameters[0]),
        protected=output.of(unparse(rules[1].condition)),
        sensitive=notation.of(unparse(rules[0].condition)),
    )


# The neighbour relation in words: where it comes from, and how each private input may move.

_WHERE = {
    "one": ", for one index {i} only",
    "two": ", for two indices {i} at most",
    "window": ", within one window of {width} steps only",
}


def neighbours(privacy: Privacy, notation: Notation) -> Paragraph:
    """Which ordered pairs of inputs are neighbours."""
    told = privacy.told()
    parts: dict[str, Maths] = {
        name: _set(part) if isinstance(part, frozenset) else _condition(part, notation)
        for name, part in told.parts.items()
    }
    return paragraph(told.neighbours, p=Maths("P", "P"), **parts)


def _condition(function: Function, notation: Notation) -> Maths:
    return notation.of(unparse(as_rule(function).condition))


def moves(program: Program, case: Case, notation: Notation) -> Items | None:
    """How each private input may differ between the two; None if nothing more is said of them."""
    entries = [
        entry
        for name, move in case.moves.items()
        if (entry := _entry(program.inputs[name], name, move, program.privacy, notation))
        is not None
    ]
    return Items(tuple(entries)) if entries else None


def _entry(
    kind: InputKind, name: str, move: Move, privacy: Privacy, notation: Notation
) -> Entry | None:
    if move.where == "rule":
        return None  # the rule was printed with the relation
    origin = tuple(_origin(kind, name, move, privacy, notation))
    return Entry((*_moved(kind, name, move, notation), ". ", *origin))


def _moved(kind: InputKind, name: str, move: Move, notation: Notation) -> Words:
    own = notation.name(name)
    if move.where == "anywhere":
        whole = "whole numbers" if kind.whole else "numbers"
        return say(f"{{x}} and {{y}} are any two {whole}", x=own, y=notation.of(f"other({name})"))
    if move.where == "record":
        if does_not_move(move):
            return say("{x} is the same in both", x=own)
        if move.whole is not None:
            which = "sensitive record" if len(move.along) == 1 else "record"
            return say(f"One {which} of {{x}} is replaced as a whole" + _along(name, move), x=own)
        how = {(True, True): "changes", (True, False): "is removed", (False, True): "is added"}
        return say("One record of {x} " + how[move.present], x=own)
    cell = f"{name}[i]" if kind.array else name
    difference = notation.of(f"{cell} - other({cell})")
    if does_not_move(move):
        return say("{d} is 0: it is the same in both", d=difference)
    low, high = (notation.of(pretty(bound)).latex for bound in (move.low, move.high))
    interval = Maths(rf"{difference.latex} \in [{low}, {high}]", difference.plain)
    where = _WHERE.get(move.where, "")
    if move.by:
        at = {"one": "one location", "two": "two locations"}.get(move.where, "some locations")
        where = f", at the indices of {at} only"
    if move.where == "two" and move.opposed:
        where += ", falling at one and rising at the other"
        where += "; if it is one location, in either direction" if move.mixed else ""
    if move.where == "window" and move.opposed:
        where = ", within two windows of {width} steps, falling in one and rising in the other"
    if move.norm:
        where += f", and in the ℓ{move.norm} norm all of them together by at most {{most}}"
    where += _along(name, move)
    return say(
        "{d}" + where,
        d=interval,
        i=Maths("i", "i"),
        width=pretty(move.width),
        most=pretty(farthest(move)),
    )


def _along(name: str, move: Move) -> str:
    """With what else an input is replaced, as one record."""
    others = " and ".join(other for other in move.along if other != name)
    return f", together with {others}, if one of their values is sensitive" if others else ""


def _origin(
    kind: InputKind, name: str, move: Move, privacy: Privacy, notation: Notation
) -> Iterator[str | Maths]:
    """Why it moves so: derived, declared, or by its own bounds."""
    own = notation.name(name)
    source = "relation" if privacy.policy_of_values is None else "policy"
    derived = f"Derived from the {source} and the query: "
    match kind:
        case LocationCounts(counted=counted, by=by, one_hot=hot):
            yield derived + "each answer counts "
            yield from ("the records with a value in ", _set(counted), " at one place and time; ")
            yield from ("where it belongs is public in ", notation.name(by))
            yield "; every record stands at one location." if hot else "."
        case CountingQueries(counted=counted, one_hot=hot, array=array):
            yield derived
            yield from (own, " counts the records with a value in ", _set(counted))
            yield ", one answer for each attribute" if array else ""
            yield "; each record has one marked attribute." if hot else "."
        case WindowCounts(width=width):
            yield derived + "each answer counts the arrivals of the "
            yield f"last {width} steps, so one record is in {width} answers that follow each other."
        case Queries():
            yield "Declared by the author, and trusted: the sensitivity of "
            yield from (own, ".")
        case DataSet():
            yield "Derived for every count of its records: a condition on records changes its "
            yield "count by one at most."
        case UserValue(low=low, high=high):
            low_text, high_text = (str(b) for b in (low, high))
            bounds = rf"[{notation.of(low_text).latex}, {notation.of(high_text).latex}]"
            yield "Derived from its range "
            yield Maths(bounds, f"[{low_text}, {high_text}]")
            yield " and the policy." if move.policy is not None else "."
        case _:
            yield "Nothing else is assumed of them."


def _set(values: object) -> Maths:
    assert isinstance(values, frozenset | set | tuple | list)
    shown = ", ".join(map(str, sorted(values)))
    return Maths(rf"\lbrace {shown} \rbrace", f"{{{shown}}}")
