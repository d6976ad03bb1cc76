"""Terms, conditions and the laws of draws as JavaScript over exact numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

from ....dsl.language.flow import SampleNode
from ....dsl.language.syntax import Constant, Whole
from ....dsl.noise import Distribution
from ....dsl.terms.formulas import TRUE, Choice, Flag, Formula, Junction, Not, Sign, Truth
from ....dsl.terms.linear import (
    Atom,
    Group,
    Linear,
    Opaque,
    Product,
    Rational,
    Symbol,
    number,
    term,
)

#: How a symbol is written.
Named = Callable[[Symbol], str]

_RELATIONS = {">=": "le(ZERO, {})", ">": "lt(ZERO, {})", "==": "same(ZERO, {})"}


def quoted(text: str) -> str:
    """A string of JavaScript that is safe in a page: nothing in it ends a script or opens one."""
    shown = json.dumps(text)
    return shown.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def number_of(value: Rational, *, whole: bool = False) -> str:
    """An exact number."""
    exact = Fraction(value)
    return f"q({exact.numerator}n, {exact.denominator}n, {str(whole).lower()})"


def term_of(subject: Linear, named: Named) -> str:
    """A term."""
    parts = [_scaled(_atom(atom, named), k) for atom, k in subject.parts]
    if subject.constant or not parts:
        parts.append(number_of(subject.constant))
    found = parts[0]
    for part in parts[1:]:
        found = f"add({found}, {part})"
    return found


def formula_of(subject: Formula, named: Named) -> str:
    """A condition."""
    match subject:
        case Truth():
            return str(subject.value).lower()
        case Sign():
            return _RELATIONS[subject.relation].format(term_of(subject.subject, named))
        case Flag():
            return named(subject.symbol)
        case Not():
            return f"!({formula_of(subject.inner, named)})"
        case Junction():
            join = " && " if subject.conjunction else " || "
            return f"({join.join(formula_of(m, named) for m in subject.members)})"
    raise AssertionError(subject)


def _scaled(text: str, factor: Rational) -> str:
    return text if factor == 1 else f"mul({number_of(factor)}, {text})"


def _atom(atom: Atom, named: Named) -> str:
    match atom:
        case Symbol():
            return named(atom)
        case Product():
            found = number_of(1)
            for base, power in atom.powers:
                operation = "mul" if power > 0 else "div"
                for _ in range(abs(power)):
                    found = f"{operation}({found}, {_atom(base, named)})"
            return found
        case Group():
            return term_of(atom.inner, named)
        case Choice():
            arms = (term_of(arm, named) for arm in (atom.yes, atom.no))
            return f"({formula_of(atom.test, named)} ? {' : '.join(arms)})"
        case Opaque():
            arguments = (term_of(a, named) for a in atom.arguments)
            return f"operations[{quoted(atom.operation)}]({', '.join(arguments)})"
    raise AssertionError(atom)


# The law of each draw as JavaScript: when it exists, its support, what shifts cost, its masses.

#: What tells the masses of a law with finitely many values.
_FINITE = {"coin": "coin", "flat": "interval", "weights": "weights"}
_DRAW, _SHIFT, _BIT = "x", "d", "bit"


def law_of(node: SampleNode) -> str:
    """An object with everything that the page asks of a draw, over its parameters ``p``."""
    kind = node.step.distribution
    found = {
        "name": quoted(kind.__name__),
        "lattice": quoted(kind.lattice),
        "finite": quoted(_FINITE[kind.shape] if kind.is_finite() else ""),
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
    whole = kind.shape == "flat" and kind.is_finite()
    well_formed = TRUE if whole else law.well_formed()
    found = {"exists": f"(p) => {_condition(well_formed)}"}
    if kind.lattice == "booleans":
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
