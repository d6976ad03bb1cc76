"""Terms and conditions of the proof as JavaScript over the exact numbers of ``numbers.js``."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

from ...dsl.formulas import Choice, Flag, Formula, Junction, Not, Sign, Truth
from ...dsl.terms import Atom, Group, Linear, Opaque, Product, Rational, Symbol

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
