"""The answers of ``check`` as records: certificates that are checked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from ...checkers.recheck import Recheck, Standing
from .record import Answers, Finding, Level, Place, Record, Rule, places_of, presentable, relative

#: The columns of the table after the mechanism's name, and their widths.
_COLUMNS = {"standing": len("unreadable"), "certifies": 9, "obligations": 11, "time": 8}

#: The exit status that a standing asks for.
_STATUS = {Standing.VALID: 0, Standing.INVALID: 1, Standing.OBSOLETE: 2, Standing.UNREADABLE: 3}

_ADVICE = {
    Standing.OBSOLETE: (Level.WARNING, "Verify the mechanism as it is now, and certify it anew."),
    Standing.INVALID: (Level.ERROR, "Trust nothing that it certifies; find out where it is from."),
    Standing.UNREADABLE: (Level.ERROR, "Certify the mechanism anew, with this version."),
}
_RULES = {
    standing: Rule(str(standing), level, f"Certificate {standing}", standing.meaning, advice)
    for standing, (level, advice) in _ADVICE.items()
}
RULES = tuple(_RULES.values())


def check_status(rechecks: Sequence[Recheck]) -> int:
    """1 if a certificate is invalid, else 3 if one is unreadable, else 2 if obsolete, else 0.

    The worst comes first: something false is certified; nobody knows what is certified;
    what is certified is no longer about this source.
    """
    found = (_STATUS[recheck.standing] for recheck in rechecks)
    return max(found, key=(0, 2, 3, 1).index, default=0)


def of_rechecks(rechecks: Sequence[Recheck]) -> Answers:
    """What ``check`` answers, for any format."""
    return Answers(
        command="check",
        records=tuple(map(record_of, rechecks)),
        status=check_status(rechecks),
        columns=_COLUMNS,
        meanings={str(standing): standing.meaning for standing in Standing},
        closing="Certificates are about exact real arithmetic and ideal noise.",
        good="all valid" if rechecks else "no certificate to check",
        bad="not valid",
    )


def record_of(recheck: Recheck) -> Record:
    """One certificate as a record."""
    return presentable(
        Record(
            name=recheck.mechanism or PurePath(recheck.certificate).name,
            place=_place(recheck),
            answer=str(recheck.standing),
            status=_STATUS[recheck.standing],
            columns={
                "standing": str(recheck.standing),
                "certifies": recheck.verdict or "–",
                "obligations": str(recheck.obligations or "–"),
                "time": f"{recheck.seconds:.2f} s",
            },
            details=_details(recheck),
            explanation=recheck.reasons,
            findings=_findings(recheck),
            seconds=recheck.seconds,
            plain=recheck.as_json(),
        )
    )


def _place(recheck: Recheck) -> Place:
    """The mechanism, where it was looked at; otherwise the certificate."""
    if not recheck.file:
        return _certificate(recheck)
    text = f"{recheck.mechanism} begins here"
    return Place(relative(recheck.file), recheck.line, text=text)


def _certificate(recheck: Recheck) -> Place:
    return Place(relative(recheck.certificate), 1, text="the certificate")


def _details(recheck: Recheck) -> dict[str, str]:
    found = {
        "certificate": relative(recheck.certificate),
        "claim": recheck.claim,
        "if": ", ".join(recheck.preconditions),
        "given": "\n".join(recheck.assumptions),
    }
    return {label: text for label, text in found.items() if text}


def _findings(recheck: Recheck) -> tuple[Finding, ...]:
    if recheck.standing is Standing.VALID:
        return ()
    here, places = _place(recheck), places_of(recheck.reasons)
    finding = Finding(
        rule=_RULES[recheck.standing],
        headline=f"{recheck.mechanism or PurePath(recheck.certificate).name}: "
        f"{recheck.standing} certificate",
        lines=recheck.reasons,
        place=here,
        related=(_certificate(recheck),),
        key=(relative(recheck.certificate), recheck.mechanism),
    )
    if places:
        finding = replace(finding, place=places[0], related=(*finding.related, here, *places))
    return (finding,)
