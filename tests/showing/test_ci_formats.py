"""JUnit, GitHub's commands and Markdown: read back by what reads them, whatever they hold."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from shiftproof.showing.account import Answers
from shiftproof.showing.answers.rechecks import of_rechecks
from shiftproof.showing.answers.reports import of_reports
from shiftproof.showing.codes import coded
from shiftproof.showing.formats import rendered
from shiftproof.showing.printable import cleaned
from tests.showing.answers import RATIO, rechecks, report, reports


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


any_text = st.text(st.characters(exclude_categories=())) | st.text("|`\\*_<&>[]\n\r%:,# a")


class TestJUnit:
    def test_a_case_for_each_mechanism(self) -> None:
        root = ET.fromstring(rendered(of_reports(reports()), "junit"))
        (suite,) = root
        assert suite.get("name") == "shiftproof verify"
        assert (suite.get("tests"), suite.get("failures")) == ("10", "7")
        cases = {case.get("name"): case for case in suite}
        assert list(cases) == [given.mechanism for given in reports()]
        assert {case.get("classname") for case in suite} == {"own"}
        weak = cases["weak"]
        assert (weak.get("file"), weak.get("line"), weak.get("time")) == ("own.py", "7", "0.500")

    def test_failures_are_what_is_not_as_expected(self) -> None:
        root = ET.fromstring(rendered(of_reports(reports()), "junit"))
        found = {
            case.get("name"): failure.get("type")
            for case in root.iter("testcase")
            for failure in case.iter("failure")
        }
        assert found == {
            "weak": "refuted", "not_refuted": "proved", "unclear": "unknown",
            "unclear_too": "unknown", "bounded": "bounded", "strange": "unsupported",
            "sided": "proved",
        }  # fmt: skip

    def test_a_failure_says_all(self) -> None:
        root = ET.fromstring(rendered(of_reports([report("refuted")]), "junit"))
        failure = root.find(".//failure")
        assert failure is not None and failure.text is not None
        for part in ("m: refuted", "own.py:7", "eps > 0", "D′: x = 1", RATIO):
            assert part in failure.text

    def test_classes_are_files(self) -> None:
        files = ["src/own.py", "/abs/own.py", "own"]
        root = ET.fromstring(
            rendered(of_reports([report("proved", file=f) for f in files]), "junit")
        )
        names = [case.get("classname") for case in root.iter("testcase")]
        assert names == ["src.own", "abs.own", "own"]

    @given(any_text, any_text)
    def test_any_text_is_well_formed(self, name: str, reason: str) -> None:
        answers = of_reports([report("unknown", mechanism=name, claim=reason, reasons=(reason,))])
        root = ET.fromstring(rendered(answers, "junit").encode())
        (case,) = root.iter("testcase")
        assert case.get("name") == cleaned(name)
        (failure,) = case.iter("failure")
        assert all(
            line.strip() in (failure.text or "") for line in cleaned(coded(reason)).splitlines()
        )


class Command(NamedTuple):
    level: str
    properties: dict[str, str]
    text: str


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")):
        text = text.replace(code, character)
    return text.replace("%25", "%")


def commands(answers: Answers) -> list[Command]:
    """The commands as the runner reads them: line by line, up to the next ``::``."""
    *lines, _ = rendered(answers, "github").split("\n")
    found = []
    for line in lines:
        match = re.fullmatch("::(error|warning) ((?:(?!::).)*)::(.*)", line)
        assert match is not None, line
        listed = dict(part.split("=", 1) for part in match[2].split(","))
        properties = {name: unescaped(value) for name, value in listed.items()}
        found.append(Command(match[1], properties, unescaped(match[3])))
    return found


class TestGitHub:
    def test_annotations(self) -> None:
        found = commands(of_reports(reports()))
        assert len(found) == 9  # sided has three; what is expected none
        weak, _, unclear = found[:3]
        assert weak.level == "error"
        assert weak.properties == {
            "file": "own.py", "line": "7", "title": "shiftproof: Privacy claim refuted",
        }  # fmt: skip
        assert weak.text.startswith("weak: refuted\nat eps = ln 2\n")
        assert RATIO in weak.text
        assert (unclear.level, unclear.properties["col"]) == ("warning", "5")

    def test_ends_in_one_line_of_summary(self) -> None:
        for answers in (of_reports(reports()), of_rechecks(rechecks())):
            last = rendered(answers, "github").splitlines()[-1]
            assert last == f"shiftproof {answers.command}: {answers.summary}"

    def test_certificates(self) -> None:
        found = commands(of_rechecks(rechecks()))
        assert [(c.level, c.properties["file"]) for c in found] == [
            ("warning", "own.py"), ("error", "own.py"), ("error", "odd.json"),
        ]  # fmt: skip

    @given(any_text, any_text)
    def test_any_text_comes_back(self, file: str, reason: str) -> None:
        given = report("unknown", file=f"/x/{file.replace('/', '')}.py", reasons=(reason,))
        (command,) = commands(of_reports([given]))
        assert command.text == f"m: unknown\n{cleaned(coded(reason))}"
        assert command.properties["line"] == "7"
        assert command.properties["file"] == cleaned(given.file)


def table(answers: Answers) -> list[list[str]]:
    """The cells of the first table as a reader of Markdown sees them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(rendered(answers, "markdown"))
    rows: list[list[str]] = []
    for token, after in itertools.pairwise(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            assert all(child.type in ("text", "text_special") for child in after.children or [])
            rows[-1].append("".join(child.content for child in after.children or []))
    return rows


class TestMarkdown:
    def test_a_row_for_each_mechanism(self) -> None:
        head, *rows = table(of_reports(reports()))
        assert head == ["mechanism", "verdict", "sizes", "proved ε", "claim"]
        assert [row[:2] for row in rows] == [
            ["fine", "✅ proved"],
            ["weak", "❌ refuted"],
            ["known", "✅ refuted"],
            ["not_refuted", "❌ proved"],
            ["unclear", "⚠️ unknown"],
            ["unclear_too", "⚠️ unknown"],
            ["bounded", "⚠️ bounded"],
            ["strange", "❌ unsupported"],
            ["sided", "❌ proved"],
            ["known_sided", "✅ proved"],
        ]
        assert {row[-1] for row in rows} == {reports()[0].claim}

    def test_witnesses_stand_below(self) -> None:
        text = rendered(
            of_reports([report("proved"), report("refuted", mechanism="w")]), "markdown"
        )
        below = text.partition("### w: refuted\n")[2]
        assert "`own.py:7`" in below
        assert "D′: x = 1" in below and RATIO in below

    def test_certificates(self) -> None:
        head, *rows = table(of_rechecks(rechecks()))
        assert head == ["mechanism", "standing", "certifies", "obligations", "claim"]
        assert [row[1] for row in rows] == [
            "✅ valid", "⚠️ obsolete", "❌ invalid", "❌ unreadable",
        ]  # fmt: skip

    @given(any_text, any_text)
    def test_any_text_stays_in_its_cell(self, name: str, claim: str) -> None:
        _, *rows = table(of_reports([report("unknown", mechanism=name, claim=claim)]))
        ((first, *_, last),) = rows
        assert first == " ".join(cleaned(name).split())
        assert last == (" ".join(cleaned(claim).split()) if claim else "–")

    @given(any_text)
    def test_any_reason_stays_in_its_block(self, reason: str) -> None:
        text = rendered(of_reports([report("unknown", reasons=(reason,))]), "markdown")
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        fences = [token.content for token in tokens if token.type == "fence"]
        shown = "".join(f"{line}\n" for line in cleaned(coded(reason)).splitlines())
        assert fences == ([shown] if reason else [])
        assert sum(token.type == "heading_open" for token in tokens) == 2
