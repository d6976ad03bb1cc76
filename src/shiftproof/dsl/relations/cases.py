"""How the private inputs of a program differ between D and D', as symbols and facts.

A *case* covers a part of the neighbour relation (a record is removed, a record is
added); a proof is owed for each.  In a case every private answer is a fresh symbol
and its difference another one, limited by what was derived from policy and query.
Where only some answers move, the places that move are *ghosts*: unknown constants
of the pair (D, D'), so that a second read of the same answer differs by the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..errors import BadInput
from ..privacy.definitions import Privacy
from ..privacy.inputs import DataSet, EpsilonInput, InputKind, Secret, Value, Values
from ..privacy.records import (
    AFTER,
    BEFORE,
    attribute,
    changes,
    count_of,
    facts_of,
    kept,
    others,
    replaced,
)
from ..terms.formulas import (
    Formula,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    implies,
    negation,
)
from ..terms.linear import Indexed, Linear, Symbol, number, term
from ..terms.substitution import symbols_of
from .moves import (
    Move,
    bounds_of,
    check_kind,
    check_named,
    in_one_direction,
    most_together,
    moves_of,
    names_of_directions,
)
from .pairs import Pairing, Rule, as_rule, number_kinds
from .unknowns import MOVE, PLACE, answer_of, change_of, moved_before, place_of, value_at, within

ONE_SIDED = "one-sided claims"  # the case in which D' is D, and what is proved in it


@dataclass(frozen=True, slots=True)
class Pair:
    """A private number in D and in D', with what is known of the two."""

    left: Linear
    right: Linear
    facts: tuple[Formula, ...] = ()


@dataclass(slots=True)
class Case:
    """One case of the relation: the moves of every private input, and the ghosts."""

    name: str
    inputs: Mapping[str, InputKind]
    moves: Mapping[str, Move]
    ghosts: list[Symbol] = field(default_factory=list)
    facts: list[Formula] = field(default_factory=list)
    rule: Rule | None = None
    pairing: Pairing | None = None
    budget: Linear | None = None
    distance: Linear | None = None

    def __post_init__(self) -> None:
        for name, move in self.moves.items():
            self._add_ghosts(name, move)
            if move.where == "record":
                self._add_record(name, move)
            if not self.inputs[name].array and move.where != "record":
                pair = self.scalar(name)
                self.facts += pair.facts
                for symbol in (*symbols_of(pair.left), *symbols_of(pair.right)):
                    if symbol not in self.ghosts and not symbol.fixed:
                        self.ghosts.append(symbol)
        if self.pairing is not None:
            self.facts += self.pairing.neighbours(*self.values())
        self._add_users()
        self._add_policies()

    def _add_users(self) -> None:
        """Several sequences are of the same users: one and the same of them differs."""
        rows = {f"{PLACE}1({n})" for n in self.moves if isinstance(self.inputs[n], Values)}
        places = [term(g) for g in self.ghosts if g.key in rows]
        self.facts += [equal(places[0], place) for place in places[1:]]

    def _add_policies(self) -> None:
        """A value that a policy does not protect stays as it is, or all of the record does."""
        left, right = self.values()
        for name in left:
            move = self.moves[name]
            if isinstance(self.inputs[name], Value) and move.policy is not None:
                self.facts += kept(left[name], right[name], move.policy)
        whole = next((m.whole for m in self.moves.values() if m.whole is not None), None)
        if whole is not None:
            pairs = [pair for n in self.moves for pair in self._attributes(n)]
            pairs += [(left[n], right[n]) for n in left]
            self.facts.append(replaced(pairs, whole))

    def _attributes(self, name: str) -> list[tuple[Linear, Linear]]:
        """The differing record of a data set, before and after; of other inputs nothing."""
        kind = self.inputs[name]
        indices = range(kind.attributes) if isinstance(kind, DataSet) else ()
        before, after = BEFORE + name, AFTER + name
        return [(attribute(before, number(k)), attribute(after, number(k))) for k in indices]

    def values(self) -> tuple[dict[str, Linear], dict[str, Linear]]:
        """The private values that differ, in D and in D'; of many users' those of the one user."""
        found: tuple[dict[str, Linear], dict[str, Linear]] = ({}, {})
        for name in self.moves:
            kind = self.inputs[name]
            if not isinstance(kind, Value | Secret):
                continue
            if not kind.array:
                pair = self.scalar(name)
                left, right = pair.left, pair.right
            else:
                left = value_at(name, kind)
                right = left - change_of(name, kind)
            found[0][name], found[1][name] = left, right
        return found

    def changes(self) -> list[tuple[tuple[Linear, ...], tuple[Linear, ...]]]:
        """What the records and values that differ hold, in D and in D'; nothing where one is not.

        A user who differs has one value, a record of a data set its attributes.
        """
        left, right = self.values()
        found: list[tuple[tuple[Linear, ...], tuple[Linear, ...]]]
        found = [((left[n],), (right[n],)) for n in left]
        for name, move in self.moves.items():
            pairs = self._attributes(name)
            if pairs:
                before, after = zip(*pairs, strict=True)
                there, still = move.present
                found.append((before if there else (), after if still else ()))
        return found

    def pieces(self) -> tuple[Case, ...]:
        """The case in pieces on each of which the budget of a pair is one term."""
        if self.pairing is None:
            return (self,)
        pieces = self.pairing.allowances(*self.values())
        several = len(pieces) > 1
        return tuple(
            replace(
                self,
                name=f"{self.name} budget {k}".lstrip() if several else self.name,
                ghosts=list(self.ghosts),
                facts=[*self.facts, *piece.when],
                budget=piece.budget,
                distance=piece.distance,
            )
            for k, piece in enumerate(pieces, start=1)
        )

    def _add_ghosts(self, name: str, move: Move) -> None:
        if move.norm:
            self.facts.append(equal(moved_before(name, number(0)), number(0)))
            self.facts.append(at_least(most_together(move), number(0)))
        places = {"one": 1, "two": 2, "window": 2 if move.opposed else 1}.get(move.where, 0)
        kind = self.inputs[name]
        for k in range(1, places + 1):
            self.ghosts += symbols_of(place_of(name, k))
            if not move.by:
                self.facts.append(at_least(place_of(name, k), number(0)))
            if isinstance(kind, Values) and move.where == "one":
                here = value_at(name, kind)
                self.ghosts += symbols_of(here)
                for side in (here, here - change_of(name, kind)):
                    inside = within(side, *bounds_of(kind, self.inputs))
                    self.facts += self._if_there_is(name, inside)
            if move.where != "window" and not move.by:
                change = change_of(name, kind, k)
                self.ghosts += symbols_of(change)
                between = within(change, move.low, move.high)
                self.facts += self._if_there_is(name, between)
        if move.where == "two":
            if not move.mixed:
                self.facts.append(negation(equal(place_of(name, 1), place_of(name, 2))))
            if move.opposed and not move.by:
                up, down = (change_of(name, kind, k) for k in (1, 2))
                self.facts += [at_least(up, number(0)), at_least(number(0), down)]

    def _if_there_is(self, name: str, facts: list[Formula]) -> list[Formula]:
        """What is said of the user who differs; where a range may be empty, there may be none.

        What is said of the other inputs must hold of them then, too.
        """
        kind = self.inputs[name]
        if not isinstance(kind, Value) or kind.never_empty:
            return facts
        nobody = equal(term(Symbol(f"len({name})", True, fixed=True)), number(0))
        return [disjunction((nobody, fact)) for fact in facts]

    def _add_record(self, name: str, move: Move) -> None:
        """The record that differs, before and after: one and the same for every count."""
        for k, pair in enumerate(self._attributes(name)):
            for symbol in pair:
                self.ghosts += symbols_of(symbol)
            self.facts += changes(name, number(k), move.policy, all(move.present))

    @property
    def places(self) -> tuple[Symbol, ...]:
        """The ghosts that say where answers differ."""
        return tuple(g for g in self.ghosts if g.key.startswith(PLACE) and g.key.endswith(")"))

    def counted(self, data: str, test: Formula) -> Pair:
        """How many records of a data set meet a condition."""
        move = self.moves[data]
        left, right = (
            count_of(test, data, name) if present else others(test, data)
            for name, present in zip((BEFORE, AFTER), move.present, strict=True)
        )
        return Pair(left, right, tuple(facts_of(test, data, move.policy, all(move.present))))

    def scalar(self, name: str) -> Pair:
        """A private scalar input."""
        return self._pair(name, None)

    def cell(self, array: str, index: Linear) -> Pair:
        """One answer of a private sequence; equal index terms give the same symbols."""
        return self._pair(array, index)

    def _pair(self, name: str, index: Linear | None) -> Pair:
        kind, move = self.inputs[name], self.moves[name]
        left = answer_of(name, kind.whole, index)
        difference, facts = self._difference(name, move, index)
        right = left - difference
        if move.where == "rule":
            facts = self._ruled(index)
        if kind.minimum is not None:
            facts += [at_least(side, number(kind.minimum)) for side in (left, right)]
        if isinstance(kind, Value):
            for side in (left, right):
                facts += within(side, *bounds_of(kind, self.inputs))
        if isinstance(kind, Values) and move.where == "one":
            assert index is not None
            here = equal(index, place_of(name, 1))
            facts.append(implies(here, equal(left, value_at(name, kind))))
        return Pair(left, right, tuple(facts))

    def _ruled(self, index: Linear | None) -> list[Formula]:
        """What the rule says of all private inputs at one index; scalars stand at every index."""
        assert self.rule is not None
        arrays = [n for n in self.rule.parameters if self.inputs[n].array]
        if index is None and arrays:
            return []  # said wherever an element is read, together with it
        left: dict[str, Linear] = {}
        right: dict[str, Linear] = {}
        for name in self.rule.parameters:
            whole, at = self.inputs[name].whole, index if self.inputs[name].array else None
            if self.inputs[name].public:
                left[name] = right[name] = term(Symbol(name, whole, fixed=True))
                continue
            left[name] = answer_of(name, whole, at)
            right[name] = left[name] - answer_of(MOVE + name, whole, at)
        kinds = number_kinds(self.inputs, self.rule.parameters)
        return list(self.rule.facts(left, right, kinds))

    def _difference(
        self, name: str, move: Move, index: Linear | None
    ) -> tuple[Linear, list[Formula]]:
        whole = self.inputs[name].whole
        if move.by:
            assert index is not None
            return self._at_locations(name, move, index)
        if move.where in ("one", "two"):
            assert index is not None
            total = number(0)
            for k in range(1, 3 if move.where == "two" else 2):
                change = change_of(name, self.inputs[name], k)
                total = total + choice(equal(index, place_of(name, k)), change, number(0))
            return total, []
        if move.where in ("rule", "anywhere"):
            return answer_of(MOVE + name, whole, index), []
        if move.low == move.high:
            return move.low, []
        if move.where == "window":
            assert index is not None
            return self._in_windows(name, move, index)
        delta = answer_of(MOVE + name, whole, index)
        facts = within(delta, move.low, move.high)
        if move.norm:
            assert index is not None
            before, after = (moved_before(name, index + number(k)) for k in (0, 1))
            facts += [equal(after, self.moved_after(name, index)), at_least(after, before)]
            facts += [at_least(before, number(0)), at_least(most_together(move), after)]
        return delta, facts

    def moved_after(self, name: str, index: Linear) -> Linear:
        """What the differences of answers, in a norm, add up to behind an index."""
        delta = answer_of(MOVE + name, self.inputs[name].whole, index)
        size = choice(at_least(delta, number(0)), delta, -delta)
        step = delta * delta if self.moves[name].norm == 2 else size
        return moved_before(name, index) + step

    def _in_windows(self, name: str, move: Move, index: Linear) -> tuple[Linear, list[Formula]]:
        """The difference of an answer that counts those of the last steps."""
        whole, zero = self.inputs[name].whole, number(0)
        bounds = [(move.low, move.high)]
        if move.opposed:
            bounds = [(zero, move.high), (move.low, zero)]
        total, facts = zero, []
        for k, (low, high) in enumerate(bounds, start=1):
            delta = answer_of(f"{MOVE}{name}" if k == 1 else f"{MOVE}{name}, other", whole, index)
            facts += within(delta, low, high)
            start = place_of(name, k)
            inside = conjunction((at_least(index, start), above(start + move.width, index)))
            total = total + choice(inside, delta, zero)
        return total, facts

    def _at_locations(self, name: str, move: Move, index: Linear) -> tuple[Linear, list[Formula]]:
        """The difference of an answer that belongs to a location."""
        here = term(Indexed(move.by + "[{}]", index, True, private=False))
        delta = answer_of(MOVE + name, self.inputs[name].whole, index)
        facts, zero = within(delta, move.low, move.high), number(0)
        there = [equal(here, place_of(name, k)) for k in range(1, 3 if move.where == "two" else 2)]
        if move.opposed:
            # Where the record that comes stands beside the one that goes, answers part.
            left, reached = (
                conjunction((one, negation(also))) for one, also in (there, there[::-1])
            )
            facts += [implies(left, at_least(delta, zero)), implies(reached, at_least(zero, delta))]
        return choice(disjunction(there), delta, zero), facts


def cases_of(privacy: Privacy, inputs: Mapping[str, InputKind]) -> tuple[Case, ...]:
    """The cases of a privacy definition, which was read, for a mechanism's inputs.

    Raises:
        BadInput: an input kind has no meaning under the definition.
    """
    private = {name: kind for name, kind in inputs.items() if not kind.public}
    if privacy.input_rule is not None:
        return (_related(privacy, as_rule(privacy.input_rule), inputs),)
    pairing = Pairing(privacy, inputs) if privacy.speaks else None
    for name, kind in private.items():
        check_kind(privacy, name, kind)
        check_named(name, kind, inputs)
    options = {name: moves_of(privacy, name, kind, inputs) for name, kind in private.items()}
    if privacy.adding:
        combinations = list(in_one_direction(options))
        names = names_of_directions(len(combinations))
    else:
        combinations = [
            dict(zip(options, chosen, strict=True))
            for chosen in itertools.product(*options.values())
        ]
        names = [f"case {k + 1}" for k in range(len(combinations))]
    if len(combinations) == 1:
        names = [""]
    cases = (
        Case(n, inputs, moves, pairing=pairing)
        for n, moves in zip(names, combinations, strict=True)
    )
    return tuple(piece for case in cases for piece in case.pieces())


def _related(privacy: Privacy, rule: Rule, inputs: Mapping[str, InputKind]) -> Case:
    """The one case of a rule; it must speak of every private input."""
    private = {name: kind for name, kind in inputs.items() if not kind.public}
    # What is a multiple of ε would not be a question about the data.
    public = {
        name
        for name, kind in inputs.items()
        if kind.public and not kind.array and not isinstance(kind, EpsilonInput)
    }
    for name, kind in private.items():
        if isinstance(kind, DataSet):
            raise BadInput(f"'{name}': {privacy} speaks of numbers, and a DataSet has records")
    if not set(private) <= set(rule.parameters) <= {*private, *public}:
        raise BadInput(
            f"{privacy}: the rule speaks of {', '.join(rule.parameters) or 'nothing'}; the private "
            f"inputs are {', '.join(private) or 'none'}; name each of them once, and public "
            "scalar ones, but no ε, as you need them"
        )
    hint = Move(number(-1), number(1), "rule")
    return Case("", inputs, dict.fromkeys(private, hint), rule=rule)
