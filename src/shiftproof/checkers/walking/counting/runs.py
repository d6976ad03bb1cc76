"""What comes out of a program on every private input, for counting again.

All inputs go through the program at once.  Those whose runs are at the same place with the same
variables and releases stay together, each with its own probability of getting there; where a
step reads private inputs, they part by the values that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ....dsl.errors import LimitReached
from ....dsl.language.flow import (
    BranchNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    Node,
    ReleaseNode,
    liveness,
    span_of,
)
from ....dsl.language.machine import Execution, step
from ....dsl.language.syntax import Sample
from .numbers import Numbers, Quotient
from .steps import Draws, Step, picked, shown, truth_of
from .values import Evaluation, Held, Known, Open, Part, Wrong

#: How many steps one check may take, and how many a run between two draws.
STEPS, SEGMENT = 8_000_000, 20_000
#: How many draws may follow each other, and how long lists are.
DEPTH, LONGEST_LIST = 300, 1_000

Law = dict[tuple[str, ...], Quotient]
#: Of some inputs, by number, the probability.
Shares = dict[int, Quotient]


class Course:
    """A program's steps, and which variables are needed from each of its draws on."""

    def __init__(self, flow: Flow, private: frozenset[str]) -> None:
        self.start = flow.start
        self.private = private
        self.steps = [Step(node, private) for node in flow.nodes]
        live = liveness(list(flow.nodes))
        self.names = frozenset[str]().union(*live) - private
        self.needed = [_reader(names - private) for names in live]


@dataclass(slots=True)
class _Crowd:
    """Inputs that have come to the same place with the same variables and releases."""

    at: int
    variables: dict[str, Held]
    released: tuple[str, ...]
    shares: Shares

    def part(self, shares: Shares) -> _Crowd:
        """Those of it who go on by themselves."""
        return _Crowd(self.at, self.variables.copy(), self.released, shares)


class Runs(Execution[_Crowd, Held]):
    """The runs of one program at one choice of sizes; ``steps`` counts down to nothing."""

    def __init__(
        self, course: Course, values: Evaluation, draws: Draws, numbers: Numbers, steps: list[int]
    ) -> None:
        self._course = course
        self._values = values
        self._draws = draws
        self._numbers = numbers
        self._steps = steps
        self._inputs: Sequence[Mapping[str, Held]] = ()
        self._columns: dict[tuple[str, int | None], list[Held]] = {}

    def laws(self, public: Mapping[str, Held], inputs: Sequence[Mapping[str, Held]]) -> list[Law]:
        """Of each input every outcome with its probability."""
        private = self._course.private
        self._columns.clear()
        self._inputs = [{n: held for n, held in one.items() if n in private} for one in inputs]
        begun: dict[tuple[Any, ...], _Crowd] = {}
        for i, one in enumerate(inputs):
            # An input that the program changes is a variable like others.
            own = {name: held for name, held in one.items() if name not in private}
            if (key := tuple(own.values())) not in begun:
                variables: dict[str, Held] = dict.fromkeys(self._course.names)
                variables |= {**public, **own}
                begun[key] = _Crowd(self._course.start, variables, (), {})
            begun[key].shares[i] = self._numbers.one
        ends: dict[tuple[str, ...], list[Shares]] = {}
        waiting = self._arrived(list(begun.values()), ends)
        for _ in range(DEPTH):
            if not waiting:
                break
            waiting = self._arrived([c for crowd in waiting for c in self._from(crowd)], ends)
        else:
            raise Wrong("a run may draw too often, or for ever")
        laws: list[Law] = [{} for _ in inputs]
        for outcome, found in ends.items():
            for i, p in self._total(found).items():
                if p is not self._numbers.zero:
                    laws[i][outcome] = p
        return laws

    def _arrived(
        self, begun: list[_Crowd], ends: dict[tuple[str, ...], list[Shares]]
    ) -> list[_Crowd]:
        """Go on to draws, where equal runs meet, and to the end."""
        met: dict[object, tuple[_Crowd, list[Shares]]] = {}
        while begun:
            for crowd in self._further(begun.pop(), begun):
                if isinstance(self._course.steps[crowd.at].node, EndNode):
                    ends.setdefault(crowd.released, []).append(crowd.shares)
                    continue
                key = crowd.at, self._course.needed[crowd.at](crowd.variables), crowd.released
                met.setdefault(key, (crowd, []))[1].append(crowd.shares)
        for crowd, found in met.values():
            crowd.shares = self._total(found)
        return [crowd for crowd, _ in met.values()]

    def _total(self, found: Sequence[Shares]) -> Shares:
        """The sums of probabilities, input by input."""
        if len(found) == 1:
            return found[0]
        total = dict(found[0])
        for shares in found[1:]:
            self._spend(len(shares))
            for i, p in shares.items():
                before = total.get(i)
                total[i] = p if before is None else self._numbers.add(before, p)
        return total

    def _spend(self, steps: int) -> None:
        self._steps[0] -= steps
        if self._steps[0] < 0:
            raise LimitReached("STEPS", f"counting again takes more than {STEPS} steps")

    def _further(self, crowd: _Crowd, others: list[_Crowd]) -> list[_Crowd]:
        """Go on to a draw or the end; those who part from it are added to ``others``."""
        steps = self._course.steps
        try:
            for count in range(SEGMENT):
                if steps[crowd.at].stops:
                    self._spend(count + 1)
                    return [crowd]
                ways = self._from(crowd)
                if len(ways) > 1:
                    self._spend(count + 1)
                    others += ways
                    return []
                (crowd,) = ways
        except Open as error:
            error.span = error.span or span_of(steps[crowd.at].node)
            raise
        raise Wrong("a run takes too many steps between two draws")

    def _from(self, crowd: _Crowd) -> list[_Crowd]:
        found = []
        for way, after in step(self, crowd, self._course.steps[crowd.at].node):
            way.at = after
            found.append(way)
        return found

    # What a step is for a crowd.

    def evaluated(self, state: _Crowd, node: Node) -> list[tuple[_Crowd, list[Held]]]:
        """A crowd parts where its inputs give different values."""
        here = self._course.steps[state.at]
        if not here.looks:
            found = [self._values.of(part, state.variables) for part in here.parts]
            return [(state, [*found, state.variables[here.whole]] if here.whole else found)]
        parted = self._parted(here, state.variables, state.shares)
        if len(parted) == 1:
            return [(state, parted[0][0])]
        return [(state.part(shares), found) for found, shares in parted]

    def names(self, state: _Crowd) -> dict[str, Held]:
        """They are changed."""
        return state.variables

    def ways(
        self, state: _Crowd, node: BranchNode | HeadNode, test: Held
    ) -> list[tuple[_Crowd, bool]]:
        """One: a test is decided."""
        return [(state, truth_of(test))]

    def draw(
        self, state: _Crowd, sample: Sample, arguments: Sequence[Held]
    ) -> Iterator[tuple[_Crowd, Held]]:
        """What becomes of a crowd by a draw."""
        if len(arguments) == 1 and isinstance(arguments[0], tuple):
            arguments = arguments[0]
        different = set(state.shares.values())
        scaled: dict[Quotient, Shares] = {}
        for value, p in self._draws.of(sample, arguments):
            if p not in scaled:
                self._spend(len(state.shares))
                products = {share: self._numbers.multiply(p, share) for share in different}
                scaled[p] = {i: products[share] for i, share in state.shares.items()}
            yield state.part(scaled[p]), value

    def release(self, state: _Crowd, node: ReleaseNode, values: Sequence[Held]) -> list[_Crowd]:
        """As a text."""
        parts = self._course.steps[state.at].parts
        state.released += tuple(
            shown(held, part.constant, self._numbers)
            for held, part in zip(values, parts, strict=True)
        )
        return [state]

    def claimed(self, state: _Crowd, node: EnsureNode, claim: Held) -> _Crowd:
        """It has to be a condition."""
        truth_of(claim)
        return state

    def listed(self, cells: tuple[Held, ...]) -> Held:
        """A list that is not too long."""
        if len(cells) > LONGEST_LIST:
            raise Wrong("the length of a list")
        return cells

    def size(self, count: Held) -> int:
        """A known length."""
        if type(count) is not int or count > LONGEST_LIST:
            raise Wrong("the length of a list")
        return count

    def place(self, index: Held, cells: tuple[Held, ...]) -> int:
        """A known index in range."""
        if type(index) is not int or not 0 <= index < len(cells):
            raise Open("an index out of range")
        return index

    def largest(self, state: _Crowd, cells: Held, count: Sequence[Held]) -> tuple[Held, ...]:
        """Of known numbers."""
        return picked(cells, count[0] if count else 1)

    def _parted(
        self, step: Step, variables: Mapping[str, Held], shares: Shares
    ) -> list[tuple[list[Held], Shares]]:
        """The values that a step finds, each list with the inputs on which it finds them."""
        groups: list[tuple[list[Held], list[int]]] = [([], list(shares))]
        for part in step.parts:
            groups = [
                ([*found, held], few)
                for found, members in groups
                for held, few in self._by_value(part, variables, members)
            ]
        if step.whole in self._course.private:
            groups = [
                ([*found, held], few)
                for found, members in groups
                for held, few in self._by_read(step.whole, None, members).items()
            ]
        elif step.whole:
            groups = [([*found, variables[step.whole]], members) for found, members in groups]
        if len(groups) == 1:
            return [(groups[0][0], shares)]
        return [(found, {i: shares[i] for i in members}) for found, members in groups]

    def _by_value(
        self, part: Part, variables: Mapping[str, Held], members: list[int]
    ) -> list[tuple[Held, list[int]]]:
        """What an expression gives on some inputs."""
        if not part.looks:
            return [(self._values.of(part, variables), members)]
        by_value: dict[Held, list[int]] = {}
        pending: list[tuple[Known | None, list[int]]] = [
            (self._values.start(part, variables), members)
        ]
        while pending:
            known, some = pending.pop()
            if known is None:
                # Not evaluated yet on what these read: the first one does.
                pending.append(
                    (self._values.learn(part, {**variables, **self._inputs[some[0]]}), some)
                )
            elif not known.next:
                by_value.setdefault(known.value, []).extend(some)
            elif known.name in self._course.private:
                for held, few in self._by_read(known.name, known.place, some).items():
                    pending.append((known.next.get(held), few))
            else:
                pending.append((known.after(variables), some))
        return list(by_value.items())

    def _by_read(
        self, name: str, place: int | None, members: Sequence[int]
    ) -> dict[Held, list[int]]:
        """Some inputs by what is read of them."""
        self._spend(len(members))
        column = self._columns.get((name, place))
        if column is None:
            held: list[Any] = [one[name] for one in self._inputs]
            if place is not None:
                held = [len(cells) if place < 0 else cells[place] for cells in held]
            column = self._columns[name, place] = held
        found: dict[Held, list[int]] = {}
        for i in members:
            if (value := column[i]) in found:
                found[value].append(i)
            else:
                found[value] = [i]
        return found


def _reader(names: frozenset[str]) -> Callable[[Mapping[str, Held]], object]:
    """Reads some variables at once."""
    wanted = sorted(names)
    return itemgetter(*wanted) if wanted else lambda variables: ()
