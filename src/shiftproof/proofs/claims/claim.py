"""What a claim of a paper is, and what is needed to decide it by machine.

A claim is decided by its checks.  Each check is a function that computes whether one statement
holds; which statement that is, is said by its :class:`Role`.  The verdict follows from what the
checks find, see :func:`settle`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from inspect import cleandoc
from typing import Any


class Paper(Enum):
    """The papers whose claims are decided: the name for the command line, and the title."""

    ASYMMETRIC_DP = ("asymmetric-dp", "Takagi, Cao and Yoshikawa, Asymmetric Differential Privacy")
    MINIMUM_FINDING = (
        "minimum-finding",
        "Fukuchi, Yu, Haishima and Sakuma, Locally Differentially Private Minimum Finding",
    )
    GEOMETRIC_NOISE = (
        "geometric-noise",
        "Kacem and Palamidessi, Geometric Noise for Locally Private Counting Queries",
    )

    def __init__(self, key: str, title: str) -> None:
        self.key = key
        self.title = title


class Verdict(Enum):
    """What the checks of a claim amount to, with what it means."""

    TRUE = ("true", "the statement holds as it is printed")
    RESTORED = (
        "restored",
        "it holds with formulas or lines of the text restored or repaired, as is said",
    )
    DEFINITION = ("definition", "it defines, and what it defines is sound: it does what it is for")
    MISPRINT = ("misprint", "a slip of the pen: false as printed, true as it is evidently meant")
    TRUE_UNDER = ("true under", "not as printed, but under a hypothesis that the text leaves out")
    FALSE = ("false", "there is a counterexample; what is true instead is checked beside it")
    AMBIGUOUS = ("ambiguous", "some ways to read the statement make it true, others false")
    NOT_CHECKED = ("not machine-checked", "only an argument by hand is known, which is given")
    UNSETTLED = ("unsettled", "what should hold in this entry was not found to hold")

    def __init__(self, text: str, meaning: str) -> None:
        self.text = text
        self.meaning = meaning


class Role(Enum):
    """Which statement a check is about."""

    PRINTED = "as printed"
    READING = "read as"
    RESTORED = "as restored"
    SOUND = "as a definition"
    MEANT = "as meant"
    UNDER = "true under"
    REPAIRED = "instead"
    MOREOVER = "moreover"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes:
        holds: whether the statement of the check holds.
        detail: what was computed: the counterexample, or the numbers.
    """

    holds: bool
    detail: str


class Undecided(Exception):
    """A check could not find out: a solver gave up, or an enclosure was too wide."""


@dataclass(frozen=True, slots=True)
class Check:
    """One statement, and the function that decides it.

    Attributes:
        role: which statement it is.
        says: the statement, in the notation of the field.
        method: by which means it is decided, in a few words.
        decide: computes whether it holds.  Its keyword arguments, all with defaults, are the
            constants of the statement: tests change them, and the finding must change too.
    """

    role: Role
    says: str
    method: str
    decide: Callable[..., Finding]

    @property
    def how(self) -> str:
        """Why what is computed decides the statement."""
        return " ".join(cleandoc(self.decide.__doc__ or "").split())

    def __call__(self, **constants: Any) -> Finding:
        """Decide it, for other constants than those of the statement if any are given."""
        return self.decide(**constants)


def _decorator(role: Role, says: str, method: str) -> Callable[[Callable[..., Finding]], Check]:
    return lambda decide: Check(role, says, method, decide)


def printed(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of a statement as it is printed."""
    return _decorator(Role.PRINTED, says, by)


def read_as(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of one way to read a statement."""
    return _decorator(Role.READING, says, by)


def restored(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of a statement whose lost or wrong lines were put right."""
    return _decorator(Role.RESTORED, says, by)


def sound(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check that a definition does what it is for."""
    return _decorator(Role.SOUND, says, by)


def meant(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of a misprinted statement as it is evidently meant."""
    return _decorator(Role.MEANT, says, by)


def under(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of the statement under a hypothesis that the text leaves out."""
    return _decorator(Role.UNDER, says, by)


def repaired(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of what is true instead."""
    return _decorator(Role.REPAIRED, says, by)


def moreover(says: str, *, by: str) -> Callable[[Callable[..., Finding]], Check]:
    """Mark a function as the check of what is true besides: a bound is attained, say."""
    return _decorator(Role.MOREOVER, says, by)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a paper, with everything that decides it.

    Attributes:
        paper: whose it is.
        name: what the paper calls it (``Theorem 9``), or where it stands (``Section 4.2``).
        states: the statement as it is printed, in the notation of the field.
        verdict: what is recorded here; a run of the checks must come to the same.
        reading: how the statement is read and what is left open by it; empty if plain.
        checks: what decides it; none where only an argument by hand is known.
        argument: that argument, or what it adds to the checks.
    """

    paper: Paper
    name: str
    states: str
    verdict: Verdict
    reading: str = ""
    checks: tuple[Check, ...] = ()
    argument: str = ""


# From the findings of its checks to the verdict on a claim.


@dataclass(frozen=True, slots=True)
class Settled:
    """A claim whose checks have run.

    Attributes:
        claim: which one.
        verdict: what the checks amount to.
        findings: what each check found, in their order.
        seconds: how long they took.
    """

    claim: Claim
    verdict: Verdict
    findings: tuple[tuple[Check, Finding], ...]
    seconds: float

    @property
    def as_recorded(self) -> bool:
        """Whether the checks came to the verdict that the entry records."""
        return self.verdict is self.claim.verdict


def settle(claim: Claim) -> Settled:
    """Run the checks of a claim and draw the verdict from them."""
    begun = time.perf_counter()
    findings = tuple((check, _found(check)) for check in claim.checks)
    verdict = verdict_of([(check.role, finding.holds) for check, finding in findings])
    if any(finding.detail.startswith(_OPEN) for _, finding in findings):
        verdict = Verdict.UNSETTLED
    return Settled(claim, verdict, findings, time.perf_counter() - begun)


_OPEN = "undecided: "


def _found(check: Check) -> Finding:
    try:
        return check()
    except Undecided as reason:
        return Finding(False, f"{_OPEN}{reason}")


#: The roles of a statement itself, and what it is if it holds in this role.
_STATED = {
    Role.PRINTED: Verdict.TRUE,
    Role.READING: Verdict.TRUE,
    Role.RESTORED: Verdict.RESTORED,
    Role.SOUND: Verdict.DEFINITION,
}


def verdict_of(found: Sequence[tuple[Role, bool]]) -> Verdict:
    """What findings amount to.

    What is offered instead of a statement, as what is meant, as the hypothesis that it lacks, or
    besides, must hold; otherwise nothing is settled.  Of several ways to read it, some true and
    some false, the statement is ambiguous.
    """
    if not found:
        return Verdict.NOT_CHECKED
    if not all(holds for role, holds in found if role not in _STATED):
        return Verdict.UNSETTLED
    readings = [holds for role, holds in found if role is Role.READING]
    if any(readings) and not all(readings):
        return Verdict.AMBIGUOUS
    kinds = {_STATED[role] for role, _ in found if role in _STATED}
    if len(kinds) != 1:  # a statement is printed, restored or a definition, not two of these
        return Verdict.UNSETTLED
    if all(holds for role, holds in found if role in _STATED):
        return kinds.pop()
    if kinds != {Verdict.TRUE}:
        return Verdict.UNSETTLED
    offered = {role for role, _ in found}
    if Role.MEANT in offered:
        return Verdict.MISPRINT
    return Verdict.TRUE_UNDER if Role.UNDER in offered else Verdict.FALSE
