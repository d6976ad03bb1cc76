"""Likelihoods of finite noise, of powers of e and of staircases, against plain enumeration."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from flint import arb, fmpq

from shiftproof import LimitReached, Mechanism
from shiftproof.checkers.exact.numbers import Number, rational, working
from shiftproof.checkers.exact.powers import LN2, Mixed, Plain, Power, exponential
from shiftproof.checkers.exact.ties import OnBoundary
from tests.checkers.exact.checking import Base, asked, is_one, near, paths, total
from tests.loading import source

HEADER = """\
from collections.abc import Iterator
from math import exp
from typing import Annotated
from shiftproof import (
    LDP, Bernoulli, Categorical, DiscreteUniform, Epsilon, IntegerValue, Laplace, Public, Staircase,
    TwoSidedGeometric, Value, mechanism, sample,
)

@mechanism(LDP())
def m(
    x: Annotated[int, IntegerValue(0, 3)], y: Annotated[float, Value(-9, 9)], T: Public[float],
    eps: Epsilon,
) -> Iterator[object]:
"""
PROGRAMS = 18
Run = tuple[object, ...]


def made(folder: Path, body: str) -> Mechanism[..., Any]:
    return source(folder, HEADER + "".join(f"    {line}\n" for line in body.splitlines()))["m"]


# An enumerator that shares nothing with the engine: it runs the source again and again.


class Enumeration:
    """All runs of a body, with their probabilities."""

    def __init__(self, body: str, exp: Callable[[Any], Any], **inputs: Any) -> None:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        space: dict[str, Any] = {
            "exp": exp,
            "sample": self._sample,
            "Bernoulli": lambda p: [(False, 1 - p), (True, p)],
            "Categorical": lambda w: [
                (k, v / (Fraction(0) + sum(w))) for k, v in enumerate(w) if v
            ],
            "DiscreteUniform": lambda a, b: [(k, Fraction(1, b - a + 1)) for k in range(a, b + 1)],
        }
        exec(f"def body({', '.join(inputs)}):\n{lines}", space)
        self.found: dict[tuple[tuple[type, object], ...], Any] = {}
        todo: list[list[int]] = [[]]
        while todo:
            self._script, self._at, self._weight = todo.pop(), 0, Fraction(1)
            self._more = todo
            released = tuple(space["body"](**inputs))
            key = tuple((type(v), v) for v in released)
            self.found[key] = self.found.get(key, 0) + self._weight

    def _sample(self, options: list[tuple[object, Any]]) -> object:
        if self._at == len(self._script):
            self._more += [[*self._script, k] for k in range(1, len(options))]
            self._script = [*self._script, 0]
        value, p = options[self._script[self._at]]
        self._at += 1
        self._weight = self._weight * p
        return value


class Writer:
    """Writes one random body."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.few, self.wide, self.bits = ["x"], list[str](), list[str]()

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def weight(self) -> str:
        v = self.any(*self.few)
        return self.any(
            f"exp(eps * {v})", f"exp(-eps * {v})", "exp(eps / 2)", f"exp(eps * abs({v} - 1))",
            "exp(0)", f"({v} + exp(0))", f"(2 * exp(eps) + {v})", "1 / (1 + exp(-eps))",
            "exp(-eps) / 3",
        )  # fmt: skip

    def draw(self, k: int) -> None:
        name = f"v{k}"
        match self.rng.randrange(5):
            case 0:
                w, u = self.weight(), self.weight()
                self.lines.append(f"{name} = sample(Bernoulli({w} / ({w} + {u})))")
                self.bits.append(name)
            case 1:
                weights = [self.weight() for _ in range(self.rng.randint(1, 3))]
                if self.rng.random() < 0.5:
                    weights.append("x")
                self.lines.append(f"{name} = sample(Categorical([{', '.join(weights)}]))")
                self.few.append(name)
            case 2:
                self.lines += [
                    f"w{k} = []",
                    f"for j in range({self.rng.randint(1, 4)}):",
                    f"    w{k}.append(exp(eps * abs({self.any(*self.few)} - j)))",
                    f"{name} = sample(Categorical(w{k}))",
                ]
                self.few.append(name)
            case 3:
                self.lines.append(f"{name} = sample(DiscreteUniform({self.any('0', '1')}, 3))")
                self.few.append(name)
            case _:
                self.lines.append(f"{name} = sample(DiscreteUniform(-4, {self.any('9', '20')}))")
                self.wide.append(name)

    def condition(self) -> str:
        a, b = self.any(*self.few, *self.wide), self.any(*self.few, *self.wide)
        known = [f"{a} >= {b}", f"{a} + {b} > 3", f"{a} == {self.any(*self.few)}", f"{a} < 2"]
        return self.any(*known, *self.bits)

    def body(self) -> str:
        for k in range(3):
            self.draw(k)
            if self.rng.random() < 0.5:
                then = self.any(*self.few, *self.wide, *self.bits)
                self.lines += [f"if {self.condition()}:", f"    yield {then}"]
        a, b = self.any(*self.few), self.any(*self.few, *self.wide)
        self.lines.append(f"yield {self.any(f'max({a}, {b})', f'{a} + {b}', f'{a} - 2 * {b}')}")
        self.lines.append(f"yield {self.condition()}")
        if self.wide:
            rest = self.any("% 7", "// 5", "% -6", "// -9")
            self.lines.append(f"yield ({self.any(*self.few)} + {self.any(*self.wide)}) {rest}")
        return "\n".join(self.lines)


def power_of_two(exponent: Any) -> Fraction:
    whole = Fraction(exponent)
    assert whole.denominator == 1
    return Fraction(2) ** int(whole)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_programs_agree_with_enumeration(seed: int, tmp_path: Path) -> None:
    body = Writer(seed).body()
    mechanism = made(tmp_path, body)
    for x, eps in ((seed % 4, 2), ((seed + 1) % 3, 4)):
        given = {"x": x, "y": Fraction(0), "T": Fraction(0)}
        true = Enumeration(body, power_of_two, **given, eps=Fraction(eps)).found
        assert sum(true.values()) == 1
        paths_ = paths(mechanism, "2", {**given, "eps": eps})
        assert is_one(total(paths_, "2"))
        for key, chance in true.items():
            values = [value for _, value in key]
            said = asked(mechanism, *values, base="2", **given, eps=eps)
            assert said == fmpq(chance.numerator, chance.denominator), (body, values)


@pytest.mark.parametrize("seed", range(0, PROGRAMS, 6))
@pytest.mark.parametrize(("base", "eps"), [("e", Fraction(1, 3)), ("2", Fraction(3, 2))])
def test_irrational_powers_agree_with_enumeration(
    base: Base, eps: Fraction, seed: int, tmp_path: Path
) -> None:
    body = Writer(seed).body()
    mechanism = made(tmp_path, body)
    given = {"x": seed % 4, "y": Fraction(0), "T": Fraction(0)}

    def exp(exponent: Any) -> arb:
        one = arb(rational(Fraction(exponent)))
        return one.exp() if base == "e" else arb(2) ** one

    class Ball:
        """Fractions times balls are balls."""

        def __init__(self, value: arb) -> None:
            self.value = value

        def _with(self, other: Any, f: Callable[[arb, arb], arb]) -> Ball:
            plain = other.value if isinstance(other, Ball) else arb(rational(Fraction(other)))
            return Ball(f(self.value, plain))

        def __add__(self, other: Any) -> Ball:
            return self._with(other, lambda a, b: a + b)

        def __mul__(self, other: Any) -> Ball:
            return self._with(other, lambda a, b: a * b)

        def __truediv__(self, other: Any) -> Ball:
            return self._with(other, lambda a, b: a / b)

        def __rtruediv__(self, other: Any) -> Ball:
            return self._with(other, lambda a, b: b / a)

        def __rsub__(self, other: Any) -> Ball:
            return self._with(other, lambda a, b: b - a)

        __radd__, __rmul__ = __add__, __mul__

    with working(200):
        true = Enumeration(body, lambda v: Ball(exp(v)), **given, eps=eps).found
    for key, chance in list(true.items())[:12]:
        ball = chance.value if isinstance(chance, Ball) else arb(rational(Fraction(chance)))
        said = asked(mechanism, *(value for _, value in key), base=base, **given, eps=eps)
        assert near(said, ball), (body, key)


# Powers.


def test_powers_are_a_field_with_one_form_for_each_number() -> None:
    rng = random.Random(5)
    bases: tuple[Literal["e", "2"], ...] = ("e", "2")
    for base in bases:
        for _ in range(120):
            x, y = (
                exponential(base, Fraction(rng.randint(-6, 6), rng.randint(1, 4))) for _ in range(2)
            )
            form_is_one(x, y)


def test_multiples_of_ln_2_are_a_field_with_one_form_for_each_number() -> None:
    rng = random.Random(6)
    for _ in range(60):
        form_is_one(*(rng.randint(1, 4) + LN2 ** rng.randint(-2, 3) for _ in range(2)))
    assert (3 * LN2 / 2 * LN2).multiple() == (Fraction(3, 2), 2)
    assert LN2 - LN2 == 0 and (1 - LN2).sign == 1
    with pytest.raises(Mixed):
        (1 + LN2).multiple()


def form_is_one(x: Fraction | Power, y: Fraction | Power) -> None:
    s = x + y
    assert s - y - x == 0
    assert s * x / s == x
    assert x * x - y * y == (x - y) * s
    if isinstance(s, Power):
        assert hash(s * x / x) == hash(s)
        assert s.sign == 1 and abs(float(s.ball().mid()) - value(x) - value(y)) < 1e-6 * value(s)


def value(number: Plain) -> float:
    return float(number.ball().mid()) if isinstance(number, Power) else float(number)


def test_powers_of_two_and_of_e_do_not_meet() -> None:
    one, two = exponential("e", Fraction(1)), exponential("2", Fraction(1, 2))
    assert one != two
    for left, right in itertools.permutations((one, two, LN2), 2):
        with pytest.raises(Mixed):
            left + right


@pytest.mark.parametrize(
    ("test", "eps", "says"),
    [
        ("exp(eps) >= 2", 1, True),
        ("exp(eps) > 2", 1, False),
        ("exp(eps / 2) * exp(eps / 2) == 2", 1, True),
        ("exp(eps / 2) == 1.5", 1, False),
        ("1000000000000000000000000 * exp(eps / 2) > 1414213562373095048801688", 1, True),
        ("1000000000000000000000000 * exp(eps / 2) < 1414213562373095048801689", 1, True),
        ("abs(1 - exp(eps / 3)) == exp(eps / 3) - 1", 1, True),
        ("max(exp(eps / 3), 1.25) != 1.25", 1, True),
        ("exp(0) == 1.0", 1, True),
        ("exp(eps * x) == exp(-eps * x)", 1, True),
    ],
)
def test_comparisons_of_powers_are_decided(test: str, eps: int, says: bool, tmp_path: Path) -> None:
    mechanism = made(tmp_path, f"if {test}:\n    yield 1\nelse:\n    yield 0")
    given = {"x": 0, "y": Fraction(0), "T": Fraction(0)}
    assert asked(mechanism, int(says), base="2", **given, eps=eps) == 1


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("yield exp(eps / 2)", LimitReached),
        ("noise = sample(Laplace(1 / eps))\nyield noise + exp(eps / 2)", LimitReached),
        ("bit = sample(Bernoulli(1 / (exp(eps / 2) + exp(1))))\nyield bit", Mixed),
        ("yield eps + 1", Mixed),
    ],
)
def test_what_is_not_computed_is_declined(
    body: str, error: type[Exception], tmp_path: Path
) -> None:
    mechanism = made(tmp_path, body)
    with pytest.raises(error):
        asked(mechanism, Fraction(0), base="2", x=0, y=Fraction(0), T=Fraction(0), eps=1)


@pytest.mark.parametrize(
    "body",
    [
        "v = sample(Categorical([x, 0]))\nyield v",
        "v = sample(Categorical([1, x - 1]))\nyield v",
        "v = sample(Bernoulli(exp(-eps * x)))\nyield v",
        "v = sample(DiscreteUniform(1, x))\nyield v",
    ],
)
def test_what_is_no_distribution_raises(body: str, tmp_path: Path) -> None:
    mechanism = made(tmp_path, body)
    given = {"x": 0, "y": Fraction(0), "T": Fraction(0), "eps": 1}
    (path,) = paths(mechanism, "2", given)
    assert path.ending == "error"


# Staircases.


def heights(scale: int, step: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    """The factor from one step to the next, and the density on the highest one."""
    q = Fraction(1, 2**scale)
    return q, (1 - q) / (2 * step * (share + (1 - share) * q))


def density(z: Fraction, scale: int, step: Fraction, share: Fraction) -> Fraction:
    q, top = heights(scale, step, share)
    k, inside = divmod(abs(z), step)
    return top * q ** (int(k) + (inside >= share * step))


def below(z: Fraction, scale: int, step: Fraction, share: Fraction) -> Fraction:
    """The mass below z."""
    if z < 0:
        return 1 - below(-z, scale, step, share)
    q, top = heights(scale, step, share)
    k, inside = divmod(z, step)
    first = min(inside, share * step)
    period = step * (share + (1 - share) * q)
    whole = period * (1 - q ** int(k)) / (1 - q)
    return Fraction(1, 2) + top * (whole + q ** int(k) * (first + (inside - first) * q))


STAIRS = [
    (1, Fraction(1), Fraction(1, 2)), (1, Fraction(2), Fraction(1, 3)),
    (2, Fraction(1), Fraction(1, 4)),
]  # fmt: skip
POINTS = [Fraction(n, 7) for n in (-23, -11, -1, 2, 5, 12, 30)]


@pytest.mark.parametrize(("scale", "step", "share"), STAIRS)
def test_staircases(scale: int, step: Fraction, share: Fraction, tmp_path: Path) -> None:
    law = f"Staircase({Fraction(1, scale)} / eps, {step}, {share})"
    free = made(tmp_path, f"noise = sample({law})\nyield y + noise")
    half = made(tmp_path, f"noise = sample({law})\nyield y + noise >= T")
    strip = made(tmp_path, f"noise = sample({law})\nyield -1 <= y + noise and y + noise < T")
    y = Fraction(1, 3)
    for z in POINTS:
        given: dict[str, Any] = {"x": 0, "y": y, "T": z, "eps": 1}
        found = asked(free, real(z), base="2", **given)
        true = density(z - y, scale, step, share)
        assert near(found, arb(rational(true)), 1e-12), z
        over = 1 - below(z - y, scale, step, share)
        assert same(asked(half, True, base="2", **given), over)
        inside = below(z - y, scale, step, share) - below(-1 - y, scale, step, share)
        assert same(asked(strip, True, base="2", **given), max(inside, Fraction(0)))
    assert is_one(total(paths(free, "2", {**given, "eps": Fraction(1, 2)}), "2"))
    assert is_one(total(paths(free, "e", {**given, "eps": Fraction(1, 2)}), "e"))


def test_staircases_jump_at_their_edges(tmp_path: Path) -> None:
    mechanism = made(tmp_path, "noise = sample(Staircase(1 / eps, 1, 0.5))\nyield y + noise")
    with pytest.raises(OnBoundary):
        asked(mechanism, real(Fraction(3, 2)), base="2", x=0, y=Fraction(0), T=Fraction(0), eps=1)


def test_a_wide_range_is_a_law_and_not_many_paths(tmp_path: Path) -> None:
    body = "v = sample(DiscreteUniform(0, 999999))\nn = sample(TwoSidedGeometric(1 / eps))\n"
    mechanism = made(tmp_path, body + "yield v + x + n >= 10")
    given = {"x": 3, "y": Fraction(0), "T": Fraction(0), "eps": 1}
    found = asked(mechanism, False, base="2", **given)
    # v + n <= 6, where P(n <= m) is 1 - q^(m+1)/(1+q) for m >= 0, and q^(-m)/(1+q) for m < 0.
    q = Fraction(1, 2)
    at_most = sum(1 - q ** (m + 1) / (1 + q) for m in range(7))
    tail = q / (1 - q) / (1 + q)  # but for q^999993
    assert near(found, arb(rational((at_most + tail) / 1_000_000)), 1e-12)
    assert len(paths(mechanism, "2", given)) == 2


def real(z: Fraction) -> Any:
    from shiftproof.checkers.exact.outcomes import Real

    return Real(z)


def same(number: Number, fraction: Fraction) -> bool:
    if fraction == 0:
        return bool(number == 0)
    return near(number, arb(rational(fraction)), 1e-12)
