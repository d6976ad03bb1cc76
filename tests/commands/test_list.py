"""``shiftproof list``: the gallery, told from its text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.cli import main
from shiftproof.dsl.errors import did_you_mean
from shiftproof.workspace.gallery_index import gallery_index
from shiftproof.workspace.targets import gallery, resolve
from tests.commands.test_laziness import command, loaded


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["list", *arguments])


def test_the_index_is_the_gallery() -> None:
    read = [
        (m.function.__name__, m.expect, Path(m.location.file), m.location.line) for m in gallery()
    ]
    assert [(e.name, e.expected, e.file, e.line) for e in gallery_index()] == read


def test_targets_are_targets() -> None:
    for entry in gallery_index()[::25]:
        (mechanism,) = resolve(entry.target)
        assert mechanism.function.__name__ == entry.name


def test_policies_and_budgets_are_written_out() -> None:
    claims = {entry.name: entry.claim for entry in gallery_index()}
    assert claims["asymmetric_sparse_vector"] == "ADP(Policy(sensitive={1}))"
    assert claims["general_sparse_vector"] == "DP() with ε = eps1 + eps2 + eps3"
    written_out = {str(m.privacy) for m in gallery()} & set(claims.values())
    assert {"ADP(Policy(sensitive={0}))", "Blowfish(close)"} <= written_out


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "K = 2\nbad = 1\n"
        "@other\n@mechanism(LDP(K), budget=lambda e: K * e, expect='refuted')\n"
        'def first(x):\n    """Says\n    something.\n\n    More.\n    """\n'
        "@mechanism\ndef no_call(x): pass\n@other(1)\ndef no_mechanism(x): pass\n"
        "@mechanism(DP())\ndef second(x): pass\n"
    )
    first, second = gallery_index(tmp_path)
    assert (first.name, first.line, first.expected) == ("first", 4, "refuted")
    assert (first.claim, first.summary) == ("LDP(2) with ε = K * e", "Says something.")
    assert (second.claim, second.expected, second.summary) == ("DP()", "proved", "")


class TestText:
    def test_all(self) -> None:
        lines = run().output.splitlines()
        number = len(gallery_index())
        assert lines[-1] == f"{number} of {number} mechanisms"
        assert "laplace.py" in lines
        assert sum(line.startswith("  ") for line in lines) == number

    def test_what_is_looked_for_is_described(self) -> None:
        result = run("truncated geometric RESPONSE")
        assert "  truncated_geometric_response " in result.output
        assert result.output.splitlines()[-1].startswith("2 of ")
        assert "\n    " in result.output

    def test_filters(self) -> None:
        proved, fallen = run("--proved").output, run("--refuted").output
        assert " refuted " not in proved and " proved " in proved
        assert " proved " not in fallen and " refuted " in fallen
        assert "laplace_parallel" in proved

    def test_nothing_left_is_no_error(self) -> None:
        result = run("--refuted", "numeric_sparse_vector")
        assert (result.exit_code, result.output.splitlines()[-1][:5]) == (0, "0 of ")

    @pytest.mark.parametrize(
        ("text", "hint"),
        [
            ("sparce", "did you mean 'sparse'?"),
            ("numeric_sparse_vektor", "did you mean 'numeric_sparse_vector'?"),
            ("qqqqqq", "shiftproof list shows all of it"),
        ],
    )
    def test_nothing(self, text: str, hint: str) -> None:
        result = run(text)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr == f"Error: nothing in the gallery has {text!r}; {hint}\n"


def test_json() -> None:
    (only,) = json.loads(run("--json", "numeric_sparse").stdout)
    assert set(only) == {"name", "target", "file", "line", "claim", "expected", "summary"}
    assert only["target"] == "shiftproof.mechanisms.numeric_sparse_vector::numeric_sparse_vector"
    assert only["file"].endswith("mechanisms/numeric_sparse_vector.py")
    assert json.loads(run("--json", "--refuted", "numeric_sparse").stdout) == []


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"]])
def test_no_solver_and_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(command(*arguments)) == set()


class TestNear:
    def test_the_nearest(self) -> None:
        assert did_you_mean("verfy", ["verify", "refute"], "no") == "did you mean 'verify'?"
        assert did_you_mean("xyz", ["verify"], "look here") == "look here"
        assert did_you_mean("ab", iter(["ab1", "ab1", "ab2"]), "", most=3) == (
            "did you mean 'ab2' or 'ab1'?"
        )

    def test_of_commands_and_the_gallery(self) -> None:
        assert "'verify'" in CliRunner().invoke(main, ["verfy"]).stderr
        unknown = CliRunner().invoke(main, ["verify", "qqqqqq"])
        assert unknown.stderr.endswith("'qqqqqq'; shiftproof list shows the gallery\n")
        assert unknown.exit_code == 3
