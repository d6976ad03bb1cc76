"""How both runs are described at a loop head: which state variables it takes.

A *shape* (the Python type of each variable in each run, and the value of those that loops go by)
gives a head a predicate of its own, so ``best = None`` before the loop and a number later are told
apart, and so are the states of an automaton.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from ....dsl.language.flow import Flow
from ....dsl.terms.formulas import Flag, Formula, truth
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import Mark, Num, Value
from ...walking.runs.state import State


class Form(IntEnum):
    """How a variable is described, from cheap to general."""

    WRITTEN_IN = 0  # both values are known terms that never change
    OFFSET = 1  # one state variable; the other run differs by a known term
    PAIR = 2  # one state variable for each run


@dataclass(frozen=True, slots=True)
class StateVariable:
    """A variable of a predicate: a number or, if ``boolean``, a flag."""

    symbol: Symbol
    boolean: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """One program variable at a head: its values in both runs when first met, and its form."""

    form: Form
    left: Value
    right: Value
    private: bool

    @property
    def hidden(self) -> bool:
        """Whether its state variables may hold noise or private answers."""
        return self.private or self.form == Form.PAIR


class Arrival:
    """A path that has come to a loop head."""

    def __init__(
        self,
        state: State,
        flow: Flow,
        constants: frozenset[Symbol],
        control: frozenset[str] = frozenset(),
    ) -> None:
        self.node = state.node
        self.assigned = flow.assigned[state.node]
        needed = flow.live[state.node]
        live = sorted(n for n in state.left if _owner(n) in needed or n.startswith("@"))
        self.values = {n: (_told(state, state.left[n]), _told(state, state.right[n])) for n in live}
        self.costs = dict(state.costs)
        self._constants = constants
        self._settled = {n for n in control & self.values.keys() if _are_numbers(self.values[n])}
        shapes = ",".join(f"{n}:{self._shape(n)}" for n in self.values)
        self.name = f"loop{state.node}<{shapes}>"

    def _shape(self, name: str) -> str:
        left, right = self.values[name]
        if name in self._settled:
            assert isinstance(left, Num) and isinstance(right, Num)
            return f"{left.term}/{right.term}"
        return f"{_shape(left)}/{_shape(right)}"

    def closed(self, value: Linear | Formula) -> bool:
        """Whether the value is built from parameters and ghosts, so it means the same anywhere."""
        return all(s.fixed or s in self._constants for s in symbols_of(value))

    def described(self, name: str) -> Described:
        """The variable in the cheapest form that could fit."""
        left, right = self.values[name]
        return Described(self._form(name), left, right, self.holds_private(name))

    def holds_private(self, name: str) -> bool:
        """Whether the value on D is built from noise or private answers."""
        left, _ = self.values[name]
        return not isinstance(left, Mark) and any(s.private for s in symbols_of(_meaning(left)))

    def _form(self, name: str) -> Form:
        left, right = self.values[name]
        if isinstance(left, Mark) or isinstance(right, Mark):
            return Form.PAIR if _number_or_flag(left) or _number_or_flag(right) else Form.WRITTEN_IN
        left_term, right_term = _meaning(left), _meaning(right)
        changes = name in self.assigned or (_owner(name) in self.assigned and not _is_size(name))
        changes = changes and name not in self._settled
        if not changes and self.closed(left_term) and self.closed(right_term):
            return Form.WRITTEN_IN
        if isinstance(left, Num) and isinstance(right, Num):
            return Form.OFFSET if self.closed(right.term - left.term) else Form.PAIR
        return Form.OFFSET if left == right else Form.PAIR


def _told(state: State, value: Value) -> Value:
    """A flag as plainly true or false if the path decides it."""
    decided = state.decide(value) if isinstance(value, Formula) else None
    return value if decided is None else truth(decided)


def _owner(name: str) -> str:
    """The list that a variable of a path belongs to; the variable itself if to none."""
    return name.partition("#")[0]


def _is_size(name: str) -> bool:
    return name.endswith(("#len", "#range"))


def _are_numbers(values: tuple[Value, Value]) -> bool:
    return all(isinstance(v, Num) and v.term.is_constant for v in values)


def _number_or_flag(value: Value) -> bool:
    return not isinstance(value, Mark)


def _meaning(value: Num | Formula) -> Linear | Formula:
    return value.term if isinstance(value, Num) else value


def _shape(value: Value) -> str:
    if isinstance(value, Num):
        return value.kind
    return "bool" if isinstance(value, Formula) else f"={value.value!r}"


def cost_symbol(rate: Linear) -> Symbol:
    """The state variable that counts the cost of one rate."""
    return Symbol(f"cost of {rate}", private=True)


class HeadPlan:
    """The description of one head in one shape; only ever becomes more general."""

    def __init__(self, arrival: Arrival) -> None:
        self.node = arrival.node
        self.variables = {n: arrival.described(n) for n in arrival.values}
        self.costs: dict[Linear, Linear | None] = {
            rate: total if arrival.closed(total) else None for rate, total in arrival.costs.items()
        }

    def widen(self, arrival: Arrival) -> bool:
        """Make room for another arrival; whether anything had to change."""
        changed = False
        for name, described in self.variables.items():
            form = max(described.form, self._needed(described, arrival, name))
            private = described.private or arrival.holds_private(name)
            if (form, private) != (described.form, described.private):
                self.variables[name] = replace(described, form=form, private=private)
                changed = True
        for rate in dict.fromkeys((*self.costs, *arrival.costs)):
            known = self.costs.get(rate, number(0))
            if known is not None and arrival.costs.get(rate, number(0)) != known:
                self.costs[rate] = None
                changed = True
        return changed

    def _needed(self, described: Described, arrival: Arrival, name: str) -> Form:
        left, right = arrival.values[name]
        if (left, right) == (described.left, described.right) and described.form == Form.WRITTEN_IN:
            return Form.WRITTEN_IN
        if isinstance(left, Num) and isinstance(right, Num):
            assert isinstance(described.left, Num) and isinstance(described.right, Num)
            same = right.term - left.term == described.right.term - described.left.term
            closed = arrival.closed(right.term - left.term)
            return Form.OFFSET if same and closed else Form.PAIR
        return Form.OFFSET if left == right and described.left == described.right else Form.PAIR

    def state(self) -> tuple[StateVariable, ...]:
        """The state variables, in the order of :meth:`arguments`."""
        found: list[StateVariable] = []
        for name, d in self.variables.items():
            for value, mark, needed in (
                (d.left, "₁", d.form >= Form.OFFSET),
                (d.right, "₂", d.form == Form.PAIR),
            ):
                if needed and not isinstance(value, Mark):
                    found.append(_variable(name + mark, value, d.hidden))
        costs = (StateVariable(s) for rate, s in self._cost_symbols())
        return (*found, *costs)

    def _cost_symbols(self) -> list[tuple[Linear, Symbol]]:
        open_rates = sorted((r for r, v in self.costs.items() if v is None), key=str)
        return [(r, cost_symbol(r)) for r in open_rates]

    def arguments(self, arrival: Arrival) -> tuple[Linear | Formula, ...]:
        """What an arrival puts in for the state variables."""
        found: list[Linear | Formula] = []
        for name, d in self.variables.items():
            left, right = arrival.values[name]
            if d.form >= Form.OFFSET and not isinstance(left, Mark):
                found.append(_meaning(left))
            if d.form == Form.PAIR and not isinstance(right, Mark):
                found.append(_meaning(right))
        found += [arrival.costs.get(rate, number(0)) for rate, _ in self._cost_symbols()]
        return tuple(found)

    def start(self) -> State:
        """The path that begins at the head, its state unknown."""
        state = State(self.node)
        for name, d in self.variables.items():
            state.left[name] = self._value(name + "₁", d, d.left, d.form >= Form.OFFSET)
            if d.form <= Form.OFFSET and d.left == d.right:
                state.right[name] = state.left[name]
            elif d.form == Form.OFFSET and isinstance(d.left, Num) and isinstance(d.right, Num):
                left = state.left[name]
                assert isinstance(left, Num)
                state.right[name] = Num(left.term + (d.right.term - d.left.term), d.right.kind)
            elif d.form == Form.OFFSET:
                state.right[name] = state.left[name]
            else:
                state.right[name] = self._value(name + "₂", d, d.right, d.form == Form.PAIR)
        state.learn_functions()
        for rate, known in self.costs.items():
            if known is not None:
                state.costs[rate] = known
        state.costs.update((rate, term(symbol)) for rate, symbol in self._cost_symbols())
        return state

    def _value(self, shown: str, d: Described, value: Value, unknown: bool) -> Value:
        if isinstance(value, Mark) or not unknown:
            return value
        variable = _variable(shown, value, d.hidden)
        if isinstance(value, Num):
            return Num(term(variable.symbol), value.kind)
        return Flag(variable.symbol)


def _variable(name: str, value: Value, private: bool) -> StateVariable:
    if isinstance(value, Num):
        # A pair may hold noise or private answers: reals will do for the solver.
        return StateVariable(Symbol(name, value.kind == "int", private=private))
    return StateVariable(Symbol(name, private=private), boolean=True)
