"""A mechanism as one self-contained text, the same for every file that it could stand in.

The text is a Python module that needs nothing but this library.  It does not depend on where
the mechanism stands, on comments, formatting, types of variables, or the way names are imported.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from .errors import BadInput, Unsupported
from .language.declaration import Declaration
from .mechanism import Mechanism
from .parsing.budgets import NotArithmetic, budget_text
from .parsing.expressions import dotted_name
from .parsing.rewriting import Names, Piece, Pieces, Rewriting, literal, named, source_name
from .privacy import inputs
from .privacy.definitions import (
    ADP,
    DP,
    LDP,
    Blowfish,
    ContextAwareLDP,
    DPrivacy,
    InputDiscriminativeLDP,
    OneSidedDP,
    Privacy,
    Related,
    UtilityOptimizedLDP,
)
from .privacy.inputs import InputKind
from .privacy.policies import Policy
from .relations.pairs import rule_of
from .relations.program import Program
from .static import UnreadMechanism, read_text

#: Longer texts are not read.
LONGEST_TEXT = 200_000
_SOURCES = ("builtins", "collections.abc", "fractions", "typing")


def normalised(mechanism: Mechanism[..., Any]) -> str:
    """The text that declares exactly this mechanism.

    ``read_normalised`` gives the same program back, and the same text again.

    Raises:
        Unsupported: the mechanism cannot be read, or something in it cannot be written down.
        BadInput: as for ``mechanism.program``.
    """
    _ = mechanism.program  # what cannot be read cannot be written
    for function in mechanism.privacy.functions:
        rule_of(function)
    try:
        return _text(mechanism)
    except RecursionError:
        raise Unsupported(
            "an expression or block that nests too deep",
            mechanism.location,
            "use variables or helper functions for parts of it",
        ) from None
    except Unsupported as error:
        if error.location is not None:
            raise
        raise Unsupported(error.message, mechanism.location, error.advice) from None


def _text(mechanism: Mechanism[..., Any]) -> str:
    pieces = Pieces()
    main = pieces.add(mechanism)
    for piece in pieces.order:
        if isinstance(piece.found, Declaration):
            pieces.local |= set(piece.found.inputs)
    names = Names(main.source.tree.name, pieces.local)
    names.keep(mechanism, main.source.tree.name)
    body = [_definition(piece, names) for piece in pieces.order]
    return "\n\n".join([_head(names), *body]) + "\n"


def _definition(piece: Piece, names: Names) -> str:
    tree = Rewriting(piece, partial(named, names)).tree()
    tree.name = names.of_function(piece.found, tree.name)
    if isinstance(piece.found, Declaration):
        claims = Claims(names)
        tree.decorator_list = [
            claims.decorator(piece.found, lambda rule: names.of_function(rule, source_name(rule)))
        ]
        for parameter in tree.args.args:
            parameter.annotation = claims.annotation(piece.found.inputs[parameter.arg])
    return ast.unparse(ast.fix_missing_locations(tree))


def _head(names: Names) -> str:
    """The imports, and other names for builtins whose own are taken."""
    lines = []
    modules = [m for m in names.imports if m not in _SOURCES]
    for module in [*_SOURCES[1:], *modules]:
        wanted = sorted(names.imports.get(module, {}).items())
        if wanted:
            shown = [name if name == here else f"{name} as {here}" for name, here in wanted]
            lines.append(f"from {module} import {', '.join(shown)}")
    renamed = sorted(names.imports.get("builtins", {}).items())
    lines += [f"{here} = {name}" for name, here in renamed if name != here]
    return "\n".join(lines)


def fingerprint(text: str) -> str:
    """A short name for a text, which no other text shares."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_normalised(text: str) -> Mechanism[..., Any]:
    """The last mechanism that a text declares; nothing of the text is executed.

    Raises:
        BadInput: the text is too long, is no Python module, or declares no mechanism.
        Unsupported: only executing it would tell what the mechanism is.
    """
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"the text of a mechanism has {len(text)} characters; that is too long")
    found = read_text(text, "<normalised>")
    if not found:
        raise BadInput("the text declares no mechanism")
    mechanism = found[-1][1]
    if isinstance(mechanism, UnreadMechanism):
        raise mechanism.error
    return mechanism


def same_program(left: Program, right: Program) -> bool:
    """Whether two programs claim and do the same; where they stand does not count."""
    return _meaning(left) == _meaning(right)


def _meaning(program: Program) -> object:
    """What a program claims and does, that of the mechanisms that it calls included."""
    return (
        list(program.inputs.items()),
        program.budget,
        program.divisors,
        _claimed(program.privacy),
        _bare(program.preconditions),
        _bare(program.flow),
    )


def _claimed(privacy: Privacy) -> object:
    if privacy.functions:
        rules = map(rule_of, privacy.functions)
        return type(privacy), tuple((rule.parameters, rule.condition) for rule in rules)
    return privacy


def _bare(value: object) -> object:
    """A tree of data classes as plain tuples, without the places of its nodes."""
    if isinstance(value, Program):
        return _meaning(value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = (_bare(getattr(value, f.name)) for f in fields(value) if f.name != "span")
        return (type(value), *parts)
    if isinstance(value, tuple | list):
        return tuple(map(_bare, value))
    if isinstance(value, Mapping):
        return tuple((key, _bare(item)) for key, item in value.items())
    return value


# What a mechanism declares, as its canonical source: the inputs, the privacy, the budget.

#: The kinds that have a name of their own.
_ALIASES: tuple[tuple[InputKind, str], ...] = (
    (inputs.EpsilonInput(), "Epsilon"),
    (inputs.CountingQueries(), "Counts"),
    (inputs.CountingQuery(), "Count"),
    (inputs.CountingQueries(one_hot=True), "Histogram"),
)
_WRAPPED: tuple[tuple[InputKind, str, str], ...] = (
    (inputs.PublicFloat(), "Public", "float"),
    (inputs.PublicInt(), "Public", "int"),
    (inputs.PublicNat(), "Public", "Nat"),
    (inputs.PublicVector(), "Public", "Vector"),
    (inputs.PublicIntVector(), "Public", "IntVector"),
    (inputs.Secret(), "Private", "float"),
    (inputs.SecretInteger(), "Private", "int"),
)
#: The fields that are written for each kind of private input.
_FIELDS: dict[type[InputKind], tuple[str, ...]] = {
    inputs.CountingQueries: ("counted", "one_hot"),
    inputs.CountingQuery: ("counted", "one_hot"),
    inputs.DataSet: ("attributes",),
    inputs.LocationCounts: ("counted", "one_hot", "by"),
    inputs.WindowCounts: ("width",),
    inputs.Queries: ("sensitivity", "direction", "differing"),
    inputs.Query: ("sensitivity", "direction", "differing"),
    inputs.Stream: ("sensitivity", "direction", "differing"),
    inputs.Value: ("low", "high"),
    inputs.IntegerValue: ("low", "high"),
    inputs.Values: ("low", "high"),
    inputs.IntegerValues: ("low", "high"),
}

#: The definitions whose arguments are functions, in the order of ``functions``.
WRITTEN_AS_FUNCTIONS = frozenset({
    Blowfish, ContextAwareLDP, DPrivacy, InputDiscriminativeLDP, Related, UtilityOptimizedLDP,
})  # fmt: skip


class Claims:
    """Writes down declarations with the names of one text."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def annotation(self, kind: InputKind) -> ast.expr:
        """The annotation of a parameter of this kind.

        Raises:
            Unsupported: the kind is none of the library's.
        """
        for known, name in _ALIASES:
            if kind == known:
                return self._name(name)
        for known, wrapper, inner in _WRAPPED:
            if kind == known:
                plain = inner in ("float", "int")
                inside = self._plain(inner) if plain else self._name(inner)
                return _subscript(self._name(wrapper), inside)
        if kind == inputs.Secrets():
            return _subscript(self._name("Private"), self._sequence("float"))
        if type(kind) not in _FIELDS:
            raise Unsupported(f"the input kind {kind!r}", None, "use a kind of the library")
        given = {f: getattr(kind, f) for f in _FIELDS[type(kind)]}
        keywords = [ast.keyword(f, self._field(value)) for f, value in given.items()]
        call = ast.Call(self._name(type(kind).__name__), [], keywords)
        annotated = ast.Name(self._names.imported("Annotated", "typing"), ast.Load())
        return _subscript(annotated, ast.Tuple([self._base(kind), call], ast.Load()))

    def _base(self, kind: InputKind) -> ast.expr:
        if isinstance(kind, inputs.DataSet):
            return _subscript(self._collection("Sequence"), self._sequence("int"))
        number = "int" if kind.whole else "float"
        if isinstance(kind, inputs.Stream):
            return _subscript(self._collection("Iterable"), self._plain(number))
        return self._sequence(number) if kind.array else self._plain(number)

    def _sequence(self, number: str) -> ast.expr:
        return _subscript(self._collection("Sequence"), self._plain(number))

    def _collection(self, name: str) -> ast.expr:
        return ast.Name(self._names.imported(name, "collections.abc"), ast.Load())

    def _field(self, value: Any) -> ast.expr:
        if isinstance(value, frozenset):
            return self._set(value)
        return literal(value, self._names)

    def _set(self, values: Any) -> ast.expr:
        members = [literal(v, self._names) for v in sorted(map(int, values))]
        return ast.Set(members) if members else ast.Tuple([], ast.Load())

    def privacy(self, claim: Privacy, rule_name: Callable[[Any], str]) -> ast.expr:
        """The expression for a privacy definition.

        Raises:
            Unsupported: it is none of the library's.
        """
        arguments: list[ast.expr] = []
        match claim:
            case ADP(policy=Policy() as policy) | OneSidedDP(policy=Policy() as policy) if type(
                claim
            ) in (ADP, OneSidedDP):
                keywords = []
                if policy.universe != (0, 1):
                    keywords = [ast.keyword("universe", self._set(policy.universe))]
                members = self._set(policy.sensitive)
                arguments = [ast.Call(self._name("Policy"), [members], keywords)]
            case DP(neighbours=neighbours) if type(claim) is DP:
                arguments = [ast.Constant(neighbours)] if neighbours != "replacement" else []
            case LDP() if type(claim) is LDP:
                pass
            case _ if type(claim) in WRITTEN_AS_FUNCTIONS:
                arguments = [ast.Name(rule_name(f), ast.Load()) for f in claim.functions]
            case _:
                raise Unsupported(f"the claim {claim}", None, "use a claim of the library")
        return ast.Call(self._name(type(claim).__name__), arguments, [])

    def budget(self, declared: Declaration) -> ast.expr:
        """The expression for a budget that was given: a number, or a lambda.

        Raises:
            Unsupported: it is a function that is more than one expression.
        """
        given = declared.budget
        if not callable(given):
            return literal(given, self._names)
        text = budget_text(given)
        if text is None:
            raise Unsupported(
                "a budget that is no single expression",
                declared.location,
                "write budget=lambda eps: 2 * eps",
            )

        def written(node: ast.expr) -> ast.expr:
            if isinstance(node, ast.BinOp):
                return ast.BinOp(written(node.left), node.op, written(node.right))
            if isinstance(node, ast.UnaryOp):
                return ast.UnaryOp(node.op, written(node.operand))
            if isinstance(node, ast.Name) and node.id in text.parameters:
                used.add(node.id)
                return ast.Name(node.id, ast.Load())
            value = text.constant(node)
            if value is None:
                raise text.refuse(NotArithmetic(node, f"'{dotted_name(node) or 'this'}'"))
            return literal(value, self._names)

        used: set[str] = set()
        body = written(text.body)
        return _lambda([n for n in declared.inputs if n in used], body)

    def decorator(self, declared: Declaration, rule_name: Callable[[Any], str]) -> ast.expr:
        """``mechanism(…)`` as it declares this mechanism."""
        keywords = []
        if declared.budget is not None:
            keywords.append(ast.keyword("budget", self.budget(declared)))
        if declared.expect != "proved":
            keywords.append(ast.keyword("expect", ast.Constant(declared.expect)))
        claim = self.privacy(declared.privacy, rule_name)
        return ast.Call(self._name("mechanism"), [claim], keywords)

    def _name(self, name: str) -> ast.expr:
        return ast.Name(self._names.imported(name), ast.Load())

    def _plain(self, name: str) -> ast.expr:
        return ast.Name(self._names.imported(name, "builtins"), ast.Load())


def _subscript(value: ast.expr, inside: ast.expr) -> ast.expr:
    return ast.Subscript(value, inside, ast.Load())


def _lambda(parameters: Sequence[str], body: ast.expr) -> ast.expr:
    arguments = ast.arguments([], [ast.arg(n) for n in parameters], None, [], [], None, [])
    return ast.Lambda(arguments, body)
