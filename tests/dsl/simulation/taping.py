"""The same noise for a native run and for a row of a batch: the k-th draw of each run is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from shiftproof import LDP, Mechanism, UtilityOptimizedLDP
from shiftproof.alignments.examples import Examples
from shiftproof.checkers.walking.common import common_facts
from shiftproof.dsl.language.runtime import drawing_from
from shiftproof.dsl.noise import Bernoulli, Categorical, DiscreteUniform, Distribution, Uniform
from shiftproof.dsl.privacy.inputs import DataSet
from shiftproof.dsl.relations.cases import cases_of
from shiftproof.dsl.simulation.machine import Machine
from shiftproof.dsl.simulation.outcomes import Ending, Outcomes

#: How many draws are prepared for each run; a longer run begins again.
DRAWS = 64


def drawn(distribution: Distribution, number: int) -> Any:
    """A whole number as a draw of a distribution: small, on a coarse grid, so that ties come."""
    if isinstance(distribution, Bernoulli):
        return number % 2 == 0
    if isinstance(distribution, DiscreteUniform):
        least, most = (int(distribution.as_fraction(k)) for k in (0, 1))
        return least + number % (most - least + 1)
    if isinstance(distribution, Categorical):
        possible = [k for k, weight in enumerate(distribution.values) if weight]
        return possible[number % len(possible)]
    if isinstance(distribution, Uniform):
        low, high = map(float, distribution.values)
        return low + (high - low) * (number % 5) / 4
    side = {"Exponential": 1, "OneSidedGeometric": 1, "NegativeExponential": -1}
    side["NegativeOneSidedGeometric"] = -1
    sign = side.get(type(distribution).__name__)
    number = number if sign is None else sign * abs(number)
    return number if distribution.lattice == "integers" else number / 2


class Tape:
    """One run's draws."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers
        self._used = 0

    def draw(self, distribution: Distribution) -> Any:
        self._used += 1
        return drawn(distribution, int(self._numbers[(self._used - 1) % DRAWS]))


class Tapes:
    """The draws of all runs of a block."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers
        self._used = np.zeros(len(numbers), np.int64)

    def draw(self, distribution: Distribution, rows: Any) -> Any:
        found = self._numbers[rows, self._used[rows] % DRAWS]
        self._used[rows] += 1
        kind = {"integers": np.int64, "reals": np.float64, "booleans": np.bool_}
        values = [drawn(distribution, int(number)) for number in found]
        return np.array(values, kind[distribution.lattice])


def numbers(runs: int, seed: int) -> Any:
    """What the draws of so many runs are made of."""
    return np.random.default_rng(seed).integers(-6, 7, (runs, DRAWS))


def native(mechanism: Mechanism[..., Any], inputs: dict[str, Any], tape: Tape) -> Any:
    """What a plain call releases, each value with its type; ``None`` if it raises."""
    with drawing_from(tape):
        try:
            return [(type(v), v) for v in mechanism.run(dict(inputs))]
        except Exception:
            return None


def simulated(mechanism: Mechanism[..., Any], inputs: dict[str, Any], table: Any) -> Outcomes:
    """The same runs in one batch."""
    machine = Machine(mechanism.program.inlined.flow, inputs)
    return machine.run(len(table), Tapes(table))


def agree(mechanism: Mechanism[..., Any], inputs: dict[str, Any], runs: int, seed: int) -> int:
    """Make sure that each run releases the same both ways; how many of them raise."""
    table = numbers(runs, seed)
    outcomes = simulated(mechanism, inputs, table)
    raised = 0
    for run in range(runs):
        alone = native(mechanism, inputs, Tape(table[run]))
        if alone is None:
            raised += 1
            assert outcomes.endings[run] == Ending.RAISED, (inputs, table[run])
        else:
            together = [(type(v), v) for v in outcomes[run]]
            assert outcomes.endings[run] == Ending.END
            assert repr(together) == repr(alone), (inputs, list(table[run]))
    return raised


def examples(mechanism: Mechanism[..., Any], count: int, seed: int) -> list[dict[str, Any]]:
    """Small inputs as a call has them, with many ties."""
    program = mechanism.program
    found: list[dict[str, Any]] = []
    claim = LDP() if isinstance(program.privacy, UtilityOptimizedLDP) else program.privacy
    for case in cases_of(claim, program.inputs):
        supply = iter(Examples(program, case, common_facts(program, case), seed))
        for example in (e for _, e in zip(range(count), supply, strict=False)):
            found.append({n: _plain(program.inputs[n], v) for n, v in example.left.items()})
    return found[:count]


def _plain(kind: Any, value: Any) -> Any:
    if isinstance(kind, DataSet):
        return tuple(tuple(map(int, record)) for record in value)
    if isinstance(value, tuple):
        return tuple(int(v) if kind.whole else float(v) for v in value)
    return int(value) if kind.whole else float(value)
