"""``audit``: look for an event that breaks a claim, in any mechanism, and say how sure it is."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from ...dsl.errors import BadInput, Unsupported
from ...dsl.mechanism import Mechanism
from .betting import Pair
from .boxes.boxes import Box, checked, pairs_of_relation
from .boxes.callables import CallableBox
from .boxes.language import Subject, subject_of, subject_on
from .boxes.sampling import Sampler
from .boxes.spaces import Space
from .course import COST, Course
from .events import described
from .evidence.notions import notion_of
from .result import (
    LARGEST,
    Audit,
    Claim,
    Finding,
    Judgement,
    Measure,
    Protected,
    Tested,
    Unit,
    check_claim,
    check_number,
    check_settings,
)
from .samples import PLACES
from .search import Search
from .visible import visible

Judge: TypeAlias = Literal["ideal", "code"]
#: What is said where a bound is owed of some outputs only.
ONLY_PROTECTED = (
    "Only protected outputs count; that any other one comes from one value alone, which is not "
    "sensitive, was not looked at."
)
#: One ε for all pairs.
_ONE: Unit = ""
#: How many runs an audit makes unless it is told.
SAMPLES = 1_000_000
#: An audit of fewer runs has nothing to learn from; nor one of fewer for each pair.
FEWEST, FEWEST_OF_PAIR = 1_000, 200


def audit(
    target: Mechanism[..., Any] | Callable[..., Any] | Box,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    pairs: Iterable[Sequence[Any]] | None = None,
    relation: str | None = None,
    sensitivity: float = 1.0,
    space: Space | None = None,
    given: Mapping[str, Any] | None = None,
    samples: int = SAMPLES,
    confidence: float = 0.95,
    tolerance: float = 0.0,
    judge: Judge | None = None,
    stop: bool = True,
    exact: bool = True,
    seed: int | None = None,
    executor: Executor | None = None,
) -> Audit:
    """Look for an event that is more likely on D than the claim allows by its probability on D'.

    Some of the runs choose pairs and events, the others put them to the test.  Whatever the
    choices, a mechanism that keeps its claim is said to break it with probability at most
    1 - ``confidence``, and the lower bound is above its true ε (or ρ) as rarely, if the runs are
    independent.  That none is found is no proof: ``visible`` says what could have been seen.

    Args:
        target: a mechanism of the language; any callable (see :class:`CallableBox` for how it is
            called); or a box such as :class:`CommandBox`.
        epsilon: the claim, in nats, from 0.0001 to 100.  By default what a mechanism of the
            language claims; of anything else only a bound is looked for.  Under d-privacy it is
            the ε for each unit of distance; where pairs have budgets of their own, it replaces
            them all.
        delta: the δ of the claim, from 0 to below 1; the lower bound is of the ε at this δ.  By
            default that of a mechanism of the language that claims ε with a δ, otherwise 0.
        rho: another claim, instead of ε: ρ-zCDP, D_α <= α ρ for all α > 1.  By default what a
            mechanism of the language claims that claims a ρ.
        pairs: ordered pairs (D, D'), or (name, D, D'): D' is a neighbour of D, and P(S on D) <=
            e^ε P(S on D') + δ is owed in this direction only.  Inputs of a mechanism of the
            language are mappings by name.
        relation: instead of pairs, ``number``, ``all:5``, ``one-falling:5``, …: see
            :func:`pairs_of_relation`.
        sensitivity: by how much answers of the relation move.
        space: instead of pairs, where they are looked for: those near to the best so far are
            looked at next, with 19 % of the runs.  An :class:`AnswerSpace`, a
            :class:`RecordSpace`, or your own with their two methods.
        given: public inputs of a mechanism of the language; others are chosen: by exact
            likelihoods, or by the runs if those say nothing.
        samples: how many runs may be made, over all inputs; at least 1000.  Those that check
            first whether runs are independent come on top.
        confidence: between 0 and 1.
        tolerance: what the ideal mechanism may be above the claim, in nats, or of ρ.
        judge: ``ideal``: the mechanism, by events that do not depend on how numbers are
            rounded; ``code``: the bits of its floats, too, without tolerance.  By default
            ``ideal`` for mechanisms of the language, otherwise ``code``.
        stop: end as soon as the claim is refused; otherwise the bound is brought up further.
        exact: let exact likelihoods choose pairs and events of a mechanism of the language.
        seed: the same seed gives the same audit, wherever it runs.
        executor: where the runs are made.

    Raises:
        BadInput: an argument is out of range, the runs cannot be made or are not independent.
    """
    prepared = prepare(
        target, epsilon=epsilon, delta=delta, rho=rho, pairs=pairs, relation=relation,
        sensitivity=sensitivity, space=space, given=given, samples=samples,
        confidence=confidence, tolerance=tolerance, judge=judge, stop=stop, exact=exact, seed=seed,
    )  # fmt: skip
    prepared.run(executor)
    return prepared.result()


@dataclass(slots=True)
class Prepared:
    """An audit that is ready to run; what it has come to can be asked for at any time."""

    name: str
    box: Box
    search: Search
    seed: int
    public: Mapping[str, Any]
    unit: Unit
    notes: tuple[str, ...]
    delta: float
    measure: Measure
    interrupted: bool = False
    _seconds: float = 0.0

    def run(
        self,
        executor: Executor | None = None,
        show: Callable[[int, float], None] = lambda runs, seconds: None,
        breakable: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """Make the runs.

        Args:
            executor: where.
            show: is told how many runs are done, and after how many seconds.
            breakable: entered around everything in which a ``KeyboardInterrupt`` does no harm;
                one ends the audit, and what is known so far stands.

        Raises:
            BadInput: the runs cannot be made, or are not independent.
        """
        began = time.monotonic()

        def tell(runs: int) -> None:
            self._seconds = time.monotonic() - began
            show(runs, self._seconds)

        if executor is not None and not getattr(self.box, "seeded", True):
            # Noise of a fixed seed would be the same in each worker.
            executor = None
            self.notes += ("All runs were made in one process: it takes no rng or seed.",)
        if executor is not None and not hasattr(executor, "submit"):
            raise BadInput(
                f"executor: got {executor!r:.80}; a concurrent.futures.Executor is needed"
            )
        try:
            with breakable():
                first = self.search.pairs[0]
                self.notes += tuple(checked(self.box, (first.left, first.right), self.seed))
            self.search.run(Sampler(self.box, self.seed, executor), tell, breakable)
        except KeyboardInterrupt:
            self.interrupted = True
        self._seconds = time.monotonic() - began

    def result(self) -> Audit:
        """What the runs so far say."""
        search, course = self.search, self.search.course
        search.note()
        bets = sorted(search.bets, key=search.strength, reverse=True)
        tested = tuple(
            Tested(
                bet.pair.name, bet.pair.left, bet.pair.right, bet.text, bet.event.ideal,
                bet.seen.runs, bet.seen.left, bet.seen.right,
                None if course.claim is None else course.claim * bet.pair.scale,
            )
            for bet in bets
        )  # fmt: skip
        notes = self.notes
        if not self.interrupted and not tested:
            notes += ("There was no event to bet on: none looked more likely on D than on D′.",)
        hope = search.learning.hope
        if self.interrupted and not tested and hope is not None:
            known = hope.fortune.known
            notes += (
                f"It was stopped while it learnt. What looked best, on {hope.pair.name}: "
                f"{described(hope.event, hope.example)}; it came {known.left:,} times on D and "
                f"{known.right:,} on D′, of {known.runs:,} runs each, which is no test yet.",
            )
        if course.longest > PLACES:
            notes += (
                f"Outputs have up to {course.longest:,} places; only the first {PLACES} were "
                "looked at, and how many there are.",
            )
        return Audit(
            self.name, course.claim, course.confidence,
            ideal=self._judgement("ideal"),
            code=self._judgement("code") if course.code else None,
            tested=tested,
            visible=visible(
                max((t.runs for t in tested), default=0), course.needed + COST,
                tested[0].owed if tested else course.claim, search.learning.rarest,
                search.looked, course.notion,
            ),
            pairs=search.looked,
            public={n: tested[0].left[n] for n in self.public} if tested else self.public,
            runs=course.done, asked=course.budget, seed=self.seed,
            seconds=self._seconds, notes=notes, interrupted=self.interrupted,
            tolerance=course.tolerance, unit=self.unit, delta=self.delta, measure=self.measure,
        )  # fmt: skip

    def _judgement(self, judge: Judge) -> Judgement:
        search, course = self.search, self.search.course
        account = search.ideal if judge == "ideal" else search.shipped
        allowed, p_value = course.claim, None
        if course.claim is not None:
            if judge == "ideal" and not self.unit:
                allowed = course.claim + course.tolerance
            more, shipped = account.log_evidence_of_more, account.log_evidence(course.claim)
            p_value = min(1.0, math.exp(-(more if judge == "ideal" else shipped)))
        found = p_value is not None and p_value <= 1 - course.confidence
        verdict: Finding = "violation found" if found else "no violation found"
        if not found and judge == "ideal" and course.code and search.stop and search.refused:
            verdict = "not decided"  # the audit ended when the code fell
        return Judgement(
            verdict,
            allowed, account.lower_bound(course.confidence), p_value,
        )  # fmt: skip


def prepare(
    target: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    pairs: Iterable[Sequence[Any]] | None = None,
    relation: str | None = None,
    sensitivity: float = 1.0,
    space: Space | None = None,
    given: Mapping[str, Any] | None = None,
    samples: int = SAMPLES,
    confidence: float = 0.95,
    tolerance: float = 0.0,
    judge: Judge | None = None,
    stop: bool = True,
    exact: bool = True,
    seed: int | None = None,
) -> Prepared:
    """An audit that is ready to run: arguments as for :func:`audit`.

    Raises:
        BadInput: an argument is out of range.
    """
    check_claim(epsilon, delta, rho)
    check_number("tolerance", tolerance, 0, LARGEST)
    check_settings(samples, FEWEST, confidence, seed)
    if judge not in (None, "ideal", "code"):
        raise BadInput(f"judge: got {judge!r}; 'ideal' or 'code' is needed")
    if sum(one is not None for one in (pairs, relation, space)) > 1:
        raise BadInput("give pairs, a relation or a space, only one of them")
    chosen: tuple[Pair, ...] | None = None
    if pairs is not None:
        chosen = _pairs(pairs)
    elif relation is not None:
        chosen = tuple(Pair(*p) for p in pairs_of_relation(relation, sensitivity))
    elif space is not None:
        if isinstance(target, Mechanism):
            raise BadInput(
                "space: a mechanism of the language has inputs by name, and its own neighbours; "
                "give pairs, or audit a function that calls it"
            )
        if not (hasattr(space, "pair") and hasattr(space, "near")):
            raise BadInput(f"space: got {space!r:.80}; an AnswerSpace or a RecordSpace is needed")
        chosen = (Pair("the first pair", *space.pair(np.random.default_rng(0))),)
    box: Box
    asked = claim = Claim(epsilon if rho is None else rho, delta or 0.0, rho is not None)
    public, unit = dict[str, Any](), _ONE
    owed: Protected | None = None
    if isinstance(target, Mechanism):
        subject = _of_language(target, given or {}, chosen, exact)
        box, chosen, public = subject.box, subject.pairs, dict(subject.public)
        owed, unit = subject.owed, subject.unit
        claim = _claimed(subject.claim, asked, delta is not None)
        if asked.amount is not None and unit == "budget":
            chosen, unit = tuple(replace(pair, scale=1.0) for pair in chosen), _ONE
        if (claim.delta or claim.is_rho) and (unit or owed is not None):
            raise BadInput(
                "delta, rho: want them of claims about all outputs and with one ε for all pairs; "
                f"{_name(target)} has another one"
            )
    elif given:
        raise BadInput("given: only a mechanism of the language has public inputs by name")
    else:
        box = target if _is_box(target) else CallableBox(target)
    if not chosen:
        raise BadInput("no pairs of inputs; give pairs, or a relation such as 'all:5'")
    if samples < FEWEST_OF_PAIR * len(chosen):
        raise BadInput(
            f"samples: got {samples:,} for {len(chosen)} pairs; at least "
            f"{FEWEST_OF_PAIR * len(chosen):,} are needed, or fewer pairs"
        )
    judge = judge or ("ideal" if isinstance(target, Mechanism) else "code")
    seed = secrets.randbits(48) if seed is None else seed
    notion = notion_of(claim.delta, claim.is_rho)
    measure: Measure = "rho" if claim.is_rho else "epsilon"
    course = Course(notion, claim.amount, tolerance, confidence, samples, judge == "code", owed)
    return Prepared(
        _name(target), box, Search(course, chosen, stop, space, seed), seed, public, unit,
        () if owed is None else (ONLY_PROTECTED,), claim.delta, measure,
    )  # fmt: skip


def _claimed(own: Claim, asked: Claim, at_delta: bool) -> Claim:
    """What is audited of a mechanism that claims something itself: that, unless it is told."""
    if asked.is_rho:
        return asked
    delta = asked.delta if at_delta else own.delta
    if asked.amount is not None:
        return Claim(asked.amount, delta, False)
    return Claim(None, delta, False) if own.is_rho and at_delta else replace(own, delta=delta)


def _of_language(
    mechanism: Mechanism[..., Any],
    given: Mapping[str, Any],
    chosen: tuple[Pair, ...] | None,
    exact: bool,
) -> Subject:
    try:
        mechanism.program.check_claims()
    except Unsupported as error:
        raise Unsupported(
            error.message, error.location, "audit a function that calls it, on pairs of its inputs"
        ) from None
    if chosen is None:
        return subject_of(mechanism, given, exact=exact)
    return subject_on(mechanism, chosen, given)


def _pairs(pairs: Iterable[Sequence[Any]]) -> tuple[Pair, ...]:
    found = []
    if isinstance(pairs, str | bytes | Mapping) or not isinstance(pairs, Iterable):
        raise BadInput(f"pairs: got {pairs!r:.80}; a list of pairs (D, D') is needed")
    for k, pair in enumerate(pairs):
        if not _is_pair(pair):
            raise BadInput(f"pairs: got {pair!r:.80}; (D, D') or (name, D, D') is needed")
        found.append(Pair(*pair) if len(pair) == 3 else Pair(f"pair {k + 1}", *pair))
    if not found:
        raise BadInput("pairs: got none; at least one pair (D, D') is needed")
    return tuple(found)


def _name(target: Any) -> str:
    if isinstance(target, Mechanism):
        return str(target.function.__name__)
    name = getattr(target, "name", None) or getattr(target, "__name__", None)
    return str(name) if name else type(target).__name__


def _is_box(target: Any) -> bool:
    return hasattr(target, "on") and hasattr(target, "block") and not isinstance(target, type)


def _is_pair(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) in (2, 3)
