"""Whether a claim is true: exact probabilities on small data sets and their neighbours.

Nothing is derived from the program.  Neighbours are written down record by record
(:mod:`shiftproof.checkers.guarding.records`), the text is executed on both, and all outcomes
are compared.  What is said to be false is false; what is not is true as far as was looked.
"""

from __future__ import annotations

import inspect
import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shiftproof.checkers.guarding.records import Neighbours, budget_of, neighbours
from shiftproof.dsl.privacy.definitions import UtilityOptimizedLDP
from shiftproof.dsl.privacy.inputs import DataSet, EpsilonInput, PublicInt, PublicNat
from shiftproof.dsl.relations.program import Program

from .laws import Unknowable
from .running import Cuts, NotAdmitted, Outcome, Source, Spread

#: Differences of probabilities below this may come from rounding.
MARGIN = 1e-7
#: How many runs are made for one program, and for one of its inputs.
RUNS, RUNS_OF_ONE, RUNS_CLOSER = 3500, 400, 2000
#: An outcome seems too likely from this ratio on, and where it is not rarer than this.
SUSPICIOUS, RARE = 1.05, 2e-4
#: Of how many pairs of neighbours some are taken, and how many.
LISTED, TAKEN = 400, 14
WHOLE = (
    tuple(range(-2, 7)),
    tuple(range(-2, 7)),
    (-20, -5, -1, 0, 1, 2, 3, 6, 20),
    (-1000, -100, 0, 1, 2, 100, 1000),
)
ALL_WHOLE = tuple(range(-40, 41))
REAL = tuple(Fraction(v, 2) for v in (-12, -6, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 14))


@dataclass(frozen=True)
class Wrong:
    """Two neighbours that tell that a claim is false: on the left some outcomes are too likely."""

    public: dict[str, Any]
    pair: Neighbours | None
    outcomes: tuple[Outcome, ...]
    left: float
    most: float

    def __str__(self) -> str:
        said = self.pair.said if self.pair is not None else ""
        return (
            f"{self.public} {said}\n  {self.outcomes[:3]}: probability {self.left:.9f}, "
            f"at most {self.most:.9f} would do"
        )


@dataclass
class Found:
    """What was looked at, and what is wrong."""

    pairs: int = 0
    runs: int = 0
    wrong: Wrong | None = None
    raised: str = ""
    unknowable: str = ""
    broken: bool = False

    @property
    def problem(self) -> str:
        """What is wrong with a proof of the claim, if anything."""
        return f"raises {self.raised}" if self.raised else str(self.wrong) if self.wrong else ""


def truth(text: str, program: Program, seed: int = 0, runs: int = RUNS) -> Found:
    """Look for neighbours on which the claim of a program is false.

    Args:
        text: the Python text; its last function, ``m``, is executed.
        program: what was read from it; of that only the declaration is used.
        seed: which inputs are tried.
        runs: how many runs of the text are made.
    """
    found, rng = Found(), random.Random(seed)
    try:
        source = Source(text)
        for public, lengths in _settings(program, rng):
            setting = _Setting(program, source, public, lengths, rng)
            if isinstance(program.privacy, UtilityOptimizedLDP):
                _compare_protected(setting, found)
            else:
                _compare(setting, found, runs)
            if found.wrong or found.raised or found.runs >= runs:
                break
        found.broken = source.broken
    except Unknowable as error:
        found.unknowable = str(error)
    return found


def _settings(
    program: Program, rng: random.Random
) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Public inputs and lengths at random; small ones mostly."""
    inputs = program.inputs
    rows = [n for n, k in inputs.items() if k.array and not isinstance(k, DataSet)]
    for attempt in range(60):
        size = (2, 1, 2, 3, 2, 0)[attempt % 6]
        lengths = dict.fromkeys(rows, size)
        if rng.random() < 0.05 and rows:
            lengths[rng.choice(rows)] = rng.choice((0, 1, 3))
        public: dict[str, Any] = {}
        same: dict[type, Any] = {}  # what is equal by chance matters, so some are made equal
        alike = rng.random() < 0.35
        for name, kind in inputs.items():
            if kind.public and kind.array:
                public[name] = tuple(_number(kind, rng) for _ in range(lengths[name]))
            elif kind.public:
                public[name] = _number(kind, rng)
                if alike and not isinstance(kind, EpsilonInput):
                    public[name] = same.setdefault(type(kind), public[name])
        yield public, {n: lengths[n] for n in rows if not inputs[n].public}


def _number(kind: Any, rng: random.Random) -> Any:
    if isinstance(kind, EpsilonInput):
        return rng.choice((Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3)))
    if isinstance(kind, PublicNat):
        return rng.choice((1, 2, 1, 2, 3, 0))
    if isinstance(kind, PublicInt):
        return rng.choice((0, 1, 1, 2, -1, 3))
    return Fraction(rng.choice((0, 1, 1, 2, 2, 3, -1))) / rng.choice((1, 1, 1, 2))


class _Setting:
    """One program at some public inputs: its distributions, each found once."""

    def __init__(
        self,
        program: Program,
        source: Source,
        public: dict[str, Any],
        lengths: dict[str, int],
        rng: random.Random,
    ) -> None:
        self.program, self.source, self.public = program, source, public
        told = isinstance(program.privacy, UtilityOptimizedLDP)
        self.cuts = Cuts(
            ALL_WHOLE if told else rng.choice(WHOLE),
            tuple(sorted(rng.sample(REAL, rng.choice((3, 5, 7))))),
        )
        self.known: dict[str, Spread] = {}
        listed = list(itertools.islice(neighbours(program, public, lengths, 2), LISTED))
        near = listed[: TAKEN // 3]
        self.pairs = near + rng.sample(listed[len(near) :], min(TAKEN, len(listed) - len(near)))

    def of(self, private: Mapping[str, Any], found: Found) -> Spread:
        """The distribution on these private inputs."""
        key = repr(private)
        if key not in self.known:
            self.known[key] = self.closer(private, found, RUNS_OF_ONE)
        return self.known[key]

    def closer(self, private: Mapping[str, Any], found: Found, most: int = RUNS_CLOSER) -> Spread:
        """The distribution by so many runs."""
        made = self.source.spread({**self.public, **private}, self.cuts, most)
        found.runs += made.runs
        return made

    def factor(self, pair: Neighbours) -> float:
        """e to the budget of a pair."""
        return math.exp(float(budget_of(self.program, self.public, pair)))


def _compare(setting: _Setting, found: Found, runs: int) -> None:
    """Compare the outcomes of the neighbours of a setting; look closer at what stands out."""
    suspect: tuple[float, Neighbours | None] = SUSPICIOUS, None
    for pair in setting.pairs:
        try:
            left, right = setting.of(pair.left, found), setting.of(pair.right, found)
        except NotAdmitted:
            return
        found.pairs += 1
        found.raised = next((o[-1][1] for o in left.masses if o and o[-1][0] == "raised"), "")
        factor = setting.factor(pair)
        found.wrong = _excess(setting.public, pair, left, right, factor)
        if found.wrong or found.raised or found.runs >= runs:
            return
        if left.unseen or right.unseen:
            suspect = max(suspect, (_stands_out(left, right, factor), pair), key=lambda s: s[0])
    if suspect[1] is not None:
        pair = suspect[1]
        left, right = (setting.closer(side, found) for side in (pair.left, pair.right))
        found.wrong = _excess(setting.public, pair, left, right, setting.factor(pair))


def _stands_out(left: Spread, right: Spread, factor: float) -> float:
    """By how much an outcome that is not rare seems to be too likely."""
    return max(
        (
            p / (factor * right.masses.get(o, 0.0) + RARE)
            for o, p in left.masses.items()
            if p > 2 * RARE
        ),
        default=0.0,
    )


def _excess(
    public: dict[str, Any], pair: Neighbours, left: Spread, right: Spread, factor: float
) -> Wrong | None:
    """Outcomes that are too likely on the left, one by one or together."""
    over = {o for o, p in left.masses.items() if p > factor * right.masses.get(o, 0.0)}
    for chosen in (over, *({o} for o in over)):
        p = sum(left.masses[o] for o in chosen)
        q = sum(right.masses.get(o, 0.0) for o in chosen) + right.missing(chosen)
        if p > factor * q + MARGIN * max(1.0, factor):
            return Wrong(public, pair, tuple(chosen), p, factor * q)
    return None


def _compare_protected(setting: _Setting, found: Found) -> None:
    """Utility-optimised: an output is protected, or has one source that is not sensitive."""
    program, scope = setting.program, setting.source.scope
    privacy = program.privacy
    assert isinstance(privacy, UtilityOptimizedLDP)

    def said(function: Any, value: object) -> bool:
        here = scope[function.__name__]
        _, *more = inspect.signature(here).parameters
        return bool(here(value, **{name: setting.public[name] for name in more}))

    sides = {repr(side): side for pair in setting.pairs for side in (pair.left, pair.right)}
    try:
        laws = {key: setting.of(side, found) for key, side in sides.items()}
    except NotAdmitted:
        return
    found.pairs += len(sides)
    factor = math.exp(float(budget_of(program, setting.public, setting.pairs[0]))) if sides else 1.0
    for outcome in {o for law in laws.values() for o in law.masses}:
        if outcome and outcome[-1][0] == "raised":
            found.raised = outcome[-1][1]
        having = [sides[key] for key, law in laws.items() if law.masses.get(outcome, 0.0) > MARGIN]
        alone = len(having) == 1 and not any(
            said(privacy.sensitive, value) for value in having[0].values()
        )
        kind, value = outcome[0] if len(outcome) == 1 else ("", None)
        number = ALL_WHOLE[value - 1] if kind == "int" else value if kind == "real" else None
        protected = said(privacy.protected, number) if number is not None else not alone
        most = max(law.masses.get(outcome, 0.0) for law in laws.values())
        least = min(law.masses.get(outcome, 0.0) + law.missing({outcome}) for law in laws.values())
        if (not protected and not alone) or (protected and most > factor * least + MARGIN):
            found.wrong = Wrong(setting.public, None, (outcome,), most, factor * least)
            return
