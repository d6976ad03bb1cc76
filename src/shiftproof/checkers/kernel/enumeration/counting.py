"""Proofs by enumeration: everything is counted again, from the core text alone.

With sizes fixed (public integers and lengths) and finitely many private inputs, all runs on all of
them are looked at.  Of each pair of neighbours and each outcome it is decided that
exp(budget) · P′ - P is at least zero for all parameters.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from ..arithmetic import Condition, Wrong, spend
from ..claim.declared import output_rules
from ..claim.policies import Case, Kind
from ..language.steps import Mechanism
from ..language.syntax import expression
from ..paired.powers import Registry
from .concrete import HIDDEN, Meaning, Raises, is_true
from .neighbours import Neighbours
from .quotients import FINEST, Finer, Numbers, Quotient, Unclear
from .runs import CountedRuns, Outcomes
from .sizes import LARGEST_SIZE, choices, limits_of

#: How many private inputs there may be.
MOST_INPUTS = 2_100

#: Gives a tree for a question, or ``"-"``.
Asking = Callable[[Registry, list[Condition]], str]


class Counted(NamedTuple):
    """What was counted: whether these are all sizes, of each choice of sizes, and comparisons."""

    complete: bool
    settings: list[dict[str, Any]]
    comparisons: int


def check_enumeration(
    mechanism: Mechanism,
    kinds: Mapping[str, Kind],
    cases: Sequence[Case],
    part: Mapping[str, Any],
    ask: Asking,
) -> int:
    """Check a proof by enumeration; the number of comparisons.

    Raises:
        Wrong: the claim is not shown, or not for the sizes that the certificate says.
    """
    return Counting(mechanism, kinds, cases, ask).check(part)


class Counting:
    """The count of a mechanism, which is made once at each choice of sizes.

    ``limits`` are those of sizes; ``last`` is the count in hand.
    """

    last: Count

    def __init__(
        self,
        mechanism: Mechanism,
        kinds: Mapping[str, Kind],
        cases: Sequence[Case],
        ask: Asking,
    ) -> None:
        self.mechanism, self.kinds, self.cases, self.ask = mechanism, kinds, cases, ask
        told = [expression(text) for kind in kinds.values() for text in kind.facts]
        self.told = [e for test in (*told, *mechanism.header.asserts) for e in _members(test)]
        self.limits, self.unit = limits_of(kinds, self.told), 1
        self._found: dict[tuple[int, ...], tuple[dict[str, int] | None, int]] = {}

    def check(self, part: Mapping[str, Any]) -> int:
        """Check what a certificate says; the number of comparisons.

        Raises:
            Wrong: the claim is not shown, or not for the sizes that the certificate says.
        """
        largest, complete, settings = (part.get(n) for n in ("largest", "complete", "settings"))
        if type(largest) is not int or not isinstance(settings, list):
            raise Wrong("no proof by enumeration")
        found = self.up_to(largest)
        if complete is not found.complete:
            raise Wrong("whether these are all sizes is not as the preconditions say")
        names = found.settings[0].keys()
        said = [{n: row.get(n) for n in names} for row in settings if isinstance(row, dict)]
        if said != found.settings or len(said) != len(settings):
            raise Wrong("the certificate says other sizes, or other numbers of inputs or pairs")
        return found.comparisons

    def up_to(self, largest: int) -> Counted:
        """Count everything up to a size.

        Raises:
            Wrong: the claim is not shown, or there is nothing to compare.
        """
        if not 0 <= largest <= LARGEST_SIZE:
            raise Wrong("sizes that are not counted")
        complete = self.is_complete(largest)
        if (not complete and largest < 1) or (not self.limits and largest):
            raise Wrong("size 0 alone is no bound, and without sizes there is none")
        settings, compared = [], 0
        for sizes in choices(self.limits, largest):
            found, more = self.at(sizes)
            if found:
                settings.append({"sizes": sizes, **found})
                compared += more
        if not compared or not any(row["pairs"] for row in settings):
            raise Wrong("nothing is compared")
        return Counted(complete, settings, compared)

    def at(self, sizes: dict[str, int]) -> tuple[dict[str, int] | None, int]:
        """What :meth:`Count.found` says of a choice of sizes, and how many comparisons these are.

        Raises:
            Wrong: an inequality is not shown.
        """
        key = tuple(sizes.values())
        if key not in self._found:
            self.last = Count(self, sizes)
            self._found[key] = self.last.found(), self.last.compared
        return self._found[key]

    def is_complete(self, largest: int) -> bool:
        """Whether the preconditions allow no larger sizes."""
        return all(high is not None and high <= largest for _, high in self.limits.values())


class Broken(Wrong):
    """The claim is not shown of an outcome, or of two probabilities and a factor."""

    def __init__(self, why: str, *about: Any) -> None:
        super().__init__(why)
        self.about = about


class Count:
    """The count at one choice of sizes: what is compared is to be seen in it afterwards."""

    numbers: Numbers
    runs: CountedRuns
    near: Mapping[Quotient, Sequence[int]]

    def __init__(self, counting: Counting, sizes: dict[str, int]) -> None:
        self.counting, self.sizes = counting, sizes
        self.mechanism, self.kinds, self.cases = counting.mechanism, counting.kinds, counting.cases
        self.inputs: list[dict[str, Any]] = []
        self.laws: list[Outcomes] = []
        self.owed: list[tuple[Any, ...]] = []
        self.compared = 0

    def found(self) -> dict[str, int] | None:
        """How many inputs, outcomes and pairs there are; ``None`` if no input has these sizes.

        Raises:
            Wrong: an inequality is not shown.
        """
        counting = self.counting
        while True:
            self.numbers = Numbers(counting.unit, counting.ask)
            try:
                return self._found(counting.told, self.numbers)
            except Finer as finer:
                counting.unit = finer.unit
                if finer.unit > FINEST:
                    raise Wrong(f"exponents that are divided by more than {FINEST}") from None
            except KeyError as error:
                raise Wrong(f"{error} has no value") from None
            except RecursionError:
                raise Wrong("an expression nests too deep") from None

    def _found(self, told: Sequence[ast.expr], numbers: Numbers) -> dict[str, int] | None:
        public = self._public(numbers)
        meaning = Meaning(numbers)
        try:
            possible = all(_assume(e, meaning, public) for e in told)
        except Raises:
            possible = False
        if not possible or not numbers.are_facts_possible():
            return None
        private = {n: kind for n, kind in self.kinds.items() if not kind.public}
        public = {n: value for n, value in public.items() if n not in private}
        neighbours = Neighbours(numbers, self.mechanism, self.kinds, public)
        columns: list[Iterable[Any]] = []
        many = 1
        for name, kind in private.items():
            values = neighbours.values(self.cases, name)
            length = self.sizes[f"len({name})"] if kind.array else 1
            many *= min(len(values), MOST_INPUTS + 1) ** length
            if many > MOST_INPUTS:
                raise Wrong(f"more than {MOST_INPUTS} private inputs")
            columns.append(itertools.product(values, repeat=length) if kind.array else values)
        inputs = [dict(zip(private, row, strict=True)) for row in itertools.product(*columns)]
        self.inputs = inputs
        if not inputs:
            return None
        self.runs = CountedRuns(self.mechanism, Meaning(numbers, frozenset(private)), inputs)
        try:
            laws = self.laws = self.runs.outcomes(public)
        except Wrong as error:
            error.args = (f"line {self.mechanism.nodes[self.runs.at].line}: {error}",)
            raise
        near = self.near = neighbours.near(self.cases, inputs)
        every = dict.fromkeys(z for law in laws for z in law)
        self.owed = self._owed(list(every), inputs, laws, Meaning(numbers), public)
        different = comparisons(self.owed, laws, near, numbers.zero)
        for p, q, factor in different:
            gap = numbers.minus(numbers.by(factor, q), p)
            if not numbers.holds(gap.top, False):
                raise Broken("a probability is not shown to be within the budget", p, q, factor)
        self.compared = len(different)
        beside = [
            reduce(or_, (rows[i] for rows in near.values()), 0) & ~(1 << i)
            for i in range(len(inputs))
        ]
        pairs = sum(others.bit_count() for others in beside)
        return {"inputs": len(inputs), "outcomes": len(every), "pairs": pairs}

    def _public(self, numbers: Numbers) -> dict[str, Any]:
        """The values of public inputs; of private sequences, as many unknown elements."""
        found: dict[str, Any] = {}
        for name, kind in self.kinds.items():
            if kind.array:
                cells = range(self.sizes[f"len({name})"])
                found[name] = tuple(
                    numbers.real(f"{name}[{k}]") if kind.public else HIDDEN for k in cells
                )
            elif kind.public:
                found[name] = self.sizes[name] if kind.whole else numbers.real(name)
        return found

    def _owed(
        self,
        every: list[tuple[Any, ...]],
        inputs: Sequence[Mapping[str, Any]],
        laws: Sequence[Outcomes],
        meaning: Meaning,
        public: Mapping[str, Any],
    ) -> list[tuple[Any, ...]]:
        """The outcomes of which the inequality is owed: all, or those that are protected.

        What is owed of the others is checked here: one input has them, which is not sensitive.
        """
        rules = [self.mechanism.functions[name] for name in output_rules(self.mechanism.header)]
        if not rules:
            return every

        def said(rule: ast.FunctionDef, value: Any) -> bool:
            first = rule.args.args[0].arg
            match rule.body:
                case [ast.Return(value=ast.expr() as body)] if first not in public:
                    return is_true(meaning.of(body)({**public, first: value}, {}))
            raise Wrong(f"{rule.name} is no condition on one value")

        owed = []
        for outcome in every:
            if len(outcome) != 1:
                raise Wrong("outcomes that are no single values")
            if said(rules[1], outcome[0]):
                owed.append(outcome)
                continue
            sources = [
                value
                for one, law in zip(inputs, laws, strict=True)
                if outcome in law
                for value in one.values()
            ]
            if len(sources) != 1 or type(sources[0]) is not int or said(rules[0], sources[0]):
                raise Broken("an unprotected outcome may come from what is sensitive", outcome)
        return owed


def comparisons(
    owed: Sequence[tuple[Any, ...]],
    laws: Sequence[Outcomes],
    near: Mapping[Quotient, Sequence[int]],
    zero: Quotient,
) -> dict[tuple[Quotient, Quotient, Quotient], None]:
    """What is to be compared: a probability, a neighbour's, and the factor that is allowed."""
    different: dict[tuple[Quotient, Quotient, Quotient], None] = {}
    for outcome, (factor, rows) in itertools.product(owed, near.items()):
        spend(4 * len(laws))
        having: dict[Quotient, int] = {}
        reached: dict[Quotient, int] = {}
        for i, law in enumerate(laws):
            p = law.get(outcome, zero)
            having[p] = having.get(p, 0) | 1 << i
            reached[p] = reached.get(p, 0) | rows[i]
        for p, others in reached.items():
            if p is not zero:
                different |= {(p, q, factor): None for q, some in having.items() if some & others}
    return different


# What the preconditions say.


def _members(e: ast.expr) -> Iterator[ast.expr]:
    """The members of a conjunction."""
    if isinstance(e, ast.BoolOp) and isinstance(e.op, ast.And):
        for member in e.values:
            yield from _members(member)
    else:
        yield e


def _assume(e: ast.expr, meaning: Meaning, public: Mapping[str, Any]) -> bool:
    """Take a precondition for a fact; whether it can hold.

    Raises:
        Raises: it cannot be evaluated, so there is no run.
    """
    numbers = meaning.numbers
    match e:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _RELATIONS:
            a, b = (meaning.of(side)(public, {}) for side in (left, right))
            if isinstance(a, Quotient) or isinstance(b, Quotient):
                a, b = meaning.real(a), meaning.real(b)
                relation, turned = _RELATIONS[type(op)]
                gap = numbers.minus(b, a) if turned else numbers.minus(a, b)
                if gap.value is None:
                    numbers.assume(relation, gap.top)
                    return True
    try:
        return is_true(meaning.of(e)(public, {}))
    except Unclear:
        return True  # it is left out: one thing less is known


#: What it means of a difference, and of which one.
_RELATIONS: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Gt: (">", False), ast.GtE: (">=", False), ast.Lt: (">", True), ast.LtE: (">=", True),
    ast.Eq: ("=", False),
}  # fmt: skip
