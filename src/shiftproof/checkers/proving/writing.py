"""A proof as a certificate says it: the prover's terms and conditions as text.

The other direction is the kernel's (``kernel/notation.py``, ``kernel/runs/vocabulary.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...alignments.alignment import Alignment
from ...dsl.language.flow import HeadNode
from ...dsl.language.syntax import Summed
from ...dsl.language.unparse import exact_text, identifier
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.relations.unknowns import MOVED_BEFORE
from ...dsl.terms.enclosures import is_plain
from ...dsl.terms.formulas import Choice, Flag, Formula, Junction, Not, Sign, Truth
from ...dsl.terms.linear import (
    Atom,
    Exp,
    Group,
    Indexed,
    Linear,
    Opaque,
    Product,
    Rational,
    Symbol,
)
from ...dsl.terms.values import Mark, Num, Value
from ..walking.certificate import Head, Part, Variable
from ..walking.runs.heads import ANYTHING, kind_of, loops
from ..walking.runs.vocabulary import text_of, text_of_constant
from .loops.heads import Described, Form, HeadPlan, cost_symbol
from .prove import Proof


class Wording:
    """The text of terms."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._costs: dict[str, str] = {}

    def speaking_of(self, rates: Iterable[Linear]) -> Wording:
        """The same, for conditions that also speak of costs."""
        closed = Wording(self._program)
        found = Wording(self._program)
        found._costs = {cost_symbol(r).key: f"cost({closed.linear(r)})" for r in rates}
        return found

    def linear(self, subject: Linear) -> str:
        """A term."""
        pieces = [self._piece(atom, k) for atom, k in subject.parts]
        if subject.constant or not pieces:
            pieces.append(str(subject.constant))
        text = pieces[0]
        for piece in pieces[1:]:
            text += f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}"
        return text

    def _piece(self, atom: Atom, k: Rational) -> str:
        if k == 1 and isinstance(atom, Symbol):
            return self._name(atom)
        sign = "-" if k < 0 else ""
        size = k if k >= 0 else -k
        above, below = self._factors(atom)
        if size.numerator != 1 or not above:
            above.insert(0, str(size.numerator))
        if size.denominator != 1:
            below.append(str(size.denominator))
        over = "*".join(above)
        if not below:
            return sign + over
        under = "*".join(below)
        return f"{sign}{over}/({under})" if len(below) > 1 else f"{sign}{over}/{under}"

    def _factors(self, atom: Atom) -> tuple[list[str], list[str]]:
        if not isinstance(atom, Product):
            return [self._atom(atom)], []
        # Of e to a plain number the kernel knows how large it is, as one power.
        plain = {
            b: b.power.scaled(p) for b, p in atom.powers if isinstance(b, Exp) and is_plain(b.power)
        }
        above = [f"exp({self.linear(power)})" for power in plain.values()]
        above += [self._atom(b) for b, p in atom.powers if b not in plain for _ in range(p)]
        below = [self._atom(b) for b, p in atom.powers if b not in plain for _ in range(-p)]
        return above, below

    def _atom(self, atom: Atom) -> str:
        if isinstance(atom, Group):
            return f"({self.linear(atom.inner)})"
        if isinstance(atom, Choice):
            arms = self.linear(atom.yes), self.linear(atom.no)
            return f"({arms[0]} if {self.formula(atom.test)} else {arms[1]})"
        if isinstance(atom, Opaque):
            arguments = [self.linear(a) for a in atom.arguments]
            if atom.operation in ("//", "%"):
                return f"(({arguments[0]}) {atom.operation} ({arguments[1]}))"
            return f"{atom.operation}({', '.join(arguments)})"
        assert isinstance(atom, Symbol)
        return self._name(atom)

    def _name(self, symbol: Symbol) -> str:
        key = symbol.key
        if isinstance(symbol, Indexed) and symbol.stem.startswith(MOVED_BEFORE):
            array = symbol.stem.removeprefix(MOVED_BEFORE).partition("[")[0]
            return f"moved_before({array})[{self.linear(symbol.index)}]"
        if key in self._costs:
            return self._costs[key]
        if key.endswith(("₁", "₂")):
            name = text_of(key[:-1])
            return name if key.endswith("₁") else f"other({name})"
        if key in self._program.inputs:
            return key
        return text_of_constant(key)

    def formula(self, subject: Formula) -> str:
        """A condition."""
        if isinstance(subject, Truth):
            return str(subject.value)
        if isinstance(subject, Flag):
            return self._name(subject.symbol)
        if isinstance(subject, Not):
            return f"not {self._inner(subject.inner)}"
        if isinstance(subject, Junction):
            word = " and " if subject.conjunction else " or "
            return word.join(map(self._inner, subject.members))
        assert isinstance(subject, Sign)
        linear = subject.subject
        left = Linear(max(linear.constant, 0), tuple((a, k) for a, k in linear.parts if k > 0))
        right = left - linear
        return f"{self.linear(left)} {subject.relation} {self.linear(right)}"

    def _inner(self, subject: Formula) -> str:
        text = self.formula(subject)
        return f"({text})" if isinstance(subject, Junction) else text


def part_of(
    program: Program, case: Case, alignment: Alignment | None, proofs: Iterable[Proof]
) -> Part:
    """The proof of one case; of one-sided claims there is no alignment, and a proof for each.

    Raises:
        Unwritable: a shift has no text.
    """
    proofs = list(proofs)
    shifts = (
        []
        if alignment is None
        else [exact_text(alignment.shifts[node.site]) for node in program.flow.sites]
    )
    closed = Wording(program)
    bounds = {rate: most for proof in proofs for rate, most in proof.bounds.items()}
    return Part(
        case=case.name,
        shifts=tuple(shifts),
        heads=tuple(_heads(program, proofs)),
        costs={closed.linear(rate): closed.linear(most) for rate, most in bounds.items()},
        alike=() if alignment is None else tuple(sorted(map(identifier, alignment.alike))),
        prices=_prices(alignment, proofs, closed),
    )


def _prices(
    alignment: Alignment | None, proofs: Sequence[Proof], closed: Wording
) -> tuple[str, ...] | None:
    """What outcomes of sums cost, the cheaper ones of a kind first; nothing if none is summed."""
    if alignment is None or not any(isinstance(s, Summed) for s in alignment.shifts.values()):
        return None
    prices = [price for proof in proofs for price in proof.system.prices]
    by_size = sorted(dict.fromkeys(prices), key=lambda p: (p.split()[1].key, p.split()[0]))
    return tuple(map(closed.linear, by_size))


def _heads(program: Program, proofs: list[Proof]) -> Iterable[Head]:
    if not proofs:
        return
    order = loops(program)
    plans = proofs[0].system.plans
    for name in sorted(plans, key=lambda n: (order.index(plans[n].node), n)):
        found = {f.key: f for p in proofs for f in p.invariants.get(name, ())}
        yield _head(program, order.index(plans[name].node), plans[name], found.values())


def _head(program: Program, loop: int, plan: HeadPlan, invariants: Iterable[Formula]) -> Head:
    here = Wording(program).speaking_of(plan.costs)
    closed = Wording(program)
    node = program.flow.nodes[plan.node]
    assert isinstance(node, HeadNode)
    return Head(
        loop=loop,
        line=node.span.line,
        variables={text_of(n): _variable(n, d, here, closed) for n, d in plan.variables.items()},
        costs={
            closed.linear(rate): ANYTHING if known is None else closed.linear(known)
            for rate, known in plan.costs.items()
        },
        invariants=tuple(map(here.formula, invariants)),
    )


def _variable(name: str, d: Described, here: Wording, closed: Wording) -> Variable:
    kind, other_kind = kind_of(d.left), kind_of(d.right)
    value, other = "", ""
    if d.form == Form.WRITTEN_IN:
        value = _value(d.left, closed)
        if d.left != d.right:
            other = _value(d.right, here)
    elif d.form == Form.OFFSET and d.left != d.right:
        assert isinstance(d.left, Num) and isinstance(d.right, Num)
        other = f"{text_of(name)} + {here.linear(d.right.term - d.left.term)}"
    elif d.form == Form.PAIR:
        other = ANYTHING
    return Variable(kind, "" if other_kind == kind else other_kind, value, other)


def _value(value: Value, wording: Wording) -> str:
    if isinstance(value, Mark):
        return ""
    return wording.linear(value.term) if isinstance(value, Num) else wording.formula(value)
