"""What recorded runs held at loop heads: a proposal that is false there is no invariant.

Nothing rests on it.  A proposal that is dropped wrongly costs a proof at most, and what is left
still has to be proved; so numbers are floats here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations

from ....alignments.control import finite_variables
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import Choice, Flag, Formula, Junction, Not, Sign, Truth
from ....dsl.terms.linear import Atom, Group, Linear, Product, Symbol, term
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import Value
from ...walking.runs.elements import (
    ABSENT,
    SIZE,
    WITNESSES,
    element_name,
    first_outcome,
    picked,
    range_name,
    rank,
    sort_mark,
    sort_name,
)
from ...walking.runs.known import FILL
from ...walking.runs.state import State
from .heads import Arrival, HeadPlan, cost_symbol
from .system import System

#: How many rounds of a loop are looked at, and at how many states of one shape.
MOST_ROUNDS, MOST_STATES = 100, 48
#: In how many places the two witnesses are put.
PLACINGS = 3
#: What is nearer to zero than this is zero, but for rounding.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Arrived:
    """Two recorded runs at a loop head, or what is known of them.

    ``spent``: the cost so far, in nats; ``constants``: parameters, places and moves by their names;
    ``history``: the integers that come out; ``picks``: the indices that ``top_k`` picks, in order.
    """

    node: int
    left: Mapping[str, Value]
    right: Mapping[str, Value]
    spent: Fraction | None
    constants: Mapping[str, Fraction]
    history: Sequence[int] = ()
    picks: Sequence[int] = ()


@dataclass(slots=True)
class Point:
    """The values of symbols in one state; ``truths``: the comparisons that were looked at."""

    numbers: dict[str, float]
    flags: dict[str, bool] = field(default_factory=dict)
    truths: dict[str, bool | None] = field(default_factory=dict)

    def breaks(self, formula: Formula) -> bool:
        """Whether a condition is false here, as far as is known."""
        if isinstance(formula, Junction):
            parts = (self.breaks(member) for member in formula.members)
            return any(parts) if formula.conjunction else all(parts)
        if isinstance(formula, Not):
            return self._truth(formula.inner) is True
        return self._truth(formula) is False

    def _truth(self, formula: Formula) -> bool | None:
        if isinstance(formula, Flag):
            return self.flags.get(formula.symbol.key)
        if isinstance(formula, Truth):
            return formula.value
        if not isinstance(formula, Sign):
            return None
        if formula.key not in self.truths:
            self.truths[formula.key] = self._compared(formula)
        return self.truths[formula.key]

    def _compared(self, formula: Sign) -> bool | None:
        value = self.value(formula.subject)
        if value is None:
            return None
        value = 0.0 if abs(value) < ROUNDING else value
        return {">": value > 0, ">=": value >= 0, "==": value == 0}[formula.relation]

    def value(self, subject: Linear) -> float | None:
        """A term; ``None`` where it is not known."""
        total = float(subject.constant)
        for atom, k in subject.parts:
            value = self._atom(atom)
            if value is None:
                return None
            total += k * value
        return total

    def _atom(self, atom: Atom) -> float | None:
        if atom.key in self.numbers:
            return self.numbers[atom.key]
        found: float | None = None
        if isinstance(atom, Product):
            found = self._product(atom)
        elif isinstance(atom, Group):
            found = self.value(atom.inner)
        elif isinstance(atom, Choice):
            holds = self._truth(atom.test)
            found = None if holds is None else self.value(atom.yes if holds else atom.no)
        if found is not None:
            self.numbers[atom.key] = found
        return found

    def _product(self, product: Product) -> float | None:
        total = 1.0
        for base, power in product.powers:
            value = self._atom(base)
            if value is None or (not value and power < 0):
                return None
            total *= value**power
        return total


class Seen:
    """The states of a system's heads that recorded runs came to."""

    def __init__(
        self,
        program: Program,
        places: Sequence[Symbol],
        alike: Container[str],
        system: System,
        arrived: Iterable[Arrived],
    ) -> None:
        self._flow, self._system, self._alike = program.flow, system, alike
        self._control = finite_variables(program.flow)
        self._constants = frozenset(system.constants)
        self._places = places
        self._arrived = arrived
        self._points: dict[str, dict[str, Point]] | None = None

    def breaks(self, name: str, proposal: Formula) -> bool:
        """Whether a proposal for a head is false in a state that was seen there."""
        return any(point.breaks(proposal) for point in self._at(name))

    def _at(self, name: str) -> Iterable[Point]:
        if self._points is None:
            self._points = {}
            looked = Counter[int]()
            for arrived in self._arrived:
                looked[arrived.node] += 1
                if looked[arrived.node] > MOST_ROUNDS:
                    continue
                for head, point in self._described(arrived):
                    known = self._points.setdefault(head, {})
                    if len(known) < MOST_STATES:
                        known.setdefault(f"{point.numbers}{point.flags}", point)
        return self._points.get(name, {}).values()

    def _described(self, arrived: Arrived) -> Iterator[tuple[str, Point]]:
        """A state in the words of the system, once for each placing of the witnesses."""
        for witnesses in self._placings(arrived):
            constants = Point({name: float(v) for name, v in arrived.constants.items()})
            constants.numbers.update((w.key, float(at)) for w, at in witnesses.items())
            self._tell_outcome(arrived, constants, witnesses)
            places = {p: arrived.constants.get(p.key) for p in self._places} | witnesses
            left, right = (self._tracked(v, places) for v in (arrived.left, arrived.right))
            state = State(arrived.node, left, right)
            arrival = Arrival(state, self._flow, self._constants, self._control)
            plan = self._system.plans.get(arrival.name)
            if plan is not None:
                yield arrival.name, self._point(plan, arrival, arrived, constants)
            if not any(name.endswith("#len") for name in arrived.left):
                return  # there are no lists that the witnesses speak of

    def _tracked(
        self, values: Mapping[str, Value], places: Mapping[Symbol, Fraction | int | None]
    ) -> dict[str, Value]:
        """Variables of a run, and of its lists the elements at the places that are tracked."""
        found = {n: v for n, v in values.items() if not _is_element(n)}
        for array in (n.removesuffix("#len") for n in values if n.endswith("#len")):
            anywhere = values.get(element_name(array, FILL), ABSENT)
            if array in self._alike:
                found[sort_name(array)] = sort_mark(values.get(f"{array}#0", anywhere))
            elif range_name(array) not in values:
                for place, at in places.items():
                    here = values.get(f"{array}#{at}", anywhere)
                    found[element_name(array, term(place))] = here
        return found

    def _placings(self, arrived: Arrived) -> Iterator[dict[Symbol, int]]:
        """Two indices that are no place where answers differ."""
        taken = {arrived.constants.get(place.key) for place in self._places}
        free = [i for i in range(len(taken) + PLACINGS) if i not in taken]
        for pair in islice(permutations(free, 2), PLACINGS):
            yield dict(zip(WITNESSES, pair, strict=True))

    def _tell_outcome(
        self, arrived: Arrived, constants: Point, witnesses: Mapping[Symbol, int]
    ) -> None:
        """What is foretold, and which of the tracked indices are picked."""
        numbers = constants.numbers
        numbers.update((first_outcome(k).key, float(v)) for k, v in enumerate(arrived.history))
        numbers[SIZE.key] = float(len(arrived.picks))
        for place in (*self._places, *WITNESSES):
            at = witnesses.get(place, arrived.constants.get(place.key))
            chosen, order = symbols_of(picked(term(place))), symbols_of(rank(term(place)))
            numbers.update((s.key, 1.0 if at in arrived.picks else -1.0) for s in chosen)
            if at in arrived.picks:
                numbers.update((s.key, float(arrived.picks.index(int(at or 0)))) for s in order)

    def _point(self, plan: HeadPlan, arrival: Arrival, arrived: Arrived, constants: Point) -> Point:
        point = Point(dict(constants.numbers))
        costs = {cost_symbol(rate) for rate, known in plan.costs.items() if known is None}
        for variable, value in zip(plan.state(), plan.arguments(arrival), strict=True):
            if variable.symbol in costs:
                continue
            if isinstance(value, Truth):
                point.flags[variable.symbol.key] = value.value
            elif isinstance(value, Linear) and value.is_constant:
                point.numbers[variable.symbol.key] = float(value.constant)
        self._tell_costs(plan, arrived, point)
        return point

    def _tell_costs(self, plan: HeadPlan, arrived: Arrived, point: Point) -> None:
        """What is paid at the one rate that is not settled, if there is only one."""
        unsettled = [rate for rate, known in plan.costs.items() if known is None]
        if arrived.spent is None or len(unsettled) != 1:
            return
        left = float(arrived.spent)
        for rate, known in plan.costs.items():
            if known is not None:
                amount = point.value(known * rate)
                if amount is None:
                    return
                left -= amount
        worth = point.value(unsettled[0])
        if worth:
            point.numbers[cost_symbol(unsettled[0]).key] = left / worth


def _is_element(name: str) -> bool:
    """Whether a variable of a path holds an element of a list."""
    array, _, what = name.partition("#")
    return bool(what) and not array.startswith("@") and what not in ("len", "range")
