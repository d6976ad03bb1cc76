"""``shiftproof check``: what it says of certificates and of sources that changed, exit status."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof.checkers import kernel
from shiftproof.commands.cli import main
from shiftproof.showing.formats import FORMATS

HEAD = "from collections.abc import Iterator\n"
HEAD += "from shiftproof import DP, Count, Counts, Epsilon, Laplace, mechanism, sample\n"
FINE = """
@mechanism(DP())
def fine(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
LOOP = """
@mechanism(DP())
def above(f: Counts, eps: Epsilon) -> Iterator[bool]:
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= 3 + lift:
            yield True
            return
        yield False
"""
WEAK = """
@mechanism(DP(), expect="refuted")
def weak(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return x + noise
"""


#: The files of the kernel that a table of what is trusted has to name.
FOLDER = Path(next(iter(kernel.__path__)))
KERNEL = {
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.rglob("*.py")
    if not path.stem.startswith("__")
}


def check(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, ["check", *map(str, arguments)])


def standings(result: Result) -> dict[str, str]:
    return {r["mechanism"]: r["standing"] for r in json.loads(result.stdout)}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The certificates of a file ``own.py`` next to their folder, by their names."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "own.py").write_text(HEAD + FINE + LOOP + WEAK)
    result = CliRunner().invoke(
        main, ["verify", str(folder / "own.py"), "--certificates", str(folder / "proofs")]
    )
    assert result.exit_code == 0, result.output
    found = {path.name: path.read_bytes() for path in (folder / "proofs").iterdir()}
    assert set(found) == {"own.fine.json", "own.above.json", "own.weak.json"}
    return found


@pytest.fixture
def proofs(certificates: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "proofs"
    folder.mkdir()
    for name, data in certificates.items():
        (folder / name).write_bytes(data)
    (tmp_path / "own.py").write_text(HEAD + FINE + LOOP + WEAK)
    monkeypatch.chdir(tmp_path)
    return folder


def edit(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


class TestSources:
    def test_as_they_are(self, proofs: Path) -> None:
        for source in ([], ["--source", "own.py"], ["--source", "."]):
            result = check(proofs, *source, "--format", "json")
            assert set(standings(result).values()) == {"valid"}
            assert result.exit_code == 0
            assert {r["file"] for r in json.loads(result.stdout)} <= {"own.py", "proofs/../own.py"}

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            (FINE.replace("1 / eps", "2 / eps"), "obsolete"),
            (FINE.replace("DP()", 'DP("add-remove")'), "obsolete"),
            (FINE.replace("fine", "renamed"), "obsolete"),
            (LOOP, "obsolete"),
            ("", "obsolete"),
            ("\nx = (\n", "obsolete"),
            (FINE.replace(" / ", "/") + "# a remark\n\n", "valid"),
            (
                '"""A text."""\n\n\n' + FINE.replace("    noise", '    """What."""\n    noise'),
                "valid",
            ),
            (FINE.replace("sample(Laplace(1 / eps))", "sample(\n    Laplace(1 / eps)\n)"), "valid"),
        ],
    )
    @pytest.mark.parametrize("given", [True, False], ids=["--source", ""])
    def test_after_a_change(self, proofs: Path, text: str, answer: str, given: bool) -> None:
        Path("own.py").write_text(HEAD + text)
        arguments = ["--source", "own.py"] if given else []
        result = check(proofs / "own.fine.json", *arguments, "--format", "json")
        assert standings(result) == {"fine": answer}
        assert result.exit_code == (0 if answer == "valid" else 2)
        (record,) = json.loads(result.stdout)
        assert bool(record["reasons"]) == (answer == "obsolete")

    def test_gone(self, proofs: Path) -> None:
        Path("own.py").unlink()
        result = check(proofs, "--format", "json")
        assert set(standings(result).values()) == {"obsolete"} and result.exit_code == 2
        assert "own.py is gone" in result.stdout
        assert check(proofs, "--source", "own.py").exit_code == 3

    def test_a_folder_in_which_the_mechanism_has_moved(self, proofs: Path) -> None:
        folder = Path("elsewhere/deeper")
        folder.mkdir(parents=True)
        (folder / "a.py").write_text(HEAD + LOOP)
        (folder / "b.py").write_text(HEAD + WEAK + FINE)
        (folder / "broken.py").write_text("(")
        result = check(proofs, "--source", "elsewhere", "--format", "json")
        assert set(standings(result).values()) == {"valid"} and result.exit_code == 0

    def test_two_of_one_name(self, proofs: Path) -> None:
        """One of them is the certificate's."""
        Path("other.py").write_text(HEAD + FINE.replace("1 / eps", "2 / eps"))
        one = proofs / "own.fine.json"
        assert check(one, "--source", "other.py", "--source", "own.py").exit_code == 0
        assert check(one, "--source", "other.py").exit_code == 2

    def test_nothing_is_executed(self, proofs: Path) -> None:
        trap = f"\nprint(open({str(Path.cwd() / 'executed')!r}, 'w'))\n"
        Path("own.py").write_text(HEAD + trap + FINE + LOOP + WEAK)
        for name in ("conftest.py", "sitecustomize.py", "proofs/__init__.py"):
            Path(name).write_text(trap)
        certificate = json.loads((proofs / "own.fine.json").read_text())
        edit(proofs / "own.fine.json", program=[*trap.split("\n"), *certificate["program"]])
        for source in ([], ["--source", "own.py"], ["--source", "."]):
            result = check(proofs, *source, "--format", "json")
            assert standings(result)["above"] == standings(result)["weak"] == "valid", result.stdout
            assert standings(result)["fine"] == "invalid"
        assert not Path("executed").exists()


class TestEdited:
    def test_what_fails_and_where(self, proofs: Path) -> None:
        path = proofs / "own.fine.json"
        part = json.loads(path.read_text())["parts"][0]
        edit(path, parts=[part | {"shifts": ["0"]}])
        result = check(proofs, "--format", "json")
        assert standings(result) == {"fine": "invalid", "above": "valid", "weak": "valid"}
        assert result.exit_code == 1
        (reason,) = next(r for r in json.loads(result.stdout) if r["mechanism"] == "fine")[
            "reasons"
        ]
        assert reason.startswith("own.py:7:5: same output: the released values are equal: there is")
        assert re.search(r" \(line 4 of the core text, question \d\)$", reason)

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("costs", {"eps": "1/2"}, "cost: the shifts cost at most their bound in eps"),
            ("costs", {"eps": "2"}, "cost: the shifts cost at most the budget"),
            (
                "costs",
                {},
                "own.py:6:5: a cost of which the certificate has no rate (line 3 of the ",
            ),
            ("relation", {}, "the relation is not the one of policy and inputs: {'inputs': "),
            ("case", "removed", "the cases are not those of the neighbour relation"),
            ("shifts", [], "0 shifts for 1 draws"),
            ("shifts", ["as written"], "'as written' cannot be read"),
            ("shifts", ["x - y"], "'y' has no value here"),
            ("trees", [], "eps is not negative: there is no proof of it"),
            ("trees", ["f 0"] * 3, "eps is not negative: a sum of facts is not false"),
            ("ensures", [3], "the one-sided claims are not those that the parts prove"),
        ],
    )
    def test_one_field(self, proofs: Path, field: str, value: object, said: str) -> None:
        path = proofs / "own.fine.json"
        edit(path, parts=[json.loads(path.read_text())["parts"][0] | {field: value}])
        result = check(path, "--format", "json")
        assert standings(result) == {"fine": "invalid"} and result.exit_code == 1
        assert said in json.loads(result.stdout)[0]["reasons"][0]

    def test_an_invariant(self, proofs: Path) -> None:
        path = proofs / "own.above.json"
        part = json.loads(path.read_text())["parts"][0]
        (head,) = part["heads"]
        said = "i·1 >= 1"
        edit(path, parts=[part | {"heads": [head | {"invariants": [said]}]}])
        (record,) = json.loads(check(path, "--format", "json").stdout)
        assert record["standing"] == "invalid"
        assert any(f"loop invariant: {said}" in reason for reason in record["reasons"])

    def test_refutations(self, proofs: Path) -> None:
        path = proofs / "own.weak.json"
        found = json.loads(path.read_text())["counterexample"]
        edit(path, counterexample=found | {"on_left": {"low": "3/4", "high": "3/4"}})
        result = check(path, "--format", "json")
        assert standings(result) == {"weak": "invalid"} and result.exit_code == 1

    def test_the_worst_decides_the_status(self, proofs: Path) -> None:
        Path("own.py").write_text(HEAD + FINE)
        assert check(proofs).exit_code == 2
        (proofs / "bad.json").write_text("{}")
        assert check(proofs).exit_code == 3
        edit(proofs / "own.fine.json", claim="ε = 0")
        assert check(proofs).exit_code == 1


class TestPlaces:
    def test_nothing_there(self, proofs: Path, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for arguments in (["empty"], ["nowhere.json"], ["--solver", "z3"], ["--source", "nowhere"]):
            result = check(*arguments)
            assert result.exit_code == 3 and result.stdout == "", arguments
            assert result.stderr.startswith(("Error", "Usage"))

    def test_one_certificate_twice(self, proofs: Path) -> None:
        path = proofs / "own.fine.json"
        assert len(json.loads(check(path, proofs, path, "--format", "json").stdout)) == 3

    @pytest.mark.parametrize("form", FORMATS)
    def test_formats(self, proofs: Path, form: str) -> None:
        edit(proofs / "own.fine.json", claim="ε = 0")
        result = check(proofs, "--format", form)
        assert result.exit_code == 1 and "Traceback" not in result.output
        assert form in ("github", "sarif") or "above" in result.stdout
        assert "the claim is not that of the program" in result.stdout

    @pytest.mark.parametrize("options", [(), ("--json",), ("--source", ".")])
    def test_no_place_is_an_error(self, options: tuple[str, ...]) -> None:
        result = check(*options)
        assert result.exit_code == 3 and result.stdout == ""
        assert "nothing is named" in result.stderr and "--gallery" in result.stderr

    def test_the_trusted_base(self) -> None:
        result = check("--trusted-base")
        assert result.exit_code == 0
        for name in KERNEL:
            assert f"  {name}: " in result.stdout
        said = [int(line.split()[0]) for line in result.stdout.split("\n") if ".py: " in line]
        assert len(said) == len(KERNEL) and f"{sum(said):>6}  in all" in result.stdout

    def test_the_kernel_as_one_file(self, proofs: Path) -> None:
        """Python runs it with nothing else, and it says of each file what it proves."""
        Path("kernel.py").write_text(check("--standalone").stdout, encoding="utf-8")
        files = ["proofs/own.fine.json", "proofs/own.above.json", "proofs/own.weak.json"]
        said = subprocess.run(
            [sys.executable, "-I", "-S", "kernel.py", *files], capture_output=True, text=True
        )
        assert said.returncode == 1
        assert said.stdout.count(": proved, ") == 2 and "noise = sample(Laplace" in said.stdout
        assert said.stderr.startswith("proofs/own.weak.json: not proved: ")
