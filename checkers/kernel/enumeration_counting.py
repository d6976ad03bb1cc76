"""Counting again: all sizes that a certificate must cover, each from the program alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...dsl.errors import ShiftproofError
from ...dsl.evaluate import Evaluator
from ...dsl.formulas import FALSE, TRUE, Formula, Junction, Sign
from ...dsl.inputs import (
    EpsilonInput,
    IntegerValue,
    IntegerValues,
    PublicFloat,
    PublicInt,
    PublicVector,
)
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.rules import rule_of
from ...dsl.substitution import Substitution
from ...dsl.syntax import Comparison, Constant, Expression, Length, Name
from ...dsl.terms import Linear, Symbol, number, term
from ...dsl.values import NumberKind
from .enumeration import EnumeratedSizes, EnumerationPart
from .enumeration_numbers import Numbers, Quotient
from .enumeration_pairs import Input, Pairs, inputs_of
from .enumeration_runs import STEPS, Held, InputsAndVariables, Law, Runs, Wrong, unplaced
from .enumeration_signs import Signs
from .enumeration_text import MOST_ROWS, outcome_text, row_text

#: The largest size that a certificate may speak of.
LARGEST = 64
#: How many comparisons are made.
COMPARISONS = 40_000_000

Sizes = dict[str, int]


def counted_again(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """The number of comparisons, and what differs from the certificate."""
    program = program.inlined
    problems: list[str] = []
    total, steps = 0, [STEPS]
    try:
        limits = _limits(program)
        if part.largest > LARGEST:
            raise Wrong(f"sizes up to {part.largest} are too many")
        if not limits and part.largest:
            problems.append(f"sizes up to {part.largest} of a program without sizes")
        complete = all(high is not None and high <= part.largest for _, high in limits.values())
        if part.complete != complete:
            problems.append("whether these are all sizes is not as the preconditions say")
        said = iter(part.settings)
        stated = next(said, None)
        for sizes in sorted(_choices(limits, part.largest), key=_order):
            # What one choice of sizes is about is nothing to the others.
            found = _Sizes(program, sizes, steps).found()
            if found is None:
                continue
            if stated is None or stated != found:
                shown = ", ".join(f"{n} = {v}" for n, v in sizes.items()) or "no sizes"
                problems.append(f"at {shown}: {_difference(stated, found)}")
                break
            total += found.comparisons
            stated = next(said, None)
        else:
            if stated is not None:
                problems.append(f"the certificate counts sizes {stated.sizes} besides")
        if not any(s.pairs and s.comparisons for s in part.settings):
            problems.append("nothing is compared")
    except (Wrong, ShiftproofError) as error:
        problems.append(str(error))
    except RecursionError:
        problems.append("a run draws too often, or an expression nests too deep")
    return total, problems


def _order(sizes: Sizes) -> tuple[int, list[int]]:
    return max(sizes.values(), default=0), list(sizes.values())


def _difference(stated: EnumeratedSizes | None, found: EnumeratedSizes) -> str:
    if stated is None or stated.sizes != found.sizes:
        return "the certificate does not count these sizes here"
    for name in ("inputs", "outcomes", "pairs", "comparisons"):
        one, two = getattr(stated, name), getattr(found, name)
        if one != two:
            return f"{two} {name}, and not {one}"
    return "the laws are others"


def _limits(program: Program) -> dict[str, tuple[int, int | None]]:
    """The least and the largest value of each size, as far as the preconditions say."""
    lows: dict[str, int | None] = {}
    for name, kind in program.inputs.items():
        match kind:
            case IntegerValues() | PublicVector():
                lows[f"len({name})"] = 0
            case IntegerValue() | EpsilonInput():
                pass
            case PublicInt() if not kind.array:
                lows[name] = kind.minimum
            case PublicFloat() if not kind.array:
                pass
            case _:
                raise Wrong(f"'{name}' does not take finitely many values")
    highs: dict[str, int | None] = dict.fromkeys(lows)
    changed = True
    while changed:
        before = dict(lows), dict(highs)
        for e in program.preconditions:
            if isinstance(e, Comparison):
                _narrow(e.left, e.operator, e.right, lows, highs)
                _narrow(e.right, e.operator.translate(_TURNED), e.left, lows, highs)
        changed = before != (lows, highs) and all(abs(v) <= LARGEST for v in lows.values() if v)
    found = {}
    for name, low in lows.items():
        if low is None:
            raise Wrong(f"'{name}' has no least value")
        found[name] = low, highs[name]
    return found


_TURNED = str.maketrans("<>", "><")


def _narrow(
    left: Expression,
    operator: str,
    right: Expression,
    lows: dict[str, int | None],
    highs: dict[str, int | None],
) -> None:
    """``left operator right``, where the left one is a size."""
    name, other = _named(left), _named(right)
    if name not in lows:
        return
    if isinstance(right, Constant):
        floor = right.value.numerator // right.value.denominator
        whole = right.value.denominator == 1
        least: int | None = floor if whole else floor + 1
        most: int | None = floor
    elif other in lows:
        whole, least, most = True, lows[other], highs[other]
    else:
        return
    if operator in (">", ">=", "==") and least is not None:
        low = least + 1 if operator == ">" and whole else least
        known = lows[name]
        lows[name] = low if known is None else max(low, known)
    if operator in ("<", "<=", "==") and most is not None:
        high = most - 1 if operator == "<" and whole else most
        bound = highs[name]
        highs[name] = high if bound is None else min(high, bound)


def _named(e: Expression) -> str:
    match e:
        case Name(name=name):
            return name
        case Length(array=array):
            return f"len({array})"
    return ""


def _choices(limits: Mapping[str, tuple[int, int | None]], largest: int) -> Iterator[Sizes]:
    spans = [
        range(low, (largest if high is None else min(high, largest)) + 1)
        for low, high in limits.values()
    ]
    for values in itertools.product(*spans):
        yield dict(zip(limits, values, strict=True))


class _Sizes:
    """One choice of sizes."""

    def __init__(self, program: Program, sizes: Sizes, steps: list[int]) -> None:
        self._program = program
        self._sizes = sizes
        self._numbers = Numbers()
        positive = frozenset(n for n, k in program.inputs.items() if k.public and k.positive)
        self._signs = Signs(positive)
        private = frozenset(n for n, k in program.inputs.items() if not k.public)
        self._runs = Runs(program.flow, private, self._numbers, self._signs, steps)

    def found(self) -> EnumeratedSizes | None:
        """What was counted; ``None`` if there are no inputs of these sizes.

        Raises:
            Wrong: the claim is not shown for these sizes.
        """
        public = self._public()
        if not self._assumed(public):
            return None
        inputs = inputs_of(self._program, self._sizes)
        if not inputs:
            return None
        laws = [self._runs.law({**public, **_held(one)}) for one in inputs]
        outcomes = {z for law in laws for z in law}
        pairs, comparisons = self._compare(inputs, laws, self._owed(inputs, laws, outcomes))
        return EnumeratedSizes(
            dict(self._sizes), len(inputs), len(outcomes), pairs, comparisons, _rows(inputs, laws)
        )

    def _public(self) -> dict[str, Held]:
        found: dict[str, Held] = {}
        for name, kind in self._program.inputs.items():
            if not kind.public:
                continue
            if kind.whole:
                found[name] = self._sizes[name]
            elif kind.array:
                found[name] = tuple(
                    self._runs.real(term(Symbol(f"{name}[{i}]", False, fixed=True)))
                    for i in range(self._sizes[f"len({name})"])
                )
            else:
                found[name] = self._runs.real(term(Symbol(name, False, fixed=True)))
        return found

    def _assumed(self, public: Mapping[str, Held]) -> bool:
        """Take the preconditions as facts; whether there are inputs that meet them."""
        lengths: dict[str, Held] = {
            n: (0,) * self._sizes[f"len({n})"]
            for n, k in self._program.inputs.items()
            if k.array and not k.public
        }
        view = InputsAndVariables(self._runs, {**public, **lengths})
        for e in self._program.preconditions:
            evaluator = Evaluator(view)
            try:
                claim = evaluator.condition(unplaced(e))
            except Wrong:
                return False  # an index out of range: a call raises
            for fact in (*(duty.condition for duty in evaluator.duties), claim):
                if fact == FALSE:
                    return False
                self._assume(fact)
        return not self._signs.facts or self._signs.possible()

    def _assume(self, fact: Formula) -> None:
        if isinstance(fact, Junction) and fact.conjunction:
            for member in fact.members:
                self._assume(member)
        if not isinstance(fact, Sign):
            return  # one thing less that is known
        try:
            subject = self._numbers.of(fact.subject)
        except ShiftproofError:
            return
        self._signs.assume(subject, fact.relation == ">")
        if fact.relation == "==":
            self._signs.assume(self._numbers.negative(subject), False)

    def _owed(
        self, inputs: Sequence[Input], laws: Sequence[Law], outcomes: set[tuple[str, ...]]
    ) -> Callable[[tuple[str, ...]], bool]:
        """Of which outcomes the inequality is owed; what is owed of the others is checked here."""
        privacy = self._program.privacy
        if not isinstance(privacy, UtilityOptimizedLDP):
            return lambda outcome: True
        protected = set()
        for outcome in outcomes:
            if len(outcome) != 1:
                raise Wrong("utility-optimised LDP of more than one output")
            if self._said(privacy.protected, _read(outcome[0])):
                protected.add(outcome)
                continue
            sources = [one for one, law in zip(inputs, laws, strict=True) if outcome in law]
            values = [v for one in sources for v in one.values()]
            if len(values) != 1:
                raise Wrong(f"the output {outcome[0]} is not protected and has several sources")
            if type(values[0]) is not int or self._said(privacy.sensitive, _int(values[0])):
                raise Wrong(f"the output {outcome[0]} is not protected and its source is sensitive")
        return protected.__contains__

    def _said(self, function: Any, value: tuple[Linear, NumberKind]) -> bool:
        rule = rule_of(function)
        first, *more = rule.parameters
        values = {first: value[0], **{n: number(self._sizes[n]) for n in more if n in self._sizes}}
        if set(values) != set(rule.parameters):
            raise Wrong(f"'{function.__name__}' depends on more than public integers")
        kinds: dict[str, NumberKind] = dict.fromkeys(more, "int")
        kinds[first] = value[1]
        *duties, found = rule.facts(values, values, kinds)
        if any(duty != TRUE for duty in duties) or found not in (TRUE, FALSE):
            raise Wrong(f"'{function.__name__}' is not decided by the value alone")
        return found == TRUE

    def _compare(
        self,
        inputs: Sequence[Input],
        laws: Sequence[Law],
        owed: Callable[[tuple[str, ...]], bool],
    ) -> tuple[int, int]:
        """Compare all neighbours: how many pairs, and how many different comparisons."""
        at_sizes = Substitution({n: number(v) for n, v in self._sizes.items()})
        for divisor in self._program.divisors:
            value = self._numbers.of(at_sizes.linear(divisor))
            if not any(self._signs.holds(v, True) for v in (value, self._numbers.negative(value))):
                raise Wrong("the budget may divide by zero")
        kept = [{z: p for z, p in law.items() if owed(z)} for law in laws]
        rows: dict[tuple[Any, ...], int] = {}
        which = [rows.setdefault(tuple(sorted((z, p.text) for z, p in law.items())), len(rows))
                 for law in kept]  # fmt: skip
        law_of = dict(zip(which, kept, strict=True))
        last, factor = number(0), self._numbers.one
        pairs: set[tuple[int, int]] = set()
        different: set[tuple[int, int, Quotient]] = set()
        for i, j, budget in Pairs(self._program, self._sizes, inputs).all():
            if budget is not last:
                last, factor = budget, self._numbers.exponential(budget)
            pairs.add((i, j))
            different.add((which[i], which[j], factor))
        if len(different) * max(map(len, kept), default=0) > COMPARISONS:
            raise Wrong("there are too many comparisons")
        done: set[tuple[Quotient, Quotient, Quotient]] = set()
        for one, two, factor in different:
            other = law_of[two]
            done.update((p, other.get(z, self._numbers.zero), factor)
                        for z, p in law_of[one].items())  # fmt: skip
        for p, q, factor in done:
            if p is q and factor is self._numbers.one:
                continue
            most = self._numbers.multiply(factor, q)
            if not self._signs.holds(self._numbers.add(most, self._numbers.negative(p)), False):
                raise Wrong(f"{p.text} is not shown to be at most {factor.text} times {q.text}")
        return len(pairs), len(done)


def _held(one: Input) -> dict[str, Held]:
    return dict(one)


def _int(value: int) -> tuple[Linear, NumberKind]:
    """An int as a rule takes it."""
    return number(value), "int"


def _read(text: str) -> tuple[Linear, NumberKind]:
    """The number that an outcome shows."""
    try:
        if "." not in text and "/" not in text:
            return number(int(text)), "int"
        return number(Fraction(text)), "float"
    except ValueError:
        raise Wrong(f"the output {text} is no plain number") from None


def _rows(inputs: Sequence[Input], laws: Sequence[Law]) -> tuple[str, ...]:
    """The laws as a table, if it is short."""
    if sum(map(len, laws)) > MOST_ROWS:
        return ()
    return tuple(
        line
        for one, law in zip(inputs, laws, strict=True)
        for line in sorted(row_text(one, outcome_text(z), p.text) for z, p in law.items())
    )
