"""The answers of ``export``: what is a theorem, what Rocq says of it, and why others are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..account import Account, Answers, Finding, Place
from ..printable import presentable, relative
from ..rules import RULES
from ..theorems.folder import Exported
from ..theorems.rocq import Checked

#: The columns of the table after the mechanism's name, and their widths.
_COLUMNS = {"theorem": len("not proved"), "statement": 9, "proof": 5}
_OF_CHECKS = {"axioms": 7, "time": 7}
_MEANINGS = {
    "accepted": "Rocq accepts the proof of the statement, and it rests on no axiom but those of "
    "Rocq's real numbers.",
    "rejected": "Rocq does not accept the proof of the statement, or it rests on further axioms.",
    "written": "The statement and its proof are written, and Rocq has not been asked.",
    "none": "The claim is proved, and no theorem is made of the proof.",
    "not proved": "There is no proof of the claim, so no theorem either.",
}


def of_exports(
    found: Sequence[Exported],
    checked: Mapping[str, Checked],
    folder: Path,
    wanted: frozenset[str],
) -> Answers:
    """What ``export`` answers, for any format.

    Args:
        found: what became of the mechanisms.
        checked: what Rocq says of theorems, by their names; empty if it was not asked.
        folder: where the theorems are.
        wanted: the mechanisms of which a theorem was asked for by name.
    """
    accounts = tuple(
        _account(one, checked.get(one.mechanism), one.mechanism in wanted) for one in found
    )
    written = sum(one.theorem is not None for one in found)
    return Answers(
        command="export",
        accounts=accounts,
        status=max((a.status for a in accounts), key=(0, 2, 1, 3).index, default=0),
        columns=_COLUMNS | (_OF_CHECKS if checked else {}),
        meanings=_MEANINGS,
        closing=f"{written} in {relative(str(folder))}" if written else "Nothing is written.",
        good="all as it should be",
        bad="not as it should be",
    )


def _account(one: Exported, checked: Checked | None, wanted: bool) -> Account:
    verdict = _verdict(one, checked)
    status = 1 if verdict == "rejected" else 2 if wanted and one.theorem is None else 0
    lines = _reasons(one, checked)
    place = Place(relative(one.file), one.line, text=f"{one.mechanism} begins here")
    columns = {
        "theorem": verdict,
        "statement": str(one.statement_lines or "–"),
        "proof": str(one.proof_lines or "–"),
        "axioms": "–" if checked is None else str(len(checked.axioms)),
        "time": "–" if checked is None else f"{checked.seconds:.1f} s",
    }
    rule = RULES["rejected" if verdict == "rejected" else "no-theorem"]
    headline = f"{one.mechanism}: {rule.title[0].lower()}{rule.title[1:]}"
    finding = Finding(rule, headline, lines, place, key=(place.file, one.mechanism))
    return presentable(
        Account(
            title=one.mechanism,
            verdict=verdict,
            mood="bad" if status == 1 else "good" if one.theorem else "open",
            status=status,
            place=place,
            columns=columns,
            evidence=lines,
            findings=(finding,) if status else (),
            seconds=checked.seconds if checked else 0.0,
            plain=_plain(one, checked, verdict),
        )
    )


def _verdict(one: Exported, checked: Checked | None) -> str:
    if one.theorem is None:
        return "none" if one.proved else "not proved"
    if checked is None:
        return "written"
    return "accepted" if checked.accepted else "rejected"


def _reasons(one: Exported, checked: Checked | None) -> tuple[str, ...]:
    if checked is None:
        return (one.why,) if one.why else ()
    axioms = f"it rests on {', '.join(checked.axioms)}" if checked.axioms else ""
    return tuple(reason for reason in (checked.trouble, axioms) if reason)


def _plain(one: Exported, checked: Checked | None, verdict: str) -> dict[str, object]:
    found: dict[str, object] = {
        "mechanism": one.mechanism, "file": relative(one.file), "line": one.line,
        "claim": one.claim, "theorem": verdict, "reason": one.why,
        "statement_lines": one.statement_lines, "proof_lines": one.proof_lines,
    }  # fmt: skip
    if checked is not None:
        found |= {
            "seconds": checked.seconds, "trouble": checked.trouble, "axioms": [*checked.axioms],
        }  # fmt: skip
    return found
