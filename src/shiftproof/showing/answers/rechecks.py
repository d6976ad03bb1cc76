"""The answers of ``check``: certificates that are checked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from ...checkers.recheck import Recheck, Standing
from ..account import Account, Answers, Finding, Place, facts_of
from ..printable import places_of, presentable, relative
from ..rules import RULES

#: The columns of the table after the mechanism's name, and their widths.
_COLUMNS = {"standing": len("unreadable"), "certifies": 9, "obligations": 11, "time": 8}

#: The exit status that a standing asks for.
_STATUS = {Standing.VALID: 0, Standing.INVALID: 1, Standing.OBSOLETE: 2, Standing.UNREADABLE: 3}


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
        accounts=tuple(map(of_recheck, rechecks)),
        status=check_status(rechecks),
        columns=_COLUMNS,
        meanings={str(standing): standing.meaning for standing in Standing},
        closing="Certificates are about exact real arithmetic and ideal noise.",
        good="all valid" if rechecks else "no certificate to check",
        bad="not valid",
    )


def of_recheck(recheck: Recheck) -> Account:
    """One of them."""
    return presentable(
        Account(
            title=recheck.mechanism or PurePath(recheck.certificate).name,
            place=_place(recheck),
            verdict=str(recheck.standing),
            status=_STATUS[recheck.standing],
            columns={
                "standing": str(recheck.standing),
                "certifies": recheck.verdict or "–",
                "obligations": str(recheck.obligations or "–"),
                "time": f"{recheck.seconds:.2f} s",
            },
            facts=facts_of(_details(recheck)),
            evidence=recheck.reasons,
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
    return {
        "certificate": relative(recheck.certificate),
        "claim": recheck.claim,
        "if": ", ".join(recheck.preconditions),
        "given": "\n".join(recheck.assumptions),
    }


def _findings(recheck: Recheck) -> tuple[Finding, ...]:
    if recheck.standing is Standing.VALID:
        return ()
    here, places = _place(recheck), places_of(recheck.reasons)
    finding = Finding(
        rule=RULES[str(recheck.standing)],
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
