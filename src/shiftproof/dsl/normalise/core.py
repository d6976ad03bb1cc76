"""A mechanism as the core text that its certificate says: what the kernel reads, and nothing else.

First the functions of the claim, then the mechanisms that are called (their heads, or all of
them), last the mechanism itself.  There are no imports, no alignments and no helpers: these are
written out.  A ``for`` loop counts with the hidden counter that the program has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import CO_GENERATOR

from ..errors import Location
from ..language.annotations import NoSingleKind
from ..language.statements import (
    Assign,
    Statement,
    While,
    call,
)
from ..language.syntax import (
    Arithmetic,
    Builtin,
    Comparison,
    Constant,
    Expression,
    Length,
    Name,
    held,
)
from ..language.unparse import exact_text, identifier
from ..parsing.rewriting import Names
from ..relations.pairs import Rule, as_rule
from ..relations.program import Program
from ..terms.values import Kind, Mark
from .claims import Claims

#: What the kernel says of a line.
_OF_A_LINE = re.compile(
    r"line (?P<line>[0-9]+)(?P<question>(?:, question [0-9]+)?): (?P<rest>.*)", re.DOTALL
)
#: Words of the kernel that a function may be called like; those of kinds and noise are large.
_WORDS = frozenset({
    "other", "count", "outcome", "len", "min", "max", "abs", "int", "float", "bool", "round", "exp",
    "log", "sqrt", "log_odds",
    "index", "sample", "argmax", "top_k", "ensure", "range", "cost", "move", "before", "after",
    "record", "picked", "rank", "picks", "witness", "mechanism", "constant", "gaps", "moved_by",
    "last_picked", "last_value", "predictable", "unless", "beyond", "given_up", "capped",
    "place1", "place2", "change1", "change2", "value1", "move2", "first_outcome",
    "asked_and_picked", "next_to_ask", "to_be_picked",
})  # fmt: skip


def core_text(program: Program, *, bodies: bool = False) -> tuple[str, ...]:
    """Write a program down for the kernel, line by line.

    Args:
        program: the program.
        bodies: whether the mechanisms that it calls are written with their bodies, and with what
            they call themselves.

    Raises:
        Unsupported: a claim or budget in it cannot be written down.
    """
    return _Writer(program, bodies).core()


def in_the_file(
    objection: str, program: Program | None, *, bodies: bool = False, said: str = ""
) -> str:
    """What the kernel says of a line of a core text, told of the line that it was written from.

    Args:
        objection: what it says.
        program: what the core text was written from, if that is known.
        bodies: as for :func:`core_text`.
        said: what stands before it.
    """
    found = _OF_A_LINE.fullmatch(objection)
    if found is None:
        return f"{said}{objection}"
    places = {} if program is None else core_places(program, bodies=bodies)
    place = places.get(int(found["line"]))
    before = f"{place}: {said}" if place else said
    return f"{before}{found['rest']} (line {found['line']} of the core text{found['question']})"


def core_places(program: Program, *, bodies: bool = False) -> dict[int, Location]:
    """Where each line of the core text comes from, as far as it is one statement of a program."""
    return _Writer(program, bodies).places()


class _Writer:
    def __init__(self, program: Program, bodies: bool) -> None:
        self._main = program
        self._bodies = bodies
        self._programs = [*dict.fromkeys(_called(program, bodies)), _Same(program)]
        functions = (f for same in self._programs for f in same.program.privacy.functions)
        self._rules = {id(f): as_rule(f) for f in functions}
        self._functions: dict[int, str] = {}
        self._taken = {*_WORDS, *self._all_names()}
        # The mechanism itself first: it keeps its name.
        for same in reversed(self._programs):
            self._name_function(id(same.program), same.program.source.tree.name)
        for key, rule in self._rules.items():
            self._name_function(key, rule.source.tree.name)
        self._claims = Claims(_PlainNames("", set()))
        #: The program that is being written, and where the statements written so far come from.
        self._here = program
        self._places: dict[ast.stmt, Location] = {}

    def _name_function(self, key: int, name: str) -> None:
        while name in self._taken or name[:1].isupper():
            name = f"{name}_" if name in self._taken else f"_{name}"
        self._functions[key] = name
        self._taken.add(name)

    def _all_names(self) -> Iterator[str]:
        for rule in self._rules.values():
            yield from rule.parameters
            yield from _names_of(rule.condition)
        for same in self._programs:
            yield from same.program.inputs
            yield from _names_of(*same.program.preconditions)
            if self._is_whole(same.program):
                yield from _names_of(*same.program.body)

    def _is_whole(self, program: Program) -> bool:
        return self._bodies or program is self._main

    def core(self) -> tuple[str, ...]:
        """The whole text."""
        return tuple(ast.unparse(self._module()).split("\n"))

    def places(self) -> dict[int, Location]:
        """Where each line of the text comes from, as far as it is one statement of a program."""
        written = self._module()
        read = ast.parse(ast.unparse(written))
        pairs = zip(_statements(written), _statements(read), strict=True)
        return {new.lineno: self._places[old] for old, new in pairs if old in self._places}

    def _module(self) -> ast.Module:
        found: list[ast.stmt] = [self._rule(key, rule) for key, rule in self._rules.items()]
        found += [self._mechanism(same.program) for same in self._programs]
        return ast.fix_missing_locations(ast.Module(found, []))

    def _rule(self, key: int, rule: Rule) -> ast.FunctionDef:
        parameters = [ast.arg(identifier(name)) for name in rule.parameters]
        body: list[ast.stmt] = [ast.Return(self.expression(rule.condition))]
        return _function(self._functions[key], parameters, body)

    def _mechanism(self, program: Program) -> ast.FunctionDef:
        parameters = [
            ast.arg(identifier(name), self._plain(self._claims.annotation(kind)))
            for name, kind in program.inputs.items()
        ]
        body: list[ast.stmt] = [ast.Assert(self.expression(e)) for e in program.preconditions]
        for asserted, e in zip(body, program.preconditions, strict=True):
            self._places[asserted] = program.location(e.span)
        if self._is_whole(program):
            self._here = program
            body += self.block(program.body)
        else:
            body.append(ast.Expr(ast.Constant(...)))
        made = _function(self._functions[id(program)], parameters, body)
        made.decorator_list = [self._decorator(program)]
        made.returns = self._returns(program)
        return made

    def _decorator(self, program: Program) -> ast.expr:
        claims, declared = self._claims, program.declared
        keywords = []
        if declared.budget is not None:
            keywords.append(ast.keyword("budget", self._plain(claims.budget(declared))))
        privacy = claims.privacy(program.privacy, lambda f: self._functions[id(f)], declared)
        return ast.Call(ast.Name("mechanism"), [self._plain(privacy)], keywords)

    def _returns(self, program: Program) -> ast.expr | None:
        """The kinds of what it returns; of a generator nobody knows how many there are."""
        if program.code.co_flags & CO_GENERATOR:
            return None
        try:
            return ast.Tuple([_kind_name(kind) for kind in program.results], ast.Load())
        except NoSingleKind:  # then it is called with ``yield from`` only
            return None

    def _plain(self, e: ast.expr) -> ast.expr:
        """What a declaration says, with fractions as divisions."""
        found: ast.expr = _Plain().visit(e)
        return found

    def name(self, name: str) -> ast.Name:
        """A variable that is read."""
        return ast.Name(identifier(name), ast.Load())

    def target(self, name: str) -> ast.Name:
        """A variable that is bound."""
        return ast.Name(identifier(name), ast.Store())

    def targets(self, names: Iterable[str]) -> ast.Tuple:
        """Variables that are bound at once."""
        return ast.Tuple(list(map(self.target, names)), ast.Store())

    def function(self, called: object) -> str:
        """The name of a mechanism or function of the claim."""
        return self._functions[id(called)]

    def expression(self, e: Expression) -> ast.expr:
        """An expression, as exact text says it."""
        return ast.parse(exact_text(e), mode="eval").body

    def _all(self, expressions: Iterable[Expression]) -> list[ast.expr]:
        return list(map(self.expression, expressions))

    def block(self, body: Sequence[Statement]) -> list[ast.stmt]:
        """A block of statements; a loop with a step is a ``for`` loop."""
        found: list[ast.stmt] = []
        for before, s in zip((None, *body), body, strict=False):
            if isinstance(s, While) and s.step:
                assert isinstance(before, Assign)
                found[-1] = self._for(before, s)
            else:
                found.append(s.written(self))
            self._places[found[-1]] = self._here.location(s.span)
        return found or [ast.Pass()]

    def _for(self, start: Assign, loop: While) -> ast.For:
        """``for counter in range(start, stop, step)``: counter and stop stay as they are in it.

        The reader makes all such loops: they test the counter against a hidden variable, or
        against the lengths of lists that keep their length, and add a number to it.
        """
        match start, loop.test, loop.step:
            case (
                Assign(targets=(counter,), values=(first,)),
                Comparison(operator=operator, left=Name(name=tested), right=stop),
                (Assign(targets=(stepped,), values=(Arithmetic(right=Constant() as step),)),),
            ) if counter == tested == stepped and _is_bound(stop):
                assert operator == ("<" if step.value > 0 else ">")
            case _:
                raise AssertionError(loop)
        width = self.expression(step)
        bounds = call("range", self.expression(first), self.expression(stop), width)
        return ast.For(self.target(counter), bounds, self.block(loop.body), [])


class _Same:
    """A program by what it is, and not by what it says: two that say the same are two."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __hash__(self) -> int:
        return id(self.program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.program is self.program


class _PlainNames(Names):
    """Words by their own names: the core text has no imports."""

    def imported(self, name: str, module: str | None = None) -> str:
        """The name itself."""
        return name


class _Plain(ast.NodeTransformer):
    """Writes ``Fraction(1, 3)`` as ``1 / 3``."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="Fraction"), args=[above, below]):
                return ast.BinOp(above, ast.Div(), below)
        return self.generic_visit(node)


def _called(program: Program, deep: bool) -> Iterator[_Same]:
    """The mechanisms that a program calls, each after those that it calls itself."""
    for callee in program.calls:
        if deep:
            yield from _called(callee, deep)
        yield _Same(callee)


def _is_bound(stop: Expression) -> bool:
    match stop:
        case Builtin(function="min", arguments=arguments):
            return all(isinstance(a, Length) for a in arguments)
        case Name(name=name):
            return "@" in name
    return isinstance(stop, Length)


def _statements(tree: ast.Module | ast.stmt) -> Iterator[ast.stmt]:
    """All statements in it, in order."""
    for block in (getattr(tree, "body", []), getattr(tree, "orelse", [])):
        for statement in block:
            yield statement
            yield from _statements(statement)


def _names_of(*pieces: object) -> Iterator[str]:
    """The names of variables and parameters in pieces of syntax."""
    for piece in pieces:
        for role in ("read", "bound"):
            yield from held(piece, role)
        yield from _names_of(*held(piece, "statement"), *held(piece, "expression"))


def _kind_name(kind: Kind) -> ast.expr:
    return ast.Constant(kind.value) if isinstance(kind, Mark) else ast.Name(kind, ast.Load())


def _tuple(values: list[ast.expr]) -> ast.Tuple:
    return ast.Tuple(values, ast.Load())


def _function(name: str, parameters: list[ast.arg], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    return ast.FunctionDef(name, arguments, body, [])
