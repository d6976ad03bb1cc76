"""What can be said of a claim, and the report that says it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn

import msgspec

from ..dsl.errors import NoTruth, fault_text
from ..dsl.showing import Shown, text_of

if TYPE_CHECKING:
    from ..dsl.mechanism import Mechanism
    from ..dsl.terms.phases import Phase
    from .refuting.comparison import Comparison, Refutation
    from .walking.certificate import Certificate


class Verdict(Enum):
    """The five answers; a sentence for each in ``meaning``."""

    PROVED = "proved"
    BOUNDED = "bounded"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is neither true nor false; ask which, as in '== Verdict.PROVED'")

    @property
    def meaning(self) -> str:
        """What the verdict says, in one sentence."""
        return _MEANINGS[self.value]


_MEANINGS = {
    "proved": "The claim holds for all sizes and parameters that meet the preconditions.",
    "bounded": "The claim holds up to the named size; beyond it nothing is known.",
    "refuted": "Two neighbouring inputs and an outcome break the claim.",
    "unknown": "Neither a proof nor a counterexample was found.",
    "unsupported": "The mechanism or its claim is outside the language.",
}


OneSidedOutcome = Literal["proved", "broken", "unknown"]


@dataclass(frozen=True, slots=True)
class OneSided(NoTruth):
    """A claim that an answer is never wrong, and what came of it.

    Attributes:
        claim: the claim in words, with the line of the answer.
        outcome: ``proved``, ``broken`` or ``unknown``.
        witness: for a broken claim, inputs and noise on which the answer is wrong.
        probability: for a broken claim, how likely the wrong answer is on these inputs, and at
            which ε; ``"0"`` if only noise of probability zero makes it wrong.
    """

    instead: ClassVar[str] = "ask for its outcome, as in 'claim.outcome == \"proved\"'"

    claim: str
    outcome: OneSidedOutcome
    witness: str = ""
    probability: str = ""

    @property
    def refuted(self) -> bool:
        """Whether an answer is wrong with positive probability."""
        return self.outcome == "broken" and self.probability not in ("", "0")


@dataclass(frozen=True, slots=True)
class Report(Shown, NoTruth):
    """The answer of ``verify`` for one mechanism.

    Attributes:
        mechanism: its name.
        file: where it stands.
        line: its first line.
        claim: the privacy claim in words, with how the private inputs may move.
        preconditions: under which inputs the claim is made.
        verdict: the answer.
        expected: what the author expects, ``proved``, ``bounded`` or ``refuted``.
        sizes: ``all``, or the bound of a ``bounded`` proof, or empty.
        epsilon_upper: the least ε that was proved, an expression in nats: the claimed one, or
            less if less will do; ``None`` without a proof.
        keeps: an ε that was proved where the claimed one was not, an expression in nats; looked
            for where the verdict is not the expected one.
        letter: what is claimed, and what stands in these: ε, or ρ, which is in no nats.
        epsilon_lower: for a refuted claim, the log ratio of the counterexample in nats: no
            smaller ε holds at its parameters.
        refutation: the counterexample of a refuted claim.
        method: how it was proved: by an ``alignment``, or, of finite noise, by exact ``sums`` of
            probabilities or by ``enumeration`` of all inputs of a size; else empty.
        alignment: the shift of each sample, of the proof or of the best attempt.
        cost: what the shifts of a proof cost at most, as a sum over the rates at which noise is
            paid for: ``c · eps/c = eps``; one entry a case, where cases differ.
        reasons: what fails or is missing, one entry each, with its place.
        assumptions: what the claim takes on trust.
        one_sided: the claims that an answer is never wrong, each with what came of it.
        certificate: what a proof or a refutation can be re-checked by.
        fault: whether it is ``unknown`` only because of a fault of shiftproof itself.
        seconds: how long it took.
        phases: the CPU seconds of this process by phase: ``read``, ``record`` (runs on recorded
            noise), ``solve`` (the choice of shifts), ``prove``, ``check`` (kernel and guard) and
            ``refute``; each without the others.
        subject: the mechanism itself, for who wants to show its lines; ``None`` of a report that
            comes from a certificate or from another process.

    A report is neither true nor false: ask for ``holds`` or ``as_expected``.  Its text,
    ``print(report)``, is what ``shiftproof verify`` prints of the mechanism.
    """

    instead: ClassVar[str] = (
        "ask for holds (everything is proved) or as_expected, as in 'assert verify(m).holds'"
    )

    mechanism: str
    file: str
    line: int
    claim: str
    preconditions: tuple[str, ...]
    verdict: Verdict
    expected: Literal["proved", "bounded", "refuted"]
    sizes: str = ""
    epsilon_upper: str | None = None
    epsilon_lower: str | None = None
    keeps: str | None = None
    refutation: Comparison | None = None
    method: Literal["", "alignment", "sums", "enumeration"] = ""
    alignment: dict[str, str] = field(default_factory=dict)
    cost: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    one_sided: tuple[OneSided, ...] = ()
    certificate: Certificate | Refutation | None = None
    fault: bool = False
    letter: str = "ε"
    seconds: float = 0.0
    phases: dict[Phase, float] = field(default_factory=dict)
    subject: Mechanism[..., Any] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return text_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return _again, ({**values, "subject": None},)  # a mechanism stays in its process

    @property
    def as_expected(self) -> bool:
        """Whether the claims hold as expected; a known-bad example must be refuted."""
        if self.expected == "refuted":
            return self.falls
        return self.holds or (self.expected == "bounded" and self.holds_for_some_sizes)

    @property
    def holds(self) -> bool:
        """Whether privacy and every one-sided claim are proved."""
        return self.verdict is Verdict.PROVED and self._answers_hold

    @property
    def holds_for_some_sizes(self) -> bool:
        """Whether privacy is proved up to some size, and every one-sided claim."""
        return self.verdict is Verdict.BOUNDED and self._answers_hold

    @property
    def _answers_hold(self) -> bool:
        return all(claim.outcome == "proved" for claim in self.one_sided)

    @property
    def falls(self) -> bool:
        """Whether privacy is refuted, or an answer is wrong with positive probability."""
        refuted = self.verdict is Verdict.REFUTED
        return refuted or any(claim.refuted for claim in self.one_sided)

    def as_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "mechanism": self.mechanism,
            "file": self.file,
            "line": self.line,
            "claim": self.claim,
            "preconditions": list(self.preconditions),
            "verdict": str(self.verdict),
            "expected": self.expected,
            "sizes": self.sizes,
            "epsilon_upper": self.epsilon_upper,
            "epsilon_lower": self.epsilon_lower,
            "keeps": self.keeps,
            "refutation": (
                None if self.refutation is None else msgspec.to_builtins(self.refutation)
            ),
            "method": self.method,
            "alignment": self.alignment,
            "cost": list(self.cost),
            "reasons": list(self.reasons),
            "fault": self.fault,
            "assumptions": list(self.assumptions),
            "one_sided": [
                {
                    "claim": c.claim,
                    "outcome": c.outcome,
                    "witness": c.witness,
                    "probability": c.probability,
                }
                for c in self.one_sided
            ],
            "fingerprint": None if self.certificate is None else self.certificate.fingerprint,
            "seconds": round(self.seconds, 6),
            "phases": {name: round(seconds, 6) for name, seconds in self.phases.items()},
        }


def _again(values: dict[str, Any]) -> Report:
    return Report(**values)


def faulty(report: Report, error: Exception) -> Report:
    """The report of a mechanism on which shiftproof itself failed; nothing else is said of it."""
    return replace(
        report,
        verdict=Verdict.UNKNOWN,
        sizes="",
        epsilon_upper=None,
        epsilon_lower=None,
        refutation=None,
        method="",
        alignment={},
        reasons=(fault_text(error),),
        one_sided=(),
        certificate=None,
        fault=True,
    )
