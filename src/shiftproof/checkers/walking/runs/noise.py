"""One sample in two runs: its distribution, its shift as a certificate writes it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from ....dsl.errors import BadInput
from ....dsl.language.flow import ListNode, SampleNode
from ....dsl.language.statements import MakeList
from ....dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Capped,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Gaps,
    Length,
    Name,
    Negation,
    Other,
    Predictable,
    Span,
    Summed,
    Unless,
    names_in,
    record_name,
)
from ....dsl.language.unparse import identifier
from ....dsl.noise import Charge, Distribution
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Formula,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
)
from ....dsl.terms.linear import Indexed, Linear, Symbol, number, term
from ....dsl.terms.substitution import Substitution, symbols_of
from ....dsl.terms.values import Num
from ..certificate import Part
from ..notation import DEEPEST, parsed, variable_name
from .elements import HORIZON
from .given_up import Bad, bare, capped_charges, check_known, given_up
from .run import Run
from .state import State


def take_sample(
    run: Run, state: State, node: SampleNode, look: Callable[[State, Span], None]
) -> bool:
    """Draw on D; move the draw for D' by the alignment's shift.

    ``look`` is told when what is given up was counted, before it is taken to be no matter.

    Returns:
        Whether there is such a distribution; if plainly not, that was owed, and the path ends.
    """
    span, target = node.step.span, node.step.target
    distribution, exists = _distribution(run, state, node)
    if exists == FALSE:
        return False
    bad = given_up(run, state, node, distribution)
    if bad:
        look(state, span)
    drawn = run.draw(state, node, distribution)
    # What is bound to the name before the draw is no longer there when the shift is read.
    state.right.pop(target, None)
    state.left[target] = drawn
    if isinstance(drawn, Formula):
        flip = run.shift(state, run.shifts[node.site])
        if not isinstance(flip, Formula):
            raise run.program.refuse(span, "a flip that is no condition", "align with a condition")
        _flip(run, state, node, distribution, drawn, flip)
        return True
    if isinstance(run.shifts[node.site], Gaps):
        moved_by = run.moved_for_gaps()
        state.right[target] = Num(drawn.term + moved_by, drawn.kind)
        return True
    state.assume(distribution.support(drawn.term))
    for one in bad:
        run.give_up(state, one.holds(drawn.term))
    shift = bare(run.shifts[node.site])
    moved = run.shift(state, shift.shift if isinstance(shift, Predictable | Capped) else shift)
    if not isinstance(moved, Num):
        raise run.program.refuse(span, "a shift that is no number", "align with a number")
    for symbol in symbols_of(drawn.term):
        _owe_measure(run, state, distribution, symbol, moved.term, bad, span)
    if distribution.lattice == "integers" and not moved.term.integral:
        run.owe(state, FALSE, "support", f"the shift {moved.term} is an integer", span)
    landed = drawn.term + moved.term
    detail = "the shifted noise is in the support"
    run.owe(state, distribution.support(landed), "support", detail, span)
    charges = _charges(run, state, node, distribution, drawn.term, moved.term)
    _pay(run, state, charges, span)
    state.right[target] = Num(landed, drawn.kind)
    return True


def _charges(
    run: Run, state: State, node: SampleNode, law: Distribution, drawn: Linear, moved: Linear
) -> tuple[Charge, ...]:
    """What a shift costs: in ε, or in ρ, which is owed to be foreseen and of a bounded size."""
    shift, span = bare(run.shifts[node.site]), node.step.span
    if not run.program.privacy.zcdp:
        if law.spread and not law.cost[0] and moved != number(0):
            return capped_charges(run, state, node, law, drawn, moved)
        if not law.spread or law.cost[0]:
            return law.charges(moved)
    if not law.spread or moved == number(0):
        return law.zcdp_charges(moved)
    if not isinstance(shift, Predictable) or node.step.target in names_in(shift):
        raise run.program.refuse(
            span, "a shift of which ρ is not known", "let it be known before the draw"
        )
    if shift.most == Builtin(shift.most.span, "abs", (shift.shift,)):
        return law.zcdp_charges(moved)
    most = run.shift(state, shift.most)
    assert isinstance(most, Num)
    size = conjunction((at_least(most.term, moved), at_least(moved, -most.term)))
    run.owe(state, size, "cost", f"the shift is at most {most.term}, either way", span)
    return law.zcdp_charges(moved, most.term)


@lru_cache(maxsize=512)
def _made(
    law: Callable[..., Distribution], parameters: tuple[Linear, ...]
) -> tuple[Distribution, Formula]:
    """A distribution, and when it exists; recorded runs ask for the same all the time."""
    found = law(*parameters)
    return found, found.well_formed()


def _distribution(run: Run, state: State, node: SampleNode) -> tuple[Distribution, Formula]:
    """The distribution, of public parameters and the same in both runs; and when it exists."""
    span = node.step.span
    if run.program.privacy.zcdp:
        check_known(run, span)
    if not node.step.distribution.shiftable:
        raise run.program.refuse(
            span,
            f"an alignment of a {node.step.distribution.__name__} draw",
            "its values have no distance; where all noise is finite, it is summed instead",
        )
    pairs = [run.numbers(state, argument) for argument in node.step.arguments]
    left, right = tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
    if not all(parameter.fixed for parameter in left):
        raise run.program.refuse(
            span,
            "a noise parameter that varies while the mechanism runs",
            "a scale must be fixed, as costs are not summed as a series: build it from constants, "
            "lengths and public scalar parameters that are never assigned, as in len(f) / eps",
        )
    same = conjunction(equal(a, b) for a, b in zip(left, right, strict=True))
    run.owe(state, same, "same samples", "both runs draw from the same distribution", span)
    try:
        distribution, exists = _made(node.step.distribution, left)
    except TypeError as error:
        name = node.step.distribution.__name__
        raise BadInput(f"{name}: {error}", run.program.location(span)) from None
    detail = f"{distribution.requirement} ({distribution})" if exists != TRUE else ""
    run.owe(state, exists, "preconditions and positivity", detail, span)
    return distribution, exists


def _owe_measure(
    run: Run,
    state: State,
    distribution: Distribution,
    drawn: Symbol,
    moved: Linear,
    bad: Sequence[Bad],
    span: Span,
) -> None:
    """Different draws are moved to different draws, and by constants, piece by piece."""
    _owe_open(run, state, moved, drawn, span)
    if not any(symbol.key == drawn.key for symbol in symbols_of(moved)):
        return
    if distribution.lattice == "reals" and not _constant_by_pieces(moved, drawn):
        detail = "the shift depends on its own sample through comparisons only"
        run.owe(state, FALSE, "measure", detail, span)
        return
    twin = term(Symbol(f"{drawn.key}'", drawn.integral, private=True))
    elsewhere = Substitution({drawn.key: twin}).linear(moved)
    kept = (negation(one.holds(twin)) for one in bad)
    apart = conjunction((distribution.support(twin), negation(equal(term(drawn), twin)), *kept))
    meet = equal(term(drawn) + moved, twin + elsewhere)
    detail = "different draws have different shifted draws"
    run.owe(state, implies(apart, negation(meet)), "measure", detail, span)


def _owe_open(run: Run, state: State, moved: Linear | Formula, drawn: Symbol, span: Span) -> None:
    """What the shift makes of its sample can be seen.

    A count of records that the sample selects, or an element of a list at its index, is an
    unknown that only says in its name where it comes from.
    """
    named = {s.key for s in symbols_of(moved) if not isinstance(s, Indexed)} - {drawn.key}
    if any(drawn.key in key for key in named):
        detail = "the shift reads no count and no element that its own sample selects"
        run.owe(state, FALSE, "measure", detail, span)


def _constant_by_pieces(moved: Linear, drawn: Symbol) -> bool:
    """Whether the sample occurs in the tests of choices only."""
    for atom, _ in moved.parts:
        if isinstance(atom, Choice):
            if not all(_constant_by_pieces(arm, drawn) for arm in (atom.yes, atom.no)):
                return False
        elif any(symbol.key == drawn.key for symbol in symbols_of(term(atom))):
            return False
    return True


def _pay(run: Run, state: State, charges: tuple[Charge, ...], span: Span) -> None:
    """Charge the first case that applies; that one applies is owed."""
    open_: Formula = TRUE
    for charge in charges:
        test = _settled(run, state, charge.when)
        when = conjunction((open_, test))
        if charge.rate != number(0):
            state.charge(charge.rate, choice(when, charge.amount, number(0)))
        open_ = conjunction((open_, negation(test)))
    run.owe(state, negation(open_), "cost", "the cost covers every shift", span)


def _settled(run: Run, state: State, test: Formula) -> Formula:
    """A test as plainly true or false, where the path says so."""
    decided = state.decide(test)
    return test if decided is None else TRUE if decided else FALSE


def _flip(
    run: Run, state: State, node: SampleNode, law: Distribution, drawn: Formula, flip: Formula
) -> None:
    span = node.step.span
    for bit in symbols_of(drawn):
        _owe_open(run, state, flip, bit, span)
        on, off = (Substitution(flags={bit.key: value}).formula(flip) for value in (TRUE, FALSE))
        run.owe(state, iff(on, off), "measure", "the flip does not depend on its bit", span)
    charges = law.zcdp_flip_charges if run.program.privacy.zcdp else law.flip_charges
    _pay(run, state, charges(drawn, flip), span)
    state.right[node.step.target] = disjunction(
        (conjunction((drawn, negation(flip))), conjunction((negation(drawn), flip)))
    )


# Shifts as a certificate writes them: expressions of the language, read without running.

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def shifts_of(program: Program, part: Part) -> dict[int, Expression]:
    """The alignment of a case by sample site, with the shifts that the author wrote.

    Raises:
        BadInput: a shift of the certificate is no expression of the language.
    """
    # Of ρ and δ the author has not said how large a shift is at most, and what is given up.
    written = not program.privacy.is_relaxed
    return {
        node.site: node.step.shift if written and node.step.shift is not None else shift_of(text)
        for node, text in zip(program.flow.sites, part.shifts, strict=True)
    }


def alike_of(program: Program, part: Part) -> frozenset[str]:
    """The lists of the program that a case says to have the same elements in both runs."""
    steps = (n.step for n in program.flow.nodes if isinstance(n, ListNode))
    made = {step.target for step in steps if isinstance(step, MakeList)}
    return frozenset(name for name in made if identifier(name) in part.alike)


def shift_of(text: str) -> Expression:
    """Read a shift.

    Raises:
        BadInput: the text is no expression of the language.
    """
    return _expression(parsed(text), "", 0)


def _expression(node: ast.expr, data: str, depth: int) -> Expression:
    """An expression; inside a count over ``data``, ``record`` is one record of it."""
    if depth > DEEPEST:
        raise BadInput("a shift that nests too deep")

    def again(part: ast.expr) -> Expression:
        return _expression(part, data, depth + 1)

    name = variable_name(node)
    if name is not None:
        return Name(NOWHERE, name)
    match node:
        case ast.Constant(value=bool() as flag):
            return BooleanConstant(NOWHERE, flag)
        case ast.Constant(value=int() as whole):
            return Constant(NOWHERE, Fraction(whole), "int")
        case ast.Constant(value=float() as real):
            try:
                return Constant(NOWHERE, Fraction(repr(real)), "float")
            except ValueError:
                raise BadInput(f"a shift by {real}") from None
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            zero = Constant(NOWHERE, Fraction(0), "int")
            return Arithmetic(NOWHERE, "-", zero, again(inner))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return Negation(NOWHERE, again(inner))
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
            return Arithmetic(NOWHERE, _ARITHMETIC[type(op)], again(left), again(right))
        case ast.BoolOp(op=op, values=members):
            parts = tuple(map(again, members))
            return Connective(NOWHERE, "and" if isinstance(op, ast.And) else "or", parts)
        case ast.IfExp(test=test, body=yes, orelse=no):
            return Conditional(NOWHERE, again(test), again(yes), again(no))
        case ast.Compare(left=item, ops=[ast.In()], comparators=[ast.Call(func=f, args=[])]) if (
            isinstance(f, ast.Name) and f.id == "outcome"
        ):
            return Chosen(NOWHERE, again(item))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISON:
            return Comparison(NOWHERE, _COMPARISON[type(op)], again(left), again(right))
        case ast.Subscript(value=array, slice=index):
            held = variable_name(array)
            if held is not None:
                held = record_name(data) if held == "record" and data else held
                return Cell(NOWHERE, held, again(index))
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
            found = _call(function, arguments, data, depth + 1)
            if found is not None:
                return found
    raise BadInput(f"{ast.unparse(node)[:80]!r} is no part of a shift")


def _call(function: str, arguments: list[ast.expr], data: str, depth: int) -> Expression | None:
    match function, arguments:
        case "other", [inner]:
            return Other(NOWHERE, _expression(inner, data, depth))
        case "gaps", [low, high]:
            return Gaps(NOWHERE, _expression(low, data, depth), _expression(high, data, depth))
        case (("predictable" | "unless"), [_, _]):
            parts = (_expression(part, data, depth) for part in arguments)
            return (Predictable if function == "predictable" else Unless)(NOWHERE, *parts)
        case "capped", [_, _, _]:
            return Capped(NOWHERE, *(_expression(part, data, depth) for part in arguments))
        case "summed", names:
            left = [n for n in map(variable_name, names) if n is not None]
            if len(left) == len(names):
                return Summed(NOWHERE, tuple(Name(NOWHERE, n) for n in left))
        case "outcome", []:
            return Foretold(NOWHERE, 0)
        case "outcome", [ast.Constant(value=int() as which)] if 0 <= which < HORIZON:
            return Foretold(NOWHERE, which)
        case "len", [ast.Name(id=array)]:
            return Length(NOWHERE, array)
        case "count", [test, ast.Name(id=name)]:
            return Counted(NOWHERE, name, _expression(test, name, depth))
        case (("min" | "max"), [_, _, *_]):
            values = tuple(_expression(a, data, depth) for a in arguments)
            return Builtin(NOWHERE, function, values)
        case (("abs" | "int" | "round" | "log" | "sqrt"), [inner]):
            return Builtin(NOWHERE, function, (_expression(inner, data, depth),))
    return None
