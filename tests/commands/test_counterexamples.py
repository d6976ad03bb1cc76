"""``shiftproof refute``, ``recompute`` and ``bound``: exit status, files, and bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import shiftproof
from shiftproof import comparison_from_json, one_mechanism, recompute
from shiftproof.commands.cli import main

HEAD = (
    "from shiftproof import ADP, DP, Count, Epsilon, Laplace, Policy, Public, mechanism, sample\n"
)
NOISY = """
@mechanism({privacy})
def {name}({inputs}x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale} / eps))
    return x + noise
"""
TYPESET = "asymmetric_sparse_vector_typeset"


def noisy(name: str, scale: str = "1", inputs: str = "", privacy: str = "DP()") -> str:
    return NOISY.format(name=name, scale=scale, inputs=inputs, privacy=privacy)


def call(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, list(map(str, arguments)))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.py"


@pytest.fixture
def saved(file: Path) -> Path:
    file.write_text(HEAD + noisy("weak", "0.5"))
    assert call("refute", "own.py", "--save", "found.json").exit_code == 1
    return file.with_name("found.json")


def is_one_line(result: Result) -> bool:
    """An error, its status, and nothing else."""
    lines = result.stderr.splitlines()
    one = len(lines) == 1 and lines[0].startswith("Error: ")
    return one and result.exit_code == 3 and result.stdout == ""


class TestRefute:
    def test_says_what_was_found(self, file: Path) -> None:
        file.write_text(HEAD + noisy("weak", "0.5") + noisy("fine"))
        result = call("refute", "own.py")
        assert result.exit_code == 1 and result.stderr == ""
        first, second = result.stdout.split("\n\n")
        assert re.match(r"weak: refuted\n  claim +DP .*\n  at +eps = ln 2\n  D +x = ", first)
        assert "4 > e^ε = 2; log ratio 1.38629436112 nats, claimed 0.69314718056" in first
        assert second.startswith("fine: no counterexample found, which proves nothing\n")
        assert "1 times the claimed ε" in second
        assert call("refute", "own.py::fine").exit_code == 0
        assert call("refute", "own.py::weak", "own.py::fine").exit_code == 1
        assert call("refute", "laplace").stdout.startswith("laplace: no counterexample found")

    @pytest.mark.parametrize(
        ("given", "epsilon", "public"),
        [
            (["eps=ln 2", "c=2"], "ln 2", {"c": 2}),
            (["eps=2 ln 2"], "2 ln 2", {}),
            (["eps = 2*ln(2)", "c=1"], "2 ln 2", {"c": 1}),
            (["eps=ln 2 / 4"], "1/4 ln 2", {}),
            (["eps=0.5", "T=3,4,5", "c=2"], "1/2", {"c": 2, "T": ["3", "4", "5"]}),
            (["eps=1/3"], "1/3", {}),
        ],
    )
    def test_keeps_what_is_set(
        self, given: Sequence[str], epsilon: str, public: dict[str, Any]
    ) -> None:
        settings = [part for text in given for part in ("--set", text)]
        result = call("refute", TYPESET, *settings, "--json")
        assert result.exit_code == 1
        (found,) = json.loads(result.stdout)
        assert found["epsilon"] == {"eps": epsilon}
        assert found["public"] | public == found["public"]

    def test_json_and_a_saved_file_are_the_same(self, file: Path) -> None:
        result = call("refute", TYPESET, "--set", "eps=ln 2", "--save", "a.json", "--json")
        (found,) = json.loads(result.stdout)
        text = Path("a.json").read_bytes()
        assert json.loads(text) == found
        comparison = comparison_from_json(text)
        assert comparison == comparison_from_json(json.dumps(found)) and comparison.ratio == 4
        assert comparison.target.endswith(f"incorrect_asymmetric::{TYPESET}")
        assert recompute(comparison, one_mechanism(comparison.target)) == comparison

    def test_no_counterexample_writes_no_file(self, file: Path) -> None:
        result = call("refute", "laplace", "--json", "--save", "a.json", "--write-test", "a.py")
        assert result.exit_code == 0 and json.loads(result.stdout) == []
        assert list(file.parent.iterdir()) == []

    @pytest.mark.parametrize(
        "given",
        ["x=1", "T=1", "eps", "eps=ln 3", "eps=", "eps=0", "eps=-ln 2", "eps=nan", "eps=1/0"],
    )
    @pytest.mark.parametrize("command", ["refute", "bound"])
    def test_wrong_settings(self, file: Path, command: str, given: str) -> None:
        file.write_text(HEAD + noisy("weak", "0.5"))
        result = call(command, "own.py", "--set", given)
        assert is_one_line(result), result.output
        assert given.partition("=")[0] in result.stderr

    @pytest.mark.parametrize("option", ["--save", "--write-test"])
    @pytest.mark.parametrize("place", ["missing/a.json", "folder"])
    def test_what_cannot_be_written(self, file: Path, option: str, place: str) -> None:
        file.write_text(HEAD + noisy("weak", "0.5"))
        Path("folder").mkdir()
        result = call("refute", "own.py", option, place)
        assert is_one_line(result) and f"{place}: cannot be written: " in result.stderr
        assert {p.name for p in file.parent.iterdir()} == {"own.py", "folder"}
        assert not list(Path("folder").iterdir())

    def test_a_failed_write_leaves_the_old_file(
        self, saved: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = saved.read_bytes()

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
        result = call("refute", "own.py", "--save", saved)
        assert is_one_line(result) and "No space left on device" in result.stderr
        assert saved.read_bytes() == before
        assert {p.name for p in saved.parent.iterdir()} == {"own.py", "found.json"}

    @pytest.mark.parametrize(
        "arguments",
        [[], ["laplace", "geometric", "--save", "a.json"], ["laplace", "--effort", "0"], ["--x"]],
    )
    def test_wrong_options(self, file: Path, arguments: list[str]) -> None:
        result = call("refute", *arguments)
        assert result.exit_code == 3 and result.stdout == "" and "Error: " in result.stderr
        assert list(file.parent.iterdir()) == []

    @pytest.mark.parametrize("command", ["refute", "bound"])
    def test_what_is_unsupported(self, file: Path, command: str) -> None:
        file.write_text(HEAD + noisy("odd").replace("x + noise", "eval('x') + noise"))
        result = call(command, "own.py")
        assert result.exit_code == 3 and result.stdout == ""
        assert result.stderr.startswith("Error: own.py:6:12: ")
        assert "Traceback" not in result.stderr


class TestRecompute:
    def test_still_or_no_longer(self, file: Path, saved: Path) -> None:
        result = call("recompute", saved)
        assert result.exit_code == 1 and result.stderr == ""
        assert re.match(r"weak: still refuted\n  claim +DP .*\n  at +eps = ln 2\n", result.stdout)
        assert "are not those that were saved" not in result.stdout
        file.write_text(HEAD + noisy("weak", "0.75"))
        result = call("recompute", saved)
        assert result.exit_code == 1 and "are not those that were saved" in result.stdout
        file.write_text(HEAD + noisy("weak"))
        result = call("recompute", saved)
        assert result.exit_code == 0
        assert result.stdout.startswith("weak: no longer refuted\n")
        assert "\nthe mechanism, or its " in result.stdout

    @pytest.mark.parametrize(
        ("released", "said"),
        [
            ("int(x) + 0 * x", "0 on D, 0 on D′"),  # a number of another type, on both
            ("x + 5 * x + more", "0 on D, "),
            ("5 - 5 * x + more", " on D, 0 on D′"),
        ],
    )
    @pytest.mark.parametrize("option", [[], ["--json"]])
    def test_what_is_impossible_now(
        self, file: Path, saved: Path, released: str, said: str, option: list[str]
    ) -> None:
        """On neither, on D, or on D' alone: only the last one is a counterexample."""
        found = json.loads(saved.read_bytes())
        found["left"], found["right"] = {"x": 1}, {"x": 0}
        found["outcome"] = [{"kind": "real", "value": "3"}]
        saved.write_text(json.dumps(found))
        text = noisy("weak").replace("    return x + noise", f"    return {released}")
        text = text.replace("    return", "    more = sample(Exponential(1 / eps))\n    return")
        file.write_text(HEAD.replace("Epsilon,", "Epsilon, Exponential,") + text)
        result = call("recompute", saved, *option)
        infinite = said.startswith(" on D")
        assert result.exit_code == (1 if infinite else 0), result.output
        if not option:
            assert said in result.stdout
            assert bool(re.search("ratio +infinite", result.stdout)) == infinite
            assert ("still refuted" in result.stdout) == infinite

    def test_json(self, saved: Path) -> None:
        result = call("recompute", saved, "--json")
        assert result.exit_code == 1
        assert json.loads(result.stdout) == json.loads(saved.read_bytes())

    def test_a_mechanism_that_has_moved(self, file: Path, saved: Path) -> None:
        file.rename(file.with_name("moved.py"))
        assert is_one_line(call("recompute", saved))
        assert call("recompute", saved, "--target", "moved.py").exit_code == 1
        assert call("recompute", saved, "--target", "laplace").exit_code == 3
        result = call("recompute", saved, "--target", "moved.py::weka")
        assert is_one_line(result) and "did you mean 'weak'?" in result.stderr

    def test_other_inputs(self, file: Path, saved: Path) -> None:
        file.write_text(HEAD + noisy("weak", "0.5", "T: Public[float], "))
        result = call("recompute", saved)
        assert is_one_line(result)
        assert "its inputs are T, x, eps; the counterexample is about eps, x" in result.stderr

    def test_no_neighbours_any_more(self, file: Path, saved: Path) -> None:
        found = json.loads(saved.read_bytes())
        policy = "{0}" if found["left"] == {"x": 1} else "{1}"
        file.write_text(HEAD + noisy("weak", "0.5", privacy=f"ADP(Policy({policy}))"))
        result = call("recompute", saved)
        assert is_one_line(result) and "no neighbours" in result.stderr

    def test_an_epsilon_that_must_be_a_number_now(self, file: Path, saved: Path) -> None:
        """What was a power of two is none any more."""
        other = "    more = sample(Laplace(3))\n    return x + noise + more\n"
        file.write_text(HEAD + noisy("weak", "0.5").replace("    return x + noise\n", other))
        assert is_one_line(call("recompute", saved))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (b"", "this is no saved counterexample: "),
            (b"[]", "Expected `object`, got `array`"),
            (b"{}", "missing required field"),
            (b"\xff\xfe", "this is no saved counterexample: "),
            (None, "cannot be read: No such file or directory"),
        ],
    )
    def test_no_saved_counterexample(self, file: Path, text: bytes | None, message: str) -> None:
        if text is not None:
            file.with_name("a.json").write_bytes(text)
        result = call("recompute", "a.json")
        assert is_one_line(result) and result.stderr.startswith("Error: a.json: ")
        assert message in result.stderr

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("version", 2),
            ("version", "1"),
            ("extra", 1),
            ("outcome", None),
            ("outcome.0.kind", "complex"),
            ("outcome.0.value", "abc"),
            ("outcome.0.value", "1/0"),
            ("outcome.0.value", None),
            ("left.x", "abc"),
            ("left.x", 1.5),
            ("left.x", None),
            ("left.x", [1]),
            ("left.x", [[1]]),
            ("left.y", 1),
            ("left.x", 3),
            ("left.x", -1),
            ("right", {}),
            ("right.x", [0]),
            ("epsilon.eps", "ln 3"),
            ("epsilon.eps", "0"),
            ("epsilon.eps", "1/0"),
            ("target", ""),
            ("target", "nowhere"),
            ("target", "laplace"),
            ("ending", "never"),
        ],
    )
    def test_a_broken_file(self, saved: Path, path: str, value: Any) -> None:
        found = json.loads(saved.read_bytes())
        *folder, last = [int(p) if p.isdecimal() else p for p in path.split(".")]
        place = found
        for part in folder:
            place = place[part]
        place[last] = value
        saved.write_text(json.dumps(found))
        result = call("recompute", saved)
        if path == "target" and value == "laplace":
            assert "is about weak, not about laplace" in result.stderr
        assert is_one_line(result), result.output


class TestWrittenTest:
    def run(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """Pytest in a process of its own, somewhere else."""
        environment = {**os.environ, "PYTHONPATH": str(Path(shiftproof.__file__).parents[1])}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
            capture_output=True, text=True, env=environment, cwd=folder.parent,
        )  # fmt: skip

    def test_fails_until_the_mechanism_is_mended(self, file: Path) -> None:
        folder = file.parent / "checks"
        folder.mkdir()
        file.write_text(HEAD + noisy("weak", "0.5") + noisy("fine"))
        written = folder / "test_found.py"
        result = call("refute", "own.py", TYPESET, "--write-test", written)
        assert result.exit_code == 1
        assert "weak_withstands" in written.read_text() and "fine" not in written.read_text()
        failing = self.run(folder)
        assert failing.returncode == 1 and "2 failed" in failing.stdout, failing.stdout
        assert "ratio 4 > e^ε = 2; log ratio 1.38629436112 nats, claimed" in failing.stdout
        file.write_text(HEAD + noisy("weak") + noisy("fine"))
        mended = self.run(folder)
        assert "1 failed, 1 passed" in mended.stdout
        assert f"FAILED {folder.name}/test_found.py::test_{TYPESET}_withstands" in mended.stdout


class TestBound:
    def test_says_where_the_bounds_meet(self) -> None:
        result = call("bound", "laplace", "--set", "eps=1/2")
        assert result.exit_code == 0
        lines = result.stdout.splitlines()
        assert [re.sub("   +", "  ", line) for line in lines[:6]] == [
            "laplace: tight",
            "  claimed ε  eps",
            "  upper  ε ≤ eps, proved",
            "  lower  0.5 nats, 100 % of the proved ε there",
            "  tight  the bounds meet at these parameters, so no smaller ε holds",
            "  at  eps = 1/2",
        ]

    def test_json(self, file: Path) -> None:
        file.write_text(HEAD + noisy("weak", "0.5") + noisy("fine"))
        result = call("bound", "own.py", "sparse_vector_no_query_noise", "--json")
        weak, fine, raw = json.loads(result.stdout)
        assert weak["mechanism"] == "weak" and weak["epsilon_upper"] == "2*eps"
        assert weak["tight"] and not weak["infinite"]
        assert fine["epsilon_upper"] == fine["claimed"] == "eps" and fine["tight"]
        assert fine["comparison"]["log_ratio"] == fine["epsilon_lower"]
        assert raw["infinite"] and raw["epsilon_lower"] is None and raw["comparison"]["breaks"]

    def test_without_a_proof_of_the_claim(self, file: Path) -> None:
        file.write_text(HEAD + noisy("weak", "0.5"))
        text = call("bound", "own.py", "--set", "eps=ln 2").stdout
        assert "ε ≤ 2*eps, proved" in text
        assert re.search("  lower +1.38629436112 nats, 100 % of the proved", text)
        text = call("bound", "sparse_vector_no_query_noise").stdout
        assert re.search("  upper +no ε is proved\n  lower +infinite\n", text)
        assert "tight" not in text
