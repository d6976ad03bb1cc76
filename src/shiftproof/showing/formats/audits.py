"""An audit as JSON values, and from these."""

from __future__ import annotations

from typing import Any

import msgspec

from ...checkers.auditing.result import Audit, Measure, Tested, plain
from ...dsl.errors import BadInput

_KEYS = (
    "mechanism", "verdict", "epsilon", "delta", "rho", "unit", "lower_bound", "confidence",
    "tolerance", "ideal", "code", "public", "pairs", "events", "visible", "runs", "asked", "seed",
    "seconds", "interrupted", "notes",
)  # fmt: skip

#: The key of what is claimed, and of what is not.
_MEASURES: dict[Measure, tuple[str, str]] = {
    "epsilon": ("epsilon", "rho"),
    "rho": ("rho", "epsilon"),
}


def bound_text(audit: Audit, bound: float) -> str:
    """``ε ≥ 0.912``, a lower bound; a ρ can be small, and has significant digits."""
    return f"{audit.notion.symbol} ≥ {bound:{'.3f' if audit.measure == 'epsilon' else '.4g'}}"


def condition_text(audit: Audit) -> str:
    """`` at δ = 0.01``: at what else an amount is claimed; empty for nothing."""
    return f" at {audit.notion.condition}" if audit.notion.condition else ""


def as_json(audit: Audit) -> dict[str, Any]:
    """The audit; infinite log ratios are ``"inf"`` and ``"-inf"``, inputs as JSON has them."""
    claimed, other = _MEASURES[audit.measure]
    own = {
        claimed: audit.claim,
        other: None,
        "unit": audit.unit or None,
        "events": [{**_event(t), claimed: t.owed, other: None} for t in audit.tested],
        "visible": [{**plain(v), claimed: v.epsilon, other: None} for v in audit.visible],
    }
    return {key: plain(own[key] if key in own else getattr(audit, key)) for key in _KEYS}


def _event(t: Tested) -> dict[str, Any]:
    return {
        "event": t.event, "ideal": t.ideal, "pair": t.pair, "left": t.left, "right": t.right,
        "runs": t.runs, "on_left": t.on_left, "on_right": t.on_right,
        "log_ratio": t.log_ratio,
    }  # fmt: skip


# An audit from what ``shiftproof audit --json`` printed.


def audit_from_json(text: bytes | str) -> Audit:
    """An audit that was saved; inputs and public parameters are as JSON has them.

    Raises:
        BadInput: it is no audit.
    """
    try:
        saved = msgspec.json.decode(text, type=dict[str, Any])
        # What was saved before there were others is about ε alone.
        measure: Measure = "epsilon" if saved.get("rho") is None else "rho"
        tested = [{**event, "owed": event[measure]} for event in saved["events"]]
        visible = [{**one, "epsilon": one[measure]} for one in saved["visible"]]
        named = {
            "claim": saved[measure], "tested": tested, "visible": visible, "measure": measure,
            "unit": saved["unit"] or "",
        }  # fmt: skip
        found = msgspec.convert({**saved, **named}, Audit)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise BadInput(f"this is no audit as --json prints it: {why}") from None
    for event in found.tested:
        if not all(0 <= came <= event.runs for came in (event.on_left, event.on_right)):
            raise BadInput("this is no audit: an event came more often than there were runs")
    return found
