"""The claim of a mechanism in words: what is proved, under which conditions, on what trust."""

from __future__ import annotations

from ...dsl.language.flow import EnsureNode, ReleaseNode, StepNode
from ...dsl.language.unparse import unparse
from ...dsl.privacy.definitions.base import Function, PairSides
from ...dsl.privacy.inputs import CountingQueries, Queries, Stream, WindowCounts
from ...dsl.relations.cases import Case
from ...dsl.relations.moves import Move, farthest
from ...dsl.relations.pairs import as_rule
from ...dsl.relations.program import Program
from ...dsl.terms.linear import Linear
from ...dsl.terms.pretty import pretty, pretty_formula
from .stated import stated_in_words

_WHERE = {
    "everywhere": "",
    "one": ", at one place only",
    "two": ", at two places at most",
    "window": ", within one window only",
}


def claim_text(program: Program) -> str:
    """The privacy claim, with the derived moves of every private input."""
    if program.privacy.output_claim is not None:
        return f"{program.privacy} with ε = {budget_text(program)}; any two values"
    cases = program.cases
    moves = " or ".join(dict.fromkeys(filter(None, (case_text(program, c) for c in cases))))
    size = program.privacy.group_size
    steps = f"in each of at most {size} steps, " if size > 1 else ""
    claim = f"{program.privacy.exactly} with {program.privacy.letter} = {budget_text(program)}"
    if program.privacy.delta is not None:
        claim += f", δ = {pretty(program.delta)}"
    return f"{claim}; {steps}{moves}" if moves else claim


def budget_text(program: Program, budget: Linear | None = None) -> str:
    """The budget of a pair in words; ``budget`` in the place of the claimed one."""
    shown = pretty(program.budget if budget is None else budget)

    def said(function: Function) -> str:
        return unparse(as_rule(function).condition)

    def times(one: str, two: str) -> str:
        return f"({one}) · ({two})" if " " in one else f"{one} · ({two})"

    def smaller(one: str, _: str) -> str:
        return f"the smaller one of {one} for x and for x′"

    return program.privacy.budget_of_pair(PairSides(shown, said, said, times, smaller))


def case_text(program: Program, case: Case) -> str:
    """How the private inputs may move in one case of the relation."""
    if program.privacy.edge_rule is not None:
        rule = as_rule(program.privacy.edge_rule)
        return f"neighbours if {unparse(rule.condition)}, or reversed"
    if case.rule is not None:
        at = " at every index" if any(program.inputs[n].array for n in case.moves) else ""
        return f"neighbours if {case.rule}{at}"
    texts = [_move_text(program, name, move) for name, move in case.moves.items()]
    if any(len(move.along) > 1 for move in case.moves.values()):
        texts.append("together if one of them is sensitive")
    return ", ".join(texts)


def _move_text(program: Program, name: str, move: Move) -> str:
    if move.where == "anywhere":
        return f"{name} and {name}′ are any two numbers"
    if move.where == "record" and not any(move.present):
        return f"{name} is the same"
    if move.where == "record" and move.whole is not None:
        which = "sensitive record" if len(move.along) == 1 else "record"
        return f"one {which} of {name} is replaced"
    if move.where == "record":
        how = {(True, True): "changes", (True, False): "is removed", (False, True): "is added"}
        return f"one record of {name} {how[move.present]}"
    answer = f"{name}[i]" if program.inputs[name].array else name
    interval = f"[{pretty(move.low)}, {pretty(move.high)}]"
    where = _WHERE[move.where].replace("place", "location" if move.by else "place")
    if move.where == "window" and move.opposed:
        where = ", within two windows only"
    if move.norm:
        where = f", in the ℓ{move.norm} norm together at most {pretty(farthest(move))}"
    return f"{answer} − {answer}′ ∈ {interval}{where}"


def precondition_texts(program: Program) -> tuple[str, ...]:
    """Everything that is assumed of public inputs: their kinds, and the leading asserts."""
    kinds = [
        pretty_formula(fact)
        for fact in program.parameter_facts()
        if not str(fact).startswith("len(")
    ]
    return (*kinds, *map(unparse, program.preconditions))


def assumptions(program: Program) -> tuple[str, ...]:
    """What the claim takes on trust."""
    found: list[str] = ["arithmetic is exact and noise is ideal; Python's floats are neither"]
    if program.privacy.functions:
        found.append(f"the relation is the author's own: {program.privacy}")
    for name, kind in program.inputs.items():
        if isinstance(kind, Stream):
            found.append(f"adaptive: a query of {name} may depend on every earlier release")
        if isinstance(kind, Queries):
            found.append(f"sensitivity assumed: {name}")
        elif isinstance(kind, CountingQueries):
            shape = ", records are one-hot" if kind.one_hot else ""
            found.append(f"sensitivity assumed: {name} counts values {sorted(kind.counted)}{shape}")
        elif isinstance(kind, WindowCounts):
            found.append(
                f"sensitivity assumed: {name} counts arrivals of the last {kind.width} steps"
            )
    return tuple(dict.fromkeys((*found, *stated_in_words(program))))


#: Of an answer, what is owed before it can be right.
HAS_A_VALUE = "what is said here has a value"


def answer_claims(program: Program) -> tuple[str, ...]:
    """The claims that an answer is never wrong, in the order of the program."""
    nodes = [node for node in program.flow.nodes if isinstance(node, EnsureNode)]
    nodes.sort(key=lambda node: (node.span.line, node.span.column))
    return tuple(claim_of(program, node) for node in nodes)


def claim_of(program: Program, node: EnsureNode) -> str:
    """One of them."""
    k = node.after
    while not isinstance(release := program.flow.nodes[k], ReleaseNode):
        assert isinstance(release, StepNode), release  # a draw that it does not read may be moved
        k = release.after
    said = ", ".join(map(unparse, release.step.values))
    return f"whenever line {release.span.line} says {said}: {unparse(node.step.claim)}"


# A case of the neighbour relation in words, for people; the kernel derives it anew.


def relation_texts(program: Program, case: Case) -> tuple[str, ...]:
    """What a case says of D and D': how each private input moves, and facts of its unknowns."""
    return (case_text(program, case), *map(pretty_formula, case.facts))
