"""All private inputs of one choice of sizes, and which of them are neighbours.

Neighbours are decided from the definitions, value by value.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...dsl.formulas import FALSE, TRUE, Formula
from ...dsl.inputs import IntegerValue, IntegerValues, Value
from ...dsl.pairs import Pairing
from ...dsl.privacy import ADP, DP, LDP, OneSidedDP, Privacy, Related
from ...dsl.program import Program
from ...dsl.rules import rule_of
from ...dsl.substitution import Substitution
from ...dsl.terms import Linear, number
from ...dsl.values import NumberKind, exact
from .ratios import Declined
from .sizes import Sizes, length_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: How many inputs, and how many pairs of them, are looked at.
INPUTS, PAIRS = 2_100, 4_200_000
#: Beyond it, values are not enumerated.
LARGEST_VALUE = 10**9

Private = tuple[int | tuple[int, ...], ...]


@dataclass(frozen=True)
class Inputs:
    """The private inputs: ``columns`` holds the values that one input may have, by name."""

    program: Program
    sizes: Sizes
    columns: Mapping[str, Sequence[int | tuple[int, ...]]]

    @cached_property
    def all(self) -> list[Private]:
        """Every input, as one value for each name."""
        return list(itertools.product(*self.columns.values()))

    def named(self, k: int) -> dict[str, Any]:
        """An input by name."""
        return dict(zip(self.columns, self.all[k], strict=True))


def private_inputs(program: Program, sizes: Sizes) -> Inputs:
    """All private inputs of these sizes.

    Raises:
        Declined: there are too many, or they are not finite.
    """
    columns: dict[str, Sequence[int | tuple[int, ...]]] = {}
    count = 1
    for name, kind in program.inputs.items():
        if kind.public:
            continue
        if not isinstance(kind, IntegerValue | IntegerValues):
            raise Declined(f"'{name}' does not take finitely many values")
        low, high = (_bound(b, sizes) for b in (kind.low, kind.high))
        if max(abs(low), abs(high)) > LARGEST_VALUE:
            raise Declined(f"'{name}' may be beyond {LARGEST_VALUE}")
        values = range(math.ceil(low), math.floor(high) + 1)
        length = sizes[length_of(name)] if kind.array else 1
        count *= len(values) ** length
        if count > INPUTS:
            raise Declined(f"there are more than {INPUTS} private inputs")
        columns[name] = (
            list(itertools.product(values, repeat=length)) if kind.array else list(values)
        )
    return Inputs(program, sizes, columns)


def _bound(bound: Any, sizes: Sizes) -> Fraction:
    if isinstance(bound, str):
        if bound not in sizes:
            raise Declined(f"the bound '{bound}' of a private value is no public integer")
        return Fraction(sizes[bound])
    return exact(bound)


class Neighbours:
    """The ordered pairs of neighbours among inputs, and their budgets."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._privacy: Privacy = inputs.program.privacy
        self._kinds = {n: k for n, k in inputs.program.inputs.items() if not k.public}
        self._sizes = Substitution({n: number(v) for n, v in inputs.sizes.items()})
        most = PAIRS // 20 if self.pairing.speaks else PAIRS
        if len(inputs.all) ** 2 > most:
            raise Declined(f"there are more than {most} pairs of inputs")

    def at_sizes(self, subject: Linear) -> Linear:
        """A term with the sizes put in."""
        return self._sizes.linear(subject)

    @cached_property
    def matrix(self) -> NDArray[np.bool_]:
        """Which inputs are neighbours, each in its place; no input is its own."""
        import numpy as np

        privacy = self._privacy
        if isinstance(privacy, Related):
            found = self._ruled(privacy)
        elif type(privacy) in (LDP, DP, ADP, OneSidedDP) or isinstance(privacy, LDP):
            found = np.ones((1, 1), bool)
            for name, values in self._inputs.columns.items():
                found = np.kron(found, self._single(name, values))
            found = self._of_one_user(found)
        else:
            raise Declined(f"neighbours under {privacy} are not enumerated")
        if self.pairing.speaks:
            found = found & self._edges(found)
        return found & ~np.eye(len(found), dtype=bool)

    @cached_property
    def pairing(self) -> Pairing:
        """What the definition says of pairs of values."""
        pairing = Pairing(self._privacy, self._inputs.program.inputs)
        arrays = [n for n, k in self._kinds.items() if k.array]
        if pairing.speaks and arrays and len(self._kinds) > 1:
            raise Declined("a relation of pairs over a sequence and another private input")
        return pairing

    def _single(self, name: str, values: Sequence[Any]) -> NDArray[np.bool_]:
        """How one private input may change, and may stay."""
        import numpy as np

        kind = self._kinds[name]
        assert isinstance(kind, Value)
        rows = np.array(values, dtype=np.int64).reshape(len(values), -1)
        differs = rows[:, None, :] != rows[None, :, :]
        found: NDArray[np.bool_] = differs.sum(axis=2) <= 1
        if isinstance(self._privacy, ADP | OneSidedDP):
            policy = self._privacy.policy
            strange = {int(v) for v in np.unique(rows)} - set(policy.universe)
            if strange:
                raise Declined(f"{min(strange)} is not in the universe of {policy}")
        if isinstance(self._privacy, ADP):
            found = found & ~(differs & ~self._sensitive(rows)[:, None, :]).any(axis=2)
        return found

    def _sensitive(self, values: NDArray[np.int64]) -> NDArray[np.bool_]:
        import numpy as np

        assert isinstance(self._privacy, ADP | OneSidedDP)
        return np.isin(values, sorted(self._privacy.policy.sensitive))

    def _of_one_user(self, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Several sequences differ at one place; a record changes if a part of it is sensitive."""
        import numpy as np

        replaced = isinstance(self._privacy, OneSidedDP)
        arrays = {n for n, k in self._kinds.items() if k.array}
        if len(arrays) < 2 and not replaced:
            return found
        sizes = {self._inputs.sizes[length_of(n)] for n in arrays}
        if replaced and (len(sizes) > 1 or 0 < len(arrays) < len(self._kinds)):
            raise Declined("a record over sequences and other private inputs")
        allowed = np.eye(len(found), dtype=bool)
        for place in range(max((*sizes, 1))):
            rest = [_without(one, place) for one in self._inputs.all]
            codes = {r: k for k, r in enumerate(dict.fromkeys(rest))}
            there = np.array([codes[r] for r in rest])
            same: NDArray[np.bool_] = there[:, None] == there[None, :]
            if replaced:
                users = [_at(one, place) for one in self._inputs.all]
                free = self._sensitive(np.array(users, dtype=np.int64))
                same &= free.any(axis=1, keepdims=True)
            allowed |= same
        return found & allowed

    def _ruled(self, privacy: Related) -> NDArray[np.bool_]:
        """The user's rule at every index."""
        import numpy as np

        inputs, program = self._inputs, self._inputs.program
        rule = rule_of(privacy.rule)
        lengths = {len(v[0]) for v in inputs.columns.values() if isinstance(v[0], tuple)}
        if len(lengths) > 1:
            raise Declined("a rule over sequences of several lengths; assert that they are equal")
        public = {n for n in rule.parameters if program.inputs[n].public}
        if not set(self._kinds) <= set(rule.parameters):
            raise Declined(f"{privacy} does not speak of every private input")
        if not public <= set(inputs.sizes):
            raise Declined(f"{privacy} depends on real parameters")
        kinds: dict[str, NumberKind] = {
            n: "int" if program.inputs[n].whole else "float" for n in rule.parameters
        }
        fixed = {n: number(inputs.sizes[n]) for n in public}
        found = np.ones((len(inputs.all),) * 2, bool)
        for i in range(max(lengths, default=1)):
            elements = [
                tuple(v[i] if isinstance(v, tuple) else v for v in one) for one in inputs.all
            ]
            different = {e: k for k, e in enumerate(dict.fromkeys(elements))}
            table = np.zeros((len(different),) * 2, bool)
            for one, k in different.items():
                for two, m in different.items():
                    sides = [
                        {**fixed, **{n: number(x) for n, x in zip(inputs.columns, e, strict=True)}}
                        for e in (one, two)
                    ]
                    table[k, m] = _decided(rule.facts(sides[0], sides[1], kinds), str(privacy))
            places = np.array([different[e] for e in elements])
            found &= table[places][:, places]
        return found

    def _differing(self, i: int, j: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The values of a pair that the definition speaks of."""
        left: list[Any] = []
        right: list[Any] = []
        for one, two in zip(self._inputs.all[i], self._inputs.all[j], strict=True):
            if isinstance(one, tuple) and isinstance(two, tuple):
                pairs = ((a, b) for a, b in zip(one, two, strict=True) if a != b)
                one, two = next(pairs, (one[0], two[0]) if one else (0, 0))
            left.append(one)
            right.append(two)
        return tuple(left), tuple(right)

    @cached_property
    def _by_values(self) -> dict[tuple[Any, Any], tuple[bool, Linear | None]]:
        return {}

    def _about(self, i: int, j: int) -> tuple[bool, Linear | None]:
        """Of a pair, whether the definition relates it, and its budget."""
        key = self._differing(i, j)
        if key not in self._by_values:
            names = list(self._inputs.columns)
            left, right = (
                {n: number(v) for n, v in zip(names, values, strict=True)} for values in key
            )
            text = str(self._privacy)
            facts = [self._sizes.formula(f) for f in self.pairing.neighbours(left, right)]
            related = _decided(facts, text)
            self._by_values[key] = related, self._allowed(left, right) if related else None
        return self._by_values[key]

    def _allowed(self, left: Mapping[str, Linear], right: Mapping[str, Linear]) -> Linear:
        """The budget of a pair over real parameters."""
        budget, text = self._inputs.program.budget, str(self._privacy)
        found = []
        for piece in self.pairing.allowances(left, right):
            if not _decided(map(self._sizes.formula, piece.when), f"the budget of {text}"):
                continue
            own = budget if piece.budget is None else piece.budget
            found.append(own if piece.distance is None else own * piece.distance)
        if len(found) != 1:
            raise Declined(f"the budget of {text} is not defined for all pairs")
        return self._sizes.linear(found[0])

    def _edges(self, within: NDArray[np.bool_]) -> NDArray[np.bool_]:
        found = within.copy()
        for i, j in zip(*within.nonzero(), strict=True):
            found[i, j] = i == j or self._about(int(i), int(j))[0]
        return found

    def budgets(self) -> tuple[list[Linear], NDArray[np.int32]]:
        """The different budgets, and which one each pair has."""
        import numpy as np

        matrix = self.matrix
        which = np.zeros(matrix.shape, np.int32)
        if not self.pairing.speaks:
            return [self._sizes.linear(self._inputs.program.budget)], which
        known: dict[Linear, int] = {}
        for i, j in zip(*matrix.nonzero(), strict=True):
            budget = self._about(int(i), int(j))[1]
            assert budget is not None
            which[i, j] = known.setdefault(budget, len(known))
        return list(known) or [number(0)], which


def _without(one: Private, place: int) -> tuple[tuple[int, ...], ...]:
    """The sequences of an input without what stands at one place."""
    return tuple((*v[:place], *v[place + 1 :]) for v in one if isinstance(v, tuple))


def _at(one: Private, place: int) -> tuple[int, ...]:
    """What stands at one place; single numbers are one user's."""
    cut = (v[place : place + 1] if isinstance(v, tuple) else (v,) for v in one)
    return tuple(itertools.chain.from_iterable(cut))


def _decided(facts: Any, what: str) -> bool:
    """Whether all of some conditions hold, each of which must be decided."""
    found: list[Formula] = list(facts)
    if any(fact not in (TRUE, FALSE) for fact in found):
        raise Declined(f"{what} depends on real parameters")
    return FALSE not in found
