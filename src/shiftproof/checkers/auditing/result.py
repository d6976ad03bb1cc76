"""What an audit came to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from numbers import Number
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput, NoTruth
from ...dsl.showing import Shown, text_of
from ...dsl.simulation.outcomes import Ending
from .evidence.notions import Notion, notion_of
from .samples import FLOAT, INT, Sample
from .visible import Visible

#: Of what a claim is a multiple where pairs have an ε of their own: the distance of the two
#: inputs, or the budget of the pair; empty where the claim is the ε of all pairs.
Unit: TypeAlias = Literal["", "distance", "budget"]
#: The measure of a claim: ε in nats, at a δ, or the ρ of zCDP.
Measure: TypeAlias = Literal["epsilon", "rho"]
Finding: TypeAlias = Literal["violation found", "no violation found", "not decided"]

_VERDICT = "ask for its verdict, as in 'audit.verdict == \"no violation found\"'"


@dataclass(frozen=True, slots=True)
class Judgement(NoTruth):
    """One of the two verdicts: on the ideal mechanism, or on the code as it is.

    Attributes:
        verdict: ``violation found``, with the confidence of the audit; or ``no violation
            found``, which is no proof.  Without a claim it is the latter.
        allowed: the ε that was held against it, in nats, or the ρ; ``None`` without a claim.
        lower_bound: ε (or ρ) is at least this, with the confidence of the audit.
        p_value: the smallest α at which the claim is refused, valid whenever the audit stops;
            ``None`` without a claim.
    """

    instead: ClassVar[str] = _VERDICT

    verdict: Finding
    allowed: float | None
    lower_bound: float
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Tested:
    """An event on which was bet, and how often it came in fresh runs.

    Attributes:
        pair: the name of the pair.
        left, right: its inputs D and D'.
        event: what it is, in words.
        ideal: whether it is an event of the mechanism itself, not of its floats.
        runs: how many fresh runs were made on each side.
        on_left, on_right: in how many of them it came.
        owed: the ε that the pair owes, in nats, or the ρ; ``None`` without a claim.
    """

    pair: str
    left: Any
    right: Any
    event: str
    ideal: bool
    runs: int
    on_left: int
    on_right: int
    owed: float | None = None

    @property
    def log_ratio(self) -> float:
        """The log of the ratio of the two frequencies: an estimate, no bound."""
        if not self.on_left:
            return -math.inf
        return math.log(self.on_left / self.on_right) if self.on_right else math.inf


@dataclass(frozen=True, slots=True)
class Claim:
    """An amount of ε at a δ, in nats, or of ρ; ``None`` if only a bound is wanted."""

    amount: float | None
    delta: float = 0.0
    is_rho: bool = False

    @property
    def least(self) -> float:
        """What is no longer told from 0, as floats are rounded."""
        return LEAST_RHO if self.is_rho else LEAST

    def is_tiny(self, scale: float) -> bool:
        """Whether so many times the amount is too close to 0, and not 0."""
        return self.amount is not None and 0 < scale * self.amount < self.least


@dataclass(frozen=True, slots=True)
class Audit(Shown, NoTruth):
    """What an audit came to.

    Attributes:
        mechanism: its name.
        claim: the claimed ε in nats, or ρ; ``None`` without a claim.  Where pairs have an ε of
            their own it is this many times their distance, or their budget, which ``unit`` says; so
            are bounds.
        confidence: of what it says.
        ideal: on the mechanism, ``tolerance`` above the claim.
        code: on the code as it is, the bits of floats included; ``None`` if not asked for.
        tested: the events on which was bet, the one with the most evidence first.
        visible: what could have been seen.
        pairs: how many ordered pairs were audited.
        public: the public inputs of a mechanism of the language.
        runs: how many runs were made, on all inputs together.
        asked: how many might have been made.
        seed: the same seed gives the same audit, if the mechanism keeps to it.
        seconds: how long it took.
        notes: what is worth knowing, in sentences.
        interrupted: whether it was stopped from outside.
        unit: of what claim and bounds are multiples; mostly of nothing.
        delta: the δ at which ε is claimed, and bounded.
        measure: whether claim and bounds are of ε or of ρ.
    """

    instead: ClassVar[str] = _VERDICT

    mechanism: str
    claim: float | None
    confidence: float
    ideal: Judgement
    code: Judgement | None
    tested: tuple[Tested, ...]
    visible: tuple[Visible, ...]
    pairs: int
    public: Mapping[str, Any]
    runs: int
    asked: int
    seed: int
    seconds: float
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    tolerance: float = field(default=0.0)
    unit: Unit = ""
    delta: float = 0.0
    measure: Measure = "epsilon"

    def __str__(self) -> str:
        return text_of(self)

    @property
    def judgement(self) -> Judgement:
        """The verdict on the code if it was asked for, otherwise on the ideal mechanism."""
        return self.ideal if self.code is None else self.code

    @property
    def verdict(self) -> Finding:
        """``violation found`` or ``no violation found``; of what decides, never ``not decided``."""
        return self.judgement.verdict

    @property
    def lower_bound(self) -> float:
        """ε (or ρ) is at least this, with the confidence of the audit."""
        return self.judgement.lower_bound

    @property
    def notion(self) -> Notion:
        """What is claimed: pure ε, (ε, δ), or ρ-zCDP."""
        return notion_of(self.delta, self.measure == "rho")


# Outputs of which a bound is owed, under a definition that owes it of some outputs only.

#: How many different outputs are asked about at most.
ASKED = 10_000


@dataclass(frozen=True, eq=False)
class Protected:
    """Some protected outputs, each one number; goes to workers.

    Any set of them will do: what is owed of protected outputs is owed of the events inside it.

    Attributes:
        kinds: shape (n,); int or float.
        bits: shape (n,); as in a sample.
    """

    kinds: NDArray[np.uint8]
    bits: NDArray[np.int64]

    @staticmethod
    def among(samples: Iterable[Sample], known: Callable[[int | Fraction], bool]) -> Protected:
        """Those outputs of some runs that are protected.

        Args:
            samples: the runs.
            known: whether a released number is protected; ints and floats are told apart.
        """
        found: dict[tuple[int, int], None] = {}
        for sample in samples:
            at = _single(sample)
            rows = np.unique(np.stack([sample.kinds[at, 0], sample.bits[at, 0]], axis=1), axis=0)
            found |= dict.fromkeys((int(k), int(b)) for k, b in rows[:ASKED])
        tokens = [t for t in found if (v := _number(*t)) is not None and known(v)]
        return Protected(
            np.array([k for k, _ in tokens], np.uint8), np.array([b for _, b in tokens], np.int64)
        )

    def __len__(self) -> int:
        return len(self.kinds)

    def of(self, sample: Sample) -> NDArray[np.bool_]:
        """Which runs have such an output."""
        owed = np.zeros(len(sample), np.bool_)
        at = _single(sample)
        for kind in (INT, FLOAT):
            some = at & (sample.kinds[:, 0] == kind) if sample.places else at
            if some.any():
                owed[some] = np.isin(sample.bits[some, 0], self.bits[self.kinds == kind])
        return owed


def _single(sample: Sample) -> NDArray[np.bool_]:
    """The runs that end with one value."""
    if not sample.places:
        return np.zeros(len(sample), np.bool_)
    return np.asarray((sample.lengths == 1) & (sample.endings == Ending.END), np.bool_)


def _number(kind: int, bits: int) -> int | Fraction | None:
    if kind == INT:
        return bits
    value: Any = np.array([bits], np.int64).view(np.float64)[0]
    return Fraction(float(value)) if kind == FLOAT and np.isfinite(value) else None


# What an audit says, for programs.


def plain(value: Any) -> Any:
    """Anything as JSON has it; what JSON does not know, as text."""
    if isinstance(value, Judgement | Visible):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value) if isinstance(value, Number) else repr(value)


# Arguments of any audit.


#: The least and the largest ε, in nats: closer to 0 rounding would count in long audits, and no
#: audit could tell the largest from a larger one.  The same for ρ.
LEAST, LARGEST = 1e-4, 100.0
LEAST_RHO, LARGEST_RHO = 1e-5, 100.0


def check_claim(epsilon: Any, delta: Any, rho: Any) -> None:
    """Refuse a claim of two kinds, and one that is out of range.

    Raises:
        BadInput: it is such.
    """
    if rho is not None and (epsilon is not None or delta):
        raise BadInput("rho: want it alone, or epsilon, with or without delta")
    if delta is not None:
        check_number("delta", delta, 0, 1 - 1e-12)
    if epsilon is not None:
        check_number("epsilon", epsilon, 0 if delta else LEAST, LARGEST)
    if rho is not None:
        check_number("rho", rho, LEAST_RHO, LARGEST_RHO)


def check_settings(samples: Any, fewest: int, confidence: Any, seed: Any) -> None:
    """Refuse too few runs, a confidence that is none, and a seed that is none.

    Raises:
        BadInput: there is such.
    """
    if not _is_count(samples, fewest):
        raise BadInput(f"samples: got {samples!r}; an int of at least {fewest} is needed")
    check_number("confidence", confidence, 0, 1, open_ends=True)
    if seed is not None and not _is_count(seed, 0):
        raise BadInput(f"seed: got {seed!r}; an int that is not negative is needed")


def _is_count(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def check_number(
    name: str, value: Any, low: float, high: float, *, open_ends: bool = False
) -> None:
    """Refuse what is no number in a range.

    Raises:
        BadInput: it is none.
    """
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if known and low <= value <= high and not (open_ends and value in (low, high)):
        return
    limits = f"between {low:g} and {high:g}" if open_ends else f"from {low:g} to {high:g}"
    raise BadInput(f"{name}: got {value!r}; a number {limits} is needed")
