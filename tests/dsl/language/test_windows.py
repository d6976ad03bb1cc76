"""Windows whose width is a public parameter: what is proved, and what is no width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import pytest

from shiftproof import (
    ADP,
    BadInput,
    Epsilon,
    Exponential,
    Public,
    Verdict,
    WindowCounts,
    mechanism,
    sample,
    verify,
)
from shiftproof.mechanisms.stream_monitor import stream_monitor
from tests.programs.dsl.windowed_mechanisms import (
    another_width,
    silent_too_short,
    the_same_width,
    visited,
)


def test_one_step_less_of_silence_is_refuted() -> None:
    found = verify(silent_too_short).refutation
    assert found is not None and found.public["W"] >= 2


def test_a_callee_needs_the_width_of_its_caller() -> None:
    assert verify(the_same_width).verdict is Verdict.PROVED
    assert verify(another_width).verdict is Verdict.REFUTED


def test_a_run_needs_a_window_of_one_step() -> None:
    with pytest.raises(BadInput, match="W is the width of a window and must be at least 1"):
        stream_monitor([1, 2], 0, 1.0, 0.5)


@pytest.mark.parametrize("width", [0, -1, 2.5, True, None, "", "W - 1", [3]])
def test_what_is_no_width(width: Any) -> None:
    with pytest.raises(BadInput, match=r"width: got .*a whole number from 1 on or the name"):
        WindowCounts(width)


@pytest.mark.parametrize("name", ["nope", "eps", "T", "f"])
def test_names_of_no_public_integer(name: str) -> None:
    def monitor(
        f: Annotated[Sequence[int], WindowCounts(name)], T: Public[float], eps: Epsilon
    ) -> float:
        noise = sample(Exponential(1 / eps))
        return noise

    monitor.__annotations__["f"] = Annotated[Sequence[int], WindowCounts(name)]
    monitor.__annotations__["T"], monitor.__annotations__["eps"] = Public[float], Epsilon
    with pytest.raises(BadInput, match=f"its width '{name}' is no public integer parameter"):
        _ = mechanism(ADP(visited))(monitor).program.cases


def test_one_number_is_no_window() -> None:
    def monitor(f: Annotated[int, WindowCounts(2)], eps: Epsilon) -> float:
        noise = sample(Exponential(1 / eps))
        return noise

    monitor.__annotations__["f"] = Annotated[int, WindowCounts(2)]
    monitor.__annotations__["eps"] = Epsilon
    with pytest.raises(BadInput, match=r"one number.*write Sequence\[int\]"):
        _ = mechanism(ADP(visited))(monitor).inputs
