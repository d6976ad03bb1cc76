"""JUnit XML, for the test reports of continuous integration: a test case for each mechanism."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import PurePosixPath

from ..report import prints_unicode
from .record import Answers, Record, cleaned, message


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as one suite; what is not as it should be has failed."""
    failed = sum(record.status > 0 for record in answers.records)
    numbers = {
        "tests": str(len(answers.records)),
        "failures": str(failed),
        "errors": "0",
        "skipped": "0",
        "time": _seconds(sum(record.seconds for record in answers.records)),
    }
    suites = ET.Element("testsuites", {"name": "shiftproof", **numbers})
    suite = ET.SubElement(suites, "testsuite", {"name": f"shiftproof {answers.command}", **numbers})
    for record in answers.records:
        _case(suite, record)
    ET.indent(suites)
    text = '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode")
    if printed and not prints_unicode():
        return text.encode("ascii", "xmlcharrefreplace").decode()
    return text


def _case(suite: ET.Element, record: Record) -> None:
    file = cleaned(record.place.file)
    where = {"file": file, "line": str(record.place.line)} if record.place.line else {"file": file}
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _classname(file),
            "name": record.name,
            **where,
            "time": _seconds(record.seconds),
        },
    )
    if record.status:
        headline = "; ".join(finding.headline for finding in record.unexpected) or record.answer
        failure = ET.SubElement(case, "failure", {"message": headline, "type": record.answer})
        failure.text = message(record)
    else:
        facts = [f"{name}: {value}" for name, value in record.columns.items() if name != "time"]
        facts += [f"{label}: {value}" for label, value in record.details.items()]
        ET.SubElement(case, "system-out").text = "\n".join(facts)


def _classname(file: str) -> str:
    """A file as the dotted name of a class, as test reports group by."""
    path = PurePosixPath(file)
    return ".".join(part for part in path.with_suffix("").parts if part != "/") if file else ""


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
