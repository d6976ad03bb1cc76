"""The rows of a proof by summation as text; the kernel reads it back (``kernel/sums_rows.py``).

A product of divisors is written one division after another, so that reading multiplies nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dsl.formulas import Formula, Sign
from ...dsl.terms import (
    Atom,
    Exp,
    Group,
    Linear,
    Opaque,
    Product,
    Rational,
    exponential,
    monomial,
)
from ..kernel.sums_claims import Released
from ..kernel.sums_rows import Term
from ..kernel.sums_table import Row


def written(rows: Sequence[Term]) -> tuple[Row, ...]:
    """The rows, in their order."""
    return tuple(
        Row(
            output=tuple(map(released_text, row.output)),
            when=tuple(map(formula, row.when)),
            probability=linear(row.probability),
        )
        for row in rows
    )


def released_text(released: Released) -> str:
    """One released value: a number as a term, its type said if it is a float."""
    kind, what = released
    if not isinstance(what, Linear):
        return repr(what)
    return linear(what) if kind == "int" else f"float({linear(what)})"


def linear(subject: Linear) -> str:
    """A term."""
    pieces = [_piece(atom, k) for atom, k in subject.parts]
    if subject.constant or not pieces:
        pieces.append(str(subject.constant))
    text = pieces[0]
    for piece in pieces[1:]:
        text += f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}"
    return text


def _piece(atom: Atom, k: Rational) -> str:
    size = k if k >= 0 else -k
    powers = atom.powers if isinstance(atom, Product) else ((atom, 1),)
    above = [f for b, p in powers for f in _power(b, p)]
    below = [f for b, p in powers for f in _power(b, -p)]
    if size.numerator != 1 or not above:
        above.insert(0, str(size.numerator))
    if size.denominator != 1:
        below.insert(0, str(size.denominator))
    return ("-" if k < 0 else "") + "/".join(["*".join(above), *below])


def _power(base: Atom, power: int) -> list[str]:
    """A positive power as factors; one of e is one factor, where that is read back as the same."""
    if power > 0 and isinstance(base, Exp):
        together = base.power.scaled(power)
        if exponential(together) == monomial(((base, power),), 1):
            return [f"exp({linear(together)})"]
    return [_atom(base)] * power


def _atom(atom: Atom) -> str:
    if isinstance(atom, Group):
        return f"({linear(atom.inner)})"
    if isinstance(atom, Opaque):
        arguments = [linear(a) for a in atom.arguments]
        if atom.operation in ("//", "%"):
            return f"(({arguments[0]}) {atom.operation} ({arguments[1]}))"
        return f"{atom.operation}({', '.join(arguments)})"
    return atom.key


def formula(subject: Formula) -> str:
    """A condition."""
    if not isinstance(subject, Sign):
        return subject.key
    whole = subject.subject
    left = Linear(max(whole.constant, 0), tuple((a, k) for a, k in whole.parts if k > 0))
    return f"{linear(left)} {subject.relation} {linear(left - whole)}"
