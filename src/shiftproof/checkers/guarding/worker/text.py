"""A mechanism's text as Python code: numbers exact, the words of the language given anew.

before:  x = f[0] / 2 + 0.1
after:   x = #divided(f[0], 2) + #0     (with #0 = 1/10)

Everything else is left to CPython.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import FunctionType
from typing import Any

from .noise import NOISES, Beyond, Noise, Number, exp, ln, root
from .words import Words

#: The builtins that a text may call.
BUILTINS = {
    f.__name__: f for f in (abs, bool, enumerate, float, int, len, max, min, range, round, sum, zip)
}
#: Annotations whose numbers are ints; those of ``Annotated`` say so themselves.
_WHOLE = {"int", "Nat", "IntVector", "Count", "Counts", "Histogram"}


#: The annotations of what is public.
_PARAMETERS = ("Public", "Epsilon", "Rho", "Delta")
#: The claims whose budget depends on the pair of inputs.
OF_PAIRS = ("DPrivacy", "ContextAwareLDP", "InputDiscriminativeLDP")


@dataclass(slots=True)
class Code:
    """A mechanism of a text.

    Attributes:
        function: what runs.
        whole: of each parameter, whether it holds ints.
        public: the parameters that are public.
        streams: the parameters that are read once.
        zcdp: whether ρ is claimed, and not ε.
        delta: δ as the claim gives it; 0 where it does not.
        epsilons: the parameters of type ``Epsilon``, or ``Rho``.
        claim: the name of the privacy definition, and the functions that it is made of.
        budget: ε as the decorator gives it, if it does.
        asserts: the leading preconditions, as a function of the same parameters.
    """

    function: Callable[..., Any]
    whole: dict[str, bool]
    public: set[str]
    streams: set[str]
    zcdp: bool
    delta: Callable[..., Number] | Number
    epsilons: list[str]
    claim: tuple[str, tuple[Any, ...]]
    budget: Callable[..., Number] | Number | None
    asserts: Callable[..., bool]

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """The inputs as a call converts them: numbers that are no ints are fractions."""
        return {
            name: iter(value) if name in self.streams else as_declared(value, self.whole[name])
            for name, value in given.items()
        }

    def epsilon(self, given: dict[str, Any]) -> Fraction | None:
        """The budget of two neighbours on these public inputs, unless it depends on the pair."""
        if self.claim[0] in OF_PAIRS:
            return None
        # Of a group what is proved is a step.
        return self._declared(given) / (self.claim[1][1] if self.claim[0] == "Group" else 1)

    def given_up(self, given: dict[str, Any]) -> Fraction:
        """δ on these public inputs."""
        return _of_parameters(self.delta, given)

    def _declared(self, given: dict[str, Any]) -> Fraction:
        if self.budget is None:
            (name,) = self.epsilons
            return Fraction(given[name])
        return _of_parameters(self.budget, given)


def _of_parameters(said: Callable[..., Number] | Number, given: dict[str, Any]) -> Fraction:
    if isinstance(said, FunctionType):
        names = said.__code__.co_varnames[: said.__code__.co_argcount]
        return Fraction(said(**{name: given[name] for name in names}))
    return Fraction(said)  # type: ignore[arg-type]


def as_declared(value: Any, whole: bool) -> Any:
    """Numbers as the parameter has them, also in sequences."""
    if isinstance(value, tuple | list):
        return tuple(as_declared(v, whole) for v in value)
    return value if whole or isinstance(value, bool) else Fraction(value)


@dataclass(slots=True)
class Text:
    """A text that was read: its mechanisms by name, and whether it uses powers of e."""

    mechanisms: dict[str, Code] = field(default_factory=dict)
    rounded: bool = False


def read(text: str, words: Words, laws: Mapping[str, type[Noise]]) -> Text:
    """Compile a text; nothing of it is run but its definitions.

    Args:
        text: of the language.
        words: what its words do.
        laws: those that are not known here.

    Raises:
        Beyond: it is no text of the language.
    """
    tree = ast.parse(text)
    found = Text(rounded=any(isinstance(n, ast.BinOp) and _is_root(n) for n in ast.walk(tree)))
    names: dict[str, Any] = {"__builtins__": BUILTINS, "#tick": words.tick}
    known: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                found.rounded |= alias.name in laws
                here = alias.asname or alias.name
                known[here] = alias.name
                names[here] = _word(statement.module or "", alias.name, words, laws)
                found.rounded |= alias.name in ("exp", "log", "sqrt")
        elif isinstance(statement, ast.FunctionDef):
            _define(statement, names, known, words, found)
        elif isinstance(statement, ast.ClassDef) and statement.name in laws:
            found.rounded = True
            names[statement.name] = laws[statement.name]
        elif isinstance(statement, ast.Assign):
            _run(ast.Module([statement], []), names)
        else:
            raise Beyond(f"line {statement.lineno}: {type(statement).__name__}")
    return found


def _is_root(e: ast.BinOp) -> bool:
    """``x ** 0.5``, which Python computes in floats."""
    half = isinstance(e.right, ast.Constant) and e.right.value == 0.5
    return half and isinstance(e.op, ast.Pow)


def _word(module: str, name: str, words: Words, laws: Mapping[str, type[Noise]]) -> Any:
    """What an imported name stands for."""
    if (module, name) == ("fractions", "Fraction"):
        return Fraction
    if (module, name) == ("math", "exp"):
        return exp
    if module == "math" and name in ("log", "sqrt", "floor", "ceil"):
        return {"log": ln, "sqrt": root, "floor": math.floor, "ceil": math.ceil}[name]
    if module in ("typing", "collections.abc"):
        return None  # of annotations
    if module == "shiftproof" and (known := NOISES.get(name) or laws.get(name)):
        return known
    if module == "shiftproof":
        # What is no word of a run is part of a claim: its name and its arguments are kept.
        return words.table.get(name) or (lambda *parts, **_: (name, parts))
    raise Beyond(f"{module}.{name}")


def _define(
    node: ast.FunctionDef,
    names: dict[str, Any],
    known: dict[str, str],
    words: Words,
    found: Text,
) -> None:
    """One function or mechanism of the top level."""
    annotations = {a.arg: a.annotation for a in node.args.args}
    decorators = node.decorator_list
    asserts: list[ast.stmt] = []
    for statement in node.body:
        if not isinstance(statement, ast.Assert):
            break
        asserts.append(statement)
    check = ast.FunctionDef("#asserts", _bare(node.args), [*asserts, _true()], [])
    main = ast.FunctionDef(node.name, _bare(node.args), node.body, [])
    module = ast.Module([main, *([check] if decorators else [])], [])
    rewriting = Rewriting(names, "ensure", known)
    _run(rewriting.visit(module), names)
    if not decorators:
        return
    decorator = decorators[0]
    assert isinstance(decorator, ast.Call)
    decorator.func = ast.Name("mechanism", ast.Load())
    zcdp = _is_zcdp(decorator.args[0], known)
    body = rewriting.visit(ast.Expression(decorator))
    given: dict[str, Any] = {**names, "mechanism": lambda *parts, **named: (parts, named)}
    options = body.body.args[0].keywords if isinstance(body.body.args[0], ast.Call) else ()
    told = next((k.value for k in options if k.arg == "delta"), ast.Constant(0))
    delta = eval(_compiled(ast.Expression(told), "eval"), names)
    (claim,), named = eval(_compiled(body, "eval"), given)
    kinds = {n: _kind(a, known) for n, a in annotations.items()}
    code = Code(
        function=names[node.name],
        whole={n: whole for n, (whole, _) in kinds.items()},
        public={n for n, (_, kind) in kinds.items() if kind in _PARAMETERS},
        streams={n for n, (_, kind) in kinds.items() if kind == "Stream"},
        zcdp=zcdp,
        delta=delta,
        epsilons=[n for n, (_, kind) in kinds.items() if kind == ("Rho" if zcdp else "Epsilon")],
        claim=claim,
        budget=named.get("budget"),
        asserts=names.pop("#asserts"),
    )
    found.mechanisms[node.name] = code
    names[node.name] = words.called(node.name, code)


def _is_zcdp(claim: ast.expr, known: dict[str, str]) -> bool:
    """Whether a claim is one of ρ: by its own name, or by the option of another one."""
    if not isinstance(claim, ast.Call) or not isinstance(claim.func, ast.Name):
        return False
    return known.get(claim.func.id) == "ZCDP" or any(k.arg == "zcdp" for k in claim.keywords)


def _kind(annotation: ast.expr | None, known: dict[str, str]) -> tuple[bool, str]:
    """Whether an annotation is of ints, and its kind by name."""
    kind = ""
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        base, said = annotation.slice.elts
        if isinstance(said, ast.Call) and isinstance(said.func, ast.Name):
            kind = known.get(said.func.id, said.func.id)
        annotation = base
    inner = [n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)] if annotation else []
    plain = [known.get(n, n) for n in inner]
    return bool(_WHOLE & set(plain)), kind or (plain[0] if plain else "")


def _bare(arguments: ast.arguments) -> ast.arguments:
    names = [ast.arg(a.arg) for a in arguments.args]
    return ast.arguments([], names, None, [], [], None, [])


def _true() -> ast.stmt:
    return ast.Return(ast.Constant(True))


def _compiled(tree: ast.Module | ast.Expression, mode: str) -> Any:
    return compile(ast.fix_missing_locations(tree), "<text>", mode)


def _run(tree: ast.Module, names: dict[str, Any]) -> None:
    exec(_compiled(tree, "exec"), names)


def divided(left: Any, right: Any) -> Any:
    """``left / right``, exact: never an int."""
    return Fraction(left) / right


def floored(left: Any, right: Any) -> Any:
    """``left // right``; what is no int stays none."""
    found = left // right
    return found if isinstance(left, int) and isinstance(right, int) else Fraction(found)


class Rewriting(ast.NodeTransformer):
    """Makes numbers exact and counts the rounds of loops; all else stays as it is written."""

    def __init__(self, names: dict[str, Any], ensure: str, known: dict[str, str]) -> None:
        self._names = names
        self._ensure = {here for here, name in known.items() if name == ensure}
        self._claims = 0

    def _bound(self, name: str, value: Any) -> ast.expr:
        """A name that no text can have, for a value."""
        self._names[name] = value
        return ast.Name(name, ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """``0.1`` is one tenth."""
        if isinstance(node.value, float):
            return self._bound(f"#{node.value!r}", Fraction(repr(node.value)))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """The language has one attribute; nothing else is reached."""
        if node.attr != "append":
            raise Beyond(f"line {node.lineno}: .{node.attr}")
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Division is exact."""
        self.generic_visit(node)
        return self._divided(node.op, node.left, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``a[i] /= b`` as well."""
        self.generic_visit(node)
        place = ast.parse(ast.unparse(node.target), mode="eval").body
        value = self._divided(node.op, place, node.value)
        return node if value is None else ast.Assign([node.target], value)

    def _divided(self, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr | None:
        if isinstance(op, ast.Div):
            return ast.Call(self._bound("#divided", divided), [left, right], [])
        if isinstance(op, ast.FloorDiv):
            return ast.Call(self._bound("#floored", floored), [left, right], [])
        return None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Claims of the answers are told apart by their order in their function."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._ensure:
            node.args.append(ast.Constant(self._claims))
            self._claims += 1
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        """Every round counts as work."""
        self.generic_visit(node)
        node.body.insert(0, self._tick())
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """The same."""
        self.generic_visit(node)
        node.body.insert(0, self._tick())
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """A call counts as work, too; functions inside go by their own order of claims."""
        node.args = _bare(node.args)
        body: Iterable[ast.stmt] = [self.visit(s) for s in node.body]
        node.body = [self._tick(), *body]
        return node

    def _tick(self) -> ast.stmt:
        return ast.Expr(ast.Call(ast.Name("#tick", ast.Load()), [], []))
