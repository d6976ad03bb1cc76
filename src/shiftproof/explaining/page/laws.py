"""The law of each draw as JavaScript: when it exists, its support, what shifts cost, its masses."""

from __future__ import annotations

from ...dsl.flow import SampleNode
from ...dsl.formulas import Flag, Formula, conjunction
from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform, Distribution
from ...dsl.syntax import Constant, Whole
from ...dsl.terms import Linear, Symbol, number, term
from .terms import formula_of, quoted, term_of

#: Laws with finitely many values, by what tells their masses.
_FINITE: dict[type[Distribution], str] = {
    Bernoulli: "coin", DiscreteUniform: "interval", Categorical: "weights",
}  # fmt: skip
_DRAW, _SHIFT, _BIT = "x", "d", "bit"


def law_of(node: SampleNode) -> str:
    """An object with everything that the page asks of a draw, over its parameters ``p``."""
    kind = node.step.distribution
    found = {
        "name": quoted(kind.__name__),
        "lattice": quoted(kind.lattice),
        "finite": quoted(_FINITE.get(kind, "")),
    }
    if not any(isinstance(argument, Whole) for argument in node.step.arguments) and kind.shiftable:
        found |= _of_numbers(kind, _parameters(node))
    return "{" + ", ".join(f"{name}: {text}" for name, text in found.items()) + "}"


def _parameters(node: SampleNode) -> list[Linear]:
    """Numbers as they are, of which a law may know more; everything else by its place."""
    return [
        number(e.value) if isinstance(e, Constant) else term(Symbol(f"p{k}", fixed=True))
        for k, e in enumerate(node.step.arguments)
    ]


def _of_numbers(kind: type[Distribution], parameters: list[Linear]) -> dict[str, str]:
    law = kind(*parameters)
    drawn, shift = term(Symbol(_DRAW)), term(Symbol(_SHIFT))
    # That whole numbers are meant is seen from a constant's form only, and was proved.
    well_formed = conjunction(f for f in [law.well_formed()] if kind is not DiscreteUniform)
    found = {"exists": f"(p) => {_condition(well_formed)}"}
    if isinstance(law, Bernoulli):
        charges = law.flip_charges(Flag(Symbol(_BIT)), Flag(Symbol(_SHIFT)))
    else:
        charges = law.charges(shift)
        found["supports"] = f"(p, x) => {_condition(law.support(drawn))}"
    cases = ", ".join(
        f"[() => {_condition(c.when)}, () => mul({_term(c.amount)}, {_term(c.rate)})]"
        for c in charges
    )
    return found | {"charges": f"(p, d, bit) => [{cases}]"}


def _named(symbol: Symbol) -> str:
    return f"p[{symbol.key[1:]}]" if symbol.fixed else symbol.key


def _condition(subject: Formula) -> str:
    return formula_of(subject, _named)


def _term(subject: Linear) -> str:
    return term_of(subject, _named)
