"""Each noise in symbols: its law, its support, and what a shift of it costs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...checkers.walking.notation import term_of
from ...dsl.errors import BadInput
from ...dsl.language.flow import SampleNode
from ...dsl.language.unparse import unparse
from ...dsl.noise import Distribution
from ...dsl.noise.texts import substituted
from ...dsl.relations.program import Program
from ...dsl.terms.linear import term
from ...dsl.terms.pretty import log_odds_of, pretty
from ...dsl.terms.values import Num
from ..words import Maths
from .notation import Notation


def _divided(size: str, scale: str) -> str:
    """A size over a scale, which may be a fraction itself: ``d / (1 / eps)`` is ``d * (eps)``."""
    tree = ast.parse(scale, mode="eval").body
    if not (isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div)):
        return f"{size} / ({scale})"
    above, below = ast.unparse(tree.left), ast.unparse(tree.right)
    times = f"({below})" if size == "1" else f"{size} * ({below})"
    return times if above == "1" else f"{times} / ({above})"


@dataclass(frozen=True, slots=True)
class Noise:
    """One sample of a program, in symbols.

    Attributes:
        symbol: of its draw.
        shift: the symbol of its shift.
        law: its distribution, in symbols.
        law_words: the same by its name.
        support: where its density is not zero: a condition, or words.
        price: what the shift costs, in nats, or in ρ.
        unit: nats, or nothing.
        price_words: how that is to be read; may be empty.
        at_most: whether it may also cost less.
        flipped: whether it is a bit, which is flipped and not shifted.
    """

    node: SampleNode
    symbol: str
    shift: str
    law: Maths
    law_words: str
    support: Maths | str
    price: Maths
    price_words: str
    unit: str
    at_most: bool
    flipped: bool

    @property
    def name(self) -> str:
        """Its variable in the program."""
        return self.node.step.target

    @property
    def line(self) -> int:
        """The line of the program that draws it."""
        return self.node.step.span.line


def notation_of(program: Program | None) -> Notation:
    """The symbols of a program: λ for its noise (b for bits), with an index if there are more."""
    if program is None:
        return Notation()
    targets: dict[str, bool] = {}
    for node in program.flow.sites:
        targets[node.step.target] = node.step.distribution.lattice == "booleans"
    symbols = {}
    bit = r"\mathsf{b}" if "b" in program.inputs else "b"
    for letter, flipped in (("\\lambda", False), (bit, True)):
        names = [name for name, is_bit in targets.items() if is_bit is flipped]
        for k, name in enumerate(names, start=1):
            symbols[name] = letter if len(names) == 1 else f"{letter}_{{{k}}}"
    return Notation(symbols)


def noises(program: Program, notation: Notation) -> tuple[Noise, ...]:
    """The samples in the order of the program."""
    return tuple(_noise(node, notation, program) for node in program.flow.sites)


def _log_odds(probability: str, program: Program) -> str:
    """The log odds of a probability over public parameters, as plain as they can be."""
    try:
        return pretty(log_odds_of(term_of(probability, _parameters(program))))
    except BadInput:
        return f"log_odds({probability})"


def _parameters(program: Program) -> Callable[[ast.expr], Num | None]:
    """What the names of public parameters mean."""

    def meaning(node: ast.expr) -> Num | None:
        if not isinstance(node, ast.Name) or node.id not in program.inputs:
            return None
        return Num(term(program.parameter_symbol(node.id)), "float")

    return meaning


def _noise(node: SampleNode, notation: Notation, program: Program) -> Noise:
    step = node.step
    texts = [unparse(argument) for argument in step.arguments]
    kind = step.distribution
    name = kind.__name__
    symbol = notation.name(step.target).latex
    shift = "d" if len(program.flow.sites) == 1 else f"d_{{{node.site + 1}}}"
    law_symbol = kind.symbol or rf"\mathrm{{{name}}}"
    law = f"{law_symbol}({', '.join(notation.of(text).latex for text in texts)})"
    zcdp = program.privacy.zcdp
    price, price_words = (_price_in_rho if zcdp else _price)(kind, texts, program, step.target)
    return Noise(
        node=node,
        symbol=symbol,
        shift=shift,
        law=Maths(law, f"{name}({', '.join(texts)})"),
        law_words=kind.called,
        support=_support(kind, f"{symbol} + {shift}", texts, notation),
        price=Notation({**notation.symbols, "_d": shift}).of(price),
        price_words=price_words,
        unit="" if zcdp else " nats",
        at_most="abs" in kind.cost[0] or zcdp,
        flipped=kind.lattice == "booleans",
    )


def _support(
    kind: type[Distribution], moved: str, texts: Sequence[str], notation: Notation
) -> Maths | str:
    """Where a moved draw must be: a condition, or words."""
    if kind.lattice == "booleans":
        return "true or false"
    if kind.shape == "weights":
        return "a value of it"
    if not any(kind.ends):
        integers = kind.lattice == "integers"
        return "any integer, and so is its shift" if integers else "any real number"
    given = dict(zip(kind.parameters, texts, strict=False))
    low, high = (notation.of(given.get(end, end)).latex if end else "" for end in kind.ends)
    if low and high:
        shown = rf"{low} \leq {moved} \leq {high}"
    else:
        shown = rf"{moved} \geq {low}" if low else rf"{moved} \leq {high}"
    return Maths(shown, shown.replace(r"\geq", ">=").replace(r"\leq", "<="))


def _price(
    kind: type[Distribution], texts: Sequence[str], program: Program, drawn: str
) -> tuple[str, str]:
    """What a shift ``_d`` costs, as a text of the language, and how that is to be read."""
    if kind.shape == "coin":
        said = "for a bit that was true, and the negative of it for one that was false"
        return _log_odds(texts[0], program), said
    if kind.shape == "stairs":
        said = "if it is within one step, twice that within two, and so on"
        return _divided("1", texts[0]), said
    if kind.spread and not kind.cost[0]:
        below = f"2 * ({texts[0]}) * ({texts[0]})"
        said = "with its sign, of what is not given up; the certificate says how far out that is"
        return _divided(f"_d * (2 * {drawn} + _d)", below), said
    amount, rate = kind.cost
    if kind.shape == "weights" or amount == "0":
        return "0", ""
    given = dict(zip(kind.parameters, texts, strict=True))
    how = "" if "abs" in amount else "with its sign"
    if amount.lstrip("-") not in ("d", "abs(d)"):  # a law of a file's own
        return f"({substituted(amount, {'d': '_d'})}) * ({substituted(rate, given)})", how
    size = amount.lstrip("-").replace("d", "_d")
    if rate == "1 / scale":
        price = _divided(size, given["scale"])
    else:
        price = f"({size}) * ({substituted(rate, given)})"
    return (f"-({price})" if amount[0] == "-" else price), how


def _price_in_rho(
    kind: type[Distribution], texts: Sequence[str], program: Program, drawn: str
) -> tuple[str, str]:
    """The same where ρ is claimed."""
    known = "as it is known before the draw"
    if kind.shape == "coin":
        odds = _log_odds(texts[0], program)
        return f"({odds}) * ({odds}) / 2", known
    if kind.spread:
        spread = dict(zip(kind.parameters, texts, strict=True))[kind.spread]
        below = f"2 * ({spread}) * ({spread})"
        with suppress(BadInput):
            below = pretty(term_of(below, _parameters(program)))
        return _divided("_d * _d", below), known
    price, _ = _price(kind, texts, program, drawn)
    return price.replace("_d", "abs(_d)") if "abs" not in price else price, "as much as in nats"
