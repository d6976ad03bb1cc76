"""What noise costs, as a multiple of a rate of the certificate."""

from __future__ import annotations

import ast
import random
from fractions import Fraction

from ....checkers.kernel.language.syntax import expression
from ..words.terms import NoTheorem
from .part import Part


def factors(part: Part, price: ast.expr) -> list[Fraction | None]:
    """How many times each rate a price is; it is paid by the first of which it is a multiple."""
    found: list[Fraction | None] = []
    for rate in part.rates:
        wanted = [ratio(price, expression(rate), seed) for seed in range(4)]
        fits = not any(f is not None for f in found) and len(set(wanted)) == 1
        found.append(wanted[0] if fits else None)
    return found


def log_odds(p: ast.expr) -> ast.expr:
    """The logarithm of p / (1 - p), where p is written as e^u / (1 + e^u) or 1 / (1 + e^u)."""
    match p:
        case ast.BinOp(
            left=above,
            op=ast.Div(),
            right=ast.BinOp(
                left=ast.Constant(value=1),
                op=ast.Add(),
                right=ast.Call(func=ast.Name(id="exp"), args=[power]) as root,
            ),
        ):
            if ast.dump(above) == ast.dump(root):
                return power
            if isinstance(above, ast.Constant) and above.value == 1:
                return ast.UnaryOp(ast.USub(), power)
    raise NoTheorem(f"a coin with the probability '{ast.unparse(p)[:60]}'")


def ratio(price: ast.expr, rate: ast.expr, seed: int) -> Fraction | None:
    """How many times a rate a price is, at a random point; ``None`` if it is undefined there."""
    chance = random.Random(seed)
    known: dict[str, Fraction] = {}

    def value(e: ast.expr) -> Fraction:
        match e:
            case ast.Constant(value=int() | float() as given):
                return Fraction(repr(given))
            case ast.Name() | ast.Call(func=ast.Name(id="len")) | ast.Subscript():
                shown = ast.unparse(e)
                return known.setdefault(
                    shown, Fraction(chance.randint(2, 99), chance.randint(2, 9))
                )
            case ast.Call(func=ast.Name(id="index"), args=[inner]):
                return value(inner)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner)
            case ast.BinOp(op=op, left=left, right=right):
                a, b = value(left), value(right)
                match op:
                    case ast.Add():
                        return a + b
                    case ast.Sub():
                        return a - b
                    case ast.Mult():
                        return a * b
                    case ast.Div():
                        return a / b
        raise NoTheorem(f"the price '{ast.unparse(e)[:60]}'")

    try:
        return value(price) / value(rate)
    except ZeroDivisionError:
        return None
