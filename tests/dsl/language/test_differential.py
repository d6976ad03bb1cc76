"""The native run and the program's own interpreter agree, draw for draw, in exact fractions."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from shiftproof import BadInput, DataSet, Mechanism, Unsupported
from shiftproof.dsl.language.runtime import drawing_from
from shiftproof.dsl.noise import Bernoulli, Distribution, Laplace, Uniform
from shiftproof.dsl.terms.linear import number
from shiftproof.dsl.terms.values import Num, Value, as_python
from tests.dsl.language.random_texts import programs
from tests.dsl.making import Given, interpret, made, mechanisms_in
from tests.places import REWRITES
from tests.sampling import every

FILES = [path for path in REWRITES if "correct" in path.name]
FIXTURES = {
    f"{path.stem}::{name}": mechanism
    for path in FILES
    for name, mechanism in mechanisms_in(path).items()
}
GRID = [Fraction(n, 4) for n in range(-24, 25)]
RUNS = 12
REQUIREMENTS = {kind.requirement for kind in (Laplace, Bernoulli, Uniform)}
TOO_MANY_DRAWS = 400


class TooLong(Exception):
    """A run that draws without end."""


class Recorder:
    """Draws on a coarse grid, and remembers what it drew."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.draws: list[Any] = []

    def draw(self, distribution: Distribution) -> Any:
        if len(self.draws) == TOO_MANY_DRAWS:
            raise TooLong
        self.draws.append(self._value(distribution))
        return self.draws[-1]

    def _value(self, distribution: Distribution) -> Any:
        if isinstance(distribution, Bernoulli):
            return self._random.random() < 0.5
        if isinstance(distribution, Uniform):
            low, high = (Fraction(v) for v in distribution.values)
            return low + (high - low) * Fraction(self._random.randrange(5), 4)
        whole = distribution.lattice == "integers"
        pool = [v for v in GRID if not whole or v.denominator == 1]
        value = self._random.choice([v for v in pool if distribution.support(number(v)).value])
        return int(value) if whole else value


def inputs_for(mechanism: Mechanism[..., Any], pick: random.Random) -> dict[str, Any]:
    """Random exact inputs that meet the preconditions."""
    for _ in range(300):
        length = pick.randrange(6)
        values: dict[str, Any] = {}
        for name, kind in mechanism.inputs.items():
            low = getattr(kind, "low", 1 if kind.positive else kind.minimum)
            high = getattr(kind, "high", 4)

            def one(whole: bool = kind.whole, low: Any = low, high: Any = high) -> Any:
                start = -4 if low is None else low
                value = Fraction(pick.randrange(int(4 * start), int(4 * high) + 1), 4)
                return math.floor(value) if whole else value

            values[name] = tuple(one() for _ in range(length)) if kind.array else one()
            if isinstance(kind, DataSet):
                record = range(kind.attributes)
                values[name] = tuple(
                    tuple(pick.randrange(2) for _ in record) for _ in range(length)
                )
        try:
            mechanism.program.check_preconditions(values)
        except BadInput:
            continue
        return values
    pytest.fail("no input meets the preconditions")


def natively(
    mechanism: Mechanism[..., Any], values: Mapping[str, Any], seed: int
) -> tuple[tuple[Any, ...] | None, list[Any]]:
    """The releases of a native run, or ``None`` if it ends in an error; and its draws."""
    recorder = Recorder(seed)
    with drawing_from(recorder):
        try:
            return mechanism.run(dict(values)), recorder.draws
        except (ZeroDivisionError, IndexError):
            return None, recorder.draws
        except BadInput as error:
            assert error.message.split(": ")[1] in REQUIREMENTS
            return None, recorder.draws


def same(native: Any, value: Value) -> bool:
    """Whether a released object is the value, its Python type included."""
    wanted = as_python(value)
    if not isinstance(value, Num):
        return type(native) is type(wanted) and native == wanted
    if isinstance(native, bool) or not isinstance(native, int | float | Fraction):
        return False
    # Python's fractions have an int for a // b, where floats have a float.
    if value.kind == "int" and not isinstance(native, int):
        return False
    if isinstance(native, float):
        # Dividing two ints gives a float even in an exact run.
        return math.isclose(native, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return native == wanted


def compare(mechanism: Mechanism[..., Any], values: Mapping[str, Any], seed: int) -> None:
    native, draws = natively(mechanism, values, seed)
    replayed = Given(values, draws)
    try:
        seen = interpret(mechanism.program, replayed)
    except Unsupported as error:
        # After a division by zero the interpreter takes the result of // and % for a float.
        exact = native is None and "a float stands where an int is needed" in str(error)
        assert exact or "a decision by constants that floats round" in str(error)
        return
    told = f"{values}, {draws}: {native} natively, {seen.outputs} and {seen.failed} interpreted"
    if native is None:
        assert seen.undefined, told
    elif seen.undefined:
        # Python reads f[-1] from the end; here an index counts from the start only.
        assert any("is not negative" in reason.detail for reason in seen.failed), told
    else:
        assert seen.ended and not seen.failed and replayed.used == len(draws), told
        assert len(native) == len(seen.outputs) and all(map(same, native, seen.outputs)), told


class TestFixtures:
    def test_all_are_found(self) -> None:
        assert len(FILES) >= 14 and len(FIXTURES) >= 80

    @pytest.mark.parametrize("name", every(3, FIXTURES))
    def test_rewrites(self, name: str) -> None:
        mechanism = FIXTURES[name]
        for seed in range(RUNS):
            compare(mechanism, inputs_for(mechanism, random.Random(seed)), seed)


class TestPrograms:
    @given(
        programs(),
        st.lists(st.integers(0, 4), min_size=1, max_size=4) | st.just([]),
        st.lists(st.sampled_from([Fraction(n, 2) for n in range(-3, 6)]), min_size=1, max_size=3),
        st.sampled_from([1, 2, 4]),
        st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(4)]),
        st.integers(0, 9),
    )
    @settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
    def test_programs(self, source: str, f: Any, T: Any, c: int, eps: Fraction, seed: int) -> None:
        note(source)
        values = {"x": 3, "f": tuple(f), "T": tuple(T), "c": c, "eps": eps}
        compare(made(source), values, seed)
