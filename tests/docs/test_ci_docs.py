"""``docs/ci.md`` and the hooks: what users copy is valid, and names what there is."""

from __future__ import annotations

import importlib.resources
import itertools
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main
from shiftproof.pytest_plugin import pytest_addoption
from shiftproof.showing.formats import FORMATS
from shiftproof.workspace import importing as occurrence
from tests.places import ROOT

PAGE = ROOT / "docs" / "ci.md"
HOOKS = ROOT / ".pre-commit-hooks.yaml"

in_checkout = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def blocks(language: str) -> dict[str, str]:
    """The blocks of a language on the page, by the comment in their first line."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return {text.partition("\n")[0].removeprefix("# "): text for text in found}


def parsed(text: str) -> Any:
    """YAML as of version 1.2, in which ``on`` is a word."""
    yaml = pytest.importorskip("ruamel.yaml").YAML(typ="safe")
    return yaml.load(text)


def schema(name: str) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    pytest.importorskip("check_jsonschema")
    folder = importlib.resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    found = json.loads((folder / f"{name}.json").read_text())
    return jsonschema.validators.validator_for(found)(found)


def commands(value: Any) -> list[str]:
    """Every command line of shiftproof in a workflow, a pipeline or a list of hooks."""
    if isinstance(value, str):
        return [
            line.strip() for line in value.splitlines() if line.strip().startswith("shiftproof")
        ]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return list(itertools.chain.from_iterable(map(commands, inner)))


def accepted(line: str) -> None:
    """Make sure that the command line takes it."""
    _, name, *arguments = shlex.split(line)
    command = main.commands.get(name)
    if command is None:
        pytest.skip(f"there is no {name} yet")
    command.make_context(name, arguments)


@in_checkout
class TestPage:
    def test_it_has_every_example(self) -> None:
        assert list(blocks("yaml")) == [
            ".github/workflows/privacy.yml",
            ".github/workflows/certificates.yml",
            ".gitlab-ci.yml",
            ".pre-commit-config.yaml",
        ]

    @pytest.mark.parametrize("name", ["privacy", "certificates"])
    def test_github_workflows_are_valid(self, name: str) -> None:
        workflow = parsed(blocks("yaml")[f".github/workflows/{name}.yml"])
        valid = schema("github-workflows")
        valid.validate(workflow)
        assert not valid.is_valid(workflow | {"jobs": {"verify": {"steps": []}}})

    def test_alerts_may_be_written_and_come_from_the_file_that_is(self) -> None:
        text = blocks("yaml")[".github/workflows/privacy.yml"]
        workflow = parsed(text)
        assert workflow["permissions"]["security-events"] == "write"
        *_, upload = workflow["jobs"]["verify"]["steps"]
        assert f"--output sarif={upload['with']['sarif_file']}" in text
        assert upload["with"]["sarif_file"] in upload["if"]

    def test_the_gitlab_pipeline_is_valid(self) -> None:
        pipeline = parsed(blocks("yaml")[".gitlab-ci.yml"])
        valid = schema("gitlab-ci")
        valid.validate(pipeline)
        assert not valid.is_valid(pipeline | {"privacy": {"script": 3}})
        for job in pipeline.values():
            assert job["artifacts"]["reports"]["junit"] in job["script"][-1]
            assert job["artifacts"]["when"] == "always"

    @pytest.mark.parametrize("command", ["verify", "check"])
    def test_commands_are_as_they_are(
        self, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        lines = [line for text in blocks("yaml").values() for line in commands(parsed(text))]
        chosen = [line for line in lines if line.startswith(f"shiftproof {command} ")]
        assert len(chosen) == 2
        (tmp_path / "certificates").mkdir()
        for line in chosen:
            accepted(line.replace("$GITHUB_STEP_SUMMARY", "summary.md"))

    def test_formats_are_those_that_there_are(self) -> None:
        table = PAGE.read_text().partition("| `--format` | for |")[2].partition("\n\n")[0]
        firsts = [row.split("|")[1] for row in table.splitlines() if row.startswith("| ")]
        assert sorted(re.findall("`(.*?)`", "".join(firsts))) == sorted(FORMATS)

    def test_settings_of_pytest_are_those_that_there_are(self, pytestconfig: pytest.Config) -> None:
        (text,) = blocks("toml").values()
        settings = tomllib.loads(text)["tool"]["pytest"]["ini_options"]
        parser = pytest.Parser(_ispytest=True)
        pytest_addoption(parser, pytestconfig.pluginmanager)
        assert set(settings) <= set(parser._inidict)
        options = {name for group in parser._groups for o in group.options for name in o.names()}
        text = PAGE.read_text()
        assert set(re.findall(r"--shiftproof[a-z-]*", text)) <= options

    def test_python_compiles(self) -> None:
        for text in blocks("python").values():
            compile(text, "ci.md", "exec")


@in_checkout
class TestHooks:
    def test_hooks_are_whole(self) -> None:
        for hook in parsed(HOOKS.read_text()):
            assert {"id", "name", "description", "entry", "language"} <= set(hook)
            assert hook["language"] == "python"
            assert {"types", "types_or", "files"} & set(hook)

    @pytest.mark.parametrize("name", ["shiftproof-verify", "shiftproof-check"])
    def test_entries_are_commands(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "certificates").mkdir()
        hooks = {hook["id"]: hook for hook in parsed(HOOKS.read_text())}
        ours = parsed(blocks("yaml")[".pre-commit-config.yaml"])["repos"][0]["hooks"]
        used = {hook["id"]: hook for hook in ours}
        assert set(used) == set(hooks)
        hook = hooks[name] | used[name]
        accepted(shlex.join([*shlex.split(hook["entry"]), *hook.get("args", [])]))


FINE = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def fine(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""


class TestAllowEmpty:
    @pytest.mark.parametrize(
        ("text", "occurs"),
        [
            (FINE, True),
            ("import shiftproof as s\n@s.mechanism(s.DP())\ndef m(): ...", True),
            ("from shiftproof import mechanism as m", True),
            ("x = (", True),
            ("import shiftproof", False),
            ("# a mechanism\nx = 'mechanism'", False),
            ("import shiftproof.mechanisms", False),
            ("", False),
        ],
    )
    def test_what_occurs(self, tmp_path: Path, text: str, occurs: bool) -> None:
        file = tmp_path / "own.py"
        file.write_text(text)
        assert occurrence.with_mechanisms([str(file)]) == ([str(file)] if occurs else [])

    def test_what_is_no_file_stays(self) -> None:
        targets = ["nosuch.py", "laplace", "own.py::m", "some.module"]
        assert occurrence.with_mechanisms(targets) == targets

    def test_of_the_command(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "empty.py").write_text("raise SystemExit('run')")
        (tmp_path / "own.py").write_text(FINE)

        def verify(*arguments: str) -> click.testing.Result:
            return CliRunner().invoke(main, ["verify", *arguments])

        assert verify("empty.py", "own.py").exit_code == 3
        both = verify("--allow-empty", "empty.py", "own.py")
        assert both.exit_code == 0
        assert both.stdout.splitlines()[-1] == "1 proved; all as expected"
        none = verify("--allow-empty", "empty.py", "--json")
        assert (none.exit_code, json.loads(none.stdout)) == (0, [])
