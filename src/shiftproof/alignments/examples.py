"""Small concrete neighbours: parameters within the preconditions, answers within the relation.

Values come from a coarse grid, so that ties (the places where proofs break) are
common.  Everything is drawn from a fixed seed: the same program gives the same
examples on every machine.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from ..dsl.errors import BadInput
from ..dsl.privacy.inputs import DataSet, EpsilonInput
from ..dsl.privacy.records import AFTER, BEFORE
from ..dsl.relations.cases import Case, Pair
from ..dsl.relations.program import Program
from ..dsl.relations.unknowns import MOVE, moved_before
from ..dsl.terms.enclosures import is_plain, rational_ends
from ..dsl.terms.formulas import TRUE, Formula, at_least, equal
from ..dsl.terms.linear import Exp, Linear, Symbol, number, term
from ..dsl.terms.smt import Questions, Writer
from ..dsl.terms.substitution import Substitution, exponentials_of, symbols_of

Records = tuple[tuple[Fraction, ...], ...]
Numbers = Fraction | tuple[Fraction, ...] | Records

#: How many elements a sequence of an example may have.
LONGEST = 24
#: Where numbers are taken from.
GRID = tuple(Fraction(n, 2) for n in (0, 2, 4, 1, -2, 6, 3, -1))
_TRIES = 40
NOTHING: Mapping[str, Linear] = {}
#: Among how many elements at the beginning answers differ, the first ones more often.
EARLY = 5


def shown(value: Numbers) -> str:
    """An input as Python would write it, its fractions plain."""
    if isinstance(value, tuple):
        inner = ", ".join(map(shown, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)


@dataclass(frozen=True, slots=True)
class Example:
    """Two neighbouring inputs; public parts are the same in both.

    ``unknowns``: what the case of the relation leaves open, such as where they differ.
    """

    left: Mapping[str, Numbers]
    right: Mapping[str, Numbers]
    far: bool = False
    steady: bool = False
    unknowns: Mapping[str, Fraction] = field(default_factory=dict)


class Examples:
    """An endless supply of examples for one case of a program's relation."""

    def __init__(
        self,
        program: Program,
        case: Case,
        facts: Sequence[Formula],
        seed: int = 0,
        *,
        steady: bool = False,
    ) -> None:
        self._program = program
        self._case = case
        self._random = random.Random(seed)
        self._lean = 0
        self._most = False
        self._values, self._moves = self._pools({})
        first = settings(program, facts, _staying(FIRST) if steady else FIRST, self._random)
        again = settings(program, facts, _staying(AGAIN) if steady else AGAIN, self._random)
        self._settings = itertools.chain(first, itertools.cycle(again))

    def __iter__(self) -> Iterator[Example]:
        misses = 0
        for setting in self._settings:
            example = self._neighbours(setting)
            if example is not None:
                misses = 0
                yield example
            elif (misses := misses + 1) > _TRIES:
                return

    def _neighbours(self, setting: Setting) -> Example | None:
        self._most = setting.far or setting.steady
        self._values, self._moves = self._pools(setting.values)
        lengths = {n: int(v.constant) for n, v in setting.values.items() if n.startswith("len(")}
        if any(v > LONGEST for v in lengths.values()):
            return None
        known = dict(setting.values)
        left: dict[str, Numbers] = {}
        right: dict[str, Numbers] = {}
        for name, kind in self._program.inputs.items():
            if isinstance(kind, DataSet):
                left[name], right[name] = self._data_sets(name, kind, known)
        # Answers differ where most runs come to: few go on to the end of a long sequence.
        places = range(min(max(lengths.values(), default=0), EARLY))
        together = [name for name, move in self._case.moves.items() if move.norm]
        known.update((str(moved_before(name, number(0))), number(0)) for name in together)
        for ghost in self._case.ghosts:
            if ghost.key not in known:
                known[ghost.key] = number(self._place(places, ghost))
        if not self._holds(self._case.facts, known):
            return None
        # Public sequences first: what is private may depend on them.
        for name, kind in sorted(self._program.inputs.items(), key=lambda i: not i[1].public):
            if kind.array:
                self._lean = setting.lean(name)
                cells = [self._cell(name, i, known) for i in range(lengths[f"len({name})"])]
                if None in cells:
                    return None
                left[name] = found = tuple(c[0] for c in cells if c)
                if kind.public:
                    known.update({f"{name}[{i}]": number(v) for i, v in enumerate(found)})
                right[name] = tuple(c[1] for c in cells if c)
            elif kind.public:
                left[name] = right[name] = Fraction(setting.values[name].constant)
            elif not isinstance(kind, DataSet):
                pair = self._solved(self._case.scalar(name), known)
                if pair is None:
                    return None
                left[name], right[name] = pair
        try:
            self._program.check_preconditions(left)
        except BadInput:
            return None
        told = {g.key: known[g.key] for g in self._case.ghosts if g.key in known}
        unknowns = {n: Fraction(v.constant) for n, v in told.items() if v.is_constant}
        return Example(left, right, setting.far, setting.steady, unknowns)

    def _data_sets(
        self, name: str, kind: DataSet, known: dict[str, Linear]
    ) -> tuple[Records, Records]:
        """A small data set, and one in which a record changes, or is missing."""
        move = self._case.moves[name]
        values: Sequence[int] = (0, 1, 2) if move.policy is None else move.policy.universe
        protected = frozenset(values) if move.policy is None else move.policy.sensitive
        common = tuple(self._record(kind, values) for _ in range(self._random.randrange(4)))
        before = after = self._record(kind, values)
        if all(move.present):
            after = tuple(
                Fraction(self._random.choice(values)) if v in protected else v for v in before
            )
        for which, record in ((BEFORE, before), (AFTER, after)):
            known.update({f"{which}{name}[{k}]": number(v) for k, v in enumerate(record)})
        extra = [
            (record,) if has else ()
            for record, has in zip((before, after), move.present, strict=True)
        ]
        return (*extra[0], *common), (*extra[1], *common)

    def _record(self, kind: DataSet, values: Sequence[int]) -> tuple[Fraction, ...]:
        return tuple(Fraction(self._random.choice(values)) for _ in range(kind.attributes))

    def _cell(
        self, name: str, i: int, known: dict[str, Linear]
    ) -> tuple[Fraction, Fraction] | None:
        if self._program.inputs[name].public:
            value = self._random.choice(GRID) + self._lean
            value = Fraction(int(value)) if self._program.inputs[name].whole else value
            return value, value
        derived = {}
        if self._case.moves[name].norm:
            after = self._case.moved_after(name, number(i))
            derived = {str(moved_before(name, number(i + 1))): after}
        return self._solved(self._case.cell(name, number(i)), known, derived)

    def _solved(
        self, pair: Pair, known: dict[str, Linear], derived: Mapping[str, Linear] = NOTHING
    ) -> tuple[Fraction, Fraction] | None:
        """Values for the symbols of a pair under which its facts hold; ``derived`` from others."""
        parts: tuple[Linear | Formula, ...] = (pair.left, pair.right, *pair.facts)
        given = known.keys() | derived.keys()
        free = {s.key: s for part in parts for s in symbols_of(part) if s.key not in given}
        for _ in range(_TRIES):
            values = dict(known)
            values.update((key, number(self._pick(s))) for key, s in free.items())
            put = Substitution(values)
            values.update((key, put.linear(value)) for key, value in derived.items())
            if self._holds(pair.facts, values):
                known.update(values)  # a rule may speak of several inputs at this index
                put = Substitution(values)
                left, right = put.linear(pair.left), put.linear(pair.right)
                return Fraction(left.constant), Fraction(right.constant)
        return None

    def _pick(self, symbol: Symbol) -> Fraction:
        value = self._random.choice(self._moves if symbol.key.startswith(MOVE) else self._values)
        return Fraction(int(value)) if symbol.integral else value

    def _place(self, places: Sequence[int], ghost: Symbol) -> Fraction | int:
        """Where answers differ, or another unknown."""
        if not places or ghost not in self._case.places:
            return self._pick(ghost)
        return min(self._random.choice(places), self._random.choice(places))

    def _pools(
        self, known: Mapping[str, Linear]
    ) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """What answers and their differences are picked from; extreme differences mostly."""
        put = Substitution(known)
        bounds = [put.linear(b) for m in self._case.moves.values() for b in (m.low, m.high)]
        extremes = tuple(Fraction(b.constant) for b in bounds if b.is_constant)
        if self._most:  # of answers that move together most stay as they are
            still = (Fraction(0),) if any(m.norm for m in self._case.moves.values()) else ()
            return (*GRID, *extremes), (*extremes, *still) or GRID
        inner = (Fraction(0), *(e / 2 for e in extremes[:2]))
        return (*GRID, *extremes), (*extremes, *extremes, *inner) if extremes else GRID

    @staticmethod
    def _holds(facts: Sequence[Formula], values: Mapping[str, Linear]) -> bool:
        put = Substitution(values)
        return all(put.formula(f) == TRUE for f in facts)


# Values for the public scalars and the lengths of an example, within the preconditions.

#: A threshold that is never, or always, reached.
FAR = 60
_RESOURCES = 500_000
#: What a number is that may not be as wanted: a share, mostly.  An int is a little more.
_SHARES = (Fraction(1, 2), Fraction(1, 4))


@dataclass(frozen=True, slots=True)
class Wish:
    """What a setting should look like, as far as the preconditions allow it.

    ``signs``: if given, thresholds are far away; the k-th one above the answers or below
    them by the k-th binary digit.  ``apart``: else, how far each one is above the one before, and
    each integer above the integer before.
    ``steady``: what a sample is compared with tells the same, most times it is drawn.
    """

    length: int
    small: int
    signs: int | None = None
    apart: int = 0
    steady: bool = False


#: Few answers close to the thresholds show most failures; many answers far from them,
#: on every side of two thresholds, show costs that add up.
FIRST = (
    Wish(2, 1),
    Wish(2, 0, apart=2),
    Wish(2, 2, apart=-2),
    Wish(10, 1, signs=0),
    Wish(3, 2),
    Wish(10, 1, signs=1),
    Wish(10, 1, signs=2),
    Wish(2, 1),
    Wish(10, 1, signs=3),
)
AGAIN = (
    Wish(2, 1),
    Wish(3, 0, apart=1),
    Wish(3, 1),
    Wish(2, 2, apart=-1),
    Wish(2, 2),
    Wish(1, 1),
    Wish(10, 1, signs=0),
    Wish(4, 3),
    Wish(2, 1),
    Wish(3, 1),
    Wish(10, 1, signs=2),
)
#: Where a loop goes by states, runs are wanted that come to each of them and stay.
STAYS = (
    Wish(16, 1, steady=True),
    Wish(5, 2, steady=True),
    Wish(16, 2, steady=True),
)


def _staying(wishes: Iterable[Wish]) -> list[Wish]:
    """Every second one is a wish for a run that stays."""
    return [w for pair in zip(itertools.cycle(STAYS), wishes, strict=False) for w in pair]


@dataclass(frozen=True, slots=True)
class Setting:
    """Values of the public scalars and lengths by symbol, and where thresholds lie."""

    values: Mapping[str, Linear]
    leans: Mapping[str, int]
    far: bool
    steady: bool

    def lean(self, name: str) -> int:
        """How far the elements of a public sequence are moved away."""
        return self.leans.get(name, 0)


def settings(
    program: Program, facts: Sequence[Formula], wishes: Sequence[Wish], chance: random.Random
) -> Iterator[Setting]:
    """One setting for each wish that can be met in part."""
    known = tuple(f for f in facts if f.fixed)
    symbols = _parameters(program)
    thresholds = _thresholds(program)
    numbers = [name for name in thresholds if not program.inputs[name].array]
    wholes = [n for n, k in program.inputs.items() if k.public and k.whole and not k.array]
    for wish in wishes:
        if wish.signs is not None and wish.signs >> len(thresholds):
            continue  # the same signs as an earlier wish
        if wish.apart and max(len(numbers), len(wholes)) < 2:
            continue
        leans = _leans(thresholds, wish)
        apart = {
            name: wish.small + k * wish.apart
            for names in (numbers, wholes)
            for k, name in enumerate(names)
        }
        wanted = tuple(
            (
                s,
                wish.length
                if s.key.startswith("len(")
                else leans.get(s.key, apart.get(s.key, wish.small)),
            )
            for s in chance.sample(symbols, len(symbols))
        )
        values = _met(known, wanted)
        if values is not None:
            found = {n: number(v) for n, v in values}
            yield Setting(found, leans, wish.signs is not None, wish.steady)


@lru_cache(maxsize=1024)
def _met(
    facts: tuple[Formula, ...], wanted: tuple[tuple[Symbol, int], ...]
) -> tuple[tuple[str, Fraction], ...] | None:
    """Values of the symbols within the facts, as wanted as far as can be, the first ones first."""
    as_wanted = Substitution({symbol.key: number(value) for symbol, value in wanted})
    if all(as_wanted.formula(fact) == TRUE for fact in facts):
        return tuple((symbol.key, Fraction(value)) for symbol, value in wanted)
    questions = Questions(Writer(exact_products=True), _RESOURCES)
    questions.add(facts)
    powers = {p.key: p for f in facts for p in exponentials_of(f)}.values()
    inside = {s.key for power in powers for s in symbols_of(power.power)}
    wanted = (
        *(w for w in wanted if w[0].key in inside),
        *(w for w in wanted if w[0].key not in inside),
    )
    known: dict[str, Linear] = {}
    for symbol, value in wanted:
        instead = (value + 1, value + 2) if symbol.integral else _SHARES
        for tried in (value, *instead):
            claim = equal(term(symbol), number(tried))
            if questions.ask([claim]) == "sat":
                questions.add([claim])
                known[symbol.key] = number(tried)
                questions.add(fact for power in powers for fact in _enclosed(power, known))
                break
    if questions.check() != "sat":
        return None
    point = questions.point()
    values = [(s.key, point.get(s.key, Fraction(0))) for s, _ in wanted]
    if any(value is None for _, value in values):
        return None
    return tuple((name, Fraction(value or 0)) for name, value in values)


def _enclosed(power: Exp, known: Mapping[str, Linear]) -> Iterator[Formula]:
    """Between which rationals a power of e lies, once its exponent is known."""
    value = Substitution(known).linear(term(power))
    if is_plain(value):
        low, high = rational_ends(value)
        yield at_least(term(power), number(low))
        yield at_least(number(high), term(power))


def _thresholds(program: Program) -> list[str]:
    """The public numbers that are neither ε nor integers."""
    return [
        name
        for name, kind in program.inputs.items()
        if kind.public and not kind.whole and not isinstance(kind, EpsilonInput)
    ]


def _leans(thresholds: Sequence[str], wish: Wish) -> dict[str, int]:
    """How far away each threshold lies, on its side."""
    if wish.signs is None:
        return {}
    return {name: -FAR if wish.signs >> k & 1 else FAR for k, name in enumerate(thresholds)}


def _parameters(program: Program) -> list[Symbol]:
    public = [n for n, k in program.inputs.items() if k.public and not k.array]
    arrays = [n for n, k in program.inputs.items() if k.array]
    return [*map(program.parameter_symbol, public), *map(program.length_symbol, arrays)]
