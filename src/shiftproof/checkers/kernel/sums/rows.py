"""The runs of a mechanism with finite noise as *rows*: what they need, and how probable they are.

With finite noise and no endless loop there are finitely many ways through a mechanism.  A row is
one of them: conditions on the inputs and on the released numbers z, and the probability of z where
they hold.  Tests that are open make two ways of one; values of uniform draws are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
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
    either,
    names_of,
    scaled,
    spend,
    times,
    unknown,
)
from ..language.steps import Assign, Branch, Draw, End, Ensure, Head, Node, Release
from ..paired.expressions import Mark, Meaningless, Num, Value
from ..paired.heads import kind_of
from ..paired.runs import Run, State, multiple
from ..paired.sides import Side
from ..trees import refute

#: The work that one step of a run counts as, and the highest power that relates two powers of e.
STEP, MOST_ROOT = 10_000, 16


class SumRun(Run):
    """Asks its questions without fractions: they are multiplied by divisors of known sign."""

    #: The signs of what is known to be the divisor of an inverse, and the powers of e seen so far.
    signs: dict[str, int]
    powers: list[str]

    def decide(self, state: State, f: Condition) -> bool | None:
        if f[0] != "=" or f in state.known or f in self.common:
            return super().decide(state, f)
        differ = super().decide(state, self.unknowns.negated(f))
        return None if differ is None else not differ

    def refuted(self, conditions: Sequence[Condition]) -> bool:
        self._relate_powers()
        cleared = [self._cleared(f) for f in (*self.common, *conditions)]
        question = [f for f in dict.fromkeys(cleared) if f != TRUE]
        if FALSE in question:
            return True
        tree = self.ask(self.unknowns, question)
        self.questions += 1
        if tree != "-":
            refute(self.unknowns, question, tree)
        return tree != "-"

    def _cleared(self, f: Condition) -> Condition:
        """What is true if and only if ``f`` is, without inverses of what has a known sign."""
        if f[0] in ("and", "or"):
            return (both if f[0] == "and" else either)(map(self._cleared, f[1]))
        p, order = f[1], list(self.unknowns.whole)
        while inverses := [x for x in names_of(p) if self._sign(x)]:
            # A divisor may have inverses in it, of which there were unknowns before.
            p = self._multiplied(p, max(inverses, key=order.index))
        return f if p is f[1] else self.unknowns.compare(f[0], p)

    def _multiplied(self, p: Polynomial, inverse: str) -> Polynomial:
        """Times as many of the divisor, taken positively, as there are inverses of it."""
        sign, most, total = self._sign(inverse), max(m.count(inverse) for m, _ in p), ZERO
        divisor = scaled(self._divisor(inverse), sign)
        for m, c in p:
            k, rest = m.count(inverse), tuple(x for x in m if x != inverse)
            total = add(total, times(((rest, c * sign**k),), power_of(divisor, most - k)))
        return total

    def _divisor(self, name: str) -> Polynomial:
        return unknown(name[1:]) if name[0] == "/" else self.unknowns.divisors.get(name, ZERO)

    def _sign(self, name: str) -> int:
        """The sign of what an unknown is the inverse of; 0 if it is none, or that is not known."""
        p = self._divisor(name)
        if p and name not in self.signs:
            self.signs[name] = 0  # while it is being found nothing is known of it
            for sign in (-1, 1):
                if self.refuted([self.unknowns.compare(">=", scaled(p, -sign))]):
                    self.signs[name] = sign
        return self.signs.get(name, 0)

    def _relate_powers(self) -> None:
        """What is true of powers of e, each by itself and two by two."""
        q = self.unknowns
        for name in [x for x in q.exponents if x not in self.powers]:
            base, t = q.exponents[name], unknown(name)
            self.assume(q.at_least(t, add(ONE, base)))
            for there, u in [(q.exponents[x], unknown(x)) for x in self.powers]:
                r = Fraction(multiple(base, there) or 0)
                if r > 0 and max(r.numerator, r.denominator) <= MOST_ROOT:
                    self.assume(q.equal(power_of(t, r.denominator), power_of(u, r.numerator)))
                else:
                    self.assume(q.implies(q.at_least(base, there), q.at_least(t, u)))
                    self.assume(q.implies(q.at_least(there, base), q.at_least(u, t)))
            self.powers.append(name)


def power_of(p: Polynomial, k: int) -> Polynomial:
    """A power, which is a product."""
    return reduce(times, [p] * k, ONE)


class Row(NamedTuple):
    """One way to an outcome: what is released (of a number, its kind), when, how probably."""

    of: tuple[Value | str, ...]
    when: tuple[Condition, ...]
    probability: Polynomial


class _Undecided(Exception):
    """Which way a run goes depends on a condition that its path leaves open."""


class _Path(State):
    """A run so far: ``facts`` are the comparisons that it has met, ``known`` also what follows."""

    def __init__(self, at: int, rates: int = 0) -> None:
        super().__init__(at, rates)
        self.chances: list[Polynomial] = []
        self.draws: list[str] = []
        self.output: list[Value] = []

    def to(self, at: int) -> _Path:
        """The path, which goes on there."""
        self.at = at
        return self


class _Alone(Side):
    """Expressions in one run; a test that is open is not passed over, and no draw is hidden."""

    state: _Path

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
            raise _Undecided(test)
        return TRUE if decided else FALSE

    def choice(self, test: Condition, yes: Polynomial, no: Polynomial) -> Polynomial:
        return yes if self.settled(test) == TRUE else no

    def plain(self, p: Polynomial) -> Polynomial:
        """A number that does not depend on a uniform draw.

        Raises:
            Wrong: it does.
        """
        if names_of(p) & set(self.state.draws):
            raise Wrong("a uniform draw where its values cannot be counted")
        return p

    def inverse(self, p: Polynomial) -> Polynomial:
        return super().inverse(self.plain(p))

    def exponential(self, power: Polynomial) -> Polynomial:
        return super().exponential(self.plain(power))

    def _function(self, word: str, terms: tuple[Polynomial, ...], whole: bool) -> Polynomial:
        return super()._function(word, tuple(map(self.plain, terms)), whole)

    def _conditional(self, test: Condition, yes: ast.expr, no: ast.expr, e: ast.expr) -> Value:
        return super()._conditional(self.settled(test), yes, no, e)


class Rows:
    """The rows of all runs on D, or on D′."""

    def __init__(self, run: SumRun, right: bool) -> None:
        self.run, self._right = run, right

    def all(self) -> Iterator[Row]:
        """The rows, in the order of the branches; one that no input meets is left out.

        Raises:
            Wrong: a step is none of a sum, or something is not defined.
        """
        stack = [_Path(self.run.mechanism.start)]
        while stack:
            spend(STEP)
            path = stack.pop()
            node = self.run.mechanism.nodes[path.at]
            self.run.line = node.line
            if isinstance(node, End):
                yield from (r for r in self._of(path) if not self.run.refuted(r.when))
                continue
            try:
                after = list(self._step(path, node))
            except _Undecided as open_:
                after = list(self._forks(path, *open_.args))
            except Meaningless as error:
                self.run.show(path, FALSE, str(error))
                after = []
            stack.extend(reversed(after))

    def _forks(self, path: _Path, test: Condition) -> Iterator[_Path]:
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

    def _step(self, path: _Path, node: Node) -> Iterable[_Path]:
        """What a step leads to; nothing of the path is changed before all is evaluated."""
        words = _Alone(self.run, path, self._right)
        match node:
            case Assign():
                for name, value in [*zip(node.targets, map(words.value, node.values), strict=True)]:
                    path.put(name, value)
            case Ensure():
                words.condition(node.claim)
            case Branch(test=test, yes=yes, no=no) | Head(test=test, body=yes, exit=no):
                return [path.to(yes if words.settled(words.condition(test)) == TRUE else no)]
            case Release():
                path.output += self._released(words, node)
            case Draw():
                return self._drawn(path, words, node)
            case _:
                raise Wrong(f"line {node.line}: a step that is none of a sum")
        return [path.to(node.after)]

    def _released(self, words: _Alone, node: Release) -> list[Value]:
        values = [words.value(e) for e in node.values]
        values = [v if isinstance(v, Num | Mark) else words.settled(v) for v in values]
        kinds = tuple(map(kind_of, values))
        if "either" in kinds or self.run.mechanism.header.results not in (None, kinds):
            raise Meaningless(f"a release of the kinds {kinds}")
        return values

    def _drawn(self, path: _Path, words: _Alone, node: Draw) -> Iterator[_Path]:
        q, arguments = self.run.unknowns, list(node.arguments)
        if node.law == "Categorical" and isinstance(arguments[0], ast.List):
            arguments[:1] = arguments[0].elts
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
            fork.put(node.target, value)
            fork.chances.append(chance)
            yield fork.to(node.after)

    # What a run releases, by the values of its uniform draws.

    def _of(self, path: _Path) -> Iterator[Row]:
        """The rows of a finished run: a number is any number z, where it is the one released."""
        when, chance = list(path.facts), reduce(times, path.chances, ONE)
        for place, value in enumerate(path.output):
            if isinstance(value, Num):
                z = any_released(self.run, place, value.kind)
                when.append(self.run.unknowns.equal(value.term, z))
        of = tuple(v.kind if isinstance(v, Num) else v for v in path.output)
        yield from (Row(of, *found) for found in self._counted(when, chance, path.draws))

    def _counted(
        self, when: Sequence[Condition], chance: Polynomial, draws: Sequence[str]
    ) -> Iterator[tuple[tuple[Condition, ...], Polynomial]]:
        """The sum over all values of draws, by cases."""
        q, when = self.run.unknowns, [f for f in dict.fromkeys(when) if f != TRUE]
        spend(100 * len(when) + 100)
        if FALSE in when or not draws:
            yield from [] if FALSE in when else [(tuple(when), chance)]
            return
        for draw, f in product(draws, when):
            bound = self._bound(f, draw) if f[0] == "=" else None
            if bound:
                # One value only: the one that the equation says.
                there = [q.compare(g[0], _put(g[1], draw, bound[1])) for g in when]
                yield from self._counted(there, chance, [d for d in draws if d != draw])
                return
        draw, *others = draws
        free = [f for f in when if draw not in names_of(f[1])]
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
            yield from self._counted([*free, *case], times(chance, size), others)

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
