"""Each noise in symbols: its law, its support, and what a shift of it costs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from ...checkers.walking.notation import term_of
from ...dsl.errors import BadInput
from ...dsl.language.flow import SampleNode
from ...dsl.language.unparse import unparse
from ...dsl.relations.program import Program
from ...dsl.terms.linear import term
from ...dsl.terms.pretty import log_odds_of, pretty
from ...dsl.terms.values import Num
from ..words import Maths
from .notation import Notation


@dataclass(frozen=True, slots=True)
class Manner:
    """How a distribution is written.

    Attributes:
        law: its symbol.
        words: its name.
        support: a condition on a draw ``{x}`` and the parameters ``{0}`` and ``{1}``, or words.
        price: what a shift ``_d`` costs, as program text; ``{over}`` divides it by the scale.
        price_words: how that is to be read.
        at_most: whether a shift may also cost less, as it does on the other side of the mode.
    """

    law: str
    words: str
    support: str
    price: str
    price_words: str = ""
    at_most: bool = False


_SIGNED = "with its sign"
_MANNERS: Mapping[str, Manner] = {
    "Laplace": Manner(
        r"\mathrm{Lap}", "the Laplace law of this scale", "any real number", "abs(_d){over}",
        at_most=True,
    ),
    "Exponential": Manner(
        r"\mathrm{Exp}", "the exponential law of this scale", r"{x} \geq 0", "_d{over}", _SIGNED
    ),
    "NegativeExponential": Manner(
        r"-\mathrm{Exp}", "the mirrored exponential law of this scale", r"{x} \leq 0",
        "-(_d{over})", _SIGNED,
    ),
    "TwoSidedGeometric": Manner(
        r"\mathrm{Geom}_{\pm}", "the two-sided geometric law of this scale",
        "any integer, and so is its shift", "abs(_d){over}", at_most=True,
    ),
    "OneSidedGeometric": Manner(
        r"\mathrm{Geom}", "the one-sided geometric law of this scale", r"{x} \geq 0",
        "_d{over}", _SIGNED,
    ),
    "NegativeOneSidedGeometric": Manner(
        r"-\mathrm{Geom}", "the mirrored geometric law of this scale", r"{x} \leq 0",
        "-(_d{over})", _SIGNED,
    ),
    "Staircase": Manner(
        r"\mathrm{Staircase}", "the staircase law of this scale, step and share",
        "any real number", "1{over}", "if it is within one step, twice that within two, and so on",
        at_most=True,
    ),
    "Uniform": Manner(
        r"\mathrm{Uniform}", "the uniform law", r"{0} \leq {x} \leq {1}", "0"
    ),
    "DiscreteUniform": Manner(
        r"\mathrm{Uniform}", "the uniform law of the integers", r"{0} \leq {x} \leq {1}", "0"
    ),
    "Bernoulli": Manner(
        r"\mathrm{Bernoulli}", "a coin", "true or false", "{odds}",
        "for a bit that was true, and the negative of it for one that was false",
    ),
}  # fmt: skip


def _over(scale: str) -> str:
    """Division by a scale, which may be a fraction itself."""
    tree = ast.parse(scale, mode="eval").body
    if not (isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div)):
        return f" / ({scale})"
    above, below = ast.unparse(tree.left), ast.unparse(tree.right)
    return f" * ({below})" + ("" if above == "1" else f" / ({above})")


def _without_one(price: str) -> str:
    """``1 * (eps)`` is ``(eps)``."""
    return price.removeprefix("1 * ")


@dataclass(frozen=True, slots=True)
class Noise:
    """One sample of a program, in symbols.

    Attributes:
        symbol: of its draw.
        shift: the symbol of its shift.
        law: its distribution, in symbols.
        law_words: the same by its name.
        support: where its density is not zero: a condition, or words.
        price: what the shift costs, in nats.
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

    def meaning(node: ast.expr) -> Num | None:
        if not isinstance(node, ast.Name) or node.id not in program.inputs:
            return None
        return Num(term(program.parameter_symbol(node.id)), "float")

    try:
        return pretty(log_odds_of(term_of(probability, meaning)))
    except BadInput:
        return f"log_odds({probability})"


def _noise(node: SampleNode, notation: Notation, program: Program) -> Noise:
    step = node.step
    texts = [unparse(argument) for argument in step.arguments]
    kind = step.distribution.__name__
    manner = _MANNERS.get(kind) or Manner(rf"\mathrm{{{kind}}}", "its law", "a value of it", "0")
    symbol = notation.name(step.target).latex
    shift = "d" if len(program.flow.sites) == 1 else f"d_{{{node.site + 1}}}"
    law = f"{manner.law}({', '.join(notation.of(text).latex for text in texts)})"
    support: Maths | str = manner.support
    if "{x}" in manner.support:
        shown = manner.support.replace("{x}", f"{symbol} + {shift}")
        for k, text in enumerate(texts):
            shown = shown.replace(f"{{{k}}}", notation.of(text).latex)
        support = Maths(shown, shown.replace(r"\geq", ">=").replace(r"\leq", "<="))
    price = manner.price
    if "{over}" in price:
        price = _without_one(price.format(over=_over(texts[0])))
    if "{odds}" in price:
        price = price.format(odds=_log_odds(texts[0], program))
    return Noise(
        node=node,
        symbol=symbol,
        shift=shift,
        law=Maths(law, f"{kind}({', '.join(texts)})"),
        law_words=manner.words,
        support=support,
        price=Notation({**notation.symbols, "_d": shift}).of(price),
        price_words=manner.price_words,
        at_most=manner.at_most,
        flipped=step.distribution.lattice == "booleans",
    )
