"""The answers of ``verify``: what each verdict asks for, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...checkers.verdicts import OneSided, Report, Verdict
from ..account import Account, Answers, Finding, Level, Mood, Place, facts_of
from ..codes import code_of, coded
from ..printable import places_of, presentable, relative
from ..report import exit_status
from ..rules import RULES

#: The columns of the table after the mechanism's name, and their widths.
_COLUMNS = {"verdict": len("unsupported"), "sizes": 7, "proved ε": 10, "time": 7}

_CLOSING = "The proof is about exact real arithmetic and ideal noise."
#: What is said of proofs that have no alignment.
_METHODS = {
    "sums": "probabilities of all outcomes, summed and compared for all inputs and parameters",
    "enumeration": "laws of the outcome on all inputs of these sizes, compared for all ε",
}


def of_reports(reports: Sequence[Report]) -> Answers:
    """What ``verify`` answers, for any format."""
    return Answers(
        command="verify",
        accounts=tuple(map(of_report, reports)),
        status=exit_status(reports),
        columns=_COLUMNS,
        meanings={str(verdict): verdict.meaning for verdict in Verdict},
        closing="Proofs are about exact real arithmetic and ideal noise.",
        good="all as expected",
        bad="not as expected",
    )


def of_report(report: Report) -> Account:
    """One of them."""
    return presentable(
        Account(
            title=report.mechanism,
            verdict=str(report.verdict),
            summary=(report.verdict.meaning,),
            mood=mood(report),
            place=_place(report),
            status=exit_status([report]),
            columns={
                "verdict": str(report.verdict),
                "sizes": report.sizes or "–",
                "proved ε": _proved(report),
                "time": f"{report.seconds:.2f} s",
            },
            facts=facts_of(_details(report)),
            evidence=(*_reasons(report), *map(_wrong, filter(_broken, report.one_sided))),
            findings=tuple(_findings(report)),
            note=_CLOSING if report.epsilon_upper else "",
            seconds=report.seconds,
            plain=report.as_json() | {"codes": [*map(code_of, report.reasons)]},
        )
    )


def _proved(report: Report) -> str:
    """The budget that is proved, with its letter where that is not ε."""
    found = report.epsilon_upper or "–"
    return found if report.letter == "ε" or not report.epsilon_upper else f"{report.letter} {found}"


def mood(report: Report) -> Mood:
    """What the verdict says of the mechanism, whatever its author expects."""
    if report.falls:
        return "bad"
    return "good" if report.holds else "open"


def _place(report: Report) -> Place:
    return Place(relative(report.file), report.line, text=f"{report.mechanism} begins here")


def _details(report: Report) -> dict[str, str]:
    shifts = [f"{sample}: {shift}" for sample, shift in report.alignment.items()]
    shown = "" if report.refutation is not None else "\n".join(shifts)
    met = "met" if report.as_expected else "not met"
    found = {
        "claim": report.claim,
        "if": ", ".join(report.preconditions),
        "given": "\n".join(report.assumptions),
        "alignment" if report.epsilon_upper else "tried": shown,
        "cost": "\n".join(cost for cost in report.cost if "=" in cost),
        "keeps": f"{report.letter} ≤ {report.keeps}, proved" if report.keeps else "",
        "proof": _METHODS.get(report.method, ""),
        "one-sided": "\n".join(f"{c.outcome}: {c.claim}" for c in report.one_sided),
        "expected": "" if report.expected == "proved" else f"to be {report.expected}: {met}",
    }
    return found


def _reasons(report: Report) -> tuple[str, ...]:
    """The witness of a refuted claim; why any other was not proved."""
    if report.refutation is None:
        return tuple(map(coded, report.reasons))
    from ...checkers.refuting.likelihood import in_words

    return tuple(in_words(report.refutation))


def _findings(report: Report) -> list[Finding]:
    """What is to be looked at; nothing for a claim that is proved as expected."""
    wanted = report.expected == "refuted"
    expected = 'expect="refuted"' if wanted and report.as_expected else ""
    found = []
    content = report.expected == "bounded" and report.verdict is Verdict.BOUNDED
    if (report.verdict is not Verdict.PROVED and not content) or (wanted and report.holds):
        found.append(_of_privacy(report, wanted and not expected))
    found += [_answer(report, claim) for claim in report.one_sided if claim.outcome != "proved"]
    if not expected:
        return found
    # What falls as expected is worth a note; what else is open in it was never claimed.
    fallen = [f for f in found if f.rule.level is Level.ERROR]
    return [replace(f, rule=RULES["expected-refutation"], expected=expected) for f in fallen]


def _of_privacy(report: Report, missing: bool) -> Finding:
    """The privacy claim, which is not proved, or is although a refutation is ``missing``."""
    name = "not-refuted" if report.holds else "fault" if report.fault else str(report.verdict)
    but = ", but expected to be refuted" if missing else ""
    headline = f"{report.mechanism}: {report.verdict}{but}"
    finding = Finding(RULES[name], headline, _reasons(report), _place(report), key=_key(report))
    places = places_of(report.reasons)
    if report.verdict is Verdict.REFUTED or not places:
        return replace(finding, related=places)  # it is wrong as a whole
    return replace(finding, place=places[0], related=(finding.place, *places))


def _key(report: Report) -> tuple[str, ...]:
    return (relative(report.file), report.mechanism)


def _answer(report: Report, claim: OneSided) -> Finding:
    """An answer that can be wrong, or may be, at its line."""
    here = _place(report)
    line = re.search(r"\bline ([0-9]+)\b", claim.claim)
    place = Place(here.file, int(line[1]), text=claim.claim) if line else here
    without_line = re.sub(r"\bline [0-9]+\b", "line", claim.claim)
    rule = RULES["wrong-answer" if claim.outcome == "broken" else "open-answer"]
    can = "can be wrong" if claim.outcome == "broken" else "is not proved to be right"
    lines = (_wrong(claim),) if _broken(claim) else (claim.claim,)
    headline = f"{report.mechanism}: an answer {can}"
    return Finding(rule, headline, lines, place, (here,), key=(*_key(report), without_line))


def _broken(claim: OneSided) -> bool:
    return claim.outcome == "broken"


def _wrong(claim: OneSided) -> str:
    """A one-sided claim that does not hold, with its run and how likely a wrong answer is."""
    likely = f"; probability {claim.probability}" if claim.refuted else ""
    never = "; probability 0: only such noise makes it wrong" if claim.probability == "0" else ""
    return f"wrong {claim.claim}; for instance {claim.witness}{likely}{never}"
