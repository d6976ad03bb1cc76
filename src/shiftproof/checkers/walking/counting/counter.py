"""Counting, size by size, and what a proof by enumeration writes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....dsl.errors import ShiftproofError
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.syntax import Span
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import FALSE, Formula, Junction, Sign
from ....dsl.terms.linear import Linear, Symbol, term
from ....dsl.terms.values import Num, Value
from .comparing import Comparing, Input, inputs_of
from .numbers import MOST_ROWS, Numbers, outcome_text, row_text
from .runs import Course, Law, Runs
from .signs import Signs
from .sizes import Sizes
from .steps import Draws, private_of
from .values import Evaluation, Held, Recorder, unplaced


def is_complete(limits: Mapping[str, tuple[int, int | None]], largest: int) -> bool:
    """Whether the preconditions allow no larger sizes."""
    return all(high is not None and high <= largest for _, high in limits.values())


def order_of(sizes: Sizes) -> tuple[int, list[int]]:
    """In which order sizes are counted: by the largest one first."""
    return max(sizes.values(), default=0), list(sizes.values())


# What a proof by enumeration writes down: for which sizes, and what was counted there.


class EnumeratedSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was found for one choice of sizes.

    Attributes:
        sizes: the public integers, and lengths of sequences as ``len(q)``.
        inputs: how many private inputs there are.
        outcomes: how many different outputs they have.
        pairs: how many ordered pairs of inputs are neighbours.
        comparisons: how many different pairs of probabilities were compared.
        laws: what comes out of each input with which probability, where that is short.
    """

    sizes: dict[str, int]
    inputs: int
    outcomes: int
    pairs: int
    comparisons: int
    laws: tuple[str, ...] = ()


class EnumerationPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A proof by counting all runs on all inputs.

    Attributes:
        largest: no size is larger.
        complete: whether the preconditions allow no larger ones.
        settings: each choice of sizes that has inputs.
        trees: of each question that the kernel asks, why the answer is no.
    """

    largest: int
    complete: bool
    settings: tuple[EnumeratedSizes, ...]
    trees: tuple[str, ...] = ()


# One choice of sizes, for counting again: its inputs, their laws, and what is compared.


class _Meaning:
    """What expressions and draws give, while nothing more is known of the parameters."""

    def __init__(self, numbers: Numbers, positive: frozenset[str]) -> None:
        self.signs = Signs(positive)
        self.values = Evaluation(numbers, self.signs)
        self.draws = Draws(numbers, self.signs)


class _Stated(Recorder):
    """What a precondition reads: an index out of range matters only if Python comes to it.

    That it does not is a duty of the evaluation; what would be read is unknown.
    """

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        cells = self.variables[array]
        assert isinstance(cells, tuple)
        if index.is_constant and 0 <= index.constant < len(cells):
            return super().cell(array, index, span)
        return Num(term(Symbol(f"unread {array}[{index}]", False, fixed=True)), "float")


class Counter:
    """Counts one program, size by size."""

    def __init__(self, program: Program, steps: list[int]) -> None:
        self._program = program
        self._steps = steps
        private = frozenset(n for n, k in program.inputs.items() if not k.public)
        self._course = Course(program.flow, private_of(program.flow, private))
        self._numbers = Numbers()
        self._positive = frozenset(n for n, k in program.inputs.items() if k.public and k.positive)
        # What needs no facts about the parameters holds for all sizes.
        self._factless = _Meaning(self._numbers, self._positive)

    def found(self, sizes: Sizes) -> EnumeratedSizes | None:
        """What was counted; ``None`` if there are no inputs of these sizes.

        Raises:
            Wrong: the claim is not shown for these sizes.
        """
        own = _Meaning(self._numbers, self._positive)
        if not self._assumed(sizes, own):
            return None
        meaning = own if own.signs.facts else self._factless
        inputs = inputs_of(self._program, sizes)
        if not inputs:
            return None
        runs = Runs(self._course, meaning.values, meaning.draws, self._numbers, self._steps)
        laws = runs.laws(self._public(sizes, meaning.values), inputs)
        outcomes = {z for law in laws for z in law}
        comparing = Comparing(self._program, sizes, self._numbers, meaning.signs)
        pairs, comparisons = comparing.all(inputs, laws)
        return EnumeratedSizes(
            dict(sizes), len(inputs), len(outcomes), pairs, comparisons, _rows(inputs, laws)
        )

    def _public(self, sizes: Sizes, values: Evaluation) -> dict[str, Held]:
        found: dict[str, Held] = {}
        for name, kind in self._program.inputs.items():
            if not kind.public:
                continue
            if kind.whole:
                found[name] = sizes[name]
            elif kind.array:
                found[name] = tuple(
                    values.real(term(Symbol(f"{name}[{i}]", False, fixed=True)))
                    for i in range(sizes[f"len({name})"])
                )
            else:
                found[name] = values.real(term(Symbol(name, False, fixed=True)))
        return found

    def _assumed(self, sizes: Sizes, own: _Meaning) -> bool:
        """Take the preconditions as facts; whether there are inputs that meet them."""
        public: Mapping[str, Held] = self._public(sizes, own.values)
        lengths: dict[str, Held] = {
            n: (0,) * sizes[f"len({n})"]
            for n, k in self._program.inputs.items()
            if k.array and not k.public
        }
        for e in self._program.preconditions:
            evaluator = Evaluator(_Stated({**public, **lengths}, frozenset()))
            claim = evaluator.condition(unplaced(e))
            for fact in (*(duty.condition for duty in evaluator.duties), claim):
                if fact == FALSE:
                    return False
                self._assume(fact, own.signs)
        return not own.signs.facts or own.signs.possible()

    def _assume(self, fact: Formula, signs: Signs) -> None:
        if isinstance(fact, Junction) and fact.conjunction:
            for member in fact.members:
                self._assume(member, signs)
        if not isinstance(fact, Sign):
            return  # one thing less that is known
        try:
            subject = self._numbers.of(fact.subject)
        except ShiftproofError:
            return
        signs.assume(subject, fact.relation == ">")
        if fact.relation == "==":
            signs.assume(self._numbers.negative(subject), False)


def _rows(inputs: Sequence[Input], laws: Sequence[Law]) -> tuple[str, ...]:
    """The laws as a table, if it is short."""
    if sum(map(len, laws)) > MOST_ROWS:
        return ()
    return tuple(
        line
        for one, law in zip(inputs, laws, strict=True)
        for line in sorted(row_text(one, outcome_text(z), p.text) for z, p in law.items())
    )
