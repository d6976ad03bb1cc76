"""From a report with its certificate to one that runs of the Python text have nothing against."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import sqrt
from typing import Any

from ...alignments.alignment import no_shift
from ...alignments.examples import Example
from ...dsl.errors import BadInput, LimitReached, Unsupported
from ...dsl.language.syntax import Expression
from ...dsl.mechanism import Mechanism
from ...dsl.relations.cases import ONE_SIDED
from ...dsl.relations.program import Program
from ..verdicts import Report, Verdict
from ..walking.certificate import Certificate
from ..walking.runs.noise import shifts_of
from ..walking.stated import laws_for_the_guard
from .choosing import Setting, settings
from .live import Gone, Live, Process, disagreement, executed, packed, worker
from .recorded import Recorded, recorded
from .records import Neighbours, budget_of, neighbours

#: Of a claim that is proved for some sizes, those sizes are looked at.
BOUNDED_LENGTH = 2


def awake() -> None:
    """Start the other process, so that it is there when it is asked."""
    try:
        worker()
    except Gone:
        return  # the report will say so


def held(report: Report, mechanism: Mechanism[..., Any], runs: int = 0) -> Report:
    """The report of a proof, if runs agree with it; else one that says what disagrees.

    Args:
        report: with its certificate, if the claim is proved.
        mechanism: the mechanism.
        runs: how many runs to look at, at least; those of an imported function among them.
    """
    certificate = report.certificate
    if not isinstance(certificate, Certificate):
        return report
    program = mechanism.program.one_step
    found = guarded(
        program,
        certificate.text,
        list(alignments_of(program, certificate)),
        live=mechanism if executed(mechanism) else None,
        runs=runs,
        shown=certificate.shown,
        longest=LONGEST if report.verdict is Verdict.PROVED else BOUNDED_LENGTH,
    )
    alarm = found.alarm or _wrong_answer(report, found)
    if alarm:
        return _withdrawn(report, f"alarm: the guard: {alarm}")
    if found.why:
        said = f"no run was held against the proof: {found.why}"
        return replace(report, assumptions=(*report.assumptions, said))
    return report


def alignments_of(program: Program, certificate: Certificate) -> Iterator[dict[int, Expression]]:
    """The shifts of the proof, case by case; none if it is by probabilities, or partly so."""
    if certificate.is_summed or certificate.enumeration is not None:
        return
    if certificate.sums_draws:
        return
    yield from (shifts_of(program, p) for p in certificate.parts if p.case != ONE_SIDED)


def _wrong_answer(report: Report, found: Looked) -> str:
    """A claim of an answer that counts as proved, and was wrong in a run."""
    wrong = (report.one_sided[k] for k in sorted(found.claims) if k < len(report.one_sided))
    said = next((c.claim for c in wrong if c.outcome == "proved"), "")
    return f"wrong in a run: {said}" if said else ""


def _withdrawn(report: Report, alarm: str) -> Report:
    """The report without a proof, and without what is proved of the answers."""
    claims = tuple(
        replace(c, outcome="unknown") if c.outcome == "proved" else c for c in report.one_sided
    )
    return replace(
        report,
        verdict=Verdict.UNKNOWN,
        sizes="",
        method="",
        epsilon_upper=None,
        certificate=None,
        reasons=(*report.reasons, alarm),
        one_sided=claims,
    )


# A proof is held against runs of the Python text on small records; a disagreement withdraws it.
#
# Three things are looked at, each a fixed number of times: (a) the text does what the language
# says of it, the same draws and the same releases; (b) on neighbours, aligned noise gives the same
# releases on D', and its likelihood falls by no more than the budget allows; (c) where all noise
# is discrete, no outcome is likelier on D than the budget allows.
#
# The text runs in another process, which shares nothing with the prover (:mod:`.worker`); who are
# neighbours is counted from records (:mod:`.records`).

#: How many settings of the public inputs are looked at, how many pairs of neighbours in each,
#: and how many runs of each pair.
SETTINGS, PAIRS, RUNS = 5, 3, 2
#: How many pairs where the proof is by probabilities, and only these can disagree.
MORE_PAIRS = 10
#: Of how many pairs these are taken, how many records they have, and how long sequences are.
POOL, RECORDS, LONGEST = 60, 2, 3
#: Of how many pairs the probabilities are compared, and how many runs an imported function makes.
COMPARED, LIVE = 6, 6

#: How many members of a sequence are shown.
SHOWN = 12

Shifts = Mapping[int, Expression]


@dataclass(frozen=True, slots=True)
class Looked:
    """What the guard saw.

    Attributes:
        alarm: a disagreement in words; empty if there is none.
        claims: which of the program's claims about its answers were wrong in a run.
        runs: how many pairs of runs were held against the alignment.
        laws: of how many inputs the probabilities were computed.
        why: why less was looked at than is meant to be; empty if all was.
    """

    alarm: str = ""
    claims: frozenset[int] = frozenset()
    runs: int = 0
    laws: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Met:
    """Two neighbours in a setting, and what the claim allows them."""

    setting: Setting
    pair: Neighbours
    budget: Fraction

    def inputs(self, program: Program, side: Mapping[str, Any]) -> dict[str, Any]:
        """All inputs of one side, in the order of the parameters."""
        both = {**self.setting.public, **side}
        return {name: both[name] for name in program.inputs}

    def packed(self, program: Program) -> dict[str, Any]:
        """The pair as the other process takes it."""
        left, right = (self.inputs(program, s) for s in (self.pair.left, self.pair.right))
        return {"left": packed(left), "right": packed(right), "budget": packed(self.budget)}

    def example(self, program: Program) -> Example:
        """The pair as the language evaluates it."""
        sides = (self.inputs(program, s) for s in (self.pair.left, self.pair.right))
        left, right = ({n: _numbers(v) for n, v in side.items()} for side in sides)
        return Example(left, right)


@dataclass(slots=True)
class Guard:
    """Looks at one mechanism: its program, its normalised text, its alignments case by case."""

    program: Program
    text: str
    alignments: Sequence[Shifts]
    process: Process
    times: int = 1
    longest: int = LONGEST
    live: Mechanism[..., Any] | None = None
    shown: str = ""
    claims: set[int] = field(default_factory=set)
    seen: list[Live] = field(default_factory=list)
    runs: int = 0
    laws: int = 0

    def look(self) -> Looked:
        """Everything; the first disagreement ends it."""
        met = list(self._met())
        if not met:
            return Looked(why="no two neighbouring inputs were found that are small")
        alarm = next(self._alarms(met), "")
        why = "" if alarm or self.runs or self.laws else "its runs are not of plain numbers"
        return Looked(alarm, frozenset(self.claims), self.runs, self.laws, why)

    def _alarms(self, met: Sequence[Met]) -> Iterator[str]:
        yield from self._disagreements(met)
        if self.live is not None:
            found = disagreement(self.live, self.seen[: LIVE * self.times])
            yield from [found] if found else []
        yield from self._unlike(met)

    def _met(self) -> Iterator[Met]:
        """Pairs of neighbours to look at: extreme ones, and others."""
        chance = random.Random(11)
        wanted = SETTINGS * self.times
        for setting in settings(self.process, self.program, self.text, wanted, self.longest):
            found = neighbours(self.program, setting.public, setting.lengths, RECORDS)
            pool = list(islice(found, POOL))
            pairs = PAIRS if self.alignments else MORE_PAIRS
            some = chance.sample(pool, min(pairs - 1, len(pool)))
            for pair in (*([max(pool, key=_apart)] if pool else []), *some):
                try:
                    budget = budget_of(self.program, setting.public, pair)
                except BadInput:
                    continue  # the claim says nothing of it
                yield Met(setting, pair, _rounded_up(budget))

    # (a) and (b)

    def _disagreements(self, met: Sequence[Met]) -> Iterator[str]:
        """Runs of pairs that no alignment of the proof fits."""
        written_out = self.program.inlined
        sites = written_out.flow.sites
        if not all(n.step.distribution.shiftable for n in sites):
            return
        if self.program.calls or not self.alignments:
            still = {n.site: no_shift(n.step.distribution.lattice) for n in sites}
            alone = list(map(_alone, met[:: 1 if self.alignments else PAIRS]))
            yield from self._left(alone, self._round(written_out, alone, still))
        left, said = list(met if self.alignments else ()), dict[int, str]()
        for shifts in self.alignments:
            found = self._round(self.program, left, shifts)
            said = {id(m): found[k] for k, m in enumerate(left) if k in found}
            left = [m for m in left if id(m) in said]
        for m in left:
            yield self._alarm(said[id(m)], m)

    def _left(self, met: Sequence[Met], found: Mapping[int, str]) -> Iterator[str]:
        for k, what in found.items():
            yield self._alarm(what, met[k])

    def _round(self, program: Program, met: Sequence[Met], shifts: Shifts) -> dict[int, str]:
        """What is wrong with which pairs under one alignment."""
        found: dict[int, str] = {}
        asked: list[tuple[int, Recorded]] = []
        claimed = replace(program, privacy=program.privacy.showing(self.shown))
        for k, m in enumerate(met):
            example = m.example(program)
            for seed in range(RUNS):
                run = recorded(claimed, example, shifts, RUNS * k + seed)
                if run is None:
                    continue
                self.runs += 1
                if run.broken:
                    found.setdefault(k, f"{run.broken} with noise {_told(run.draws)}")
                asked.append((k, run))
                if run.ended and not run.broken and not program.calls:
                    inputs = m.inputs(self.program, m.pair.left)
                    self.seen.append(Live(inputs, run.draws, run.released))
        cases = [self._case(program, met[k], run) for k, run in asked]
        answer = self._ask({"do": "runs", "cases": cases})
        self.claims |= set(answer["claims"])
        for place, what in answer["broken"]:
            k, run = asked[place]
            found.setdefault(k, f"{what}; noise {_told(run.draws)} and {_told(run.moved)}")
        return found

    def _case(self, program: Program, m: Met, run: Recorded) -> dict[str, Any]:
        return {
            **m.packed(self.program),
            **({"budget": packed(self._most(m.budget))} if self.shown == "ε" else {}),
            "shown": self.shown,
            "draws": packed(run.draws), "moved": packed(run.moved), "laws": packed(run.laws),
            "released": packed(run.released), "ended": run.ended, "heads": packed(run.heads),
            "calls": None if program is not self.program else packed(run.calls),
        }  # fmt: skip

    def _most(self, rho: Fraction) -> Fraction:
        """The largest ε from which ρ follows."""
        root = _rounded_up(sqrt(2 * rho))
        return max(rho, root) if self.program.privacy.is_symmetric else rho

    # (c)

    def _unlike(self, met: Sequence[Met]) -> Iterator[str]:
        """Outcomes that tell neighbours apart by more than the budget."""
        program = self.program.inlined
        if any(n.step.distribution.lattice == "reals" for n in program.flow.sites):
            return
        step = max(1, len(met) // (COMPARED * self.times)) if self.alignments else 1
        by_setting: dict[int, list[Met]] = {}
        for m in met[::step]:
            by_setting.setdefault(id(m.setting), []).append(m)
        for some in by_setting.values():
            pairs = [m.packed(program) for m in some]
            public = packed(some[0].setting.public)
            answer = self._ask({"do": "laws", "public": public, "pairs": pairs})
            self.laws += answer["inputs"]
            yield from self._left(some, dict(answer["broken"]))

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        laws = laws_for_the_guard(self.program)
        return self.process.ask(
            {"text": self.text, "name": self.program.name, "laws": laws, **request}
        )

    def _alarm(self, what: str, m: Met) -> str:
        public = ", ".join(f"{n} = {_told(v)}" for n, v in m.setting.public.items())
        return f"{what}; D and D' are {m.pair.said}" + (f"; {public}" if public else "")


def guarded(
    program: Program,
    text: str,
    alignments: Sequence[Shifts],
    *,
    live: Mechanism[..., Any] | None = None,
    runs: int = 0,
    longest: int = LONGEST,
    shown: str = "",
) -> Looked:
    """Hold a proof against the Python text.

    Args:
        program: what the proof is about.
        text: its normalised text.
        alignments: the shifts by sample site, for each case of the relation; none for a proof
            by probabilities.
        live: the mechanism, if its function was imported and is to be run as well.
        runs: how many runs to look at, at least; by default a fixed small number.
        longest: how long sequences may be.
        shown: ``ε`` or ``ρ``, if the claim follows from one of it, which the alignments are of.
    """
    times = max(1, -(-runs // LIVE))
    try:
        return Guard(program, text, alignments, worker(), times, longest, live, shown).look()
    except Gone as error:
        return Looked(why=str(error))
    except (Unsupported, LimitReached, BadInput) as error:
        return Looked(why=str(error))


def _apart(pair: Neighbours) -> Fraction:
    """How far two inputs are from each other, added up."""
    return sum(
        (abs(Fraction(a) - b) for n in pair.left for a, b in _zipped(pair.left[n], pair.right[n])),
        Fraction(0),
    )


def _zipped(left: Any, right: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(left, tuple):
        yield left, right
        return
    for a, b in zip(left, right, strict=False):
        yield from _zipped(a, b)


def _alone(m: Met) -> Met:
    """An input as its own neighbour."""
    return Met(m.setting, Neighbours(m.pair.left, m.pair.left, m.pair.said), m.budget)


def _numbers(value: Any) -> Any:
    """A value as examples have it."""
    return tuple(map(_numbers, value)) if isinstance(value, tuple) else Fraction(value)


def _rounded_up(budget: Fraction | float) -> Fraction:
    """A budget that has powers of e is a float; it is not made smaller."""
    return budget if isinstance(budget, Fraction) else Fraction(budget) + Fraction(1, 10**9)


def _told(value: Any) -> str:
    if isinstance(value, tuple | list):
        inner = ", ".join([*map(_told, value[:SHOWN]), *(["…"] if len(value) > SHOWN else [])])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)
