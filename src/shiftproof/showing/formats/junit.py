"""JUnit XML, for the test reports of continuous integration: a test case for each mechanism."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import PurePosixPath

from ..account import Account, Answers
from ..printable import cleaned, message
from ..report import prints_unicode


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as one suite; what is not as it should be has failed."""
    failed = sum(account.status > 0 for account in answers.accounts)
    numbers = {
        "tests": str(len(answers.accounts)),
        "failures": str(failed),
        "errors": "0",
        "skipped": "0",
        "time": _seconds(sum(account.seconds for account in answers.accounts)),
    }
    suites = ET.Element("testsuites", {"name": "shiftproof", **numbers})
    suite = ET.SubElement(suites, "testsuite", {"name": f"shiftproof {answers.command}", **numbers})
    for account in answers.accounts:
        _case(suite, account)
    ET.indent(suites)
    text = '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode")
    if printed and not prints_unicode():
        return text.encode("ascii", "xmlcharrefreplace").decode()
    return text


def _case(suite: ET.Element, account: Account) -> None:
    file, line = cleaned(account.place.file), account.place.line
    where = {"file": file, "line": str(line)} if line else {"file": file}
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _classname(file),
            "name": account.title,
            **where,
            "time": _seconds(account.seconds),
        },
    )
    if account.status:
        headline = "; ".join(finding.headline for finding in account.unexpected) or account.verdict
        failure = ET.SubElement(case, "failure", {"message": headline, "type": account.verdict})
        failure.text = message(account)
    else:
        facts = [f"{name}: {value}" for name, value in account.columns.items() if name != "time"]
        facts += [f"{label}: {value}" for label, value in account.details.items()]
        ET.SubElement(case, "system-out").text = "\n".join(facts)


def _classname(file: str) -> str:
    """A file as the dotted name of a class, as test reports group by."""
    path = PurePosixPath(file)
    return ".".join(part for part in path.with_suffix("").parts if part != "/") if file else ""


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
