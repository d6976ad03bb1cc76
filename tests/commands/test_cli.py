"""``shiftproof verify``: table, JSON, bad input and exit status."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof import Report, Verdict, comparison_from_json
from shiftproof.commands.cli import main
from shiftproof.showing.answers.reports import of_reports
from shiftproof.showing.formats import rendered
from shiftproof.showing.printable import shortened
from shiftproof.showing.report import exit_status

HEAD = "from shiftproof import DP, Count, Epsilon, Laplace, Nat, align, mechanism, sample\n"
GOOD = """
@mechanism(DP(){expect})
def {name}(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale} / eps))
    return x + noise
"""
UNSUPPORTED = """
@mechanism(DP())
def strange(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return eval("x") + noise
"""
#: Private, but the alignment that is written down is wrong.
OPEN = """
@mechanism(DP())
def open_one(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    return x + noise
"""
REFUTED = ', expect="refuted"'


def good(name: str) -> str:
    return GOOD.format(name=name, expect="", scale="1")


def weak(name: str, expect: str = "") -> str:
    return GOOD.format(name=name, expect=expect, scale="0.5")


def wrongly_expected(name: str) -> str:
    return GOOD.format(name=name, expect=REFUTED, scale="1")


def verify(*arguments: object, **environment: str) -> Result:
    return CliRunner(env={"COLUMNS": "100", **environment}).invoke(
        main, ["verify", *map(str, arguments)]
    )


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.py"


class TestJson:
    def test_holds_what_a_report_holds(self, file: Path) -> None:
        file.write_text(HEAD + good("fine") + weak("weak"))
        for option in (["--json"], ["--format", "json"]):
            result = verify(file, *option)
            fine, weak_one = json.loads(result.stdout)
            assert fine["mechanism"] == "fine"
            assert fine["file"] == "own.py"
            assert fine["line"] == 3
            assert fine["verdict"] == fine["expected"] == "proved"
            assert fine["sizes"] == "all"
            assert fine["epsilon_upper"] == "eps"
            assert fine["preconditions"] == ["eps > 0"]
            assert fine["alignment"] == {"noise (line 5)": "x - other(x)"}
            assert fine["refutation"] is fine["epsilon_lower"] is None
            assert weak_one["verdict"] == "refuted"
            assert weak_one["reasons"] and weak_one["epsilon_upper"] is None
            assert weak_one["epsilon_lower"] == "1.38629436112"
            found = weak_one["refutation"]
            assert found["breaks"] and found["epsilon"] == {"eps": "ln 2"}
            assert comparison_from_json(json.dumps(found)).ratio == 4
            assert result.stderr == ""

    def test_prints_of_the_file_are_no_part_of_it(self, file: Path) -> None:
        file.write_text(HEAD + good("fine") + "\nprint('loaded')\n")
        result = verify(file, "--json", "--import")
        assert len(json.loads(result.stdout)) == 1
        assert result.stderr == "loaded\n"
        assert verify(file, "--json").stderr == ""

    def test_the_gallery_where_it_is_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from shiftproof.workspace import targets

        whole = targets.gallery()
        few = [m for m in whole if "laplace" in m.function.__name__]
        assert 3 < len(few) < len(whole) > 70
        monkeypatch.setattr(targets, "gallery", lambda run=False: few)
        result = verify("--gallery", "--json")
        found = {entry["mechanism"]: entry for entry in json.loads(result.stdout)}
        assert set(found) == {m.function.__name__ for m in few}
        assert found["asymmetric_laplace"]["verdict"] == "proved"
        assert found["asymmetric_laplace"]["sizes"] == "all"

    @pytest.mark.parametrize("options", [(), ("--json",), ("--allow-empty",), ("--import",)])
    def test_no_target_is_an_error(self, options: tuple[str, ...]) -> None:
        """A pattern that no file matches, as a shell hands it on, is no success."""
        result = verify(*options)
        assert result.exit_code == 3 and result.stdout == ""
        assert "nothing is named" in result.stderr and "--gallery" in result.stderr

    def test_order_is_that_of_the_targets(self, file: Path) -> None:
        file.write_text(HEAD + good("a") + good("b"))
        result = verify(f"{file}::b", f"{file}::a", "--json")
        assert [entry["mechanism"] for entry in json.loads(result.stdout)] == ["b", "a"]


def report(verdict: Verdict, expected: Any = "proved") -> Report:
    return Report("m", "own.py", 1, "DP", (), verdict, expected)


class TestExitStatus:
    @pytest.mark.parametrize(
        ("source", "status"),
        [
            (good("a"), 0),
            (good("a") + weak("b", REFUTED), 0),
            (weak("a", REFUTED), 0),
            (good("a") + weak("b"), 1),
            (OPEN, 2),
            (good("a") + OPEN.replace("DP()", "DP()" + REFUTED), 2),
            (weak("a", REFUTED) + OPEN, 2),
            (good("a") + weak("b") + wrongly_expected("c"), 1),
            (weak("b") + wrongly_expected("c") + UNSUPPORTED, 3),
            (UNSUPPORTED.replace("DP()", "DP()" + REFUTED), 3),
        ],
    )
    def test_of_files(self, file: Path, source: str, status: int) -> None:
        file.write_text(HEAD + source)
        assert verify(file).exit_code == status
        assert verify(file, "--json").exit_code == status

    @pytest.mark.parametrize(
        ("verdict", "expected", "status"),
        [
            (Verdict.PROVED, "proved", 0),
            (Verdict.BOUNDED, "proved", 2),
            (Verdict.UNKNOWN, "proved", 2),
            (Verdict.REFUTED, "proved", 1),
            (Verdict.UNSUPPORTED, "proved", 3),
            (Verdict.PROVED, "refuted", 1),
            (Verdict.BOUNDED, "refuted", 2),
            (Verdict.UNKNOWN, "refuted", 2),
            (Verdict.REFUTED, "refuted", 0),
            (Verdict.UNSUPPORTED, "refuted", 3),
        ],
    )
    def test_of_one_report(self, verdict: Verdict, expected: str, status: int) -> None:
        assert exit_status([report(verdict, expected)]) == status

    def test_the_worst_counts(self) -> None:
        proved, unknown = report(Verdict.PROVED), report(Verdict.UNKNOWN)
        refuted, unsupported = report(Verdict.REFUTED), report(Verdict.UNSUPPORTED)
        assert exit_status([]) == 0
        assert exit_status([proved, unknown]) == 2
        assert exit_status([refuted, unknown]) == 1
        assert exit_status([unknown, refuted]) == 1
        assert exit_status([unsupported, refuted, unknown]) == 3


class TestBadInput:
    @pytest.mark.parametrize(
        "source", [None, "", "x = (", "1 / 0", HEAD + "@mechanism(4)\ndef f(): ..."]
    )
    @pytest.mark.parametrize("option", ["--json", "--format=table"])
    def test_one_message_and_no_partial_answer(
        self, file: Path, source: str | None, option: str
    ) -> None:
        fine = file.with_name("fine.py")
        fine.write_text(HEAD + good("fine"))
        if source is not None:
            file.write_text(source)
        result = verify(file, option)
        assert result.exit_code == 3
        if source is None or "mechanism" not in source:
            assert result.stdout == ""
            assert result.stderr.startswith("Error: own.py:")
            assert len(re.findall("^Error: ", result.stderr, re.MULTILINE)) == 1
        assert "Traceback" not in result.stderr
        beside = verify(fine, file, option)
        assert beside.exit_code == 3
        assert ("proved" in beside.stdout) == bool(source), beside.stdout
        assert "Traceback" not in beside.stderr

    def test_near_name(self, file: Path) -> None:
        file.write_text(HEAD + good("noisy_count"))
        result = verify("own.py::noisy_cuont")
        assert result.exit_code == 3
        assert "did you mean 'noisy_count'?" in result.stderr

    @pytest.mark.parametrize(
        "arguments", [["--bogus"], ["--format", "xml"], ["--replay", "-1"], ["--replay", "x"]]
    )
    def test_options(self, arguments: list[str]) -> None:
        result = verify(*arguments)
        assert result.exit_code == 3
        assert result.stdout == ""

    def test_commands(self) -> None:
        assert CliRunner().invoke(main, ["prove"]).exit_code == 3
        assert CliRunner().invoke(main, ["--version"]).output.startswith("shiftproof, version ")
        assert CliRunner().invoke(main, ["--help"]).exit_code == 0

    def test_a_fault_of_ours_is_no_verdict(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fault(run: bool) -> None:
            raise RuntimeError("ours")

        monkeypatch.setattr("shiftproof.workspace.targets.gallery", fault)
        result = verify("--gallery")
        assert result.exit_code == 70
        assert "please report it" in result.stderr


class TestTable:
    def test_says_everything(self, file: Path) -> None:
        file.write_text(HEAD + good("fine") + weak("weak") + weak("known", REFUTED) + UNSUPPORTED)
        text = verify(file).stdout
        head = text.splitlines()[0]
        assert head.split() == ["mechanism", "verdict", "sizes", "proved", "ε", "time"]
        assert "  claim      DP with ε = eps; x − x′ ∈ [-1, 1]\n  if         eps > 0\n" in text
        assert "  alignment  noise (line 5): x - other(x)\n" in text
        assert text.count("expected   to be refuted: met") == 1
        table, _, below = re.split(r"\n\S+\.py:\d+: (weak: refuted)\n", text)
        assert [line.split()[:4] for line in table.splitlines() if line.startswith("fine")] == [
            ["fine", "proved", "all", "eps"]
        ]
        assert below.startswith("  at eps = ln 2\n  D: x = ")
        assert "  ratio 4 > e^ε = 2; log ratio 1.38629436112 nats, claimed 0.69314718056\n" in below
        assert "own.py:11:5: " not in below  # where the alignment fails matters no more
        assert str(file) not in text
        assert "strange: unsupported\n  own.py:" in below
        assert '      return eval("x") + noise\n' in below
        assert "             ^^^^^^^^^\n" in below
        assert text.splitlines()[-1] == "1 proved, 2 refuted, 1 unsupported; 2 not as expected"

    def test_what_is_open_says_why(self, file: Path) -> None:
        file.write_text(HEAD + OPEN + OPEN.replace("DP()", "DP()" + REFUTED).replace("open", "op"))
        text = verify(file).stdout
        below = re.split(r"\n\S+\.py:\d+: open_one: unknown\n", text)[1]
        assert below.startswith("  own.py:7:5: the annotated alignment fails on 'same output'")
        assert "  no counterexample found: " in below
        assert text.count("expected   to be refuted: not met") == 1

    @pytest.mark.parametrize("columns", ["1", "60", "80", "200"])
    def test_fits(self, file: Path, columns: str) -> None:
        long = "a_mechanism_with_a_name_that_is_longer_than_any_column_of_the_table"
        file.write_text(HEAD + good(long) + weak("weak"))
        lines = verify(file, COLUMNS=columns).stdout.splitlines()
        assert max(map(len, lines)) <= max(60, int(columns))
        assert any("proved" in line.split() for line in lines[2:5])
        assert not any("…" in line for line in lines)

    def test_unsupported_is_not_cut_in_narrow_terminals(self, file: Path) -> None:
        file.write_text(HEAD + UNSUPPORTED)
        assert "strange            unsupported  " in verify(file, COLUMNS="60").stdout

    def test_shows_brackets_as_they_are(self) -> None:
        odd = Report(
            "m[red]", "m.py", 1, "f[i] [bold]", ("T[0] > 0",), Verdict.PROVED, "proved",
            alignment={"noise": "f[i]"}, reasons=("", "a[0]\n  b[1]"),
        )  # fmt: skip
        text = rendered(of_reports([odd]), "text")
        for part in ("m[red]", "f[i] [bold]", "T[0] > 0", "noise: f[i]", "a[0]", "b[1]"):
            assert part in text

    def test_file_names_are_relative(self, file: Path) -> None:
        here = file.parent
        assert shortened(f"{here}/a.py:1: x") == "a.py:1: x"
        assert shortened(f"see {here}/b/a.py") == "see b/a.py"
        assert shortened(f"/other{here}/a.py") == f"/other{here}/a.py"
        assert shortened(f"{here}: no") == f"{here}: no"

    def test_replays(self, file: Path) -> None:
        file.write_text(HEAD + good("fine"))
        assert verify(file, "--replay", 5, "--import").exit_code == 0
        refused = verify(file, "--replay", 5)
        assert refused.exit_code == 3 and refused.stdout == ""
        assert refused.stderr.splitlines()[-1].startswith("Error: --replay runs the real functions")
