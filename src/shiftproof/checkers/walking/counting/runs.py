"""What comes out of a program on every private input, for counting again.

All inputs go through the program at once.  Those whose runs are at the same place with the same
variables and releases stay together, each with its own probability of getting there; where a
step reads private inputs, they part by the values that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ....dsl.errors import LimitReached
from ....dsl.language.flow import EndNode, Flow, SampleNode, liveness
from .numbers import Numbers, Quotient
from .steps import Draws, Step, taken, truth_of
from .values import Evaluation, Held, Known, Open, Part, Wrong

#: How many steps one check may take, and how many a run between two draws.
STEPS, SEGMENT = 8_000_000, 20_000
#: How many draws may follow each other.
DEPTH = 300

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


class Runs:
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
            waiting = self._arrived([c for crowd in waiting for c in self._drawn(crowd)], ends)
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
        at, variables, released = crowd.at, crowd.variables, list(crowd.released)
        steps, values = self._course.steps, self._values
        try:
            for count in range(SEGMENT):
                step = steps[at]
                if not step.looks:
                    # The two most frequent steps.
                    if step.ways is not None:
                        at = step.ways[not truth_of(values.of(step.parts[0], variables))]
                        continue
                    if step.target:
                        variables[step.target] = values.of(step.parts[0], variables)
                        at = step.after
                        continue
                if step.stops:
                    self._spend(count + 1)
                    return [_Crowd(at, variables, tuple(released), crowd.shares)]
                if step.looks:
                    parted = self._parted(step, variables, crowd.shares)
                    if len(parted) > 1:
                        self._spend(count + 1)
                        for found, shares in parted:
                            own, said = variables.copy(), released.copy()
                            after = taken(step, found, own, said, self._numbers)
                            others.append(_Crowd(after, own, tuple(said), shares))
                        return []
                    found = parted[0][0]
                else:
                    found = [values.of(part, variables) for part in step.parts]
                    if step.whole:
                        found.append(variables[step.whole])
                at = taken(step, found, variables, released, self._numbers)
        except Open as error:
            error.span = error.span or steps[at].span
            raise
        raise Wrong("a run takes too many steps between two draws")

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

    def _drawn(self, crowd: _Crowd) -> list[_Crowd]:
        """What becomes of runs by a draw."""
        step = self._course.steps[crowd.at]
        assert isinstance(step.node, SampleNode)
        multiply, further = self._numbers.multiply, []
        for arguments, shares in self._parted(step, crowd.variables, crowd.shares):
            if step.whole:
                (cells,) = arguments
                assert isinstance(cells, tuple)
                arguments = list(cells)
            different = set(shares.values())
            scaled: dict[Quotient, Shares] = {}
            for value, p in self._draws.of(step.node.step, arguments):
                if p not in scaled:
                    self._spend(len(shares))
                    products = {share: multiply(p, share) for share in different}
                    scaled[p] = {i: products[share] for i, share in shares.items()}
                variables = {**crowd.variables, step.node.step.target: value}
                further.append(_Crowd(step.node.after, variables, crowd.released, scaled[p]))
        return further


def _reader(names: frozenset[str]) -> Callable[[Mapping[str, Held]], object]:
    """Reads some variables at once."""
    wanted = sorted(names)
    return itemgetter(*wanted) if wanted else lambda variables: ()
