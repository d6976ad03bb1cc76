"""What all formats share: the record, its statuses, and what no output may hold."""

from __future__ import annotations

import itertools
import json
import os
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from shiftproof.checkers.recheck import Recheck, Standing
from shiftproof.showing.account import Answers, Level
from shiftproof.showing.answers.rechecks import check_status, of_rechecks
from shiftproof.showing.answers.reports import of_reports
from shiftproof.showing.formats import FORMATS, rendered
from shiftproof.showing.printable import cleaned, relative, uri
from tests.showing.answers import RATIO, rechecks, report, reports


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def both() -> list[Answers]:
    return [of_reports(reports()), of_rechecks(rechecks())]


def rules(answers: Answers) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for record in answers.accounts:
        found.setdefault(record.title, []).extend(f.rule.name for f in record.findings)
    return found


class TestRecords:
    def test_findings_of_reports(self) -> None:
        assert rules(of_reports(reports())) == {
            "fine": [],
            "weak": ["refuted"],
            "known": ["expected-refutation"],
            "not_refuted": ["not-refuted"],
            "unclear": ["unknown"],
            "unclear_too": ["unknown"],
            "bounded": ["bounded"],
            "strange": ["unsupported"],
            "sided": ["wrong-answer", "wrong-answer", "open-answer"],
            "known_sided": ["expected-refutation"],
        }

    def test_findings_of_rechecks(self) -> None:
        found = [[f.rule.name for f in r.findings] for r in of_rechecks(rechecks()).accounts]
        assert found == [[], ["obsolete"], ["invalid"], ["unreadable"]]

    def test_whoever_asks_for_a_status_has_a_finding_as_bad(self) -> None:
        for answers in both():
            for record in answers.accounts:
                levels = {f.rule.level for f in record.unexpected}
                assert bool(levels) == (record.status > 0), record.title
                assert (Level.ERROR in levels) == (record.status in (1, 3)), record.title

    def test_places(self) -> None:
        found = {
            r.title: [str(f.place) for f in r.findings] for r in of_reports(reports()).accounts
        }
        assert found["weak"] == ["own.py:7"]  # it is wrong as a whole
        assert found["unclear"] == ["own.py:9:5"]
        assert found["strange"] == ["own.py:9:12"]
        assert found["sided"] == ["own.py:40", "own.py:41", "own.py:42"]
        places = [[str(f.place) for f in r.findings] for r in of_rechecks(rechecks()).accounts]
        assert places == [[], ["own.py:7"], ["own.py:9:5"], ["odd.json:1"]]

    def test_related_places(self) -> None:
        _, weak, *_, strange, _, _ = of_reports(reports()).accounts
        assert [str(p) for p in weak.findings[0].related] == ["own.py:9:5"]
        assert weak.findings[0].related[0].text == "the best alignment fails"
        assert [str(p) for p in strange.findings[0].related] == ["own.py:7"]
        _, obsolete, invalid, unreadable = of_rechecks(rechecks()).accounts
        assert [str(p) for p in obsolete.findings[0].related] == ["certificates/m.json:1"]
        assert [str(p) for p in invalid.findings[0].related] == [
            "certificates/m.json:1",
            "own.py:7",
        ]
        assert unreadable.findings[0].related == ()

    def test_summaries(self) -> None:
        verified, checked = both()
        assert verified.summary == (
            "4 proved, 1 bounded, 2 refuted, 2 unknown, 1 unsupported; 7 not as expected"
        )
        assert checked.summary == "1 valid, 1 obsolete, 1 invalid, 1 unreadable; 3 not valid"
        assert of_reports(reports()[:1]).summary == "1 proved; all as expected"
        assert of_rechecks(rechecks()[:1]).summary == "1 valid; all valid"
        assert of_rechecks([]).summary == "nothing found; no certificate to check"


class TestCheckStatus:
    @pytest.mark.parametrize(
        ("standing", "status"), [("valid", 0), ("invalid", 1), ("obsolete", 2), ("unreadable", 3)]
    )
    def test_of_one(self, standing: str, status: int) -> None:
        assert check_status([Recheck("a", Standing(standing))]) == status

    def test_the_worst_counts(self) -> None:
        best_first = ["valid", "obsolete", "unreadable", "invalid"]
        for good, bad in itertools.combinations(best_first, 2):
            two = [Recheck("a", Standing(good)), Recheck("b", Standing(bad))]
            assert check_status(two) == check_status(two[::-1]) == check_status(two[1:])
        assert check_status([]) == 0

    def test_every_standing_means_something(self) -> None:
        for standing in Standing:
            assert standing.meaning.endswith(".")


@pytest.mark.parametrize("form", FORMATS)
class TestEveryFormat:
    def test_is_the_same_every_time(self, form: str) -> None:
        for one, two in zip(both(), both()):
            assert rendered(one, form) == rendered(two, form)

    def test_does_not_name_the_current_folder(self, form: str, here: Path) -> None:
        for answers in both():
            text = rendered(answers, form)
            assert "own.py" in text or form == "text"
            assert str(here) not in text

    def test_shows_witnesses(self, form: str) -> None:
        text = rendered(of_reports([report("refuted")]), form)
        assert RATIO in unescape(text) or (form == "json" and '"breaks": true' in text)

    def test_shows_reasons(self, form: str) -> None:
        text = rendered(of_rechecks(rechecks()), form)
        for reason in ("the body has changed", "'cost' fails", "no JSON"):
            assert reason in text

    def test_of_nothing(self, form: str) -> None:
        for answers in (of_reports([]), of_rechecks([])):
            assert rendered(answers, form)

    @pytest.mark.parametrize(
        "odd", ["a\udcffb", "\x1b[2Jx", "a\u202eb", "\x00", "\ufffe", "]]>", "a\r\nb", "::error::"]
    )
    def test_holds_any_text(self, form: str, odd: str) -> None:
        given = report(
            "unknown", mechanism=odd, file=odd, claim=odd, reasons=(f"{odd}:1:2: {odd}",)
        )
        again = Recheck(odd, Standing.INVALID, odd, odd, 1, odd, odd, (odd,), (odd,))
        for answers in (of_reports([given]), of_rechecks([again])):
            text = rendered(answers, form)
            if form in ("json", "sarif"):
                json.loads(text.encode("utf-8", "backslashreplace"))
                continue
            text.encode()
            assert not {"\x1b", "\x00", "\r", "\u202e", "\ufffe"} & set(text)


class TestNames:
    def test_clean_text_is_kept(self) -> None:
        text = "D′: ε − λ ≈ 1/2 → x\n\t'é' \U0001f600"
        assert cleaned(text) == text

    def test_unfit_characters_are_shown(self) -> None:
        assert cleaned("\x1b[0m\udc80\r\u2028\u202e\ufeff") == (
            "\\x1b[0m\\udc80\\r\\u2028\\u202e\\ufeff"
        )

    def test_relative(self, here: Path) -> None:
        assert relative(str(here / "a" / "b.py")) == "a/b.py"
        assert relative("a/../b.py") == "b.py"
        assert relative(f"{here}x/b.py") == f"{here}x/b.py"
        assert relative("") == ""

    def test_uri(self, here: Path) -> None:
        assert uri(str(here / "a b" / "é#%.py")) == "a%20b/%C3%A9%23%25.py"
        assert uri("a:b.py") == "a%3Ab.py"
        assert uri(os.fsdecode(b"\xff.py")) == "%FF.py"
        assert uri("/else where/x.py") == "file:///else%20where/x.py"


def test_json_is_what_the_answers_hold() -> None:
    verified, checked = (json.loads(rendered(answers, "json")) for answers in both())
    plain: list[dict[str, Any]] = [r.as_json() for r in reports()]
    assert [entry["verdict"] for entry in verified] == [entry["verdict"] for entry in plain]
    assert verified[1]["reasons"] == ["own.py:9:5: the best alignment fails"]
    assert checked[0] == {
        "certificate": "certificates/m.json", "standing": "valid", "mechanism": "m",
        "file": "own.py", "line": 7, "verdict": "proved", "claim": "DP with ε = eps",
        "preconditions": ["eps > 0"], "reasons": [], "assumptions": ["noise is ideal"],
        "obligations": 12, "seconds": 0.25,
    }  # fmt: skip


def test_text_of_rechecks() -> None:
    lines = rendered(of_rechecks(rechecks()), "text").splitlines()
    assert lines[0].split() == ["mechanism", "standing", "certifies", "obligations", "time"]
    assert lines[2].split() == ["m", "valid", "proved", "12", "0.25", "s"]
    assert "  certificate  certificates/m.json" in lines
    assert "obsolete: The source has changed since the certificate was made." in lines
    assert lines[-1] == "1 valid, 1 obsolete, 1 invalid, 1 unreadable; 3 not valid"
