"""Mechanisms made from source text: written to a file, imported, and handed to a test."""

from __future__ import annotations

import atexit
import itertools
import shutil
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from shiftproof import Mechanism
from shiftproof.alignments.alignment import Reason
from shiftproof.checkers.proving.recorded import RecordedRun
from shiftproof.dsl.language.syntax import NOWHERE, BooleanConstant, Constant, Expression
from shiftproof.dsl.noise import Distribution
from shiftproof.dsl.privacy.records import recorded_count
from shiftproof.dsl.relations.cases import Pair
from shiftproof.dsl.relations.program import Program
from shiftproof.dsl.terms.formulas import FALSE, Formula
from shiftproof.dsl.terms.linear import Linear, number
from shiftproof.dsl.terms.values import Value, exact, from_python
from tests.loading import executed

#: What every made file begins with: one line, so that the source starts at line 2.
HEADER = (
    "import math; import warnings; warnings.simplefilter('ignore'); from collections.abc import "
    "Iterator, Sequence; from typing import Annotated; from shiftproof import *\n"
)
_folder = Path(tempfile.mkdtemp(prefix="shiftproof-tests-"))
_numbers = itertools.count(1)
atexit.register(shutil.rmtree, _folder, ignore_errors=True)


def import_file(path: Path) -> ModuleType:
    """The module in a file, under a name of its own."""
    return executed(path, f"{path.stem}_{next(_numbers)}")


def module_of(source: str, header: str = HEADER) -> ModuleType:
    """Source text as an imported file of its own."""
    path = _folder / f"made_{next(_numbers)}.py"
    path.write_text(header + textwrap.dedent(source), encoding="utf-8")
    return import_file(path)


def made(source: str) -> Mechanism[..., Any]:
    """The mechanism ``m`` of the source text."""
    found = module_of(source).m
    assert isinstance(found, Mechanism)
    return found


def body(
    text: str, parameters: str = "x: Count, f: Counts, T: Public[Vector], c: Public[Nat]"
) -> str:
    """A mechanism ``m`` with the statements as its body, which start at line 4 of the file."""
    signature = f"def m({parameters}, eps: Epsilon):"
    return f"@mechanism(DP())\n{signature}\n{textwrap.indent(textwrap.dedent(text), '    ')}"


def mechanisms_in(path: Path) -> dict[str, Mechanism[..., Any]]:
    """Every mechanism that a file defines."""
    found = vars(import_file(path)).items()
    return {name: value for name, value in found if isinstance(value, Mechanism)}


class Given:
    """One input for both runs, and draws that were recorded before."""

    def __init__(self, values: Mapping[str, Any], draws: Sequence[Any]) -> None:
        self._values = values
        self._draws = list(draws)
        self.used = 0
        self.picked: frozenset[int] = frozenset()

    def scalar(self, name: str) -> Pair:
        value = number(exact(self._values[name]))
        return Pair(value, value)

    def cell(self, array: str, index: Linear) -> Pair:
        values, i = self._values[array], int(index.constant)
        value = number(exact(values[i]) if 0 <= i < len(values) else Fraction(0))
        return Pair(value, value)

    def length(self, array: str) -> Linear:
        return number(len(self._values[array]))

    def counted(self, data: str, test: Formula) -> Pair:
        value = recorded_count(test, data, self._values[data])
        return Pair(value, value)

    def draw(self, target: str, distribution: Distribution, *_: object) -> Value:
        if self.used == len(self._draws):
            raise UsedUp
        self.used += 1
        return from_python(self._draws[self.used - 1])

    def outcome(self, k: int) -> Linear:
        return number(0)


class UsedUp(Exception):
    """The recording is too short."""


@dataclass
class Interpreted:
    """What the interpreter said: the released values, and the duties that failed."""

    outputs: list[Value]
    failed: list[Reason]
    ended: bool = False

    @property
    def undefined(self) -> bool:
        """Whether Python would have raised an exception on the way."""
        bad = ("definedness and end", "preconditions and positivity")
        return any(reason.condition in bad for reason in self.failed)


def interpret(program: Program, given: Given) -> Interpreted:
    """The paired run on D = D' with no shift at all: the program's own interpreter."""
    still: dict[int, Expression] = {
        node.site: BooleanConstant(NOWHERE, False)
        if node.step.distribution.lattice == "booleans"
        else Constant(NOWHERE, Fraction(0), "int")
        for node in program.flow.sites
    }
    run = RecordedRun(program, given, still, steps=20_000)  # type: ignore[arg-type]
    used_up = False
    try:
        run.explore()
    except UsedUp:
        used_up = True
    failed = [reason for claim, reason in run.owed if claim == FALSE]
    assert failed or not used_up, "the interpreter draws more than was recorded"
    if not run.finished:
        return Interpreted([], failed)
    assert all(left == right for _, left, right in run.outputs)
    return Interpreted([left for _, left, _ in run.outputs], failed, ended=True)
