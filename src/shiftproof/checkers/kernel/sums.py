"""Proofs by summation: probabilities of outcomes on D and D′ are written out, and compared.

With finite noise and no endless loop there are finitely many ways through a mechanism.  A *row* is
one of them: conditions on the inputs and on the released numbers z, and the probability of z where
they hold.  A certificate names *cells*: the rows that hold on D, no others of this outcome, and
some that hold on D′.  That no pair of inputs lies outside all cells is one question; that in a cell
the probability on D is at most exp(budget) times that on D′ is another one.

The part of a certificate has ``cases``, one for each case of the relation: its name ``case``, the
``relation``, and ``cells``: for each kind of outcome that D can have a list of cells, each of them
two lists, rows of D and rows of D′, counted from 0 in the order of the walk.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .arithmetic import (
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
    value_of,
)
from .calls import budget
from .expressions import Mark, Meaningless, Num, Value
from .policies import Case, Kind
from .relation import as_json
from .runs import Ask, Run, State, multiple, same_value
from .sides import Given, Said
from .text import (
    Assign,
    Branch,
    Draw,
    End,
    Ensure,
    Head,
    Mechanism,
    Release,
    expression,
    shown,
)
from .trees import refute
from .walk import kind_of

#: The most steps and rows of the runs on one side, and cells of one case.
MOST_SUM_STEPS, MOST_ROWS, MOST_CELLS = 20_000, 600, 2_000
#: e lies between these.
E_LOW, E_HIGH = Fraction(271828182845904, 10**14), Fraction(271828182845905, 10**14)
#: The highest power in which exp(x) and exp(y) are related where y is a multiple of x.
MOST_ROOT = 16


def check_sums(
    mechanism: Mechanism, kinds: dict[str, Kind], cases: list[Case], part: dict[str, Any], ask: Ask
) -> int:
    """Check a proof by summation; the number of questions.

    Raises:
        Wrong: something is owed, and not shown.
    """
    if len(part["cases"]) != len(cases):
        raise Wrong("the cases are not those of the neighbour relation")
    asked = 0
    for case, told in zip(cases, part["cases"], strict=True):
        if told["case"] != case.name or told["relation"] != as_json(case):
            raise Wrong(f"the relation is not the one of policy and inputs: {as_json(case)}")
        comparison = Comparison(mechanism, kinds, case, ask)
        cells = iter(told["cells"])
        comparison.check(lambda *outcome: next(cells))
        if next(cells, None) is not None:
            raise Wrong("there are cells of more outcomes than there are")
        asked += comparison.run.questions
    return asked


class Row(NamedTuple):
    """One way to an outcome: the kinds of what is released, comparisons, and the probability."""

    of: tuple[str, ...]
    when: tuple[Condition, ...]
    probability: Polynomial


class Outcome(NamedTuple):
    """A kind of outcome, and its rows on D and on D′."""

    of: tuple[str, ...]
    here: list[int]
    there: list[int]


#: Rows that hold on D, and no others of the outcome; and rows that hold on D′.
Cells = Sequence[tuple[Sequence[int], Sequence[int]]]


class Undecided(Exception):
    """Which way a run goes depends on a condition that its path leaves open."""

    def __init__(self, test: Condition) -> None:
        super().__init__(test)
        self.test = test


class SumRun(Run):
    """Asks its questions without fractions: they are multiplied by divisors of known sign."""

    def __init__(self, mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask) -> None:
        super().__init__(mechanism, kinds, case, ask, False)
        self._signs: dict[str, int] = {}
        self._powers: list[str] = []

    def decide(self, state: State, f: Condition) -> bool | None:
        if f[0] != "=" or f in state.known or f in self.common:
            return super().decide(state, f)
        differ = super().decide(state, self.unknowns.negated(f))
        return None if differ is None else not differ

    def refuted(self, conditions: Sequence[Condition]) -> bool:
        self._relate_powers()
        cleared = list(map(self._cleared, (*self.common, *conditions)))
        question = [f for f in dict.fromkeys(cleared) if f != TRUE]
        if FALSE in question:
            return True
        tree = self.ask(self.unknowns, question)
        self.questions += 1
        if tree == "-":
            return False
        refute(self.unknowns, question, tree)
        return True

    def _cleared(self, f: Condition) -> Condition:
        """What is true if and only if ``f`` is, without inverses of what has a known sign."""
        if f[0] in ("and", "or"):
            return (both if f[0] == "and" else either)(map(self._cleared, f[1]))
        p: Polynomial = f[1]
        while inverses := [x for x in names_of(p) if self._sign(x)]:
            # A divisor may have inverses in it that were there before.
            p = self._multiplied(p, max(inverses, key=list(self.unknowns.whole).index))
        return f if p is f[1] else self.unknowns.compare(f[0], p)

    def _multiplied(self, p: Polynomial, inverse: str) -> Polynomial:
        """Times as many of the divisor, taken positively, as there are inverses of it."""
        sign, divisors = self._sign(inverse), [ONE]
        divisor = scaled(self.unknowns.divisors.get(inverse, unknown(inverse[1:])), sign)
        most, total = max(m.count(inverse) for m, _ in p), ZERO
        for _ in range(most):
            divisors.append(times(divisors[-1], divisor))
        for m, c in p:
            power, rest = m.count(inverse), tuple(x for x in m if x != inverse)
            total = add(total, times(((rest, c * sign**power),), divisors[most - power]))
        return total

    def _sign(self, name: str) -> int:
        """The sign of what an unknown is the inverse of; 0 if it is none, or that is not known."""
        q = self.unknowns
        if name[0] != "/" and name not in q.divisors:
            return 0
        if name not in self._signs:
            self._signs[name] = 0  # while it is being found nothing is known of it
            for sign in (1, -1):
                if name[0] == "/":
                    known = q.compare(">", scaled(unknown(name), sign)) in self.common
                else:
                    known = self.refuted([q.compare(">=", scaled(q.divisors[name], -sign))])
                if known:
                    self._signs[name] = sign
                    break
        return self._signs[name]

    def _relate_powers(self) -> None:
        """What is true of powers of e, each by itself and two by two."""
        q = self.unknowns
        for name in [x for x in q.exponents if x not in self._powers]:
            base, t = q.exponents[name], unknown(name)
            self.assume(q.at_least(t, add(ONE, base)))
            value = Fraction(value_of(base) or 0)
            if value.numerator == 1 and value.denominator <= MOST_ROOT:
                e = _power(t, value.denominator)
                self.assume(both((q.above(e, constant(E_LOW)), q.above(constant(E_HIGH), e))))
            for other in self._powers:
                there, u = q.exponents[other], unknown(other)
                ratio = Fraction(multiple(base, there) or 0)
                if ratio > 0 and max(ratio.numerator, ratio.denominator) <= MOST_ROOT:
                    roots = _power(t, ratio.denominator), _power(u, ratio.numerator)
                    self.assume(q.equal(*roots))
                else:
                    self.assume(q.implies(q.at_least(base, there), q.at_least(t, u)))
                    self.assume(q.implies(q.at_least(there, base), q.at_least(u, t)))
            self._powers.append(name)


def _power(p: Polynomial, k: int) -> Polynomial:
    found = ONE
    for _ in range(k):
        found = times(found, p)
    return found


# The runs on one of the two inputs.


class _Path(State):
    """A run so far: ``facts`` are the comparisons that it has met, ``known`` also what follows.

    Values of uniform draws are summed over at the end.
    """

    def __init__(self, at: int) -> None:
        super().__init__(at, 0)
        self.probability = ONE
        self.draws: list[str] = []
        self.output: list[Value] = []

    def copy(self) -> _Path:
        other = _Path(self.at)
        other.left, other.facts, other.known = self.left.copy(), self.facts[:], self.known.copy()
        other.probability, other.draws = self.probability, self.draws[:]
        other.output = self.output[:]
        return other

    def to(self, at: int) -> _Path:
        """The path, which goes on there."""
        self.at = at
        return self


class _Alone(Given):
    """Expressions in one run; a test that is open is not passed over, and a draw nowhere hidden."""

    def __init__(self, run: Run, path: _Path, right: bool) -> None:
        super().__init__(run)
        self._path, self._right = path, right

    def variable(self, name: str) -> Value:
        kind = self.run.kinds.get(name)
        if kind is None:
            if name not in self._path.left:
                raise Meaningless(f"{name!r} has no value here")
            return self._path.left[name]
        if kind.public:
            return super().variable(name)
        pair = self.run.relation.pair(name, None)
        return pair.right if self._right else pair.left

    def cell(self, array: str, index: Polynomial) -> Value:
        raise Meaningless(f"an element of {array} in a sum")

    def owe(self, claim: Condition, why: str) -> None:
        if self.run.decide(self._path, claim) is not True:
            self.run.show(self._path, claim, f"definedness and end: {why}")
            self._path.known.add(claim)

    def settled(self, test: Condition) -> Condition:
        decided = self.run.decide(self._path, test)
        if decided is None:
            raise Undecided(test)
        return TRUE if decided else FALSE

    def choice(self, test: Condition, yes: Polynomial, no: Polynomial) -> Polynomial:
        return yes if self.settled(test) == TRUE else no

    def inverse(self, p: Polynomial) -> Polynomial:
        return super().inverse(self.apart(p))

    def exponential(self, power: Polynomial) -> Polynomial:
        return super().exponential(self.apart(power))

    def apart(self, p: Polynomial) -> Polynomial:
        """A number that does not depend on a draw.

        Raises:
            Wrong: it does.
        """
        if names_of(p) & set(self._path.draws):
            raise Wrong("a uniform draw in a place where its values cannot be counted")
        return p

    def _conditional(self, test: Condition, yes: ast.expr, no: ast.expr, e: ast.expr) -> Value:
        return super()._conditional(self.settled(test), yes, no, e)

    def _function(self, word: str, terms: tuple[Polynomial, ...], whole: bool) -> Polynomial:
        return super()._function(word, tuple(map(self.apart, terms)), whole)


class _Runs:
    """All runs on one of the two inputs, as rows."""

    def __init__(self, run: SumRun, right: bool) -> None:
        self.run, self._right = run, right

    def rows(self) -> Iterator[Row]:
        """The rows, in the order of the branches; what no input meets is left out.

        Raises:
            Wrong: a step is none of a sum, or something is not defined.
        """
        stack, steps = [_Path(self.run.mechanism.start)], 0
        while stack:
            spend(1_000)
            steps += 1
            if steps > MOST_SUM_STEPS:
                raise Wrong(f"more than {MOST_SUM_STEPS} steps of all runs together")
            path = stack.pop()
            node = self.run.mechanism.nodes[path.at]
            self.run.line = node.line
            if isinstance(node, End):
                for row in self._of(path):
                    if not self.run.refuted(row.when):
                        yield row
                continue
            try:
                after = list(self._step(path, node))
            except Undecided as open_:
                after = list(self._forks(path, open_.test))
            except Meaningless as error:
                self.run.show(path, FALSE, str(error))
                after = []
            stack.extend(reversed(after))

    def _forks(self, path: _Path, test: Condition) -> Iterator[_Path]:
        """The path where a condition holds, and where it does not, in ways without an ``or``."""
        for f in (test, self.run.unknowns.negated(test)):
            for way in self._ways((f,)):
                fork = path.copy()
                for fact in way:
                    if self.run.decide(fork, fact) is False:
                        break
                    fork.assume(fact)
                else:
                    yield fork

    def _ways(self, conditions: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
        """Conjunctions of comparisons that exclude each other; one of them holds."""
        if not conditions:
            yield ()
            return
        (kind, members, *_), *rest = conditions
        if kind == "and":
            yield from self._ways((*members, *rest))
        elif kind == "or":
            for k, member in enumerate(members):
                others = map(self.run.unknowns.negated, members[:k])
                yield from self._ways((*others, member, *rest))
        else:
            for more in self._ways(tuple(rest)):
                yield (conditions[0], *more)

    def _step(self, path: _Path, node: object) -> Iterable[_Path]:
        words = _Alone(self.run, path, self._right)
        match node:
            case Assign():
                values = [words.value(e) for e in node.values]
                path.left.update(zip(node.targets, values, strict=True))
                return [path.to(node.after)]
            case Ensure():
                words.condition(node.claim)
                return [path.to(node.after)]
            case Branch():
                holds = words.settled(words.condition(node.test)) == TRUE
                return [path.to(node.yes if holds else node.no)]
            case Head():
                holds = words.settled(words.condition(node.test)) == TRUE
                return [path.to(node.body if holds else node.exit)]
            case Release():
                path.output += self._released(words, node)
                return [path.to(node.after)]
            case Draw():
                return self._drawn(path, words, node)
        raise Wrong(f"line {self.run.line}: a step that is none of a sum")

    def _released(self, words: _Alone, node: Release) -> list[Value]:
        values = [words.value(e) for e in node.values]
        for k, value in enumerate(values):
            if isinstance(value, Num) and value.kind == "either":
                raise Meaningless("a release that is an int or a float, as the case may be")
            if not isinstance(value, Num | Mark):
                values[k] = words.settled(value)
        results = self.run.mechanism.header.results
        if results is not None and tuple(map(kind_of, values)) != results:
            words.owe(FALSE, f"the results are of the kinds {results}")
        return values

    def _drawn(self, path: _Path, words: _Alone, node: Draw) -> Iterator[_Path]:
        q, arguments = self.run.unknowns, list(node.arguments)
        if node.law == "Categorical" and isinstance(arguments[0], ast.List):
            arguments[:1] = arguments[0].elts
        values = [words.apart(words.number(e).term) for e in arguments]
        ways: list[tuple[Value, Polynomial]]
        match node.law, values:
            case "Bernoulli", [p]:
                words.owe(both((q.compare(">", p), q.above(ONE, p))), "the coin exists")
                ways = [(TRUE, p), (FALSE, add(ONE, p, -1))]
            case "DiscreteUniform", [low, high]:
                whole = TRUE if q.is_whole(low) and q.is_whole(high) else FALSE
                words.owe(both((whole, q.at_least(high, low))), "the range has integers")
                drawn = q.fresh(node.target, True)
                for fact in (q.at_least(drawn, low), q.at_least(high, drawn)):
                    path.assume(fact)
                ways = [(Num(drawn, "int"), words.inverse(_size(low, high)))]
                path.draws += names_of(drawn)
            case "Categorical", [_, *_]:
                total = ZERO
                for weight in values:
                    total = add(total, weight)
                known = (*(q.compare(">=", w) for w in values), q.compare(">", total))
                words.owe(both(known), "the weights are not negative, and not all zero")
                share = words.inverse(total)
                ways = [(Num(constant(k), "int"), times(w, share)) for k, w in enumerate(values)]
            case _:
                raise Wrong(f"line {node.line}: {node.law} is no finite noise")
        for value, chance in ways:
            fork = path.copy()
            fork.left[node.target] = value
            fork.probability = times(path.probability, chance)
            yield fork.to(node.after)

    # What a run releases, by the values of its uniform draws.

    def _of(self, path: _Path) -> Iterator[Row]:
        """The rows of a finished run: a number is any number z, where it is the one released."""
        q, of, when = self.run.unknowns, [], list(path.facts)
        for place, value in enumerate(path.output):
            if isinstance(value, Num):
                when.append(q.equal(value.term, _released_number(self.run, place, value.kind)))
            kind = kind_of(value)
            of.append(str(value == TRUE) if kind == "bool" else kind)
        for conditions, chance in self._counted(when, path.probability, path.draws):
            yield Row(tuple(of), conditions, chance)

    def _counted(
        self, when: Sequence[Condition], chance: Polynomial, draws: Sequence[str]
    ) -> Iterator[tuple[tuple[Condition, ...], Polynomial]]:
        """The sum over all values of draws, by cases."""
        q = self.run.unknowns
        when = [f for f in dict.fromkeys(when) if f != TRUE]
        spend(100 * len(when) + 100)
        if FALSE in when:
            return
        if not draws:
            yield tuple(when), chance
            return
        for draw in draws:
            for f in when:
                if f[0] == "=" and (found := self._isolated(f[1], draw)) is not None:
                    # One value only: the one that the equation says.
                    sign, rest = found
                    value = scaled(rest, -sign)
                    there = [q.compare(g[0], _put(g[1], draw, value)) for g in when]
                    yield from self._counted(there, chance, [d for d in draws if d != draw])
                    return
        draw, *others = draws
        free = [f for f in when if draw not in names_of(f[1])]
        bounds: dict[int, list[Polynomial]] = {1: [], -1: []}
        for f in when:
            if f not in free:
                found = self._isolated(f[1], draw)
                if found is None or f[0] != ">=":
                    raise Wrong(f"line {self.run.line}: a condition on a draw is none of integers")
                bounds[found[0]].append(scaled(found[1], -found[0]))
        least, most = (list(dict.fromkeys(bounds[sign])) for sign in (1, -1))
        for a, low in enumerate(least):
            for b, high in enumerate(most):
                size = _size(low, high)
                if names_of(size) & set(draws):
                    raise Wrong(f"line {self.run.line}: a draw that limits another one")
                # Of equal bounds the first one counts.
                case = [q.at_least(high, low)]
                case += [
                    q.above(low, x) if k < a else q.at_least(low, x) for k, x in _but(least, a)
                ]
                case += [
                    q.above(x, high) if k < b else q.at_least(x, high) for k, x in _but(most, b)
                ]
                yield from self._counted([*free, *case], times(chance, size), others)

    def _isolated(self, p: Polynomial, draw: str) -> tuple[int, Polynomial] | None:
        """A polynomial as a multiple of ``± draw + rest``, where the rest is an integer."""
        own = [(m, c) for m, c in p if draw in m]
        if len(own) != 1 or own[0][0] != (draw,):
            return None
        k = Fraction(own[0][1])
        rest = scaled(add(p, (own[0],), -1), 1 / abs(k))
        return (1 if k > 0 else -1, rest) if self.run.unknowns.is_whole(rest) else None


def _size(low: Polynomial, high: Polynomial) -> Polynomial:
    """How many integers there are between two, these among them."""
    return add(add(high, low, -1), ONE)


def _but(bounds: list[Polynomial], one: int) -> Iterator[tuple[int, Polynomial]]:
    return ((k, x) for k, x in enumerate(bounds) if k != one)


def _put(p: Polynomial, name: str, value: Polynomial) -> Polynomial:
    """A polynomial with a value in the place of an unknown."""
    total = ZERO
    for m, c in p:
        rest = tuple(x for x in m if x != name)
        total = add(total, times(((rest, c),), _power(value, m.count(name))))
    return total


def _released_number(run: Run, place: int, kind: str) -> Polynomial:
    """Any number of a kind, as the one released at a place."""
    return run.unknowns.of("released", (place, kind), kind == "int")


def _released_value(run: Run, kind: str) -> Value:
    """What is released by itself, by its kind as a row says it."""
    if kind in ("int", "float"):
        return Num(_released_number(run, 0, kind), kind)
    what = ast.literal_eval(kind)
    return (TRUE if what else FALSE) if isinstance(what, bool) else Mark(what)


# The comparison of both.


class _Rule(Given):
    """What a function of the definition says of one value, and of public parameters."""

    def __init__(self, run: Run, parameter: str, subject: Value, further: set[str]) -> None:
        super().__init__(run)
        self._parameter, self._subject, self._further = parameter, subject, further

    def variable(self, name: str) -> Value:
        if name == self._parameter:
            return self._subject
        if name not in self._further:
            raise Wrong(f"a function of the claim has no parameter {name!r}")
        return super().variable(name)

    def owe(self, claim: Condition, why: str) -> None:
        self.run.show(State(0, 0), claim, f"a function of the claim: {why}")


class Comparison:
    """One case: the rows of both sides, and what is owed of them."""

    def __init__(self, mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask) -> None:
        if any((kind.array and not kind.public) or kind.attributes for kind in kinds.values()):
            raise Wrong("a private sequence or data set in a sum")
        self._case = case
        self.run = run = SumRun(mechanism, kinds, case, ask)
        given = Given(run)
        texts = [text for kind in kinds.values() for text in kind.facts]
        for e in (*map(expression, texts), *mechanism.header.asserts):
            # Outside these the call raises before anything is sampled.
            run.assume(given.condition(e))
        for fact in run.relation.common():
            run.assume(fact)
        self._factor = self._exponential_of_budget()
        self.rows = tuple(list(_Runs(run, side).rows()) for side in (False, True))
        if max(map(len, self.rows)) > MOST_ROWS:
            raise Wrong(f"more than {MOST_ROWS} rows")

    def _exponential_of_budget(self) -> Polynomial:
        run, case, said = self.run, self._case, Said(self.run)
        claimed = budget(said, run.mechanism.header, run.kinds)
        if case.budget:
            claimed = said.number(expression(case.budget)).term
        if case.distance:
            distance = said.number(expression(case.distance)).term
            claim = run.unknowns.compare(">=", distance)
            run.show(State(0, 0), claim, "the distance is not negative")
            claimed = times(claimed, distance)
        return said.exponential(claimed)

    def outcomes(self) -> Iterator[Outcome]:
        """The kinds of outcomes that D can have."""
        for of in dict.fromkeys(row.of for row in self.rows[0]):
            here, there = ([k for k, row in enumerate(r) if row.of == of] for r in self.rows)
            yield Outcome(of, here, there)

    def check(self, cells_of: Callable[[Outcome, tuple[Condition, ...]], Cells]) -> None:
        """The cells that are said of an outcome are all that it has; the bound holds in each.

        Raises:
            Wrong: one of that is not shown.
        """
        for outcome in self.outcomes():
            besides = self._owing(outcome)
            cells = cells_of(outcome, besides)
            if len(cells) > MOST_CELLS:
                raise Wrong(f"more than {MOST_CELLS} cells")
            for here, there in cells:
                spend(1_000)
                if not (here and {*here} <= {*outcome.here} and {*there} <= {*outcome.there}):
                    raise Wrong(f"{here} and {there} are no cell of the outcome {outcome.of}")
            self._covered(outcome, cells, besides)
            for here, there in cells:
                self._compared(here, there, besides)

    def _covered(self, outcome: Outcome, cells: Cells, besides: tuple[Condition, ...]) -> None:
        """Wherever a row of the outcome holds on D, one of the cells is what holds."""
        q, outside = self.run.unknowns, []
        conditions = {k: both(self.rows[0][k].when) for k in outcome.here}
        for here, there in cells:
            inside = [f if k in here else q.negated(f) for k, f in conditions.items()]
            inside += [f for k in there for f in self.rows[1][k].when]
            outside.append(q.negated(both(inside)))
        if not self.run.refuted([*besides, either(conditions.values()), *outside]):
            raise Wrong(f"the cells do not cover the outcome {outcome.of}")

    def _compared(
        self, here: Sequence[int], there: Sequence[int], besides: tuple[Condition, ...]
    ) -> None:
        """The bound holds in a cell."""
        facts, sums = list(besides), [ZERO, ZERO]
        for side, places in enumerate((here, there)):
            for k in dict.fromkeys(places):
                facts += self.rows[side][k].when
                sums[side] = add(sums[side], self.rows[side][k].probability)
        broken = self.run.unknowns.above(sums[0], times(self._factor, sums[1]))
        if not self.run.refuted([*facts, broken]):
            raise Wrong(f"rows {here} on D, {there} on D′: the bound does not follow")

    # Where utility is optimised: what an outcome that is not protected may tell.

    def _owing(self, outcome: Outcome) -> tuple[Condition, ...]:
        """Under what conditions the bound is owed of an outcome; elsewhere, another thing is."""
        match self.run.mechanism.header.privacy:
            case ast.Call(func=ast.Name(id="UtilityOptimizedLDP"), args=[sensitive, protected]):
                pass
            case _:
                return ()
        run, q = self.run, self.run.unknowns
        inputs = [name for name, kind in run.kinds.items() if not kind.public]
        (texts,) = self._case.inputs.values() if len(inputs) == 1 else ((),)
        if not texts or self._case.facts or any("move" in text for text in texts[1:]):
            raise Wrong("any two values of one private input are neighbours, or utility is none")
        if len(outcome.of) != 1:
            raise Wrong("a run releases more than one value, or none")
        holds = self._rule(protected, _released_value(run, outcome.of[0]))
        pair = run.relation.pair(inputs[0], None)
        secret = self._rule(sensitive, pair.left)
        facts, differ = [q.negated(holds)], q.negated(same_value(run, pair.left, pair.right))
        for k in outcome.here:
            own = [*facts, *self.rows[0][k].when]
            if not run.refuted([*own, secret]):
                raise Wrong(f"row {k}: a sensitive value may give an outcome not protected")
            for m in outcome.there:
                if not run.refuted([*own, *self.rows[1][m].when, differ]):
                    raise Wrong(f"rows {k} and {m}: two values may give an outcome not protected")
        return (holds,)

    def _rule(self, name: ast.expr, subject: Value) -> Condition:
        """What a function of the definition says of a value."""
        function = self.run.mechanism.functions.get(shown(name))
        if function is None or not function.args.args:
            raise Wrong(f"{shown(name)!r} is no function of a value")
        first, *further = [p.arg for p in function.args.args]
        match function.body:
            case [ast.Return(value=ast.expr() as value)]:
                return _Rule(self.run, first, subject, set(further)).condition(value)
        raise Wrong(f"{shown(name)!r} is no function of one expression")
