"""What the symbols of the invariants stand for: costs, places, loop counters, what is foretold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...checkers.walking.certificate import Head, Part
from ...dsl.language.flow import AssignNode
from ...dsl.language.syntax import Name
from ...dsl.language.unparse import MARK
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ..words import D, E, Maths, Words, listed, say
from .notation import Notation, letters

#: What a certificate calls by a name of its own, and what it is.
_MADE_UP = {
    "picked(": "{it} is the set of the indices that are going to be picked",
    "picks()": "{it} is how many indices are going to be picked",
    "rank(": "{it} is the place at which an index is going to be picked",
    "asked_and_picked()": "{it} counts the indices of {Z} whose draws came already",
    "next_to_ask()": "{it} is the first index whose draw is still to come",
    "moved_by()": "{it} is by how much the values move whose order and gaps stay the same",
}
_SYMBOLS = {"picked(": "Z", "rank(": r"\mathrm{rank}"}


def counters(program: Program, part: Part, notation: Notation) -> Notation:
    """The notation with symbols for costs, places and hidden loop counters."""
    rates = dict.fromkeys([*part.costs, *(rate for head in part.heads for rate in head.costs)])
    symbols = dict(notation.symbols)
    for k, rate in enumerate(rates, start=1):
        plain = ast.unparse(ast.parse(rate, mode="eval").body)
        symbols[f"cost({plain})"] = "C" if len(rates) == 1 else f"C_{{{k}}}"
    said = _said(part.heads)
    places = sorted(set(re.findall(r"\b(place|change)(\d+)\((\w+)\)", said)))
    places.sort(key=lambda found: found[0], reverse=True)
    several = len({array for _, _, array in places}) > 1
    for what, k, array in places:
        index = f"{k}, {letters(array)}" if several else k
        letter = "p" if what == "place" else r"\delta"
        symbols[f"{what}{k}({array})"] = f"{letter}_{{{index}}}"
    for hidden in _hidden(program, said):
        symbols[hidden.key] = symbols[hidden.key.replace(MARK, "@")] = hidden.symbol
    return Notation(symbols)


def legend(
    program: Program, case: Case, heads: Iterable[Head], notation: Notation
) -> Iterator[Words]:
    """A sentence without its stop for each symbol that the invariants speak of."""
    said = _said(heads)
    spent = {
        ast.unparse(node)
        for text in said.splitlines()
        for node in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(node, ast.Call)
    }
    for key, symbol in notation.symbols.items():
        if key.startswith("cost(") and key in spent:
            counted = key.removeprefix("cost(").removesuffix(")")
            what = "{c} is the cost so far in units of {rate}"
            if counted.startswith("given_up("):
                counted = counted.removeprefix("given_up(").removesuffix(")")
                what = "{c} is how often a tail of {rate} was met so far"
            yield say(what, c=Maths(symbol, key), rate=notation.of(counted))
    for hidden in _hidden(program, said):
        if hidden.own:
            yield say(
                f"{{j}} is the index that the loop of line {hidden.line} reads in the coming round"
                if hidden.reads else
                f"{{j}} counts the rounds of the loop of line {hidden.line}",
                j=Maths(hidden.symbol, hidden.key),
            )  # fmt: skip
    yield from _places(case, said, notation)
    if "witness(" in said:
        w = [Maths(f"w_{{{k}}}", f"w{k}") for k in (1, 2)]
        but = " at which {d} and {e} do not differ" if case.places else ""
        yield say(
            "{w} are any two different indices" + but + ": what holds for them holds for all such",
            w=listed(w),
        )
    for call, which in (("outcome", "next"), ("first_outcome", "first")):
        told = sorted(set(re.findall(rf"\b{call}\(\d+\)", said)))
        if told:
            be = "is the {which} integer" if len(told) == 1 else "are of the {which} integers"
            yield say("{they} " + be + " that the run picks or releases",
                      they=listed(map(notation.of, told)), which=which)  # fmt: skip
    for made_up, words in _MADE_UP.items():
        if re.search(rf"\b{re.escape(made_up)}", said):
            symbol = _SYMBOLS.get(made_up) or notation.of(made_up).latex
            yield say(words, it=Maths(symbol, made_up), Z=Maths("Z", "outcome()"))
    sides = {"before@": ("r", D), "after@": ("r'", E)}
    for side, (symbol, where) in sides.items():
        if side in said:
            yield say("{r} is the record that differs, on {d}", r=Maths(symbol, side), d=where)
    if "other(" in said or "move of" in said:
        yield say("A prime marks the value on {e}")


def _said(heads: Iterable[Head]) -> str:
    return "\n".join(text for head in heads for text in head.invariants)


def _places(case: Case, said: str, notation: Notation) -> Iterator[Words]:
    """Where the two inputs differ, and by how much."""
    for key, symbol in notation.symbols.items():
        what = re.fullmatch(r"(place|change)(\d+)\((\w+)\)", key)
        if what is None or key not in said:
            continue
        array, it = notation.name(what[3]), Maths(symbol, key)
        move = case.moves[what[3]]
        if what[1] == "change":
            yield say("{it} is the difference of {a} there, its value on {d} less that on {e}",
                      it=it, a=array)  # fmt: skip
        else:
            at = "a location at which" if move.by else "an index at which"
            at = "the first step of a window in which" if move.where == "window" else at
            yield say(f"{{it}} is {at} {{a}} differs", it=it, a=array)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """The counter of a ``for`` loop.

    Attributes:
        key: its name in a certificate.
        symbol: that of the loop's variable, if the variable is the counter, or a letter of its own.
        line: of the loop.
        own: whether it is a letter of its own.
        reads: whether the loop's variable is read from a sequence.
    """

    key: str
    symbol: str
    line: int
    own: bool
    reads: bool


def _number(key: str) -> list[int]:
    """What tells one counter from another: ``2·3`` is the third of the second helper."""
    return [*map(int, re.findall(r"[0-9]+", key.partition(MARK)[2]))]


def _hidden(program: Program, said: str) -> Iterator[_Hidden]:
    """The counters that the invariants speak of, in the order of the program."""
    steps = [node.step for node in program.flow.nodes if isinstance(node, AssignNode)]
    shown_as: dict[str, str] = {}
    lines: dict[str, int] = {}
    for step in steps:
        for target, value in zip(step.targets, step.values, strict=True):
            if "@" in target:
                key = target.replace("@", MARK)
                lines[key] = min(lines.get(key, step.span.line), step.span.line)
            elif isinstance(value, Name) and "@" in value.name:
                shown_as[value.name.replace("@", MARK)] = target
    names = {*program.inputs, *(target for step in steps for target in step.targets)}
    free = (letter for letter in "jklmnuv" if letter not in names)
    for key in sorted(lines, key=_number):
        if key.startswith(f"stop{MARK}") or not re.search(rf"\b{key}\b", said):
            continue
        variable = shown_as.get(key, "")
        plain = re.search(rf"\b{re.escape(variable)}\b(?!{MARK})", said) if variable else None
        if variable.strip("_") and plain is None:
            yield _Hidden(key, letters(variable), lines[key], own=False, reads=False)
        else:
            letter = next(free, r"\ell")
            yield _Hidden(key, letter, lines[key], own=True, reads=not variable)
