"""Finding an alignment: unknown coefficients, many small examples, one solver call.

On a recording everything is a number but the coefficients, so each obligation of the
paired run is linear in them.  The cheapest coefficients that meet the obligations of
all recordings are a candidate; whether it is an alignment is for the proof to say.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...alignments.alignment import Alignment, Origin, Reason, annotated_shifts
from ...alignments.choosing import Chooser
from ...alignments.control import finite_variables
from ...alignments.examples import Example, Examples
from ...alignments.inputs import RandomInputs
from ...alignments.taint import Taint
from ...alignments.templates import templates
from ...dsl.errors import LimitReached
from ...dsl.language.syntax import Expression, Span
from ...dsl.relations.cases import Case
from ...dsl.relations.pairs import allowed
from ...dsl.relations.program import Program, told_of_parameters
from ...dsl.terms.enclosures import enclosed, is_plain
from ...dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    equal,
)
from ...dsl.terms.linear import DivisionByZero, Linear, Opaque, Symbol, number, term
from ...dsl.terms.phases import phase
from ...dsl.terms.substitution import Substitution
from ...dsl.terms.values import Num, Value
from ..walking.runs.state import State
from .loops.seen import Arrived
from .recorded import RecordedRun

#: How many recordings a search starts from, how many more it makes for each candidate,
#: and how many before more and more work is done for one.
FIRST_RECORDINGS = 10
USUAL_RECORDINGS = 4
MORE_RECORDINGS = 6
HARDER_RECORDINGS = (12, 24)
TIGHTER_RECORDINGS = 6
#: How many times as many where loops go by states or between thresholds.
STEADY_PACE = 4
#: How many candidates may fall to new recordings, and how many recordings look for a failure.
REFUTED_LIMIT = 30
FAILURE_RECORDINGS = 60
#: The shares of the budget within which alignments are looked for, one after the other.
SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1))


@dataclass(slots=True)
class Recording:
    """What one run on recorded noise asks of the coefficients, and whether it came to an end."""

    example: Example
    draws: list[Fraction | int | bool]
    owed: list[tuple[Formula, Reason]] = field(default_factory=list)
    visited: set[Span] = field(default_factory=set)
    definitions: list[tuple[Symbol, Linear]] = field(default_factory=list)
    cost: Linear | None = None
    leanings: Mapping[int, float] = field(default_factory=dict)
    alikeness: Mapping[str, Sequence[Formula]] = field(default_factory=dict)
    arrived: Sequence[State] = ()
    history: Sequence[int] = ()
    picks: Sequence[int] = ()

    @property
    def claims(self) -> Iterator[Formula]:
        """What must hold, with what its names stand for."""
        for symbol, meaning in self.definitions:
            yield equal(term(symbol), meaning)
        for claim, _ in self.owed:
            yield claim


class _Priced(RecordedRun):
    """A run that must stay within a budget."""

    budget: Linear
    cost: Linear | None = None

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """In the place of a logarithm or root, what it is of: that is the same where it is."""
        return argument

    def ends(self, state: State, span: Span) -> None:
        """The cost so far is within the budget, also where a callee may never return."""
        super().ends(state, span)
        total = number(0)
        for rate, amount in state.costs.items():
            total = total + amount.scaled(_approximately(rate))
        claim = at_least(self.budget, total)
        if claim != TRUE:
            reason = Reason("cost", "the shifts cost at most the budget", span)
            self.owed.append((claim, reason))
        if self.finished:
            self.cost = total


def _approximately(rate: Linear) -> Fraction:
    """A rate at concrete parameters; log odds and powers of e are rounded: the search sees it only.

    Raises:
        LimitReached: it is no number even there.
    """
    total = Fraction(rate.constant)
    for atom, k in rate.parts:
        odds = isinstance(atom, Opaque) and atom.operation == "log_odds"
        inner = atom.arguments[0] if isinstance(atom, Opaque) and odds else term(atom)
        if not is_plain(inner):
            raise LimitReached("rate", f"a cost at the rate {rate}")
        value = float(enclosed(inner).mid())
        value = math.log(value / (1 - value)) if odds else value
        total += k * Fraction(value).limit_denominator(10**6)
    return total


def budget_on(program: Program, budget: Linear, example: Example) -> Linear:
    """What a budget allows an example's pair, as a number.

    Raises:
        DivisionByZero: it divides by what is zero there.
    """
    left, right = example.left, example.right
    claimed = allowed(program.privacy, program.inputs, budget, left, right)
    return Substitution(told_of_parameters(left)).linear(claimed)


def record(
    program: Program,
    example: Example,
    shifts: Mapping[int, Expression],
    unknowns: Sequence[str],
    seed: int,
    *,
    one_sided: bool = False,
    leanings: Mapping[int, float] | None = None,
) -> Recording | None:
    """Run both sides on one example with fresh noise; ``None`` if the run is too long."""
    inputs = RandomInputs(program, example, seed, leanings)
    try:
        budget = budget_on(program, program.budget, example)
    except DivisionByZero:
        return None  # the claim says nothing here; the proof will ask for the divisor
    run = _Priced(program, inputs, shifts, label=seed, one_sided=one_sided)
    run.budget = budget
    try:
        run.explore(unknowns)
        if run.looks_ahead and run.finished:
            run.explore(unknowns, again=True)
        elif run.looks_ahead:
            return None
    except LimitReached:
        return None
    visited = {place for place, _, _ in run.outputs} if run.finished else set()
    definitions = run.definitions
    return Recording(
        example,
        inputs.draws,
        run.owed,
        visited,
        definitions,
        run.cost,
        inputs.leanings,
        run.alikeness,
        run.arrived,
        run.history,
        run.picks,
    )


class Search:
    """The search for an alignment in one case."""

    def __init__(
        self,
        program: Program,
        case: Case,
        facts: Sequence[Formula],
        shares: Sequence[Fraction] = SHARES,
    ) -> None:
        self._program = program
        self._shares = shares
        self._seeds = itertools.count()
        annotated = annotated_shifts(program)
        self._templates = list(templates(program, case, Taint(program), annotated))
        self.template = self._templates[0]
        # Where there are states, or two thresholds, few runs come to each way and stay.
        steady = bool(finite_variables(program.flow)) or self.template.parted
        self._pace = STEADY_PACE if steady else 1
        self._examples = iter(Examples(program, case, facts, steady=steady))
        self.complete = len(annotated) == len(program.flow.sites)
        self.recordings: list[Recording] = []
        self._stayed: Recording | None = None
        self._chooser = Chooser(self.template)
        self._tried: dict[str, int] = {}
        self._doubts: list[int] = []
        self._yields_turn = False

    def candidates(self) -> Iterator[Alignment]:
        """Alignments that fit all recordings so far, cheapest first, each a new one.

        Raises:
            Unsupported: a construct has no meaning in the paired run.
        """
        if self.complete:
            self._learn(FIRST_RECORDINGS)
            yield self._aligned(annotated_shifts(self._program), {})
            return
        turns = ((t, Chooser(t), list[Recording](), self._fitting()) for t in self._templates)
        waiting = deque(turns)
        while waiting:
            self.template, self._chooser, self.recordings, fitting = waiting[0]
            self._yields_turn = False
            for alignment in fitting:
                yield alignment
                if self._yields_turn:
                    self._doubts = []
                    waiting.rotate(-1)
                    break
            else:
                waiting.popleft()

    def yield_turn(self) -> None:
        """The other templates are next: what was tried took long."""
        self._yields_turn = True

    def learn_more(self) -> None:
        """Make some more recordings; they may leave less room."""
        self._learn(TIGHTER_RECORDINGS)

    def speaks_against(self) -> bool:
        """Whether some more recordings break the alignment that is tried; asked a few times."""
        return bool(self._doubts) and self._learn(self._doubts.pop(0), self._tried)

    def fitting(self, budget: Linear) -> Alignment | None:
        """Shifts of the template that keep every recording so far within another budget."""
        values = self._chooser.choose_under(self._within(budget))
        return None if values is None else self._aligned(self.template.filled(values), values)

    def _within(self, budget: Linear) -> list[Formula]:
        """What it means for the recordings to stay within a budget."""
        claims = []
        for recording in self.recordings:
            if recording.cost is not None:
                most = budget_on(self._program, budget, recording.example)
                claims.append(at_least(most, recording.cost))
        return claims

    def _fitting(self) -> Iterator[Alignment]:
        """Alignments of the current template, those that cost little first.

        What is cheap on small examples is more likely to stay within a generous budget.
        """
        self._learn(USUAL_RECORDINGS)
        usual = self._usual()
        if usual and not self._learn(USUAL_RECORDINGS, usual):
            yield from self._offered(usual)
        self._learn(FIRST_RECORDINGS - USUAL_RECORDINGS)
        refuted = 0
        # Runs that stay show what costs much by themselves.
        for share in self._shares[-1:] if self.template.parted else self._shares:
            self._chooser.restart()
            while (values := self._cheap(share)) is not None and refuted < REFUTED_LIMIT:
                if self._learn(MORE_RECORDINGS, values):
                    refuted += 1  # the new recordings speak against it; they were learnt from
                    self._chooser.exclude(values)  # of what rounding hides, there is no learning
                    continue
                yield from self._offered(values)

    def _offered(self, values: Mapping[str, int]) -> Iterator[Alignment]:
        """The alignment of coefficients that no recording breaks, to be proved."""
        self._tried, self._doubts = dict(values), [*HARDER_RECORDINGS]
        yield self._aligned(self.template.filled(values), values)
        # Not proved.  A recording that breaks it says more than its mere exclusion.
        self._chooser.exclude(values)
        self._learn(sum(self._doubts))

    def _aligned(self, shifts: Mapping[int, Expression], values: Mapping[str, int]) -> Alignment:
        """Shifts, and the lists of which both runs had the same elements on all recordings."""
        alike = {array for recording in self.recordings for array in recording.alikeness}
        for recording in self.recordings if alike else ():
            put = _put(recording, values)
            for array, same in recording.alikeness.items():
                if any(_fails(claim, put) for claim in same):
                    alike.discard(array)
        origin: Origin = "annotated" if self.complete and shifts else "found"
        return Alignment(shifts, origin, frozenset(alike), values)

    def arrived(self, alignment: Alignment) -> Iterator[Arrived]:
        """What the recordings held at loop heads, under an alignment that none of them breaks.

        The first round of each, the last one of each, and so on.
        """
        each = (_arrived(recording, alignment) for recording in self.recordings)
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(*each))
        return (arrived for arrived in in_turn if arrived is not None)

    def _usual(self) -> dict[str, int]:
        """Every sample moves by what the private values beside it do, if recordings let it."""
        values = dict.fromkeys(self.template.unknowns, 0) | self.template.usual
        if not self.template.usual or any(_breaks(r, values) for r in self.recordings):
            return {}
        return values

    def _cheap(self, share: Fraction) -> dict[str, int] | None:
        budget = self._program.budget.scaled(share)
        return self._chooser.choose(self._within(budget) if share < 1 else ())

    @phase("record")
    def _learn(self, count: int, values: Mapping[str, int] | None = None) -> bool:
        """Make more recordings and learn from them; whether the coefficients fail on one."""
        new = []
        broken = False
        for example, seed in zip(
            itertools.islice(self._examples, self._pace * count), self._seeds, strict=False
        ):
            stayed = self._stayed if seed // 2 % 2 else None  # every second one that is to stay
            recording = record(
                self._program,
                example,
                self.template.shifts,
                self.template.unknowns,
                seed,
                leanings=None if stayed is None else stayed.leanings,
            )
            if recording is not None:
                if example.steady and _draws(recording) > _draws(self._stayed):
                    self._stayed = recording
                new.append(recording)
                broken = broken or _breaks(recording, values)
        self.recordings += new
        self._chooser.learn(claim for r in new for claim in r.claims)
        return broken


def _draws(recording: Recording | None) -> int:
    return 0 if recording is None else len(recording.draws)


def _breaks(recording: Recording, values: Mapping[str, int] | None) -> bool:
    if values is None:
        return False
    put = _put(recording, values)
    return any(_fails(claim, put) for claim, _ in recording.owed)


def _put(recording: Recording, values: Mapping[str, int]) -> Substitution:
    """Coefficients, and what a recording's own names stand for under them."""
    known = {name: number(v) for name, v in values.items()}
    for symbol, meaning in recording.definitions:
        known[symbol.key] = Substitution(known).linear(meaning)
    return Substitution(known)


def _arrived(recording: Recording, alignment: Alignment) -> Iterator[Arrived]:
    """What one recording held at loop heads under an alignment."""
    put = _put(recording, alignment.coefficients)
    inputs = told_of_parameters(recording.example.left)
    constants = {n: Fraction(v.constant) for n, v in inputs.items() if v.is_constant}
    constants |= recording.example.unknowns
    left = deque(recording.arrived)
    while left:
        state = left.popleft()
        left.reverse()
        spent = number(0)
        for rate, amount in state.costs.items():
            spent = spent + put.linear(amount).scaled(_approximately(rate))
        yield Arrived(
            state.node,
            state.left,
            {name: _settled(put, value) for name, value in state.right.items()},
            Fraction(spent.constant) if spent.is_constant else None,
            constants,
            recording.history,
            recording.picks,
        )


def _settled(put: Substitution, value: Value) -> Value:
    """A value with the coefficients put in."""
    if isinstance(value, Num):
        return value if value.term.is_constant else Num(put.linear(value.term), value.kind)
    return put.formula(value) if isinstance(value, Formula) else value


def _fails(claim: Formula, put: Substitution) -> bool:
    """Whether a claim is surely false; of what is not defined or not decided, the proof tells."""
    try:
        return put.formula(claim) == FALSE
    except (DivisionByZero, LimitReached):
        return False


def failures(
    program: Program, case: Case, facts: Sequence[Formula], alignment: Alignment
) -> Iterator[tuple[Reason, Recording]]:
    """Recordings on which an alignment fails, each with the first condition that fails."""
    examples = itertools.islice(Examples(program, case, facts, seed=1), FAILURE_RECORDINGS)
    for seed, example in enumerate(examples):
        recording = record(program, example, alignment.shifts, (), seed)
        if recording is not None:
            failed = next((reason for claim, reason in recording.owed if claim == FALSE), None)
            if failed is not None:
                yield failed, recording
