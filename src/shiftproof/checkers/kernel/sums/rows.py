"""Runs with finite noise as *rows*: what they need, and how probable they are.

With finite noise and no endless loop there are finitely many ways through a mechanism, or a part
of one.  A row is one of them: conditions on what there is before and on the numbers z that come
out, and the probability of z where they hold.  Tests that are open make two ways of one; values of
uniform draws are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import NamedTuple

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    both,
    constant,
    names_of,
    scaled,
    spend,
    times,
)
from ..language.steps import Assign, Branch, Draw, End, Ensure, Head, Node, Release
from ..paired.elements import drop_list
from ..paired.expressions import Mark, Meaningless, Num, Value
from ..paired.heads import kind_of
from ..paired.runs import Run, State, mentioned
from ..paired.sides import Side
from .cleared import SumRun, power_of

#: The work that one step of a run counts as.
STEP = 10_000


class Row(NamedTuple):
    """One way to an outcome: what comes out (of a number, its kind), when, how probably.

    ``at`` is the step with which the run goes on, where it does, and ``rest`` what it holds then.
    """

    of: tuple[Value | str, ...]
    when: tuple[Condition, ...]
    probability: Polynomial
    at: int
    rest: Mapping[str, Value]


class Undecided(Exception):
    """Which way a run goes depends on a condition that its path leaves open."""


class Course(State):
    """A run so far: ``facts`` are the comparisons that it has met, ``known`` also what follows.

    ``output`` is what has come out; ``unset`` stands for a variable without a value.
    """

    def __init__(self, at: int, rates: int = 0) -> None:
        super().__init__(at, rates)
        self.chances: list[Polynomial] = []
        self.draws: list[str] = []
        self.output: list[Value | str] = []
        self.over = False

    def to(self, at: int) -> Course:
        """The path, which goes on there."""
        self.at = at
        return self


class Alone(Side):
    """Expressions in one run; a test that is open is not passed over, and no draw is hidden."""

    state: Course

    def cell(self, array: str, index: Polynomial) -> Value:
        return super().cell(array, self.plain(index))

    def owe(self, claim: Condition, why: str) -> None:
        self.run.show(self.state, claim, f"definedness and end: {why}")
        self.state.known.add(claim)

    def define(self, fact: Condition) -> None:
        self.run.assume(fact)

    def settled(self, test: Condition) -> Condition:
        decided = self.run.decide(self.state, test)
        if decided is None:
            raise Undecided(test)
        return TRUE if decided else FALSE

    def choice(self, test: Condition, yes: Polynomial, no: Polynomial) -> Polynomial:
        return yes if self.settled(test) == TRUE else no

    def plain(self, p: Polynomial) -> Polynomial:
        """A number that does not depend on a uniform draw.

        Raises:
            Wrong: it does.
        """
        if self.run.unknowns.within(names_of(p)).intersection(self.state.draws):
            raise Wrong("a uniform draw where its values cannot be counted")
        return p

    def inverse(self, p: Polynomial) -> Polynomial:
        return super().inverse(self.plain(p))

    def exponential(self, power: Polynomial) -> Polynomial:
        return super().exponential(self.plain(power))

    def _function(self, word: str, terms: tuple[Polynomial, ...], whole: bool) -> Polynomial:
        if word == "%" and names_of(terms[0]) & set(self.state.draws):
            return self._wrapped(terms[0], self.plain(terms[1]))
        return super()._function(word, tuple(map(self.plain, terms)), whole)

    def _wrapped(self, x: Polynomial, y: Polynomial) -> Polynomial:
        """``x % y`` where it wraps around once at most, in either direction."""
        q = self.unknowns
        near = both((q.compare(">", y), q.compare(">=", add(x, y)), q.above(add(y, y), x)))
        self.owe(near, "a draw wraps around once at most")
        below = self.choice(q.compare(">=", x), x, add(x, y))
        return self.choice(q.at_least(x, y), add(x, y, -1), below)

    def _conditional(self, test: Condition, yes: ast.expr, no: ast.expr, e: ast.expr) -> Value:
        return super()._conditional(self.settled(test), yes, no, e)


class Rows:
    """The rows of all runs on D, or on D′, to their end."""

    def __init__(self, run: SumRun, right: bool) -> None:
        self.run, self.right = run, right
        #: What holds where the rows begin.
        self.given: list[Condition] = []

    def start(self) -> Course:
        """Where the rows begin."""
        return Course(self.run.mechanism.start)

    def words(self, path: Course) -> Alone:
        """What expressions mean on a path."""
        return Alone(self.run, path, self.right)

    def any_number(self, place: int, kind: str) -> Polynomial:
        """Any number of a kind, as the one that comes out at a place."""
        return any_released(self.run, place, kind)

    def is_possible(self, row: Row) -> bool:
        """Whether some input may meet a row."""
        return not self.run.refuted(row.when)

    def rest(self, path: Course) -> Mapping[str, Value]:
        """What a run holds behind what came out."""
        return {}

    def all(self) -> Iterator[Row]:
        """The rows, in the order of the branches; what no input meets may be left out.

        Raises:
            Wrong: a step is none of a sum, or something is not defined.
        """
        stack = [self.start()]
        while stack:
            spend(STEP)
            path = stack.pop()
            node = self.run.mechanism.nodes[path.at]
            self.run.line = node.line
            if path.over:
                yield from filter(self.is_possible, self._of(path))
                continue
            try:
                after = list(self.step(path, node))
            except Undecided as open_:
                after = list(self.forks(path, *open_.args))
            except Meaningless as error:
                self.run.show(path, FALSE, str(error))
                after = []
            stack.extend(reversed(after))

    def forks(self, path: Course, test: Condition) -> Iterator[Course]:
        """The path where a condition holds, and where it does not, in ways without an ``or``."""
        for f in (test, self.run.unknowns.negated(test)):
            for way in self._ways((f,)):
                if not any(self.run.decide(path, fact) is False for fact in way):
                    fork = path.copy()
                    fork.assume(both(way))
                    yield fork

    def _ways(self, conditions: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
        """Comparisons that hold together, in ways of which one is so, and never two."""
        if not conditions:
            yield ()
            return
        first, *rest = conditions
        if first[0] == "and":
            yield from self._ways((*first[1], *rest))
        elif first[0] == "or":
            for k, member in enumerate(first[1]):
                others = map(self.run.unknowns.negated, first[1][:k])
                yield from self._ways((*others, member, *rest))
        else:
            yield from ((first, *more) for more in self._ways(tuple(rest)))

    def step(self, path: Course, node: Node) -> Iterable[Course]:
        """What a step leads to; nothing of the path is changed before all is evaluated."""
        words = self.words(path)
        match node:
            case Assign():
                for name, value in [*zip(node.targets, map(words.value, node.values), strict=True)]:
                    drop_list(self.run, path, name)
                    path.put(name, value)
            case Ensure():
                words.condition(node.claim)
            case Branch(test=test, yes=yes, no=no) | Head(test=test, body=yes, exit=no):
                return [path.to(yes if words.settled(words.condition(test)) == TRUE else no)]
            case Release():
                path.output += self._released(words, node)
            case Draw():
                return self._drawn(path, words, node)
            case End():
                path.over = True
                return [path]
            case _:
                raise Wrong(f"line {node.line}: a step that is none of a sum")
        return [path.to(node.after)]

    def _released(self, words: Alone, node: Release) -> list[Value]:
        values = [words.value(e) for e in node.values]
        values = [v if isinstance(v, Num | Mark) else words.settled(v) for v in values]
        kinds = tuple(map(kind_of, values))
        if "either" in kinds or self.run.mechanism.header.results not in (None, kinds):
            raise Meaningless(f"a release of the kinds {kinds}")
        return values

    def _drawn(self, path: Course, words: Alone, node: Draw) -> Iterator[Course]:
        q, arguments = self.run.unknowns, node.arguments
        if node.law == "Categorical":
            if len(arguments) != 1 or not isinstance(arguments[0], ast.List):
                raise Wrong(f"line {node.line}: weights that are not written out")
            arguments = tuple(arguments[0].elts)
        values = [words.plain(words.number(e).term) for e in arguments]
        ways: list[tuple[Value, Polynomial]]
        match node.law, values:
            case "Bernoulli", [p]:
                words.owe(both((q.compare(">", p), q.above(ONE, p))), "the coin exists")
                ways = [(TRUE, p), (FALSE, add(ONE, p, -1))]
            case "Categorical", [_, *_]:
                total = reduce(add, values)
                some = [*(q.compare(">=", w) for w in values), q.compare(">", total)]
                words.owe(both(some), "the weights are not negative, and not all zero")
                share = words.inverse(total)
                ways = [(Num(constant(k), "int"), times(w, share)) for k, w in enumerate(values)]
            case "DiscreteUniform", [low, high]:
                whole = TRUE if q.is_whole(low) and q.is_whole(high) else FALSE
                words.owe(both((whole, q.at_least(high, low))), "the range has integers")
                drawn = q.fresh(node.target, True)
                path.assume(both((q.at_least(drawn, low), q.at_least(high, drawn))))
                ways = [(Num(drawn, "int"), words.inverse(add(ONE, add(high, low, -1))))]
                path.draws += names_of(drawn)
            case _:
                raise Wrong(f"line {node.line}: {node.law} is no finite noise")
        for value, chance in ways:
            fork = path.copy()
            drop_list(self.run, fork, node.target)
            fork.put(node.target, value)
            fork.chances.append(chance)
            yield fork.to(node.after)

    # What comes out of a run, by the values of its uniform draws.

    def _of(self, path: Course) -> Iterator[Row]:
        """The rows of a finished run: a number is any number z, where it is the one released."""
        when = [f for f in path.facts if f not in self.given]
        chance = reduce(times, path.chances, ONE)
        for place, value in enumerate(path.output):
            if isinstance(value, Num):
                z = self.any_number(place, value.kind)
                when.append(self.run.unknowns.equal(value.term, z))
        of = tuple(v.kind if isinstance(v, Num) else v for v in path.output)
        rest = self.rest(path)
        for found in self.counted(when, chance, path.draws):
            yield Row(of, *found, path.at, rest)

    def counted(
        self, when: Sequence[Condition], chance: Polynomial, draws: Sequence[str]
    ) -> Iterator[tuple[tuple[Condition, ...], Polynomial]]:
        """The sum over all values of draws, by cases."""
        q, when = self.run.unknowns, [f for f in dict.fromkeys(when) if f != TRUE]
        spend(100 * len(when) + 100)
        if FALSE in when or not draws:
            yield from [] if FALSE in when else [(tuple(when), chance)]
            return
        for f in when:
            # What is made of a draw cannot be told for each of its values.
            if q.within(mentioned(f) - {*draws}).intersection(draws):
                raise Wrong(f"line {self.run.line}: a condition on what is made of a draw")
        for f in [f for f in when if f[0] == ">="]:
            # What is neither more nor less is equal.
            if (other := q.compare(">=", scaled(f[1], -1))) in when and f in when:
                when = [g for g in when if g not in (f, other)] + [q.compare("=", f[1])]
        for draw, f in product(draws, when):
            bound = self._bound(f, draw) if f[0] == "=" else None
            if bound:
                # One value only: the one that the equation says.
                there = [
                    g if g[0] == "?" else q.compare(g[0], _put(g[1], draw, bound[1])) for g in when
                ]
                yield from self.counted(there, chance, [d for d in draws if d != draw])
                return
        draw, *others = draws
        free = [f for f in when if draw not in mentioned(f)]
        bounds = [self._bound(f, draw) for f in when if f not in free and f[0] == ">="]
        found = [b for b in bounds if b is not None]
        if len(found) < len(when) - len(free):
            raise Wrong(f"line {self.run.line}: a condition on a draw that does not bound it")
        least, most = (list(dict.fromkeys(p for s, p in found if s == sign)) for sign in (1, -1))
        for (a, low), (b, high) in product(enumerate(least), enumerate(most)):
            size = add(ONE, add(high, low, -1))
            if names_of(size) & set(draws):
                raise Wrong(f"line {self.run.line}: a draw that limits another one")
            # The strictest bounds; of equal ones, the first.
            case = [q.at_least(high, low)]
            case += [(q.above if k < a else q.at_least)(low, p) for k, p in enumerate(least)]
            case += [(q.above if k < b else q.at_least)(p, high) for k, p in enumerate(most)]
            yield from self.counted([*free, *case], times(chance, size), others)

    def _bound(self, f: Condition, draw: str) -> tuple[int, Polynomial] | None:
        """An integer that a comparison compares a draw with, and on which side the draw is."""
        own = [(m, c) for m, c in f[1] if draw in m]
        if len(own) != 1 or own[0][0] != (draw,):
            return None
        k = Fraction(own[0][1])
        bound = scaled(add(f[1], (own[0],), -1), -1 / k)
        return (1 if k > 0 else -1, bound) if self.run.unknowns.is_whole(bound) else None


def _put(p: Polynomial, name: str, value: Polynomial) -> Polynomial:
    """A polynomial with a value in the place of an unknown."""
    total = ZERO
    for m, c in p:
        rest = tuple(x for x in m if x != name)
        total = add(total, times(((rest, c),), power_of(value, m.count(name))))
    return total


def any_released(run: Run, place: int, kind: str) -> Polynomial:
    """Any number of a kind, as the one released at a place."""
    return run.unknowns.of("released", (place, kind), kind == "int")
