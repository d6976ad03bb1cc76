"""The fenced blocks of a page, and what each kind of them has to withstand."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from shiftproof import Mechanism, read_trajectories
from shiftproof.commands.cli import main

#: Commands that are not ours, by how they begin, and why they are not run here.
FOREIGN = {
    "python3 -m venv": "makes an environment and fetches packages",
    "pip install": "fetches packages",
    ".venv/bin/pip install": "fetches packages",
    ".venv/bin/python -m pytest": "runs all tests",
    "dask": "starts a cluster",
    "cd editors/vscode": "where .ci/run works",
    "npm": "what .ci/run does",
    "code": "Visual Studio Code",
    "python kernel.py": "the kernel as one file",
    "make -C": "Rocq, which need not be there",
}


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        page: the file's name.
        line: where it begins.
        language: the word behind the fence.
        text: what is in it.
        before: the last line above it that is not empty.
    """

    page: str
    line: int
    language: str
    text: str
    before: str

    @property
    def first(self) -> str:
        """Its first line, by which tables name it."""
        return self.text.partition("\n")[0].strip()

    @property
    def file(self) -> str | None:
        """The file that it is, by its first comment or by the sentence before it."""
        named = re.match(r"# (\w+\.py)$", self.first)
        named = named or re.search(r"`(\w+\.\w+)`(, [^`]*)?:$", self.before)
        return named[1] if named and self.language in ("python", "json", "toml") else None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.first}"


def blocks_of(page: Path) -> Iterator[Block]:
    """Every fenced block of a page that is no directive, in order."""
    fence, language, started, before = "", "", 0, ""
    inside: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        opened = re.match(r"(```+)(.*)$", line)
        if fence and line == fence:
            if not language.startswith("{"):
                text = "".join(f"{part}\n" for part in inside)
                yield Block(page.name, started, language, text, before)
            fence, before = "", ""
        elif fence:
            inside.append(line)
        elif opened:
            fence, language, started, inside = opened[1], opened[2].strip(), number, []
        elif line.strip():
            before = line.strip()
    assert not fence, f"{page.name}: a block that begins in line {started} never ends"


class Reader:
    """Somebody who reads a page and does what it says, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, Any] = {"__name__": "page"}
        self._printed = ""

    def follow(self, block: Block) -> None:
        """Check a block of any kind."""
        kinds = {
            "python": self.python, "console": self.console, "sh": self.shell, "text": self.output,
            "json": self.json, "toml": self.toml, "yaml": self.yaml,
            "trajectories": self.trajectories, "lua": self.editor, "lisp": self.editor,
        }  # fmt: skip
        assert block.language in kinds, f"{block}: nothing checks blocks of this kind"
        kinds[block.language](block)

    def python(self, block: Block) -> None:
        """It runs, what it calls mechanisms is read, and its tests pass."""
        path = self._folder / (block.file or f"block_{block.line}.py")
        path.write_text(block.text, encoding="utf-8")
        before = dict(self._names)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, str(path), "exec", dont_inherit=True), self._names)
            for name, value in self._names.items():
                if before.get(name) is value:
                    continue
                if isinstance(value, Mechanism):
                    assert value.program
                elif name.startswith("test_"):
                    value()
        self._printed = printed.getvalue()

    def output(self, block: Block) -> None:
        """The block before it printed this."""
        assert self._printed, f"{block}: nothing was printed before"
        assert_shown(block, self._printed, block.text)

    def console(self, block: Block) -> None:
        """Each command prints what stands below it, if anything does."""
        parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
        assert parts[0] == "", f"{block}: it does not begin with a command"
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            printed = self._run(command)
            if command.startswith("shiftproof audit"):  # the last digits depend on the processor
                printed, shown = (re.sub(r"[0-9][0-9.,e-]*", "#", t) for t in (printed, shown))
            if shown:
                assert_shown(block, printed, shown)

    def _run(self, command: str) -> str:
        words = shlex.split(command)
        if words[0] == "shiftproof":
            return CliRunner(env={"COLUMNS": "100"}).invoke(main, words[1:]).output
        if words[0] == "pytest":
            command = f"{shlex.quote(sys.executable)} -m {command} -p no:cacheprovider"
        else:
            assert words[0] == "sed", f"{command}: nothing runs this"
        shell = subprocess.run(
            command, shell=True, check=words[0] == "sed", capture_output=True, text=True,
            cwd=self._folder,
        )  # fmt: skip
        return shell.stdout

    def shell(self, block: Block) -> None:
        """Each command line is one that the program takes."""
        for line in block.text.splitlines():
            for command in line.split(" && "):
                if command.startswith(tuple(FOREIGN)):
                    continue
                words = shlex.split(command.partition(" > ")[0], comments=True)
                if words:
                    self._accepted(block, words)

    def _accepted(self, block: Block, words: Sequence[str]) -> None:
        if list(words[:2]) == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]), f"{block}: there is no {words[2]}"
            return
        assert Path(words[0]).name == "shiftproof", f"{block}: nothing checks {words[0]}"
        _parsed(main, words[1:])

    def trajectories(self, block: Block) -> None:
        """It is a file of trajectories."""
        path = self._folder / f"block_{block.line}.csv"
        path.write_text(block.text, encoding="utf-8")
        assert read_trajectories(path).people

    def json(self, block: Block) -> None:
        """It is JSON, and stands in the file that the sentence before it names."""
        json.loads(block.text)
        if block.file:
            (self._folder / block.file).write_text(block.text, encoding="utf-8")

    def toml(self, block: Block) -> None:
        """It is TOML."""
        assert tomllib.loads(block.text)
        if block.file:
            (self._folder / block.file).write_text(block.text, encoding="utf-8")

    def editor(self, block: Block) -> None:
        """It starts the language server, and its brackets are closed."""
        assert re.search(r"\"shiftproof\",? \"lsp\"", block.text), f"{block}: starts no server"
        for opening, closing in ("()", "{}", "[]"):
            assert block.text.count(opening) == block.text.count(closing), f"{block}: brackets"

    def yaml(self, block: Block) -> None:
        """It is YAML."""
        assert pytest.importorskip("ruamel.yaml").YAML(typ="safe").load(block.text)


def _parsed(command: click.Command, words: Sequence[str]) -> None:
    """Raise unless a command, or the one of its group that is named, takes these words."""
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"there is no command {words[0]}"
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, list(words))


def assert_shown(block: Block, printed: str, shown: str) -> None:
    """What is shown was printed; ``…`` stands for any lines, and times differ."""
    wanted = _alike(shown)
    pattern = "".join(
        r"(.*\n)*?" if line.strip() in ("…", "...") else re.escape(line) + r"\n"
        for line in wanted.splitlines()
    )
    found = _alike(printed)
    assert re.fullmatch(pattern, found), f"{block}\n--- printed\n{found}\n--- shown\n{wanted}"


def _alike(text: str) -> str:
    """Without times and versions, and without blank lines around it."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    lines = [re.sub(r"\b(z3|cvc5) [0-9.]+", r"\1 #", line) for line in lines]
    return "".join(re.sub(r" *\b[0-9][0-9.,]* ?m?s\b", " # s", line) + "\n" for line in lines)
