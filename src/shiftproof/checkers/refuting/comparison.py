"""Two neighbouring inputs, an outcome, and how likely it is under each.

Everything in a comparison is exact: inputs are integers and fractions, ε is a rational number
or a multiple of ln 2, and probabilities are exact fractions or enclosures with rational ends.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import msgspec
from flint import arb

from ...dsl.errors import BadInput, NoTruth
from ...dsl.privacy.inputs import CountingQueries, DataSet
from ...dsl.relations.neighbours import Witnesses
from ...dsl.relations.program import Program
from ...dsl.showing import Shown
from ...dsl.terms.linear import Rational
from ..exact.numbers import ONE, Base, Enclosure, Number, is_zero, log, rational, working
from ..exact.outcomes import Outcome
from ..exact.ties import OnBoundary
from ..walking.certificate import Heading, Tools
from ..walking.claims import claim_text
from .divergences import excess
from .divergences import judge as divergences
from .inputs import Input, Inputs, Instance, parsed, written
from .judge import certain, counts
from .relation import Relation
from .values import Interval as Interval
from .values import Released as Released

if TYPE_CHECKING:
    from ...dsl.mechanism import Mechanism

#: The version of the file format.
VERSION = 1
#: The precision of what is derived from enclosures, in bits.
_DIGITS = 256


class Comparison(
    Shown, NoTruth, msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An outcome under two neighbouring inputs D and D', and the claim between them.

    Of a claim of ρ it is about all outcomes together, and what is compared is a Rényi divergence.

    Attributes:
        version: of the file format.
        mechanism: its name.
        target: where it was found, as the command line takes it; may be empty.
        claim: the privacy claim in words.
        epsilon: each privacy parameter, ``"1/2"`` or ``"2 ln 2"``.
        public: the other public inputs.
        left: the private inputs in D.
        right: the private inputs in D'.
        records: the data sets behind counts: what all other records are, and the one that
            differs, before and after; empty where the relation is not about records.
        outcome: what is released, value by value.
        ending: how the run ends, ``end`` or ``error``.
        measure: ``probability``, ``density``, or ``density / (ln 2)^n``: what the next two are;
            ``divergence`` of a claim of ρ, where both are 1.
        on_left: how likely the outcome is under D.
        on_right: how likely it is under D'.
        budget: the claimed ε in nats, that of this pair where pairs differ in it; α ρ for ρ.
        breaks: whether the log ratio, or the divergence, is above it, for certain.
        of_pair: whether the privacy definition has a budget for each pair.
        log_ratio: ``log(on_left / on_right)`` in nats; ``None`` where one of them is 0.  Of a
            claim of ρ, the divergence of M(D) from M(D'); ``None`` if it is infinite.
        order: of a claim of ρ, the order α of the divergence, ``"2"`` or ``"3/2"``; else empty.
        delta: of a claim with a δ, the claimed one; ``log_ratio`` then is what the event needs.
        event: of such a claim, what the event is made of, as an output would show it.
        cuts: ``None`` where all that is released counts; else noisy numbers count only by
            between which two of these they lie, and the divergence may be larger.
    """

    instead: ClassVar[str] = (
        "ask whether it breaks the claim, as in 'found.breaks', or whether there is one at all, "
        "as in 'refute(m) is None'"
    )

    version: int
    mechanism: str
    claim: str
    epsilon: dict[str, str]
    public: dict[str, Any]
    left: dict[str, Any]
    right: dict[str, Any]
    outcome: tuple[Released, ...]
    ending: Literal["end", "error"]
    measure: str
    on_left: Interval
    on_right: Interval
    budget: Interval
    log_ratio: Interval | None
    breaks: bool
    records: dict[str, Any] = {}
    target: str = ""
    of_pair: bool = False
    order: str = ""
    cuts: tuple[str, ...] | None = None
    delta: Interval | None = None
    event: tuple[str, ...] = ()

    @property
    def infinite(self) -> bool:
        """Whether the outcome is possible under D and impossible under D'."""
        return self.log_ratio is None and self.on_left.enclosure.low > 0

    @property
    def ratio(self) -> float:
        """How many times as likely the outcome is under D, roughly; infinite beyond floats."""
        low = self.on_right.enclosure.low
        try:
            return float(self.on_left.enclosure.low / low) if low else float("inf")
        except OverflowError:
            return float("inf")

    @property
    def least_rho(self) -> Enclosure | None:
        """The ρ that the divergence takes; ``None`` if it is infinite, or where ε is claimed."""
        if not self.order or self.log_ratio is None:
            return None
        order, value = Fraction(self.order), self.log_ratio.enclosure
        return Enclosure(value.low / order, value.high / order)

    def as_json(self) -> bytes:
        """The comparison as a file: one JSON object, its numbers exact."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


def comparison_from_json(text: bytes | str) -> Comparison:
    """A comparison that was saved.

    Raises:
        BadInput: it is no such file, or of another version.
    """
    try:
        found = msgspec.json.decode(text, type=Comparison)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"this is no saved counterexample: {error}") from None
    if found.version != VERSION:
        raise BadInput(f"a counterexample of version {found.version}; {VERSION} can be read")
    return found


def compared(
    program: Program, instance: Instance, outcome: Outcome, target: str = ""
) -> Comparison:
    """A pair and an outcome with their likelihoods as they are reported.

    Raises:
        LimitReached: they cannot be computed.
        OnBoundary: a density may jump at the outcome.
        BadInput: the inputs are no neighbours.
    """
    relation = Relation(program)
    witnesses = relation.witnesses(instance)
    if witnesses is None or not relation.admits(instance):
        raise BadInput(f"{program.name}: the two inputs are no neighbours, or no inputs of it")
    if not counts(program, instance, outcome):
        raise BadInput(f"{program.name}: nothing is claimed about this outcome")
    likely = _divergent if program.privacy.zcdp else _likely
    if program.privacy.delta is not None:
        likely = _exceeding
    with working(_DIGITS):
        epsilons = program.epsilons()
        return Comparison(
            version=VERSION,
            mechanism=program.name,
            target=target,
            claim=claim_text(program),
            epsilon={
                n: written(instance.base, Fraction(cast(Rational, instance.public[n])))
                for n in epsilons
            },
            public={n: _plain(v) for n, v in instance.public.items() if n not in epsilons},
            left={n: _plain(v) for n, v in instance.left.items()},
            right={n: _plain(v) for n, v in instance.right.items()},
            records=_records(program, witnesses),
            outcome=tuple(map(Released.of, outcome.slots)),
            ending="error" if outcome.ending == "error" else "end",
            of_pair=bool(program.privacy.pair_budget),
            **likely(program, instance, outcome),
        )


def _likely(program: Program, instance: Instance, outcome: Outcome) -> dict[str, Any]:
    """What is said of the outcome by a claim of ε."""
    found = certain(program, instance, outcome)
    log_ratio: Number | None = None
    if not is_zero(found.right) and not is_zero(found.left):
        log_ratio = log(found.left) - log(found.right)
    return {
        "measure": _measure(instance, outcome),
        "on_left": Interval.of(found.left),
        "on_right": Interval.of(found.right),
        "budget": Interval.of(found.budget),
        "log_ratio": None if log_ratio is None else Interval.of(log_ratio),
        "breaks": found.broken,
    }


def _divergent(program: Program, instance: Instance, outcome: Outcome) -> dict[str, Any]:
    """What is said of all outcomes by a claim of ρ."""
    found = divergences.certain(program, instance)
    return {
        "measure": "divergence",
        "on_left": Interval.of(ONE),
        "on_right": Interval.of(ONE),
        "budget": Interval.of(found.budget),
        "log_ratio": None if found.infinite else Interval.of(found.left),
        "breaks": found.broken,
        "order": str(found.order),
        "cuts": None if found.whole else tuple(map(str, found.cuts)),
    }


def _exceeding(program: Program, instance: Instance, outcome: Outcome) -> dict[str, Any]:
    """What is said of an event by a claim with a δ."""
    found = excess.certain(program, instance)
    return {
        "measure": "event",
        "on_left": Interval.of(found.left),
        "on_right": Interval.of(found.right),
        "budget": Interval.of(found.budget),
        "log_ratio": Interval.of(found.needed),
        "breaks": found.broken,
        "delta": Interval.of(found.delta),
        "event": excess.event_in_words(found),
    }


def candidate_of(program: Program, comparison: Comparison) -> tuple[Instance, Outcome]:
    """The inputs and the outcome of a saved comparison, for the program as it is now.

    Raises:
        BadInput: the program's inputs are others.
    """
    if comparison.mechanism != program.name:
        raise BadInput(
            f"the counterexample is about {comparison.mechanism}, not about {program.name}"
        )
    made = program.privacy.zcdp, program.privacy.delta is not None
    if (bool(comparison.order), comparison.delta is not None) != made:
        of = "ρ" if comparison.order else "ε alone" if comparison.delta is None else "ε and δ"
        raise BadInput(
            f"the counterexample is to a claim of {of}, which {program.name} does not make"
        )
    names = {*comparison.epsilon, *comparison.public, *comparison.left}
    sides_differ = set(comparison.left) != set(comparison.right)
    amounts_differ = set(comparison.epsilon) != set(program.epsilons())
    if names != set(program.inputs) or sides_differ or amounts_differ:
        raise BadInput(
            f"{program.name}: its inputs are {', '.join(program.inputs)}; the counterexample is "
            f"about {', '.join(sorted(names))}"
        )
    amounts = {n: parsed(n, text) for n, text in comparison.epsilon.items()}
    bases: set[Base] = {base for base, _ in amounts.values()}
    public: dict[str, Input] = {n: amount for n, (_, amount) in amounts.items()}

    def read(side: dict[str, Any]) -> Inputs:
        return {n: _read(program, n, v) for n, v in side.items()}

    public |= read(comparison.public)
    base: Base = bases.pop() if bases else "e"
    instance = Instance(base, public, read(comparison.left), read(comparison.right))
    try:
        slots = tuple(released.slot for released in comparison.outcome)
    except (TypeError, ValueError, ZeroDivisionError):
        raise BadInput("a released value of the counterexample is no number") from None
    return instance, Outcome(slots, comparison.ending)


def _read(program: Program, name: str, value: Any) -> Input:
    kind = program.inputs[name]
    several = kind.array or isinstance(kind, DataSet)
    try:
        if several != isinstance(value, list | tuple):
            raise TypeError(value)
        if isinstance(kind, DataSet):
            return tuple(tuple(int(_number(x, True)) for x in row) for row in value)
        if several:
            return tuple(_number(v, kind.whole) for v in value)
        return _number(value, kind.whole)
    except (TypeError, ValueError, ZeroDivisionError):
        wanted = "a list of numbers" if several else "a number"
        raise BadInput(f"{name}: got {value!r}; {wanted} is needed") from None


def _number(value: Any, whole: bool) -> int | Fraction:
    """A number as it is saved: an int as such, any other number as text."""
    if type(value) is not (int if whole else str):
        raise TypeError(value)
    return int(value) if whole else Fraction(value)


def _measure(instance: Instance, outcome: Outcome) -> str:
    """What a likelihood is; with ε in multiples of ln 2, a density is by position times ln 2."""
    if outcome.reals == 0:
        return "probability"
    if instance.base == "e":
        return "density"
    return "density / ln 2" if outcome.reals == 1 else f"density / (ln 2)^{outcome.reals}"


def _plain(value: Any) -> Any:
    """An input as JSON: ints stay, fractions become text."""
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value if isinstance(value, int) else str(value)


def _records(program: Program, witnesses: Witnesses) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if witnesses.people is not None:
        people = witnesses.people
        counted = [n for n, k in program.inputs.items() if isinstance(k, CountingQueries)]
        found["attributes of"] = counted
        found["others"] = [list(r) for r in people.others]
        found["before"] = None if people.before is None else list(people.before)
        found["after"] = None if people.after is None else list(people.after)
    for name, came in (witnesses.arrivals or {}).items():
        found[f"arrivals of {name}"] = {
            "others": list(came.others), "before": came.before, "after": came.after,
        }  # fmt: skip
    return found


def allowed(comparison: Comparison) -> Interval:
    """What the log ratio, the divergence or the δ that an event needs is held against."""
    return comparison.budget if comparison.delta is None else comparison.delta


def attains(comparison: Comparison) -> bool:
    """Whether the log ratio is the budget itself, or the δ that it takes the claimed one."""
    if comparison.log_ratio is None:
        return False
    one, two = comparison.log_ratio.enclosure, allowed(comparison).enclosure
    with working(_DIGITS):
        gap = arb(rational(one.high)) - arb(rational(two.low))
        return one.low <= two.high and two.low <= one.high and bool(abs(gap) < arb(2) ** -60)


# A certificate of a refutation: a program, two neighbouring inputs, an outcome, enclosures.


class Refutation(
    Heading,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag="refutation",
    tag_field="kind",
):
    """A counterexample to one mechanism's privacy claim.

    Attributes:
        counterexample: the inputs, the outcome, and how likely it is under each.
        made_by: the tools.
        library: the SHA-256 of the library's file that the program was read from, if it was.
    """

    counterexample: Comparison
    made_by: Tools
    library: str = ""


# A saved counterexample, computed again: nothing of the search is loaded.


def recompute(comparison: Comparison, mechanism: Mechanism[..., Any]) -> Comparison:
    """A saved comparison with its likelihoods computed anew, for the mechanism as it is now.

    Raises:
        BadInput: the mechanism's inputs are others now, or the pair is no pair of neighbours.
        LimitReached: a likelihood cannot be computed.
    """
    program = mechanism.program
    program.check_frozen()
    return recomputed(comparison, program)


def recomputed(comparison: Comparison, program: Program) -> Comparison:
    """The same for a program.

    Raises:
        BadInput, LimitReached: as :func:`recompute`.
    """
    instance, outcome = candidate_of(program, comparison)
    try:
        return compared(program, instance, outcome, comparison.target)
    except OnBoundary:
        raise BadInput(f"{program.name}: a density jumps at the saved outcome now") from None
