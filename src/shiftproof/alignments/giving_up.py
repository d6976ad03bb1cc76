"""What may be given up of a draw where a δ is claimed: tails in which the two runs would part.

They begin where a comparison of the noise with something public comes out otherwise on D', where a
clamp ends, or where noise that has an end would be moved past it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ..dsl.language.flow import AssignNode, Flow, SampleNode, expressions_of, writes
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Builtin,
    Capped,
    Cell,
    Comparison,
    Constant,
    Counted,
    Expression,
    Name,
    Other,
    Unless,
    names_in,
    parts_of,
)
from ..dsl.relations.program import Program
from ..dsl.terms.linear import Group, Linear, Opaque, Product, Symbol
from .simplifying import ONE, ZERO, both, over, rewrite, same_text

#: How many ways to give something up are tried for a draw, and how many together.
WAYS, TOGETHER = 10, 24
#: What private values may be where runs part, in units of how far they can move.
MULTIPLES = (1, 0, 2)


class Tails:
    """What may be given up of each draw of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._public = {n for n, kind in program.inputs.items() if kind.public}
        self._defined = _public_variables(program.flow, self._public)

    def ways(
        self,
        node: SampleNode,
        guards: Iterable[Expression],
        private: Sequence[Expression],
        tests: Sequence[Expression],
        bounds: Sequence[Expression],
    ) -> Iterator[tuple[Expression, ...]]:
        """Tests of a draw, each way several that are given up together.

        Args:
            node: the draw.
            guards: comparisons that it takes part in.
            private: the private values beside it.
            tests: what is asked of them.
            bounds: how far the answers beside it can move.
        """
        target = node.step.target
        for ends in (self._ends(node, bounds), self._clamps(target, bounds)):
            for e in private if ends else ():
                yield tuple(_where(test, e, way) for test, way in ends)
        found: list[Comparison] = []
        for guard in guards:
            for part in parts_of(guard):
                if isinstance(part, Comparison) and target in names_in(part):
                    found += self._tests(part, target, bounds)
        for test, where in itertools.product(found, (*differing(private, tests), None)):
            yield (test if where is None else both((where, test)),)

    def _tests(
        self, compared: Comparison, target: str, bounds: Sequence[Expression]
    ) -> Iterator[Comparison]:
        """Where a comparison comes out, for several values of what is private in it."""
        sides = _isolated(Arithmetic(NOWHERE, "-", compared.left, compared.right), target)
        if sides is None or compared.operator not in ("<", "<=", ">", ">="):
            return
        sign, rest = sides
        end = rest if sign < 0 else negative(rest)
        upwards = (compared.operator[0] == ">") == (sign > 0)
        operator = (">" if upwards else "<") + compared.operator[1:]
        for unit, k in itertools.product(bounds or (ONE,), MULTIPLES):
            known = rewrite(_without_private(end, self._is_public, unit, k), self._defined)
            if all(n in self._public for n in names_in(known)):
                yield Comparison(NOWHERE, operator, Name(NOWHERE, target), known)

    def _is_public(self, name: str) -> bool:
        return name in self._public or name in self._defined

    def _ends(self, node: SampleNode, bounds: Sequence[Expression]) -> list[tuple[Comparison, str]]:
        """Draws that a shift would move past an end of the support, and which way it goes."""
        names = dict(zip(node.step.distribution.parameters, node.step.arguments, strict=False))
        found = []
        for end, operator, sign in zip(node.step.distribution.ends, "<>", "+-", strict=True):
            if end and bounds:
                at = names.get(end) or Constant(NOWHERE, Fraction(end), "int")
                last = rewrite(Arithmetic(NOWHERE, sign, at, bounds[-1]), self._defined)
                if all(n in self._public for n in names_in(last)):
                    test = Comparison(NOWHERE, operator, Name(NOWHERE, node.step.target), last)
                    found.append((test, operator))
        return found

    def _clamps(self, target: str, bounds: Sequence[Expression]) -> list[tuple[Comparison, str]]:
        """Draws that a ``min`` or ``max`` cuts off, or would cut off once they are moved."""
        found = list[tuple[Comparison, str]]()
        for node in self._program.flow.nodes:
            for part in (p for e in expressions_of(node) for p in parts_of(e)):
                if not isinstance(part, Builtin) or part.function not in ("min", "max"):
                    continue
                operator, sign = (">", "-") if part.function == "min" else ("<", "+")
                for one, other in itertools.permutations(part.arguments, 2):
                    if target not in names_in(one):
                        continue
                    compared = Comparison(NOWHERE, operator, _unclamped(one, target), other)
                    for cut in itertools.islice(self._tests(compared, target, bounds), 1):
                        before = Arithmetic(NOWHERE, sign, cut.right, bounds[-1])
                        moved = Comparison(NOWHERE, operator, cut.left, before)
                        back = "<" if operator == ">" else ">"
                        found += (e for e in ((moved, operator), (cut, back)) if e not in found)
        return found

    def capped(
        self,
        node: SampleNode,
        shift: Expression,
        private: Expression,
        bound: Expression,
        share: Linear,
    ) -> Expression | None:
        """Normal noise that is given up where its shift would cost more than a share of ε.

        It goes the way in which a private value beside it moves.
        """
        sigma = rewrite(node.step.arguments[0], self._defined)
        epsilon = as_expression(share)
        if epsilon is None or not all(n in self._public for n in names_in(sigma)):
            return None
        variance = Arithmetic(NOWHERE, "*", sigma, sigma)
        part = over(Arithmetic(NOWHERE, "*", variance, epsilon), bound)
        end = Arithmetic(NOWHERE, "-", part, over(bound, _number(2)))
        drawn = Name(NOWHERE, node.step.target)
        up = _where(Comparison(NOWHERE, ">", drawn, end), private, ">")
        down = _where(Comparison(NOWHERE, "<", drawn, negative(end)), private, "<")
        given_up = [up, down]
        while isinstance(shift, Unless):
            given_up.append(shift.test)
            shift = shift.shift
        return unless(Capped(NOWHERE, shift, end, bound), given_up)


def _where(test: Comparison, private: Expression, way: str) -> Expression:
    """A test where a private value is larger on D, or smaller."""
    return both((Comparison(NOWHERE, way, private, Other(NOWHERE, private)), test))


def _unclamped(e: Expression, target: str) -> Expression:
    """What a ``min`` or ``max`` cuts, if a variable is in it."""
    while isinstance(e, Builtin) and e.function in ("min", "max"):
        e = next((part for part in e.arguments if target in names_in(part)), e.arguments[0])
    return e


def differing(private: Iterable[Expression], tests: Iterable[Expression]) -> list[Expression]:
    """Conditions that what is asked of private values, or these values, are not the same on D'."""
    found: list[Expression] = []
    for e in (*tests, *private):
        unlike = Comparison(NOWHERE, "!=", e, Other(NOWHERE, e))
        if not same_text(unlike, found):
            found.append(unlike)
    return found


def unless(shift: Expression, tests: Iterable[Expression]) -> Expression:
    """The shift of a draw of which some are given up."""
    for test in tests:
        shift = Unless(NOWHERE, test, shift)
    return shift


def _public_variables(flow: Flow, public: set[str]) -> dict[str, Expression]:
    """Variables that are assigned once, what is made of public inputs."""
    times: dict[str, int] = {}
    for node in flow.nodes:
        for name in writes(node):
            times[name] = times.get(name, 0) + 1
    found: dict[str, Expression] = {}
    for node in flow.nodes:
        for name, e in zip(*_assigned(node), strict=True):
            value = rewrite(e, found)
            if times[name] == 1 and names_in(value) <= public:
                found[name] = value
    return found


def _assigned(node: object) -> tuple[tuple[str, ...], tuple[Expression, ...]]:
    return (node.step.targets, node.step.values) if isinstance(node, AssignNode) else ((), ())


def _isolated(e: Expression, target: str) -> tuple[int, Expression] | None:
    """``e`` as plus or minus a variable and a rest; ``None`` if it is in it otherwise."""
    if target not in names_in(e):
        return 0, e
    if isinstance(e, Name):
        return 1, ZERO
    if not isinstance(e, Arithmetic) or e.operator not in "+-":
        return None
    left, right = _isolated(e.left, target), _isolated(e.right, target)
    if left is None or right is None:
        return None
    sign = left[0] + (right[0] if e.operator == "+" else -right[0])
    rest = Arithmetic(NOWHERE, e.operator, left[1], right[1])
    return (sign, rewrite(rest, {})) if sign in (1, -1) else None


def _without_private(
    e: Expression, is_public: Callable[[str], bool], unit: Expression, multiple: int
) -> Expression:
    """An expression with so many units in the place of each private value."""
    if isinstance(e, Name | Cell | Counted) and not all(map(is_public, names_in(e))):
        return rewrite(Arithmetic(NOWHERE, "*", _number(multiple), unit), {})
    if isinstance(e, Arithmetic):
        parts = (_without_private(p, is_public, unit, multiple) for p in (e.left, e.right))
        return rewrite(Arithmetic(NOWHERE, e.operator, *parts), {})
    return e


def as_expression(subject: Linear) -> Expression | None:
    """A term over public parameters, as an expression."""
    total: Expression | None = _number(subject.constant) if subject.constant else None
    for atom, k in subject.parts:
        part = _of_atom(atom)
        if part is None:
            return None
        part = part if k == 1 else Arithmetic(NOWHERE, "*", _number(k), part)
        total = part if total is None else Arithmetic(NOWHERE, "+", total, part)
    return ZERO if total is None else total


def _of_atom(atom: object) -> Expression | None:
    if isinstance(atom, Product):
        top: Expression | None = ONE
        for base, power in atom.powers:
            factor = _of_atom(base)
            for _ in range(abs(power)):
                if factor is None or top is None:
                    return None
                top = Arithmetic(NOWHERE, "*" if power > 0 else "/", top, factor)
        return top
    if isinstance(atom, Group):
        return as_expression(atom.inner)
    if isinstance(atom, Opaque) and atom.operation in ("exp", "log", "sqrt"):
        inner = as_expression(atom.arguments[0])
        return None if inner is None else Builtin(NOWHERE, atom.operation, (inner,))
    return Name(NOWHERE, atom.key) if type(atom) is Symbol else None


def negative(e: Expression) -> Expression:
    """``-e``, of a difference the other way round."""
    match e:
        case Arithmetic(operator="-", left=left, right=right):
            return right if left == ZERO else Arithmetic(NOWHERE, "-", right, left)
        case Arithmetic(operator="+", left=left, right=right):
            return Arithmetic(NOWHERE, "-", negative(left), right)
        case Constant(value=value):
            return _number(-value)
    return Arithmetic(NOWHERE, "-", ZERO, e)


def _number(value: int | Fraction) -> Constant:
    exact = Fraction(value)
    return Constant(NOWHERE, exact, "int" if exact.denominator == 1 else "float")


def choices(ways: Mapping[int, Sequence[tuple[Expression, ...]]]) -> Iterator[dict[int, int]]:
    """Which way of which draw to take: of one draw alone, or the same of all that have it."""
    found: list[dict[int, int]] = []
    for k in range(WAYS):
        found.append({site: k for site, own in ways.items() if k < len(own)})
        if len(ways) > 1:
            found += ({site: k} for site, own in ways.items() if k < len(own))
    seen: list[dict[int, int]] = []
    for one in found:
        if one and one not in seen:
            seen.append(one)
    yield from seen[:TOGETHER]
