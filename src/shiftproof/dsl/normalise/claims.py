"""What a mechanism declares, as its canonical source: the inputs, the privacy, the budget."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import fields
from types import ModuleType
from typing import Any

from ..errors import Unsupported
from ..language.declaration import INFER, Declaration
from ..parsing.budgets import BudgetText, NotArithmetic, budget_text
from ..parsing.expressions import dotted_name
from ..parsing.rewriting import Names, literal
from ..privacy import definitions, inputs
from ..privacy.definitions import Privacy
from ..privacy.inputs import InputKind
from ..privacy.policies import Policy
from ..terms.linear import Linear
from ..terms.pretty import pretty

_WRAPPED: tuple[tuple[InputKind, str, str], ...] = (
    (inputs.PublicFloat(), "Public", "float"),
    (inputs.PublicInt(), "Public", "int"),
    (inputs.PublicNat(), "Public", "Nat"),
    (inputs.PublicVector(), "Public", "Vector"),
    (inputs.PublicIntVector(), "Public", "IntVector"),
    (inputs.Secret(), "Private", "float"),
    (inputs.SecretInteger(), "Private", "int"),
)


class Claims:
    """Writes down declarations with the names of one text."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def annotation(self, kind: InputKind) -> ast.expr:
        """The annotation of a parameter of this kind.

        Raises:
            Unsupported: the kind is none of the library's.
        """
        for known, name in inputs.ALIASES:
            if kind == known:
                return self._name(name)
        for known, wrapper, inner in _WRAPPED:
            if kind == known:
                plain = inner in ("float", "int")
                inside = self._plain(inner) if plain else self._name(inner)
                return _subscript(self._name(wrapper), inside)
        if kind == inputs.Secrets():
            return _subscript(self._name("Private"), self._sequence("float"))
        if kind.public or not _ours(kind, inputs):
            raise Unsupported(f"the input kind {kind!r}", None, "use a kind of the library")
        given = {f.name: getattr(kind, f.name) for f in fields(kind)}
        keywords = [ast.keyword(name, self._field(value)) for name, value in given.items()]
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

    def _option(self, claim: Privacy, name: str, declared: Declaration | None) -> ast.expr:
        """An option of a definition: a δ as a number or a function, and whether ρ is claimed."""
        given = getattr(claim, name)
        if isinstance(given, bool):
            return ast.Constant(given)
        if isinstance(given, str):
            return _lambda([given], ast.Name(given, ast.Load()))
        assert declared is not None, claim
        return self._amount(declared, given, "δ")

    def privacy(
        self,
        claim: Privacy,
        rule_name: Callable[[Any], str],
        declared: Declaration | None = None,
    ) -> ast.expr:
        """The expression for a privacy definition; with a δ, that of a mechanism.

        Raises:
            Unsupported: it is none of the library's.
        """
        if not _ours(claim, definitions) or type(claim) is Privacy:
            raise Unsupported(f"the claim {claim}", None, "use a claim of the library")
        arguments = [self._argument(a, claim, rule_name, declared) for a in claim.made_of]
        options = [
            ast.keyword(f.name, self._option(claim, f.name, declared)) for f in claim.options
        ]
        return ast.Call(self._name(type(claim).__name__), arguments, options)

    def _argument(
        self,
        given: object,
        claim: Privacy,
        rule_name: Callable[[Any], str],
        declared: Declaration | None,
    ) -> ast.expr:
        match given:
            case Policy(sensitive=sensitive, universe=universe):
                told = [ast.keyword("universe", self._set(universe))] if universe != (0, 1) else []
                return ast.Call(self._name("Policy"), [self._set(sensitive)], told)
            case str() | int():
                return ast.Constant(given)
            case Privacy():
                return self.privacy(given, rule_name, declared)
            case _ if callable(given):
                return ast.Name(rule_name(given), ast.Load())
        raise Unsupported(f"the claim {claim}", None, "use a claim of the library")

    def budget(self, declared: Declaration) -> ast.expr:
        """The expression for a budget that was given: a number, or a lambda.

        Raises:
            Unsupported: it is a function that is more than one expression.
        """
        given = declared.budget
        if given is INFER:
            raise Unsupported(
                "the text of a mechanism that claims no ε",
                declared.location,
                "claim what verify finds that it keeps",
            )
        if isinstance(given, Linear):
            return self._function(declared, ast.parse(pretty(given), mode="eval").body)
        return self._amount(declared, given, "budget")

    def _amount(self, declared: Declaration, given: Any, what: str) -> ast.expr:
        if not callable(given):
            return literal(given, self._names)
        text = budget_text(given)
        if text is None:
            raise Unsupported(
                f"a {what} that is no single expression",
                declared.location,
                "write budget=lambda eps: 2 * eps",
            )
        return self._function(declared, text.body, text)

    def _function(
        self, declared: Declaration, body: ast.expr, text: BudgetText | None = None
    ) -> ast.expr:
        """A budget as a lambda; ``text``: what its names stand for that are no parameters."""
        used: set[str] = set()

        def written(node: ast.expr) -> ast.expr:
            match node:
                case ast.BinOp(left=left, op=op, right=right):
                    return ast.BinOp(written(left), op, written(right))
                case ast.UnaryOp(op=sign, operand=operand):
                    return ast.UnaryOp(sign, written(operand))
                case ast.Name(id=name) if name in (text.parameters if text else declared.inputs):
                    used.add(name)
                    return ast.Name(name, ast.Load())
                case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as sequence], keywords=[]):
                    return ast.Call(self._plain("len"), [written(sequence)], [])
                case ast.Call(args=[inner], keywords=[]) if word := _word(node.func, text):
                    function = ast.Name(self._names.imported(word, "math"), ast.Load())
                    return ast.Call(function, [written(inner)], [])
                case ast.Constant() if text is None:
                    return node
            value = None if text is None else text.constant(node)
            if value is None:
                said = NotArithmetic(node, f"'{dotted_name(node) or 'this'}'")
                if text is not None:
                    raise text.refuse(said)
                raise Unsupported(said.message, declared.location, "claim what + - * / give")
            return literal(value, self._names)

        body = written(body)
        return _lambda([name for name in declared.inputs if name in used], body)

    def decorator(self, declared: Declaration, rule_name: Callable[[Any], str]) -> ast.expr:
        """``mechanism(…)`` as it declares this mechanism."""
        keywords = []
        if declared.budget is not None:
            keywords.append(ast.keyword("budget", self.budget(declared)))
        if declared.expect != "proved":
            keywords.append(ast.keyword("expect", ast.Constant(declared.expect)))
        claim = self.privacy(declared.privacy, rule_name, declared)
        return ast.Call(self._name("mechanism"), [claim], keywords)

    def _name(self, name: str) -> ast.expr:
        return ast.Name(self._names.imported(name), ast.Load())

    def _plain(self, name: str) -> ast.expr:
        return ast.Name(self._names.imported(name, "builtins"), ast.Load())


def _word(function: ast.expr, text: BudgetText | None) -> str:
    """The word that a budget calls; in one that was found here words stand for themselves."""
    if text is not None:
        return text.word(function)
    name = dotted_name(function) or ""
    return name if name in ("exp", "log", "sqrt") else ""


def _ours(thing: object, module: ModuleType) -> bool:
    """Whether it is of a class of the library's own, and of none derived from it."""
    return vars(module).get(type(thing).__name__) is type(thing)


def _subscript(value: ast.expr, inside: ast.expr) -> ast.expr:
    return ast.Subscript(value, inside, ast.Load())


def _lambda(parameters: Sequence[str], body: ast.expr) -> ast.expr:
    arguments = ast.arguments([], [ast.arg(n) for n in parameters], None, [], [], None, [])
    return ast.Lambda(arguments, body)
