"""An audit as JSON values."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from ..checkers.auditing.result import Audit, Judgement
from ..report import json_value


def as_json(audit: Audit) -> dict[str, Any]:
    """The audit; infinite log ratios are ``"inf"`` and ``"-inf"``, inputs as JSON has them."""
    return {
        "mechanism": audit.mechanism,
        "verdict": audit.verdict,
        "epsilon": audit.claim,
        "unit": audit.unit or None,
        "lower_bound": audit.lower_bound,
        "confidence": audit.confidence,
        "tolerance": audit.tolerance,
        "ideal": _judgement(audit.ideal),
        "code": None if audit.code is None else _judgement(audit.code),
        "public": _plain(audit.public),
        "pairs": audit.pairs,
        "events": [
            {
                "event": t.event, "ideal": t.ideal, "pair": t.pair, "left": _plain(t.left),
                "right": _plain(t.right), "epsilon": t.owed, "runs": t.runs, "on_left": t.on_left,
                "on_right": t.on_right,
                "log_ratio": t.log_ratio if math.isfinite(t.log_ratio) else str(t.log_ratio),
            }
            for t in audit.tested
        ],
        "visible": [asdict(v) for v in audit.visible],
        "runs": audit.runs,
        "asked": audit.asked,
        "seed": audit.seed,
        "seconds": audit.seconds,
        "interrupted": audit.interrupted,
        "notes": list(audit.notes),
    }  # fmt: skip


def _judgement(judgement: Judgement) -> dict[str, Any]:
    return {
        "verdict": judgement.verdict, "allowed": judgement.allowed,
        "lower_bound": judgement.lower_bound, "p_value": judgement.p_value,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """Anything as JSON has it; what JSON does not know, as text."""
    if isinstance(value, dict):
        return {str(name): _plain(v) for name, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return json_value(value) if hasattr(value, "denominator") else repr(value)
