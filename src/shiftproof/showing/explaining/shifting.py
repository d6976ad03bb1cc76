"""The alignment: every noise, by how much it is shifted, and what the shift is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ...checkers.walking.certificate import Part
from ...dsl.language.flow import CallNode
from ...dsl.language.unparse import unparse
from ...dsl.relations.program import Program
from ...dsl.terms.pretty import pretty
from ..words import Block, Code, D, E, Entry, Items, Maths, Piece, Words, paragraph, say
from .noises import Noise, noises
from .notation import Notation


def alignment_blocks(program: Program, part: Part, notation: Notation) -> Iterator[Block]:
    """The alignment of one case."""
    found = noises(program, notation)
    if found:
        yield paragraph(
            "Run {m} on {d}, and beside it on {e}. Each draw of the first run is moved to one of "
            "the second run, by a shift that is fixed when it is drawn:",
            m=Maths("M", program.name),
        )
        yield Items(tuple(
            Entry(tuple(_sentences(noise, text, notation)))
            for noise, text in zip(found, shift_texts(program, part), strict=True)
        ))  # fmt: skip
    if part.prices:
        yield from _prices(part.prices, notation)
    if program.calls:
        yield paragraph("The noise of the mechanisms that it calls is theirs to align:")
        yield Items(tuple(_calls(program, notation)))


def shift_texts(program: Program, part: Part) -> tuple[str, ...]:
    """The shifts, those that the author wrote included."""
    written = not program.privacy.zcdp
    return tuple(
        unparse(node.step.shift) if written and node.step.shift is not None else text
        for node, text in zip(program.flow.sites, part.shifts, strict=True)
    )


def shift_words(text: str, subject: str, notation: Notation, *, flipped: bool) -> Words:
    """A shift as the end of a sentence: ``is shifted by … if …, and stays as it is otherwise``."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return say("is shifted by {t}", t=notation.of(text))
    left = of_sum(text)
    if left is not None:
        return _summed(left, notation)
    given_up: list[Piece] = []
    while (apart := _unless(tree)) is not None:
        test, tree = apart
        given_up += (", or" if given_up else "is given up", " where ")
        given_up.append(notation.of(ast.unparse(test)))
    if given_up:
        rest = shift_words(ast.unparse(tree), subject, notation, flipped=flipped)
        return (*given_up, "; else it ", *rest)
    tree = foreseen(tree)
    if flipped:
        return _flip(tree, notation)
    if gaps := of_gaps(text):
        return _kept(*gaps, notation)
    found: list[Piece] = []
    while isinstance(tree, ast.IfExp):
        if found:
            found.append(", ")
        found += _amount(tree.body, subject, notation)
        found += (" if ", notation.of(ast.unparse(tree.test)))
        tree = tree.orelse
    if not found:
        return _amount(tree, subject, notation)
    return (*found, ", and ", *_amount(tree, subject, notation), " otherwise")


def _amount(tree: ast.expr, subject: str, notation: Notation) -> Words:
    if isinstance(tree, ast.Constant) and tree.value == 0:
        return ("stays as it is",)
    amount = notation.of(ast.unparse(tree))
    return say("is shifted by {d}", d=Maths(f"{subject} = {amount.latex}", amount.plain))


def _flip(tree: ast.expr, notation: Notation) -> Words:
    if isinstance(tree, ast.Constant):
        return ("is flipped",) if tree.value else ("stays as it is",)
    return say("is flipped if {c}, and stays as it is otherwise", c=notation.of(ast.unparse(tree)))


def _sentences(noise: Noise, text: str, notation: Notation) -> Iterator[Piece]:
    yield from say(
        "{x}, the {name} of line {line}, is drawn from {law}, {words}. It ",
        x=Maths(noise.symbol, noise.name),
        name=Code(noise.name),
        line=str(noise.line),
        law=noise.law,
        words=noise.law_words,
    )
    yield from shift_words(text, noise.shift, notation, flipped=noise.flipped)
    yield ". "
    yield from meaning(text, noise, notation)
    if text.strip() not in ("0", "False") and not of_gaps(text) and of_sum(text) is None:
        what = "A flip" if noise.flipped else "The shift"
        yield from (f"{what} costs{' at most' if noise.at_most else ''} ", noise.price)
        yield noise.unit
        yield f", {noise.price_words}." if noise.price_words else "."


def foreseen(tree: ast.expr) -> ast.expr:
    """The shift in one of which it is said how large it is at most."""
    match tree:
        case ast.Call(func=ast.Name(id="predictable" | "capped"), args=[shift, *_]):
            return shift
    return tree


def _unless(tree: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Which draws are given up, and the shift of the others."""
    match tree:
        case ast.Call(func=ast.Name(id="unless"), args=[test, shift]):
            return test, shift
    return None


def of_sum(text: str) -> tuple[str, ...] | None:
    """The variables that are left of a draw that is summed."""
    match ast.parse(text.strip(), mode="eval").body:
        case ast.Call(func=ast.Name(id="summed"), args=names):
            return tuple(map(ast.unparse, names))
    return None


def _summed(left: tuple[str, ...], notation: Notation) -> Words:
    """What becomes of a draw that is not moved."""
    told = "is not shifted: with what is drawn beside it, it is summed until "
    if not left:
        return (f"{told}only what is released, and where the run goes on, is left",)
    pieces: list[Piece] = [told]
    for k, name in enumerate(left):
        pieces += [", " if k else "", notation.of(name)]
    return (*pieces, " is left" if len(left) == 1 else " are left")


def _prices(prices: tuple[str, ...], notation: Notation) -> Iterator[Block]:
    """What it costs that sums come to the same."""
    yield paragraph(
        "What is left of such sums is the same in both runs. That costs the logarithm of how much "
        "likelier it is on {d} than on {e}: nothing, or as the case may be",
        d=D,
        e=E,
    )
    yield Items(tuple(Entry((notation.of(price), " nats.")) for price in prices))


def of_gaps(text: str) -> tuple[str, str] | None:
    """The bounds of a shift by which a list keeps its gaps."""
    match ast.parse(text.strip(), mode="eval").body:
        case ast.Call(func=ast.Name(id="gaps"), args=[low, high]):
            return ast.unparse(low), ast.unparse(high)
    return None


def _kept(low: str, high: str, notation: Notation) -> Words:
    """What becomes of all the draws of a list together."""
    return say(
        "moves with all others of its list: the indices that are picked, but for the last one, and "
        "the gaps of their values stay the same. By how much depends on all of the draws, later "
        "ones among them. The value with the draw is larger on {d} by {low} to {high}; the price, "
        "for each of these indices, is that of a shift by {more}",
        d=D,
        low=notation.of(low),
        high=notation.of(high),
        more=notation.of(f"{high} - ({low})" if "-" in low else f"{high} - {low}"),
    )


def meaning(text: str, noise: Noise, notation: Notation) -> Iterator[Piece]:
    """What a shift is for, as far as its form tells; nothing that its form does not imply."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return
    x = Maths(noise.symbol, noise.name)
    if noise.flipped:
        answer = _evened_answer(tree)
        if answer is not None:
            yield from say(
                "So whether {x} agrees with {a} is the same in both runs. ",
                x=x,
                a=notation.of(f"({answer})"),
            )
        return
    always = not isinstance(tree, ast.IfExp)
    evened = _evened_out(tree)
    if evened is not None:
        names, more = evened
        summed = notation.of(" + ".join(names))
        yield from say(
            ("That" if always else "Where it is shifted, that")
            + " makes up for the difference"
            + (
                ": {s} is the same in both runs. "
                if not more
                else " in {y}, and for {more} more: {s} is larger by {more} in the second run, and "
                "stays ahead of all that gains no more. "
            ),
            s=Maths(f"{summed.latex} + {x.latex}", f"{summed.plain} + {noise.name}"),
            y=summed,
            more=notation.of(str(more)),
        )
    elif always and (amount := _number(tree)):
        side, way = ("below", "rise") if amount > 0 else ("above", "fall")
        yield f"What is {side} it may {way} by as much and stay {side}. "
    yield from _foretold(tree)


def _evened_answer(tree: ast.expr) -> str | None:
    """The condition of a flip exactly where it differs between the runs."""
    match tree:
        case ast.Compare(
            left=ours,
            ops=[ast.NotEq()],
            comparators=[ast.Call(func=ast.Name(id="other"), args=[theirs])],
        ) if ast.dump(ours) == ast.dump(theirs):
            return ast.unparse(ours)
    return None


def _number(tree: ast.expr) -> float:
    """A constant, with its sign; 0 if it is none."""
    match tree:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return 0


def _foretold(tree: ast.expr) -> Iterator[Piece]:
    """What a shift knows of the run to come."""
    chosen = any(isinstance(op, ast.In) for n in ast.walk(tree) for op in getattr(n, "ops", ()))
    asked = [
        node.args
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "outcome"
    ]
    if not asked:
        return
    if chosen:
        symbol, what = Maths("Z", "outcome()"), "the set of the indices that are picked next"
    elif not any(arguments and ast.unparse(arguments[0]) != "0" for arguments in asked):
        symbol, what = Maths("z", "outcome()"), "the next integer that is picked or released"
    else:
        symbol = Maths(r"z, z_{2}, \dots", "outcome(), outcome(1), …")
        what = "the next integers that are picked or released"
    yield from say(
        "Here {z} is " + what + ", fixed in advance: a prophecy, and the proof is for each of its "
        "values. ",
        z=symbol,
    )


def _evened_out(tree: ast.expr) -> tuple[tuple[str, ...], int] | None:
    """The x, y, … and the number of ``x - other(x) + y - other(y) + … + 1``, in every arm."""
    arms: list[ast.expr] = []
    while isinstance(tree, ast.IfExp):
        arms.append(tree.body)
        tree = tree.orelse
    arms.append(tree)
    moved = [a for a in arms if not (isinstance(a, ast.Constant) and a.value == 0)]
    found = {_differences(arm) for arm in moved}
    return found.pop() if len(found) == 1 else None


def _differences(arm: ast.expr) -> tuple[tuple[str, ...], int] | None:
    """The same of one arm; none if it is anything else."""
    ours: list[str] = []
    theirs: list[str] = []
    more = 0
    for sign, term in _terms(arm, 1):
        match term:
            case ast.Constant(value=int() as number):
                more += sign * number
            case ast.Call(func=ast.Name(id="other"), args=[inner]) if sign < 0:
                theirs.append(ast.unparse(inner))
            case _ if sign > 0:
                ours.append(ast.unparse(term))
            case _:
                return None
    return (tuple(ours), more) if ours and sorted(ours) == sorted(theirs) and more >= 0 else None


def _terms(node: ast.expr, sign: int) -> Iterator[tuple[int, ast.expr]]:
    """The members of a sum, each with its sign."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if isinstance(op, ast.Add) else -sign)
        case _:
            yield sign, node


def _calls(program: Program, notation: Notation) -> Iterator[Entry]:
    nodes = [n.step for n in program.flow.nodes if isinstance(n, CallNode)]
    for step in sorted(nodes, key=lambda s: (s.span.line, s.span.column)):
        given = {name: unparse(value) for name, value in step.values}
        cost = _Given(given).visit(ast.parse(pretty(step.callee.budget), mode="eval"))
        distance = program.privacy.pair_budget == "distance"
        words = say(
            "Line {line} calls {name}, whose own proof says what it costs: here {cost}"
            + (", times the distance of its arguments in the two runs" if distance else "")
            + ". Its private arguments are equal, or neighbours in the same direction; its public "
            "ones are equal.",
            line=str(step.span.line),
            name=Code(step.callee.name),
            cost=notation.of(ast.unparse(cost)),
        )
        yield Entry(words)


class _Given(ast.NodeTransformer):
    """Parameters replaced by what a call gives for them."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The argument, if the name is a parameter."""
        text = self._given.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body
