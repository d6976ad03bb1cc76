"""Each benchmark still runs, in a tiny size; the comparison prints what its page shows."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks import comparison
from benchmarks.comparison import tasks
from benchmarks.peer_mechanisms import ROWS
from benchmarks.peer_times import PUBLISHED_AUDITS
from benchmarks.table import Effort, Measured, Subject, Task, table
from tests.places import ROOT

PAGE = ROOT / "docs" / "comparison_figures.md"
#: A row of each task that takes little, and a cell that it must have.
CHEAP = {
    "prove": ("PartialSum", "proved, all sizes"),
    "refute": ("BadPartialSum", "refuted"),
    "check": ("PartialSum", "valid"),
    "audit": ("Laplace", "0.485"),
    "simulate": ("sparse vector, c = 1", "2.4 to 3"),
}
#: Threads are there sooner than processes.
AT_ONCE = {"worker_processes": ThreadPoolExecutor}


@pytest.fixture(autouse=True)
def same_cores() -> Iterator[None]:
    """Some benchmarks keep to one core; the tests after them need not."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cores)


def run(name: str, monkeypatch: pytest.MonkeyPatch, *arguments: str, **smaller: Any) -> None:
    """Run a benchmark as its command does, with some of its constants made smaller."""
    module = importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    for constant, value in smaller.items():
        monkeypatch.setattr(module, constant, value)
    module.main()


class TestEach:
    """The benchmarks one by one."""

    def test_prove(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("prove", monkeypatch, "--repeat", "1", "--most", "1000", "partial_sum", "warner")
        printed = capsys.readouterr().out
        assert re.search(r"^partial_sum +([0-9.]+ +){8}proved$", printed, re.MULTILINE)
        assert re.search(r"^warner +([0-9.]+ +){8}proved$", printed, re.MULTILINE)
        assert re.search(r"^partial_sum_half_noise .* refuted$", printed, re.MULTILINE)
        assert re.search(r"^partial_sum +PartialSum +3\.7 ", printed, re.MULTILINE)

    def test_prove_ends_badly_where_it_takes_too_long(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(SystemExit, match=r"that is more than 0\.001 times"):
            run("prove", monkeypatch, "--repeat", "1", "--most", "0.001", "partial_sum_half")

    def test_prove_what_there_is(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            run("prove", monkeypatch, "nonesuch")
        assert "begins with nonesuch" in capsys.readouterr().err

    def test_refute(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("refute", monkeypatch, "--repeat", "1", "--brackets", "partial_sum", LONG=5)
        printed = capsys.readouterr().out
        assert re.search(r"^partial_sum_half_noise +\d+ +\d+ +4 +2 +BadPartialSum", printed, re.M)
        assert re.search(r"^partial_sum +[0-9.]+ +eps +exactly", printed, re.MULTILINE)

    def test_check(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("check", monkeypatch, "--repeat", "1", "partial_sum", _cold=lambda arguments: 0.0)
        printed = capsys.readouterr().out
        assert "proofs, the kernel alone" in printed
        assert "refutations" in printed

    def test_audit(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("audit", monkeypatch, "--workers", "1", "--share", "0.0005", "Laplace", **AT_ONCE)
        assert "Laplace" in capsys.readouterr().out

    def test_audit_of_the_gallery(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ["--gallery", "--workers", "1", "--share", "0.005", "partial_sum_half"]
        run("audit", monkeypatch, *arguments, **AT_ONCE)
        assert "partial_sum_half_noise" in capsys.readouterr().out

    def test_calibrate(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cases = importlib.import_module("benchmarks.calibrated_mechanisms").cases
        small = replace(next(cases()), samples=1_000)
        with pytest.raises(SystemExit):
            run("calibrate", monkeypatch, "--audits", "1", cases=lambda: [small], **AT_ONCE)
        assert "all results together" in capsys.readouterr().out

    def test_simulate(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = importlib.import_module("benchmarks.simulate").ROWS[-1:]
        run("simulate", monkeypatch, "--repeat", "1", "--samples", "1000", ROWS=rows)
        assert "two-sided geometric" in capsys.readouterr().out

    def test_reconstruct(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ["--reports", "1000", "--em-limit", "5"]
        run("reconstruct", monkeypatch, *arguments, SETTINGS=[(100, 1.0, "em")])
        assert "peak MB" in capsys.readouterr().out

    def test_experiments(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ["--runs", "2", "--each", "2", "--workers", "1"]
        small = {"BASKETS": 50, "ITEMS": 200, "OCCURRENCES": 2_000}
        run("experiments", monkeypatch, *arguments, **small, **AT_ONCE)
        assert "200 items" in capsys.readouterr().out

    def test_libraries(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("libraries", monkeypatch, "wrong_seed_of_batches", "--samples", "3000")
        printed = capsys.readouterr().out
        assert re.search(r"^1 boxes in \d+ s: 1 as expected$", printed, re.MULTILINE), printed

    def test_deltas(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run("deltas", monkeypatch, "--runs", "20000", "--times", "1")
        printed = capsys.readouterr().out
        assert re.search(r"Laplace +0.5 +0.01  wrong +1, ", printed)
        assert re.search(r"Laplace +1 +0.01  right +0, ", printed)
        assert "histogram tester" not in printed

    def test_planted(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small = {"RUNS": (20_000,), "EVIDENCE": (20.0, 64.0)}
        run("planted", monkeypatch, "token", "--plants", "3", **small, **AT_ONCE)
        assert "token" in capsys.readouterr().out


class TestComparison:
    """``python -m benchmarks``."""

    @pytest.mark.parametrize("task", tasks(), ids=lambda task: task.name)
    def test_a_row_of_each(self, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(comparison, "SAMPLES", 1_000)
        row, cell = CHEAP[task.name]
        (subject,) = (s for s in task.subjects if s.name == row)
        with ThreadPoolExecutor(1) as executor:
            cells = subject.measure(Effort(1, 0.0005, executor))
        assert 1 + len(cells) == len(task.heads)
        assert cell in cells

    @pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
    def test_the_page_has_the_rows_of_today(self) -> None:
        sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
        assert [text.partition("\n")[0] for text in sections] == [t.title for t in tasks()]
        for task, section in zip(tasks(), sections, strict=True):
            lines = [re.split(r" *\| *", line) for line in section.splitlines() if line[:1] == "|"]
            shown = [(cells[1], len(cells) - 2) for cells in lines]
            count = len(task.subjects)
            assert lines[0][1:-1] == list(task.heads)
            assert shown[2 : 2 + count] == [(s.name, len(task.heads)) for s in task.subjects]
            assert section.rstrip().endswith(task.notes.rstrip())

    def test_published_audits_are_those_of_the_rows(self) -> None:
        assert list(PUBLISHED_AUDITS) == [row.name for row in ROWS]

    def test_each_row_has_a_name_of_its_own(self) -> None:
        for task in tasks():
            assert len({subject.name for subject in task.subjects}) == len(task.subjects)

    def test_all_of_it(
        self, two: list[Task], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "page.md"
        assert command.main(["--quick", "--write", str(file)]) == 0
        printed, progress = capsys.readouterr()
        assert file.read_text(encoding="utf-8") == printed
        assert "| slow   | 2 s |" in printed
        assert "python -m benchmarks --quick" in printed
        assert progress.splitlines() == ["one 1/1: fast", "two 1/2: slow", "two 2/2: slower"]

    def test_a_part(self, two: list[Task], capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["--only", "one"]) == 0
        assert "## Two" not in capsys.readouterr().out

    def test_interrupted(
        self,
        two: list[Task],
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def stop(effort: Effort) -> tuple[str, ...]:
            raise KeyboardInterrupt

        whole = Task("two", "Two", ("what", "s"), "", [two[1].subjects[0], Subject("no", stop)])
        monkeypatch.setattr(command, "tasks", lambda: [two[0], whole])
        file = tmp_path / "page.md"
        assert command.main(["--write", str(file)]) == 130
        printed, progress = capsys.readouterr()
        assert "| slow | 2 s |" in printed
        assert "nothing was written" in progress
        assert not file.exists()

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--only", "one", "--write", "page.md"], "leave out --only"),
            (["--write", "nowhere/page.md"], "there is no folder nowhere"),
        ],
    )
    def test_bad_input(
        self,
        two: list[Task],
        arguments: list[str],
        said: str,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert command.main(arguments) == 3
        printed, progress = capsys.readouterr()
        assert (printed, progress.count("\n")) == ("", 1)
        assert said in progress

    def test_no_such_part(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            command.main(["--only", "prove,guess"])
        assert "got 'guess'; want some of prove, refute" in capsys.readouterr().err

    @pytest.fixture
    def two(self, monkeypatch: pytest.MonkeyPatch) -> list[Task]:
        """Two tasks that cost nothing."""
        found = [
            Task("one", "One", ("what", "s"), "Seconds.", [Subject("fast", lambda _: ("1 s",))]),
            Task(
                "two", "Two", ("what", "s"), "Seconds.",
                [Subject("slow", lambda _: ("2 s",)), Subject("slower", lambda _: ("3 s",))],
            ),
        ]  # fmt: skip
        monkeypatch.setattr(command, "tasks", lambda: found)
        return found


def test_table() -> None:
    assert table(("name", "ε"), [("a longer one", "0.5"), ("b", "")]).splitlines() == [
        "| name         |   ε |",
        "| :----------- | --: |",
        "| a longer one | 0.5 |",
        "| b            |     |",
    ]


def test_section() -> None:
    task = Task("one", "One", ("what", "s"), "Seconds.", [])
    assert Measured(task, [("fast", "1")]).section() == (
        "## One\n\n| what |   s |\n| :--- | --: |\n| fast |   1 |\n\nSeconds.\n"
    )
