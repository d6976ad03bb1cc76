"""An audit from what ``shiftproof audit --json`` printed."""

from __future__ import annotations

from typing import Any

import msgspec

from ..checkers.auditing.result import Audit, Judgement, Tested, Unit, Visible
from ..dsl.errors import BadInput


class _Event(msgspec.Struct, frozen=True):
    event: str
    ideal: bool
    pair: str
    left: Any
    right: Any
    epsilon: float | None
    runs: int
    on_left: int
    on_right: int

    def as_tested(self) -> Tested:
        return Tested(
            self.pair, self.left, self.right, self.event, self.ideal, self.runs, self.on_left,
            self.on_right, self.epsilon,
        )  # fmt: skip


class _Saved(msgspec.Struct, frozen=True):
    mechanism: str
    epsilon: float | None
    unit: Unit | None
    confidence: float
    tolerance: float
    ideal: Judgement
    code: Judgement | None
    public: dict[str, Any]
    pairs: int
    events: tuple[_Event, ...]
    visible: tuple[Visible, ...]
    runs: int
    asked: int
    seed: int
    seconds: float
    interrupted: bool
    notes: tuple[str, ...]


def audit_from_json(text: bytes | str) -> Audit:
    """An audit that was saved; inputs and public parameters are as JSON has them.

    Raises:
        BadInput: it is no audit.
    """
    try:
        saved = msgspec.json.decode(text, type=_Saved)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"this is no audit as --json prints it: {error}") from None
    for event in saved.events:
        if not all(0 <= came <= event.runs for came in (event.on_left, event.on_right)):
            raise BadInput("this is no audit: an event came more often than there were runs")
    return Audit(
        mechanism=saved.mechanism,
        claim=saved.epsilon,
        confidence=saved.confidence,
        ideal=saved.ideal,
        code=saved.code,
        tested=tuple(event.as_tested() for event in saved.events),
        visible=saved.visible,
        pairs=saved.pairs,
        public=saved.public,
        runs=saved.runs,
        asked=saved.asked,
        seed=saved.seed,
        seconds=saved.seconds,
        notes=saved.notes,
        interrupted=saved.interrupted,
        tolerance=saved.tolerance,
        unit=saved.unit or "",
    )
