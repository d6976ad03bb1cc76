"""Checking a certificate: every obligation is generated anew from the program, and discharged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...dsl.errors import BadInput, LimitReached, Unsupported
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import HeadNode
from ...dsl.language.syntax import NOWHERE, BooleanConstant, Constant, Expression, Span
from ...dsl.privacy.definitions import DPrivacy
from ...dsl.relations.cases import Case, cases_of
from ...dsl.relations.moves import Move
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, at_least, equal, negation
from ...dsl.terms.linear import Linear, number
from .certificate import Certificate, Part
from .claims import answer_claims, relation_texts
from .counting.counter import check_enumeration
from .notation import term_of
from .runs.discharge import Questioner, open_obligations, simplified, with_signs
from .runs.elements import facts_of_witnesses
from .runs.heads import LoopHead, forget, loop_head
from .runs.noise import shift_of
from .runs.prophecy import begin
from .runs.run import Run, Side
from .runs.state import Ledger, Obligation, State
from .runs.vocabulary import Vocabulary, rate_of
from .runs.walk import Walk
from .solvers import Name, Solver
from .sums.check import check_sums
from .vacuity import cases_to_compare, vacuity

#: How many heads a part may have, and how many invariants in all.
MOST_HEADS, MOST_INVARIANTS = 100, 200
#: The name of the part that proves the one-sided claims.
ONE_SIDED = "one-sided claims"


@dataclass(slots=True)
class Checked:
    """What came of a check: how many obligations were discharged, and what is in the way."""

    obligations: int = 0
    problems: list[str] = field(default_factory=list)


def check_certificate(
    program: Program, certificate: Certificate, solvers: Sequence[Name]
) -> Checked:
    """Check a certificate of a proof about a program, which was read from the certificate's text.

    Raises:
        Disagreement: two solvers contradict each other.
    """
    problems = certificate.differences(program)
    unknown = set(certificate.one_sided) - set(answer_claims(program))
    problems += [f"the program does not say {claim!r}" for claim in sorted(unknown)]
    problems += [str(found) for found in [nothing_compared(program, solvers)] if found is not None]
    checked = _check_privacy(program, certificate, solvers)
    return Checked(checked.obligations, [*problems, *checked.problems])


def nothing_compared(program: Program, solvers: Sequence[Name] = ("z3",)) -> BadInput | None:
    """Why a program's claim is about no two inputs that differ; ``None`` if it is about some.

    Raises:
        BadInput: an input kind has no meaning under the privacy definition.
        Unsupported: a precondition is none that a proof can use.
    """
    cases = [(case, common_facts(program, case)) for case in cases_to_compare(program)]
    found = (vacuity(program, cases, name) for name in solvers)
    return next((why for why in found if why is not None), None)


def _check_privacy(program: Program, certificate: Certificate, solvers: Sequence[Name]) -> Checked:
    """By one of the three methods; one-sided claims are in a part of their own."""
    sums, enumeration = certificate.sums, certificate.enumeration
    if sums is None and enumeration is None:
        return check_parts(program, certificate.parts, solvers, certificate.one_sided)
    if (sums is not None and enumeration is not None) or program.calls:
        return Checked(problems=["a proof is by one method; sums are of programs without calls"])
    found = Checked()
    try:
        found = _check_distances(program, solvers)
        if sums is not None:
            summed = check_sums(program, sums, solvers)
            found.obligations += summed.obligations
            found.problems = [*found.problems, *summed.problems]
        elif enumeration is not None:
            compared, problems = check_enumeration(program, enumeration)
            found.obligations += compared
            found.problems = [*found.problems, *problems]
        if len(certificate.parts) != bool(certificate.one_sided):
            found.problems.append("the parts are not those of the one-sided claims")
        elif certificate.one_sided:
            claims = check_claims(program, certificate.parts[0], solvers, certificate.one_sided)
            found.obligations += claims.obligations
            found.problems = [*found.problems, *claims.problems]
    except (BadInput, LimitReached, Unsupported) as error:
        found.problems = [*found.problems, str(error)]
    return found


def _check_distances(program: Program, solvers: Sequence[Name]) -> Checked:
    """The budget of a pair is not negative, not even that of an input with itself."""
    found = Checked()
    if not isinstance(program.privacy, DPrivacy):
        return found
    questioners = [Questioner(Solver(name)) for name in solvers]
    for case in cases_of(program.privacy, program.inputs):
        assert case.distance is not None
        common, apart = common_facts(program, case), at_least(case.distance, number(0))
        detail = "the distance is not negative"
        duty = Obligation(common, (), apart, "cost", detail, NOWHERE)
        found.obligations += 1
        for o, why in open_obligations([duty], questioners):
            found.problems.append(f"{program.name}: '{o.condition}': {o.detail}: {why}")
    return found


def check_parts(
    program: Program, parts: Sequence[Part], solvers: Sequence[Name], claims: Sequence[str] = ()
) -> Checked:
    """Check the proof of a program's privacy and, in a last part, of its one-sided ``claims``.

    Raises:
        Disagreement: two solvers contradict each other.
    """
    found = Checked()
    cases = list(cases_of(program.privacy, program.inputs))
    if claims:
        cases.append(same_case(program))
    if [p.case for p in parts] != [c.name for c in cases]:
        found.problems.append("the cases are not those of the neighbour relation")
        return found
    for part, case in zip(parts, cases, strict=True):
        try:
            said = claims if case.name == ONE_SIDED else ()
            checked = _Part(program, case, part, solvers, said).check()
        except (BadInput, LimitReached, Unsupported) as error:
            found.problems.append(str(error))
            continue
        found.obligations += checked.obligations
        found.problems += checked.problems
    return found


def check_claims(
    program: Program, part: Part, solvers: Sequence[Name], claims: Sequence[str]
) -> Checked:
    """Check the proof of one-sided claims alone.

    Raises:
        BadInput, LimitReached, Unsupported: the part does not fit the program.
        Disagreement: two solvers contradict each other.
    """
    return _Part(program, same_case(program), part, solvers, claims).check()


def same_case(program: Program) -> Case:
    """D' is D: what a run knows then, it knows of D alone."""
    private = (name for name, kind in program.inputs.items() if not kind.public)
    same = Move(number(0), number(0), present=(False, False))
    return Case(ONE_SIDED, program.inputs, dict.fromkeys(private, same))


def common_facts(program: Program, case: Case) -> tuple[Formula, ...]:
    """What holds throughout: kinds of parameters, preconditions, the relation, the witnesses."""
    state = State(program.flow.start)
    run = Run(program, case, {}, (), Ledger(), _Nobody())
    facts = list(program.parameter_facts())
    for precondition in program.preconditions:
        evaluator = Evaluator(Side(run, state, "left"))
        claim = evaluator.condition(precondition)
        # Outside these the call raises before anything is sampled.
        facts += [*(duty.condition for duty in evaluator.duties), claim]
    return (*facts, *state.facts, *case.facts, *facts_of_witnesses(program, case.places))


class _Nobody:
    """Suggests nothing."""

    def holds(self, obligation: Obligation) -> bool:
        """Not that anyone knew."""
        return False


class _Part:
    """The check of one part of a certificate."""

    def __init__(
        self,
        program: Program,
        case: Case,
        part: Part,
        solvers: Sequence[Name],
        claims: Sequence[str],
    ) -> None:
        said = sum(len(head.invariants) for head in part.heads)
        if len(part.heads) > MOST_HEADS or said > MOST_INVARIANTS:
            raise LimitReached("size", f"{len(part.heads)} loop heads with {said} invariants")
        self._program, self._case, self._part = program, case, part
        self._solvers = [Solver(name) for name in solvers]
        self._claims = claims
        self._one_sided = case.name == ONE_SIDED
        self._common = common_facts(program, case)
        self._vocabulary = Vocabulary.of(program, case)
        self._shifts = self._read_shifts()
        self._bounds = self._read_bounds()
        self._run: Run | None = None
        self._heads: list[LoopHead] = []

    def check(self) -> Checked:
        """Walk from the start and from every head; discharge what is owed."""
        found = Checked()
        said, derived = self._part.relation, relation_texts(self._program, self._case)
        if said != derived:
            found.problems.append(f"the relation is not the one derived: {'; '.join(derived)}")
        for source in (None, *self._part.heads):
            obligations, problems = self._walk(source)
            found.obligations += obligations
            found.problems += problems
        return found

    def _walk(self, source: object) -> tuple[int, list[str]]:
        questioners = [Questioner(solver) for solver in self._solvers]
        ledger = Ledger()
        run = Run(
            self._program,
            self._case,
            self._shifts,
            self._common,
            ledger,
            questioners[0],
            one_input=self._one_sided,
        )
        self._run = run
        self._heads = [loop_head(run, self._vocabulary, h) for h in self._part.heads]
        if source is None:
            self._owe_budget(ledger)
            start = State(self._program.flow.start, fresh_start=False)
            begin(run, start)
        else:
            start = self._heads[self._part.heads.index(source)].start(run)
        Walk(run, self, self._claims).explore(start)
        obligations = with_signs(list(ledger), questioners[0]) if len(ledger) else []
        problems = [
            f"{self._program.location(o.span) if o.span.line else self._program.name}: "
            f"'{o.condition}': {o.detail}: {why}"
            for o, why in open_obligations(obligations, questioners)
        ]
        return len(obligations), list(dict.fromkeys(problems))

    def arrives(self, state: State, node: HeadNode) -> None:
        """Both runs come to a loop head: it must be one of the certificate's."""
        assert self._run is not None
        if not node.counted:
            # A loop that may go on for ever stays within the budget all the way: what was
            # released so far can be seen.
            self.ends(state, node.span)
        forget(self._run, state)
        fitting = next((h for h in self._heads if h.fits(self._run, state)), None)
        if fitting is None:
            detail = "no run comes to this loop in a shape that the certificate does not have"
            self._run.cannot_be(state, detail, node.span)
        else:
            fitting.owe(self._run, state, node.span)

    def ends(self, state: State, span: Span) -> None:
        """Both runs end: no rate has cost more than the certificate says."""
        assert self._run is not None
        if self._one_sided:
            return  # nothing is shifted, and nothing of D' is claimed
        spent = {rate: total for rate, total in state.costs.items() if total != number(0)}
        for rate in {**self._bounds, **spent}:
            most = self._most(rate)
            if rate not in self._bounds:  # of those that are bounded it was owed at the start
                detail = f"the rate {rate} is not negative"
                self._run.owe(state, at_least(rate, number(0)), "cost", detail, span)
            claim = at_least(most, state.costs.get(rate, number(0)))
            self._run.owe(state, claim, "cost", f"the shifts cost at most {most} · {rate}", span)

    def _most(self, rate: Linear) -> Linear:
        """The bound on a rate: a share of the pair's distance, if the budget has one."""
        share = self._bounds.get(rate, number(0))
        distance = self._case.distance
        if distance is None:
            return share
        if not share.is_constant:
            raise BadInput(f"the share {share} of a distance is no plain number")
        return distance.scaled(share.constant)

    def _owe_budget(self, ledger: Ledger) -> None:
        """The bounds on all rates together are within the budget, and rates are not negative."""
        owed: list[tuple[Formula, str]] = [
            (negation(equal(d, number(0))), "the budget divides by what is not zero")
            for d in self._program.divisors
        ]
        total = number(0)
        for rate, most in self._bounds.items():
            owed.append((at_least(rate, number(0)), f"the rate {rate} is not negative"))
            total = total + most * rate
        if not self._one_sided:
            claimed = self._program.budget if self._case.budget is None else self._case.budget
            owed.append((at_least(claimed, total), "the shifts cost at most ε"))
        if self._case.distance is not None:
            apart = at_least(self._case.distance, number(0))
            owed.append((apart, "the distance is not negative"))
        for claim, detail in owed:
            duty = Obligation(self._common, (), claim, "cost", detail, NOWHERE)
            for part in simplified(duty):
                ledger.owe(part)

    def _read_bounds(self) -> dict[Linear, Linear]:
        found = {}
        for rate, most in self._part.costs.items():
            bound = term_of(most, self._vocabulary.meaning)
            if not bound.fixed:
                raise BadInput(f"the bound {most[:80]!r} is not over public parameters")
            found[rate_of(rate, self._vocabulary)] = bound
        return found

    def _read_shifts(self) -> dict[int, Expression]:
        """The alignment: what the author wrote, or what the certificate says."""
        sites = self._program.flow.sites
        if self._one_sided and (self._part.shifts or self._part.costs):
            raise BadInput("one-sided claims have no shifts and no costs: nothing moves there")
        if self._one_sided:
            return {n.site: _still(n.step.distribution.lattice) for n in sites}
        if len(self._part.shifts) != len(sites):
            raise BadInput(f"{len(self._part.shifts)} shifts for {len(sites)} samples")
        found: dict[int, Expression] = {}
        for node, text in zip(sites, self._part.shifts, strict=True):
            if (node.step.shift is not None) != (text == AS_WRITTEN):
                raise BadInput(
                    f"the shift of {node.step.target} is {text[:80]!r}; it is the program's own, "
                    "if there is one"
                )
            found[node.site] = shift_of(text) if node.step.shift is None else node.step.shift
        return found


#: The shift of a sample that the program itself aligns.
AS_WRITTEN = "as written"


def _still(lattice: str) -> Expression:
    """The shift that moves nothing."""
    if lattice == "booleans":
        return BooleanConstant(NOWHERE, False)
    return Constant(NOWHERE, Fraction(0), "int")
