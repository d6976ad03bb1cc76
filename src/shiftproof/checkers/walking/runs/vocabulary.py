"""What the names of a certificate stand for: parameters, unknown constants, a path's variables.

i·1          a loop counter that the program does not name
other(x)     x in the run on D'
cost(eps/c)  what the shifts of this rate have cost so far, in units of the rate
place1(f)    where an answer of f differs between D and D'
move(x)      by how much the scalar x is larger in D; before(data)[0]: of the record that differs
moved_before(f)[i]  what the differences of f add up to before an index, in the norm of f
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ....dsl.errors import BadInput
from ....dsl.language.evaluate import FORETOLD
from ....dsl.language.unparse import identifier
from ....dsl.relations.cases import Case
from ....dsl.relations.program import Program
from ....dsl.relations.unknowns import moved_before
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.values import Mark, Num, NumberKind, Value
from ..notation import parsed, term_of, variable_name
from .elements import unknown_constants
from .state import State


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that mean something in one case of a program's relation, at one path or at none."""

    program: Program
    case: Case
    constants: Mapping[str, Symbol]
    state: State | None = None

    @classmethod
    def of(cls, program: Program, case: Case) -> Vocabulary:
        """What means something anywhere."""
        ghosts = {text_of_constant(symbol.key): symbol for symbol in case.ghosts}
        return cls(program, case, {**unknown_constants(case.places), **ghosts})

    def at(self, state: State) -> Vocabulary:
        """What means something on a path."""
        return replace(self, state=state)

    def meaning(self, node: ast.expr) -> Value | None:
        """What a name, a call or a subscript stands for here."""
        match node:
            case ast.Call(func=ast.Name(id="other"), args=[inner], keywords=[]):
                return self._value(inner, right=True)
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="moved_before"), args=[ast.Name(id=array)]),
                slice=index,
            ) if array in self.case.moves:
                at = term_of(ast.unparse(index), self.meaning)
                return Num(moved_before(array, at), "float")
            case ast.Call(func=ast.Name(id="cost"), args=[rate], keywords=[]) if self.state:
                spent = self.state.costs.get(_rate(rate, self), number(0))
                return Num(spent, "float")
        return self._value(node, right=False)

    def _value(self, node: ast.expr, *, right: bool) -> Value | None:
        """What a text names: an input of the call, or a variable; no name is both."""
        if isinstance(node, ast.Name) and node.id in self.program.inputs:
            return self._input(node.id, right=right)
        name = _name(node)
        if self.state is not None and name is not None and name in self.state.left:
            found = (self.state.right if right else self.state.left).get(name)
            return None if isinstance(found, Mark) else found
        constant = isinstance(node, ast.Name | ast.Call | ast.Subscript)
        key = ast.unparse(node) if constant else ""
        if key in self.constants and not right:
            return Num(term(self.constants[key]), "float")
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=array)], keywords=[]):
                kind = self.program.inputs.get(array)
                if kind is not None and kind.array:
                    return Num(term(self.program.length_symbol(array)), "int")
        return None

    def _input(self, name: str, *, right: bool) -> Value | None:
        """A scalar input of the call."""
        kind = self.program.inputs[name]
        if kind.array:
            return None
        whole: NumberKind = "int" if kind.whole else "float"
        if kind.public:
            return Num(term(self.program.parameter_symbol(name)), whole)
        if self.case.moves[name].where == "record":
            return None
        pair = self.case.scalar(name)
        return Num(pair.right if right else pair.left, whole)


#: Calls that name the variables that keep account of what is foretold.
_ACCOUNTS = {
    "asked_and_picked": "@chosen#count",
    "next_to_ask": "@chosen#next",
    "to_be_picked": "@chosen#open",
}


def variable_of(text: str) -> str:
    """The variable of a path that a certificate's text names.

    Raises:
        BadInput: it names none.
    """
    name = _name(parsed(text))
    if name is None:
        raise BadInput(f"{text[:80]!r} names no variable")
    return name


def text_of(name: str) -> str:
    """The text that names a variable of a path; :func:`variable_of` reads it."""
    for text, account in _ACCOUNTS.items():
        if name == account:
            return f"{text}()"
    if name.startswith(FORETOLD):
        return f"outcome({name.removeprefix(FORETOLD)})"
    array, separator, place = name.partition("#")
    array = identifier(array)
    if place in ("len", "range", "sort"):
        return f"{place}({array})"
    return f"{array}[{place}]" if separator else array


#: Unknown constants that have no name as they are.
_OF_MOVES = re.compile(r"move of (\w+)$")
_OF_RECORDS = re.compile(r"(before|after)@(\w+)(\[.*\])$")


def text_of_constant(key: str) -> str:
    """The text that names an unknown constant of a pair of neighbours."""
    return _OF_RECORDS.sub(r"\1(\2)\3", _OF_MOVES.sub(r"move(\1)", key))


def _name(node: ast.expr) -> str | None:
    plain = variable_name(node)
    if plain is not None:
        return plain
    match node:
        case ast.Call(func=ast.Name(id=account), args=[], keywords=[]):
            return _ACCOUNTS.get(account)
        case ast.Subscript(value=array, slice=place):
            held = variable_name(array)
            return f"{held}#{ast.unparse(place)}" if held else None
        case ast.Call(
            func=ast.Name(id="len" | "range" | "sort" as what), args=[array], keywords=[]
        ):
            held = variable_name(array)
            return f"{held}#{what}" if held else None
        case ast.Call(func=ast.Name(id="outcome"), args=[ast.Constant(value=int() as k)]):
            return f"{FORETOLD}{k}"
    return None


def rate_of(text: str, vocabulary: Vocabulary) -> Linear:
    """A rate of costs, over parameters only; one of one term has no rational factor.

    Raises:
        BadInput: it is none.
    """
    return _checked(term_of(text, replace(vocabulary, state=None).meaning))


def _rate(node: ast.expr, vocabulary: Vocabulary) -> Linear:
    return rate_of(ast.unparse(node), vocabulary)


def _checked(rate: Linear) -> Linear:
    if not rate.fixed or (len(rate.parts) < 2 and rate.split()[0] != 1):
        raise BadInput(f"{rate} is no rate of costs")
    return rate
