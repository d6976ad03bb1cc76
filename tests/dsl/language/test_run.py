"""A mechanism called as a function: its noise, its releases, its preconditions."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, Laplace, recorded, sample, seeded
from shiftproof.dsl.language.runtime import Tape, drawing_from
from tests.dsl.making import HEADER, body, made
from tests.places import ROOT


class TestNoise:
    NOISY = body("a = sample(Laplace(1 / eps))\nb = sample(OneSidedGeometric(9))\nreturn x + a, b")

    def test_seeded(self) -> None:
        noisy = made(self.NOISY)
        call = (3, [], [], 1, 1.0)
        with seeded(5):
            first, second = noisy(*call), noisy(*call)
        with seeded(5):
            again = noisy(*call)
        with seeded(6):
            other = noisy(*call)
        assert first == again != second and first != other
        assert type(first) is tuple and list(map(type, first)) == [float, int]

    def test_operating_system_by_default(self) -> None:
        noisy = made(self.NOISY)
        found = {noisy(3, [], [], 1, 1.0)[0] for _ in range(5)}
        assert len(found) == 5
        with seeded(1):
            noisy(3, [], [], 1, 1.0)
        assert noisy(3, [], [], 1, 1.0)[0] not in found

    def test_sources_are_nested_and_restored(self) -> None:
        with recorded([1, 2, 3]):
            assert sample(Laplace(1)) == 1
            with seeded(0), pytest.raises(ValueError, match="stop"):
                assert sample(Laplace(1)) not in (1, 2, 3)
                raise ValueError("stop")
            assert sample(Laplace(1)) == 2

    def test_recorded(self) -> None:
        noisy = made(self.NOISY)
        with recorded([Fraction(1, 2), 7]):
            assert noisy(3, [], [], 1, 1.0) == (Fraction(7, 2), 7)
        tape = Tape([1, 2, 3])
        with drawing_from(tape):
            noisy(3, [], [], 1, 1.0)
        assert not tape.used_up
        with pytest.raises(BadInput, match=r"used up at OneSidedGeometric\(9\)"), recorded([1]):
            noisy(3, [], [], 1, 1.0)

    def test_bad_parameters_of_noise(self) -> None:
        noisy = made(body("n = sample(Laplace(c - 1))\nyield n", "c: Public[Nat]"))
        for c in (0, 1):
            with pytest.raises(BadInput, match="the scale must be positive"):
                noisy(c, 1.0)
        assert len(noisy(2, 1.0)) == 1

    def test_align_and_other_do_nothing(self) -> None:
        text = "n = sample(Laplace(1))\nalign(n, other(x) - x)\nyield x + n"
        with recorded([Fraction(1, 4)]):
            assert made(body(text, "x: Count"))(2, 1.0) == (Fraction(9, 4),)


class TestReleases:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("yield 1\nyield None\nyield 'a'\nyield True", (1, None, "a", True)),
            ("if x > 5:\n    yield 1", ()),
            ("return 5", (5,)),
            ("return None", (None,)),
            ("return x, 1.5", (3, 1.5)),
            ("return ()", ()),
            ("x + 1 if x > 3 else 2", (None,)),
            ("pass", (None,)),
        ],
    )
    def test_tuples(self, text: str, wanted: tuple[Any, ...]) -> None:
        found = made(body(text, "x: Count"))(3, 1.0)
        assert found == wanted and list(map(type, found)) == list(map(type, wanted))

    @pytest.mark.parametrize("text", ["return [1, 2]", "yield (1, 2)", "yield {}", "return 1, [2]"])
    def test_other_objects_are_not_released(self, text: str) -> None:
        with pytest.raises(BadInput, match=r"released a (list|tuple|dict); numbers, .* can be"):
            made(body(text))(3, [], [], 1, 1.0)

    def test_the_function_behind_it(self) -> None:
        noisy = made(body('"""What it does."""\nyield x', "x: Count"))
        assert noisy.__name__ == "m" and noisy.__doc__ == "What it does."
        assert repr(noisy) == "<mechanism m: DP>" and noisy.location.line == 2


PRECONDITION = body(
    "assert c >= 1 and len(f) == 2\nassert c == 1 or T[c] < 1 / (c - 1)\nyield 7",
    "f: Counts, T: Public[Vector], c: Public[Nat]",
)


class TestPreconditions:
    def test_checked_before_anything_runs(self) -> None:
        checked = made(PRECONDITION)
        assert checked([1, 2], [9, 0.5], 1, 1.0) == (7,)
        with pytest.raises(BadInput, match="the precondition 'c >= 1' does not hold"):
            checked([1, 2], [0.5], 0, 1.0)
        with pytest.raises(BadInput, match=r"'len\(f\) == 2'"):
            checked([1], [0, 0], 1, 1.0)
        with pytest.raises(BadInput, match=r"made.*:5:12: m: the precondition 'c == 1 or T"):
            checked([1, 2], [0, 0, 5], 2, 1.0)
        with pytest.raises(BadInput, match=r"or T\[c\] <"):
            checked([1, 2], [0], 3, 1.0)

    @pytest.mark.parametrize("flag", ["-O", "-OO", "-B"])
    def test_enforced_without_asserts(self, tmp_path: Path, flag: str) -> None:
        script = (
            f"{HEADER}{PRECONDITION}\nprint(__debug__, m([1, 2], [0, 0], 1, 1.0))\n"
            "try:\n    m([1], [0, 0], 1, 1.0)\nexcept BadInput as error:\n    print(error)\n"
        )
        path = tmp_path / "checked.py"
        path.write_text(script, encoding="utf-8")
        source = str(ROOT / "src")
        run = subprocess.run(
            [sys.executable, flag, str(path)],
            capture_output=True, text=True, env={"PYTHONPATH": source}, timeout=60, check=False,
        )  # fmt: skip
        assert run.stdout.startswith(f"{flag == '-B'} (7,)\n"), run.stderr
        assert "the precondition 'len(f) == 2' does not hold" in run.stdout

    def test_decimals_are_meant_as_written(self) -> None:
        """The check is exact: 0.1 + 0.2 is 0.3; where the native assert differs, one error."""
        text = "assert t + eps == 0.3\nyield 7"
        with pytest.raises(BadInput, match="these floats"):
            made(body(text, "t: Public[float]"))(0.1, 0.2)
