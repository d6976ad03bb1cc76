"""Counting again: all sizes that a certificate must cover, each from the program alone."""

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
from .runs import STEPS, Course, Law, Runs
from .signs import Signs
from .sizes import LARGEST, Sizes, choices, limits_of
from .steps import Draws, private_of
from .values import Evaluation, Held, Recorder, Wrong, unplaced

# Proofs by enumeration: everything is counted again, from the program alone.


def check_enumeration(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """Count everything again; the number of comparisons, and what is in the way of the proof."""
    return counted_again(program, part)


# Counting again: all sizes that a certificate must cover, each from the program alone.


def counted_again(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """The number of comparisons, and what differs from the certificate."""
    program = program.inlined
    problems: list[str] = []
    total = 0
    try:
        limits = limits_of(program)
        if part.largest > LARGEST:
            raise Wrong(f"sizes up to {part.largest} are too many")
        if not limits and part.largest:
            problems.append(f"sizes up to {part.largest} of a program without sizes")
        complete = is_complete(limits, part.largest)
        if not complete and part.largest < 1:
            problems.append("size 0 alone is no bound")
        if part.complete != complete:
            problems.append("whether these are all sizes is not as the preconditions say")
        said = iter(part.settings)
        stated = next(said, None)
        counter = Counter(program, [STEPS])
        for sizes in sorted(choices(limits, part.largest), key=order_of):
            found = counter.found(sizes)
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
        problems.append("an expression nests too deep")
    return total, problems


def is_complete(limits: Mapping[str, tuple[int, int | None]], largest: int) -> bool:
    """Whether the preconditions allow no larger sizes."""
    return all(high is not None and high <= largest for _, high in limits.values())


def order_of(sizes: Sizes) -> tuple[int, list[int]]:
    """In which order sizes are counted: by the largest one first."""
    return max(sizes.values(), default=0), list(sizes.values())


def _difference(stated: EnumeratedSizes | None, found: EnumeratedSizes) -> str:
    if stated is None or stated.sizes != found.sizes:
        return "the certificate does not count these sizes here"
    for name in ("inputs", "outcomes", "pairs", "comparisons"):
        one, two = getattr(stated, name), getattr(found, name)
        if one != two:
            return f"{two} {name}, and not {one}"
    return "the laws are others"


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
