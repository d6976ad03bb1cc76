r"""Program text as formulas: ``f[i] + noise >= T`` is f with the index i; names as symbols.

before:  min(c / eps, 1) if x == other(x) else count(record[0] == 1, data)
after:   \min(\frac{c}{\varepsilon}, 1) if x = x', else a number of records

Nothing here needs a backslash before punctuation: Markdown would take it away.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...dsl.language.unparse import MARK
from ..words import Maths

_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _ATOM = range(1, 9)
_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=", ast.NotEq: r"\neq", ast.Lt: "<", ast.LtE: r"\leq", ast.Gt: ">", ast.GtE: r"\geq",
    ast.In: r"\in", ast.NotIn: r"\notin", ast.Is: "=", ast.IsNot: r"\neq",
}  # fmt: skip
#: Calls of one argument, and those without any that a certificate makes up.
_CALLS = {
    ("len", 1): r"\lvert {} \rvert",
    ("abs", 1): r"\lvert {} \rvert",
    ("exp", 1): "e^{{{}}}",
    ("log", 1): r"\ln({})",
    ("sqrt", 1): r"\sqrt{{{}}}",
    ("given", 1): "{}",
    ("cost", 1): "C",
    ("outcome", 0): "z",
    ("picks", 0): r"\lvert Z \rvert",
    ("asked_and_picked", 0): r"\mathrm{{asked}}",
    ("next_to_ask", 0): r"\mathrm{{next}}",
    ("to_be_picked", 0): r"\mathrm{{open}}",
    ("moved_by", 0): r"\delta",
}
#: Calls that are told apart by a number: their letters, and what is added to the number.
_NUMBERED = {"witness": ("w", 0), "first_outcome": ("o", 1), "released": ("y", 0)}


@dataclass(frozen=True, slots=True)
class Notation:
    """How one program's names are written; ``symbols`` are those that have one of their own."""

    symbols: Mapping[str, str] = field(default_factory=dict)

    def of(self, text: str) -> Maths:
        """A condition or a number of the program; what cannot be read is shown as it is."""
        try:
            latex = self._latex(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError):
            latex = verbatim(text)
        return Maths(latex, text)

    def name(self, name: str) -> Maths:
        """A variable, a parameter or a sample."""
        return Maths(self._name(name), name)

    def _latex(self, node: ast.expr, around: int = 0, prime: str = "") -> str:
        latex, strength = self._read(node, prime)
        return rf"\left( {latex} \right)" if strength < around else latex

    def _read(self, node: ast.expr, prime: str) -> tuple[str, int]:
        """The formula, and how strongly its outermost operator binds."""
        match node:
            case ast.Constant(value=value):
                return _constant(value), _ATOM
            case ast.Name(id=name):
                base, _, number = name.partition(MARK)  # a counter that the program does not name
                own = self.symbols.get(f"{base}@{number}") if number else None
                return (own or self._name(base)) + prime, _ATOM
            case ast.Subscript(value=array, slice=index):
                base = self._latex(array, _ATOM, prime)
                base = f"{{{base}}}" if "_" in base else base  # TeX takes one index
                return f"{base}_{{{self._latex(index)}}}", _ATOM
            case ast.BinOp():
                return self._operation(node, prime)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[ast.Eq()]) as inner):
                unequal = ast.Compare(inner.left, [ast.NotEq()], inner.comparators)
                return self._comparison(unequal, prime), _COMPARE
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return rf"\neg {self._latex(inner, _SIGN, prime)}", _NOT
            case ast.UnaryOp(operand=inner):
                return f"-{self._latex(inner, _PRODUCT, prime)}", _SUM
            case ast.BoolOp(op=op, values=values):
                word, strength = ("and", _AND) if isinstance(op, ast.And) else ("or", _OR)
                join = rf" \text{{ {word} }} ".join
                return join(self._latex(v, strength + 1, prime) for v in values), strength
            case ast.Compare():
                return self._comparison(node, prime), _COMPARE
            case ast.IfExp(test=test, body=yes, orelse=no):
                arms = (self._latex(yes, _OR, prime), self._latex(no, 0, prime))
                tested = self._latex(test, 0, prime)
                return rf"{arms[0]} \text{{ if }} {tested} \text{{, else }} {arms[1]}", 0
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self._call(function, arguments, prime)
            case ast.List(elts=members) | ast.Tuple(elts=members):
                return f"({', '.join(self._latex(m, 0, prime) for m in members)})", _ATOM
        return verbatim(ast.unparse(node)), _ATOM

    def _operation(self, node: ast.BinOp, prime: str) -> tuple[str, int]:
        def side(operand: ast.expr, around: int) -> str:
            return self._latex(operand, around, prime)

        match node.op:
            case ast.Add() if (less := _without_sign(node.left)) is not None:
                return f"{side(node.right, _SUM)} - {side(less, _PRODUCT)}", _SUM
            case ast.Add() if (less := _without_sign(node.right)) is not None:
                return f"{side(node.left, _SUM)} - {side(less, _PRODUCT)}", _SUM
            case ast.Add() | ast.Sub():
                sign = "+" if isinstance(node.op, ast.Add) else "-"
                return f"{side(node.left, _SUM)} {sign} {side(node.right, _PRODUCT)}", _SUM
            case ast.Mult():
                dot = r" \cdot " if self._needs_dot(node) else r" \thinspace "
                return f"{side(node.left, _PRODUCT)}{dot}{side(node.right, _SIGN)}", _PRODUCT
            case ast.Div() if (upper := _fraction(node.left)) is not None:
                below = ast.BinOp(upper.right, ast.Mult(), node.right)
                return self._operation(ast.BinOp(upper.left, ast.Div(), below), prime)
            case ast.Div():
                return rf"\frac{{{side(node.left, 0)}}}{{{side(node.right, 0)}}}", _SIGN
            case ast.FloorDiv():
                over = rf"\frac{{{side(node.left, 0)}}}{{{side(node.right, 0)}}}"
                return rf"\left\lfloor {over} \right\rfloor", _ATOM
            case ast.Mod():
                return rf"{side(node.left, _PRODUCT)} \bmod {side(node.right, _SIGN)}", _PRODUCT
            case ast.Pow():
                return f"{side(node.left, _ATOM)}^{{{side(node.right, 0)}}}", _SIGN
        return verbatim(ast.unparse(node)), _ATOM

    def _needs_dot(self, node: ast.BinOp) -> bool:
        """Two numbers or long names side by side would be read as one."""
        right = node.right
        while isinstance(right, ast.BinOp):
            right = right.left
        numbers = isinstance(right, ast.Constant) or isinstance(node.right, ast.BinOp)
        functions = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
        names = (n for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in functions)
        long = any(self._name(name.id).startswith(r"\textit") for name in names)
        return numbers or long

    def _comparison(self, node: ast.Compare, prime: str) -> str:
        node = _turned(node)
        if picked := _picking(node):
            return rf"{self._latex(picked[0])} {picked[1]} Z"
        operands = [node.left, *node.comparators]
        parts = [self._truth(operands[0], prime)]
        for op, operand in zip(node.ops, operands[1:], strict=True):
            chosen = isinstance(op, ast.In)  # only a prophecy holds several indices
            parts += [_RELATIONS[type(op)], "Z" if chosen else self._truth(operand, prime)]
        return " ".join(parts)

    def _truth(self, node: ast.expr, prime: str) -> str:
        """A side of a comparison; one that is a condition itself stands in brackets."""
        match node:
            case ast.Call(func=ast.Name(id="other"), args=[ast.Compare() | ast.BoolOp() as inner]):
                return rf"\left[ {self._latex(inner)} \right]'"
            case ast.Compare() | ast.BoolOp():
                return rf"\left[ {self._latex(node, 0, prime)} \right]"
        return self._latex(node, _SUM, prime)

    def _call(self, function: str, arguments: list[ast.expr], prime: str) -> tuple[str, int]:
        own = self.symbols.get(f"{function}({', '.join(map(ast.unparse, arguments))})")
        if own is not None:
            return own, _ATOM
        inner = [self._latex(a, 0, prime) for a in arguments]
        match function, arguments:
            case "other", [argument]:
                if _has_a_prime(argument):
                    return self._read(argument, "'")
                return rf"\left( {inner[0]} \right)'", _ATOM
            case "log_odds", [argument]:
                p = self._latex(argument, _SUM, prime)
                return rf"\ln \frac{{{p}}}{{1 - {p}}}", _SIGN
            case "count", [test, data]:
                one = Notation({**self.symbols, "record": "r"})
                records = rf"r \in {self._latex(data)}{prime} : {one._latex(test)}"
                return rf"\lvert \lbrace {records} \rbrace \rvert", _ATOM
            case "outcome", [ast.Constant(value=int() as k)]:
                return f"z_{{{k + 1}}}" if k else "z", _ATOM
            case (("witness" | "first_outcome" | "released"), [ast.Constant(value=int() as k)]):
                letter, more = _NUMBERED[function]
                return f"{letter}_{{{k + more}}}", _ATOM
            case "constant", [ast.Constant(value=str() as name)]:
                return self._constant_of_pair(name), _ATOM
            case (("min" | "max"), _):
                return rf"\{function}({', '.join(inner)})", _ATOM
        if known := _CALLS.get((function, len(arguments))):
            return known.format(*inner), _ATOM
        if function.startswith(("place", "change")) and function[-1:].isdigit():
            letter = "p" if function.startswith("place") else r"\delta"
            return f"{letter}_{{{function[-1]}}}", _ATOM
        return rf"\mathrm{{{function.replace('_', ' ')}}}({', '.join(inner)})", _ATOM

    def _constant_of_pair(self, name: str) -> str:
        """An unknown constant of D and D': a difference, or a value of the record that differs."""
        if name.startswith("move of "):
            moved = name.removeprefix("move of ")
            return rf"\left( {self.of(f'{moved} - other({moved})').latex} \right)"
        side, _, rest = name.partition("@")
        if side in ("before", "after") and rest.endswith("]"):
            prime = "'" if side == "after" else ""
            return f"r{prime}_{{{rest[rest.index('[') + 1 : -1]}}}"
        return verbatim(name)

    def _name(self, name: str) -> str:
        return self.symbols.get(name) or letters(name)


def _without_sign(node: ast.expr) -> ast.expr | None:
    """The rest of a term that begins with a minus."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return inner
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            rest = _without_sign(left)
            return None if rest is None else ast.BinOp(rest, node.op, right)
    return None


def _fraction(node: ast.expr) -> ast.BinOp | None:
    """A division that is divided once more."""
    return node if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) else None


def _has_a_prime(node: ast.expr) -> bool:
    """Whether its value on D' is written with a prime, without brackets."""
    match node:
        case ast.Name() | ast.Subscript() | ast.BinOp(op=ast.MatMult()):
            return True
        case ast.Call(func=ast.Name(id="count")):
            return True
    return False


def _constant(value: object) -> str:
    if isinstance(value, str):
        return verbatim(f"‘{value}’")
    if value is None or isinstance(value, bool):
        return rf"\mathrm{{{str(value).lower() if value is not None else 'None'}}}"
    return repr(value)


def _turned(node: ast.Compare) -> ast.Compare:
    """``c >= cost`` and ``0 >= x`` the other way round: what is bounded stands to the left."""
    around: dict[type[ast.cmpop], ast.cmpop] = {ast.GtE: ast.LtE(), ast.Gt: ast.Lt()}
    if len(node.ops) > 1 or type(node.ops[0]) not in around:
        return node
    left, right = node.left, node.comparators[0]
    if isinstance(left, ast.Constant) or (_is_cost(right) and not _is_cost(left)):
        return ast.Compare(right, [around[type(node.ops[0])]], [left])
    return node


def _is_cost(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "cost" for n in ast.walk(node))


def _picking(node: ast.Compare) -> tuple[ast.expr, str] | None:
    """Whether an index is picked, which a certificate says by a number's sign."""
    match node:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="picked"), args=[index]),
            ops=[op],
            comparators=[ast.Constant(value=0)],
        ):
            return index, r"\in" if isinstance(op, ast.Gt) else r"\notin"
    return None


# Names as symbols: ``eps`` is ε, ``T`` a letter, ``f1`` has an index, ``noisy_max`` is a word.
#
# A name that is a symbol of the accounts, such as ``D``, is set like a typewriter's.

_LETTERS = "αβγδεζηθικλμνξπρστυφχψω"
_WORDS = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega",
]  # fmt: skip
#: Words that are a letter; "eta" or "pi" is more often a name of its own.
_READ = ["alpha", "gamma", "delta", "theta", "kappa", "mu", "rho", "sigma", "tau", "phi"]
_GREEK = (
    {"eps": r"\varepsilon", "epsilon": r"\varepsilon"}
    | {word: "\\" + word for word in _READ}
    | {letter: "\\" + word for letter, word in zip(_LETTERS, _WORDS, strict=True)}
)
#: Symbols of the accounts, as they are and with an index.
_TAKEN = {"lam": "lam", "beta": "beta", "λ": "lambda", "β": "beta"} | {c: c for c in "CDMPSZdeoz"}
_TAKEN_WITH_INDEX = _TAKEN | {"delta": "delta", "δ": "delta"} | {c: c for c in "bprwy"}


def letters(name: str) -> str:
    """A name as one symbol of a formula."""
    if not name.strip("_"):
        return r"\underline{\enspace}"  # by itself it would begin an index
    if name in _TAKEN:
        return rf"\mathtt{{{_TAKEN[name]}}}"
    if name in _GREEK:
        return _GREEK[name]
    if len(name) == 1 and name.isascii():
        return name
    digits = re.fullmatch(r"(.*?)_?([0-9]+)", name)
    if digits and digits[1].strip("_"):
        taken = _TAKEN_WITH_INDEX.get(digits[1])
        base = letters(digits[1]) if taken is None else rf"\mathtt{{{taken}}}"
        return f"{base}_{{{digits[2]}}}" if "_" not in base else f"{{{base}}}_{{{digits[2]}}}"
    first, _, rest = name.partition("_")
    if rest and (len(first) == 1 or first in _GREEK):
        return rf"{letters(first)}_{{\textit{{{rest.replace('_', ' ').strip()}}}}}"
    return rf"\textit{{{name.replace('_', ' ').strip()}}}"


def is_sum(latex: str) -> bool:
    """Whether a formula needs brackets in a product: a sum, or one that begins with a minus."""
    depth = 0
    for token in re.findall(r"\\lvert|\\rvert|\\lfloor|\\rfloor|[{}()]|[+-]", latex):
        if token in ("+", "-") and depth == 0:
            return True
        depth += (token in ("{", "(", r"\lvert", r"\lfloor")) - (
            token in ("}", ")", r"\rvert", r"\rfloor")
        )
    return False


def verbatim(text: str) -> str:
    """Words inside a formula, as they are; what TeX would read otherwise is a blank."""
    plain = re.sub(r"[\\{}$%#&^~_]|[^\x20-\u017f‘’]", " ", text)
    return rf"\text{{{plain}}}"
