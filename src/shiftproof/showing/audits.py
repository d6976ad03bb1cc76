"""An audit for people, for programs and as a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from ..checkers.auditing.result import Audit, Judgement, Tested
from ..dsl.errors import BadInput
from .plots.audit import plot_audit
from .plots.drawing import save
from .report import json_value

# An audit as JSON values.


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


# An audit for people: the verdict, the evidence, the event, and what could have been seen.

#: How many other events are listed, and how long an input may be, in characters.
OTHERS, LONGEST = 3, 160


def as_text(audit: Audit, unicode: bool = True) -> str:
    """The audit in lines; the first one has the verdict.

    Args:
        audit: any.
        unicode: whether the output can hold more than ASCII.
    """
    parts = [_head(audit)]
    if audit.tested and audit.tested[0].runs:
        parts.append(_event(audit, audit.tested[0]))
        others = [t for t in audit.tested[1:] if t.runs][:OTHERS]
        if others:
            parts.append(["Other events", *(f"  {_line(t)}" for t in others)])
    parts.append(_visible(audit))
    if audit.notes:
        parts.append([f"Note: {note}" for note in audit.notes])
    text = "\n\n".join("\n".join(lines) for lines in parts)
    for sign, plain in () if unicode else (("ε", "eps"), ("≥", ">="), ("′", "'"), ("…", "...")):
        text = text.replace(sign, plain)
    return text


def facts(audit: Audit) -> dict[str, str]:
    """What was audited, what came out, and how much was done."""
    pairs = f"{audit.pairs} ordered pair{'s' if audit.pairs > 1 else ''} of inputs"
    at = "".join(f", {name} = {value_text(value)}" for name, value in audit.public.items())
    after = "interrupted after " if audit.interrupted else ""
    done = f"{after}{audit.runs:,} of {audit.asked:,}"
    return {
        "claim": f"{_claim(audit)}, on {pairs}{at}",
        "ideal": _judged(audit.ideal, audit),
        "code": "" if audit.code is None else _judged(audit.code, audit),
        "runs": f"{done}, in {audit.seconds:.2f} s, seed {audit.seed}",
    }


def _head(audit: Audit) -> list[str]:
    bound = _bound(audit.judgement, audit)
    verdict = audit.verdict if audit.claim is not None else bound
    told = (f"  {label:9} {text}" for label, text in facts(audit).items() if text)
    return [f"{audit.mechanism}: {verdict}", *told]


def _claim(audit: Audit) -> str:
    if audit.claim is None:
        return "none"
    if audit.unit == "budget":
        return "the ε of each pair"
    unit = " for each unit of distance" if audit.unit else ""
    return f"ε = {audit.claim:.6g}{unit}"


def _bound(judgement: Judgement, audit: Audit) -> str:
    if judgement.lower_bound <= 0:
        return "nothing shows that ε is above 0"
    sure = f"with confidence {100 * audit.confidence:g} %"
    if audit.unit == "budget":
        return f"some pair has at least {judgement.lower_bound:.3f} times its ε {sure}"
    return f"ε ≥ {judgement.lower_bound:.3f} {sure}"


def _judged(judgement: Judgement, audit: Audit) -> str:
    """One of the two verdicts, with its bound."""
    bound = _bound(judgement, audit)
    if judgement.p_value is None or judgement.allowed is None:
        return bound
    if judgement.verdict == "no violation found":
        return f"no violation found; {bound}"
    allowed = "once allowed" if audit.unit == "budget" else f"{judgement.allowed:.6g} allowed"
    small = judgement.p_value < 1e-100
    p = "p-value below 1e-100" if small else f"p-value {judgement.p_value:.2g}"
    return f"violation found; {bound}, {allowed}; {p}"


def _event(audit: Audit, tested: Tested) -> list[str]:
    share = f"{tested.on_left:,} on D, {tested.on_right:,} on D′, of {tested.runs:,} runs each"
    return [
        f"Event: {tested.event}",
        f"  D         {inputs_text(tested.left, audit.public)}",
        f"  D′        {inputs_text(tested.right, audit.public)}",
        *([f"  owed      ε = {tested.owed:.6g}"] if audit.unit else []),
        f"  came      {share}: {ratio_text(tested)}",
    ]


def ratio_text(tested: Tested) -> str:
    """How many times as often an event came on D."""
    ratio = tested.log_ratio
    if math.isinf(ratio):
        return "never on D′" if ratio > 0 else "never on D"
    return f"a ratio of e^{ratio:.3g}"


def _line(tested: Tested) -> str:
    return (
        f"{tested.event} ({tested.pair}): {tested.on_left:,} and {tested.on_right:,} of "
        f"{tested.runs:,}, {ratio_text(tested)}"
    )


def inputs_text(value: Any, public: Mapping[str, Any]) -> str:
    """The private inputs of one side."""
    if isinstance(value, Mapping):
        private = {n: v for n, v in value.items() if n not in public}
        return ", ".join(f"{n} = {value_text(v)}" for n, v in private.items())
    return value_text(value)


def value_text(value: Any) -> str:
    """A value as Python writes it, cut where it is too long."""
    shown = _shown(value)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _shown(value: Any) -> str:
    """As Python writes it, but fractions as people do."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' if len(value) == 1 else ''})"
    return str(value) if isinstance(value, Fraction) else repr(value)


def _visible(audit: Audit) -> list[str]:
    found = "A violation that comes so often on D would have been seen, about, from this ε on"
    lines = [found]
    probabilities = [f"{v.probability:g}" for v in audit.visible]
    amounts = ["-" if v.epsilon is None else f"{v.epsilon:.3g}" for v in audit.visible]
    lines.append("  P(event on D)  " + " ".join(f"{p:>7}" for p in probabilities))
    lines.append("  ε              " + " ".join(f"{e:>7}" for e in amounts))
    if audit.verdict == "no violation found":
        lines.append("That no violation was found does not mean that there is none.")
    return lines


# An audit from what ``shiftproof audit --json`` printed.


def audit_from_json(text: bytes | str) -> Audit:
    """An audit that was saved; inputs and public parameters are as JSON has them.

    Raises:
        BadInput: it is no audit.
    """
    try:
        saved = msgspec.json.decode(text, type=dict[str, Any])
        tested = [{**event, "owed": event["epsilon"]} for event in saved["events"]]
        named = {"claim": saved["epsilon"], "tested": tested, "unit": saved["unit"] or ""}
        found = msgspec.convert({**saved, **named}, Audit)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise BadInput(f"this is no audit as --json prints it: {why}") from None
    for event in found.tested:
        if not all(0 <= came <= event.runs for came in (event.on_left, event.on_right)):
            raise BadInput("this is no audit: an event came more often than there were runs")
    return found


# An audit as a picture, in a file.


def draw(audit: Audit, file: Path) -> None:
    """Draw the events; the file is written at once, or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    save(plot_audit(audit), file)
