"""Finding an alignment: unknown coefficients, many small examples, one solver call.

On a recording everything is a number but the coefficients, so each obligation of the
paired run is linear in them.  The cheapest coefficients that meet the obligations of
all recordings are a candidate; whether it is an alignment is for the proof to say.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ...alignments.alignment import Alignment, Origin, Reason, annotated_shifts
from ...alignments.choosing import Chooser
from ...alignments.control import finite_variables
from ...alignments.examples import Examples
from ...alignments.taint import Taint
from ...alignments.templates import templates
from ...dsl.errors import LimitReached, Unsupported
from ...dsl.language.syntax import Expression
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import (
    FALSE,
    Formula,
    at_least,
)
from ...dsl.terms.linear import DivisionByZero, Linear
from ...dsl.terms.phases import phase
from ...dsl.terms.substitution import Substitution
from .loops.seen import Arrived
from .recordings import Recording, arrived_of, budget_on, put_of, record

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
        self._refused = False

    def candidates(self) -> Iterator[Alignment]:
        """Alignments that fit all recordings so far, cheapest first, each a new one.

        Raises:
            Unsupported: a construct has no meaning in the paired run.
        """
        if self.complete:
            self._learn(FIRST_RECORDINGS)
            yield from (self._aligned(t.shifts, {}) for t in self._templates)
            return
        turns = ((t, Chooser(t), list[Recording](), self._fitting()) for t in self._templates)
        waiting = deque(turns)
        refused: Unsupported | None = None
        while waiting:
            self.template, self._chooser, self.recordings, fitting = waiting[0]
            self._yields_turn = self._refused = False
            try:
                for alignment in fitting:
                    yield alignment
                    if self._refused:
                        waiting.popleft()
                        break
                    if self._yields_turn:
                        self._doubts = []
                        waiting.rotate(-1)
                        break
                else:
                    waiting.popleft()
            except Unsupported as error:
                # What is no noise to be shifted may be summed.
                refused = refused or error
                waiting.popleft()
        self.template = self._templates[0]
        if refused is not None and not self.recordings:
            raise refused

    @property
    def may_sum(self) -> bool:
        """Whether some templates sum finite noise."""
        return any(template.sums for template in self._templates)

    def yield_turn(self) -> None:
        """The other templates are next: what was tried took long."""
        self._yields_turn = True

    def refuse_template(self) -> None:
        """No further alignment of this template: its shifts have no meaning."""
        self._refused = True

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
        found = self._aligned(self.template.filled(values), values)
        yield found
        if self.template.sums:
            yield replace(found, rough=True)
        # Not proved.  A recording that breaks it says more than its mere exclusion.
        self._chooser.exclude(values)
        self._learn(sum(self._doubts))

    def _aligned(self, shifts: Mapping[int, Expression], values: Mapping[str, int]) -> Alignment:
        """Shifts, and the lists of which both runs had the same elements on all recordings."""
        alike = {array for recording in self.recordings for array in recording.alikeness}
        for recording in self.recordings if alike else ():
            put = put_of(recording, values)
            for array, same in recording.alikeness.items():
                if any(_fails(claim, put) for claim in same):
                    alike.discard(array)
        origin: Origin = "annotated" if self.complete and shifts else "found"
        return Alignment(shifts, origin, frozenset(alike), coefficients=values)

    def arrived(self, alignment: Alignment) -> Iterator[Arrived]:
        """What the recordings held at loop heads, under an alignment that none of them breaks.

        The first round of each, the last one of each, and so on.
        """
        each = (arrived_of(recording, alignment) for recording in self.recordings)
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
    put = put_of(recording, values)
    return any(_fails(claim, put) for claim, _ in recording.owed)


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
