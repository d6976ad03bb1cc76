"""Expressions as one of two runs sees them, and as a certificate speaks of both."""

from __future__ import annotations

import ast

from ..arithmetic import (
    FALSE,
    ONE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    both,
    constant,
    is_unknown,
    names_of,
    unknown,
)
from ..claim.policies import Case, mechanism_budget
from ..language.syntax import expression, is_call, shown
from .elements import element
from .expressions import Evaluator, Meaningless, Num, Value
from .relation import Pair
from .runs import Run, State

#: Whether D and D′ have the record that differs.
PRESENT = {"replaced": (1, 1), "removed": (1, 0), "added": (0, 1), "same": (0, 0)}


class Given(Evaluator):
    """What is said of public inputs alone; what that needs is said with it."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.unknowns)
        self.run = run

    def variable(self, name: str) -> Value:
        kind = self.run.kinds.get(name)
        if kind is None or not kind.public or kind.array:
            raise Meaningless(f"{name!r} is no public scalar input")
        return self.run.relation.left(name, None)

    def cell(self, array: str, index: Polynomial) -> Value:
        kind = self.run.kinds.get(array)
        if kind is None or not (kind.public and kind.array):
            raise Meaningless(f"{array!r} is no public sequence")
        return self.run.relation.left(array, index)

    def length(self, array: str) -> Polynomial:
        kind = self.run.kinds.get(array)
        if kind is None or not kind.array:
            raise Meaningless(f"{array!r} is no sequence")
        return self.unknowns.new(f"len({array})", True)

    def owe(self, claim: Condition, why: str) -> None:
        self.run.assume(claim)

    def define(self, fact: Condition) -> None:
        self.run.assume(fact)

    def is_unit(self, name: str) -> bool:
        return self.run.is_unit(name)

    def throughout(self, claim: Condition) -> bool:
        return self.run.throughout(claim)


class Side(Given):
    """One of the two runs of a path; a shift may speak of the other, and of what is foretold."""

    def __init__(self, run: Run, state: State, right: bool, shift: bool = False) -> None:
        super().__init__(run)
        self.state, self._right, self._shift = state, right, shift
        self._record = ("", "")

    def variable(self, name: str) -> Value:
        kind = self.run.kinds.get(name)
        if kind is None:
            value = (self.state.right if self._right else self.state.left).get(name)
            if value is None:
                raise Meaningless(f"{name!r} has no value here")
            return value
        if kind.public or kind.array or kind.attributes:
            return super().variable(name)
        return self._of(self.run.relation.pair(name, None))

    def _of(self, pair: Pair) -> Num:
        return pair.right if self._right else pair.left

    def cell(self, array: str, index: Polynomial) -> Value:
        kind = self.run.kinds.get(array)
        if kind is None:
            return element(self.run, self.state, array, index)[self._right]
        if kind.public or not kind.array:
            return super().cell(array, index)
        key = (array, index)
        if key not in self.state.pairs:
            pair = self.state.pairs[key] = self.run.relation.pair(array, index)
            # An expression may mention an element where Python does not come to it.
            there = self.run.within(index, self.length(array))
            for fact in pair.facts:
                self.define(self.unknowns.implies(self.settled(there), fact))
            self._compare(array, index, pair)
        return self._of(self.state.pairs[key])

    def _compare(self, array: str, index: Polynomial, pair: Pair) -> None:
        """Where two variables are equal, the elements at them are the same in either run."""
        equal = self.unknowns.equal
        for (name, other), known in self.state.pairs.items() if is_unknown(index) else ():
            if name == array and is_unknown(other) and other != index:
                same = (equal(a.term, b.term) for a, b in zip(pair[:2], known[:2], strict=True))
                self.define(self.unknowns.implies(equal(index, other), both(same)))

    def length(self, array: str) -> Polynomial:
        own = self.state.left.get(f"len({array})")
        return own.term if isinstance(own, Num) else super().length(array)

    def owe(self, claim: Condition, why: str) -> None:
        self.run.owe(self.state, claim, "definedness and end", why)

    def define(self, fact: Condition) -> None:
        self.state.assume(fact)

    def settled(self, test: Condition) -> Condition:
        return self.run.settled(self.state, test)

    def special(self, e: ast.expr) -> Value | None:
        match e:
            case ast.Subscript(value=ast.Name(id="record"), slice=place) if self._record[0]:
                return self._attribute(place)
            case ast.Call(func=ast.Name(id="outcome"), args=args, keywords=[]) if self._shift:
                return self.variable(f"outcome({ast.unparse(args[0]) if args else 0})")
            case ast.Compare(left=item, ops=[ast.In()], comparators=[inside]) if (
                self._shift and ast.unparse(inside) == "outcome()"
            ):
                index = self.integer(item)
                if index not in self.state.asked:
                    raise Meaningless("whether an index is picked is asked where none are picked")
                return self.state.asked[index]
        return None

    def word(self, word: str, e: ast.Call) -> Value:
        match word, e.args:
            case "other", [inner] if self._shift:
                beside = Side(self.run, self.state, not self._right)
                beside._reached = self._reached
                return beside.value(inner)
            case "count", [test, ast.Name(id=data)]:
                return Num(self._count(test, data), "int")
        return super().word(word, e)

    def _count(self, test: ast.expr, data: str) -> Polynomial:
        """What the others are, which D and D′ share, and one if the record that differs counts."""
        if data not in self.run.kinds or not self.run.kinds[data].attributes:
            raise Meaningless(f"{data!r} is no data set")
        generic = self._of_record("record", data, test)
        others = self.unknowns.of("others", (data, generic), True)
        self.define(self.unknowns.compare(">=", others))
        text = ast.unparse(self.run.relation.inputs[data][0])
        if text not in PRESENT:
            raise Wrong(f"{text[:60]!r} is no way in which a record differs")
        if not PRESENT[text][self._right]:
            return others
        own = self._of_record("after" if self._right else "before", data, test)
        return add(others, self.choice(own, ONE, ZERO))

    def _of_record(self, which: str, data: str, test: ast.expr) -> Condition:
        outside, self._record = self._record, (which, data)
        try:
            return self.condition(test)
        finally:
            self._record = outside

    def _attribute(self, place: ast.expr) -> Num:
        which, data = self._record
        index = self.integer(place)
        inside = self.run.within(index, constant(self.run.kinds[data].attributes))
        self._owe(inside, f"a record of {data} has this attribute")
        if which != "record":
            for fact in self.run.relation.attribute(data, index):
                self.define(fact)
        return Num(self.unknowns.of(f"{which}({data})", index, True), "int")


class Peek(Side):
    """Just to see where an index stands: it is evaluated again where it counts."""

    def owe(self, claim: Condition, why: str) -> None:
        """Nothing yet."""


class Ensured(Side):
    """What is ensured, which may not raise even where nothing else is owed."""

    def owe(self, claim: Condition, why: str) -> None:
        self.run.show(self.state, claim, f"one-sided claim: {why}")


class Said(Given):
    """What a certificate says of both runs of a path; without one, of parameters and constants."""

    def __init__(self, run: Run, state: State | None = None) -> None:
        super().__init__(run)
        self._state, self._right = state, False

    def special(self, e: ast.expr) -> Value | None:
        found = self.run.relation.constant(e)
        if found is not None:
            return Num(found, "float")
        if isinstance(e, ast.Subscript | ast.Call | ast.Name) and self._state is not None:
            held = (self._state.right if self._right else self._state.left).get(ast.unparse(e))
            if held is not None:
                return held
        match e:
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Name(id="before" | "after" | "moved_before" as word),
                    args=[ast.Name(id=data)],
                ),
                slice=place,
            ):
                whole = word != "moved_before"
                found = self.unknowns.of(f"{word}({data})", self.integer(place), whole)
                return Num(found, "int" if whole else "float")
        return None

    def _let(self, names: list[str], values: list[ast.expr], body: ast.expr) -> Value:
        # A name means the same wherever it is read, whichever variables there are so far.
        raise Meaningless("a helper in what a certificate says")

    def variable(self, name: str) -> Value:
        kind = self.run.kinds.get(name)
        if kind is None or kind.public or kind.array or kind.attributes:
            return super().variable(name)
        pair = self.run.relation.pair(name, None)
        return pair.right if self._right else pair.left

    def word(self, word: str, e: ast.Call) -> Value:
        match word, e.args:
            case "other", [inner]:
                self._right = not self._right
                value = self.value(inner)
                self._right = not self._right
                return value
            case "cost", [rate] if self._state is not None:
                of_delta = is_call(rate, "given_up")
                inner = rate.args[0] if of_delta and isinstance(rate, ast.Call) else rate
                term = Rate(self.run).number(inner).term
                for k, known in enumerate(zip(self.run.rates, self.run.of_delta, strict=True)):
                    if known == (term, of_delta):
                        return Num(self._state.costs[k], "float")
                raise Wrong(f"{shown(rate)!r} is no rate of the certificate")
        return super().word(word, e)

    def owe(self, claim: Condition, why: str) -> None:
        """What a certificate says must be defined."""
        if self._state is None:
            self.run.show_throughout(claim, why)
        else:
            self.run.owe(self._state, claim, "loop invariant", why)

    def define(self, fact: Condition) -> None:
        if self._state is None:
            self.run.assume(fact)
        else:
            self._state.assume(fact)


class Public(Said):
    """What a certificate says of public inputs alone, and of no pair, path or index."""

    def special(self, e: ast.expr) -> Value | None:
        return None

    def variable(self, name: str) -> Value:
        return Given.variable(self, name)


class Rate(Said):
    """What a unit of a counter costs: 0 where that divides by zero, as nothing is drawn there."""

    def owe(self, claim: Condition, why: str) -> None:
        """The draw that is paid for owes that its price has a value, unless it can have none."""
        if claim == FALSE:
            super().owe(claim, why)

    def inverse(self, p: Polynomial) -> Polynomial:
        found, q = super().inverse(p), self.unknowns
        for name in names_of(found) & q.divisors.keys():
            zero = q.compare("=", q.divisors[name])
            if not self.run.refuted([zero]):
                self.define(q.implies(zero, q.compare("=", unknown(name))))
        return found


def assume_given(run: Run) -> None:
    """What holds of all pairs: the kinds of inputs, the preconditions, the relation."""
    given, texts = Given(run), [text for kind in run.kinds.values() for text in kind.facts]
    for e in (*map(expression, texts), *run.mechanism.header.asserts):
        # Outside these the call raises before anything is sampled.
        run.assume(given.condition(e))
    for fact in run.relation.common():
        run.assume(fact)


def claimed_budget(run: Run, case: Case, state: State) -> tuple[Polynomial, Polynomial]:
    """The budget that is claimed, and the distance of the pair that it is multiplied by."""
    said, distance = Said(run), ONE
    text = case.budget or mechanism_budget(run.mechanism.header)
    claimed = said.number(expression(text)).term
    if case.distance:
        distance = said.number(expression(case.distance)).term
    at_least = run.unknowns.compare(">=", distance)
    run.owe(state, at_least, "cost", "the distance is not negative")
    return claimed, distance
