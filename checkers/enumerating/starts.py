"""From a comparison that fails to a pair of inputs and an ε at which it does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...dsl.inputs import EpsilonInput
from .factors import Exponent
from .ratios import Frame, Number

if TYPE_CHECKING:
    from ..refuting.inputs import Instance
    from .comparing import Broken
    from .setting import Setting

#: The values of ε that are tried, in multiples of ln 2, and those of other parameters.
EPSILONS = (1, 2, Fraction(1, 2), 4, Fraction(1, 4), 8, 16, Fraction(1, 16))
OTHERS = tuple(Fraction(k, 10) for k in (5, 1, 9, 3, 7, 10, 20, 0, -10))
#: How many points are tried.
POINTS = 2_000


def instance_of(setting: Setting, broken: Broken) -> Instance | None:
    """The pair with parameters at which the comparison fails by the most, of those tried."""
    from ..refuting.inputs import Instance

    best: tuple[tuple[bool, float], dict[str, Fraction]] | None = None
    for point in itertools.islice(_points(setting), POINTS):
        found = _margin(setting.frame, broken, point)
        if found is not None and found[1] > 1e-9 and (best is None or found > best[0]):
            best = found, point
    if best is None:
        return None
    public: dict[str, Any] = {}
    for name, kind in setting.program.inputs.items():
        if not kind.public:
            continue
        value = setting.public[name]
        if isinstance(value, int):
            public[name] = value
        elif kind.array:
            assert isinstance(value, tuple)
            public[name] = tuple(best[1][f"{name}[{i}]"] for i in range(len(value)))
        else:
            public[name] = best[1][name]
    names = [n for n, k in setting.program.inputs.items() if not k.public]
    left, right = (dict(zip(names, side, strict=True)) for side in (broken.left, broken.right))
    return Instance("2", public, left, right)


def _points(setting: Setting) -> Iterator[dict[str, Fraction]]:
    """Values of the real parameters, an ε in multiples of ln 2."""
    inputs = setting.program.inputs
    tried: list[Sequence[Any]] = [
        EPSILONS if isinstance(inputs.get(name), EpsilonInput) else OTHERS
        for name in setting.frame.parameters
    ]
    for values in itertools.product(*tried):
        yield dict(zip(setting.frame.parameters, map(Fraction, values), strict=True))


def _margin(frame: Frame, broken: Broken, point: dict[str, Fraction]) -> tuple[bool, float] | None:
    """By how much the logarithms differ; ``None`` outside the range of the parameters.

    First whether the point is well inside: at an end rounding decides.
    """
    values = [
        float(v) * (math.log(2) if name in frame.positive else 1)
        for name, v in zip(frame.parameters, point.values(), strict=True)
    ]
    try:
        values += [
            math.exp(_exponent(a, dict(zip(frame.parameters, values, strict=False))) / unit)
            for a, unit in frame.exponents.items()
        ]
        inside = True
        for fact, strict in frame.domain.facts:
            found = _value(fact, values)
            if found < -1e-12 or (strict and found <= 0):
                return None
            inside = inside and found > 1e-9
        one, two, factor = (
            _ratio(frame, p, values) for p in (broken.one, broken.two, broken.factor)
        )
        if one <= 0:
            return None
        if two <= 0:
            return inside, math.inf
        return inside, math.log(one) - math.log(two) - math.log(factor)
    except (ArithmeticError, ValueError):
        return None


def _exponent(exponent: Exponent, values: dict[str, float]) -> float:
    return math.prod(values[n] ** p for n, p in exponent)


def _ratio(frame: Frame, value: Number, values: list[float]) -> float:
    top, factors = frame.split(value)
    return _value(top, values) / _value(frame.product(factors), values)


def _value(subject: Any, values: list[float]) -> float:
    total = 0.0
    for monomial, k in subject.to_dict().items():
        term = int(k.p) / int(k.q)
        for base, power in zip(values, monomial, strict=False):
            term *= base ** int(power)
        total += term
    return total
