"""The language server, asked by a real client: squiggles, hovers, what is offered, and the end."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from click.testing import CliRunner
from lsprotocol import types

from shiftproof import Verdict, verify
from shiftproof.commands.cli import main
from shiftproof.workspace.targets import resolve
from tests.commands.editors.editing import applied, editor

TEXT = '''\
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample


@mechanism(DP())
def right(f: Count, eps: Epsilon) -> float:
    """Noise that is enough."""
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP())
def wrong(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return 2 * f + noise


@mechanism(DP())
def strange(f: Count, eps: Epsilon) -> float:
    noise = sample(
        Laplace(1 / eps)
    )
    return f @ noise
'''
ERROR = types.DiagnosticSeverity.Error


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "some visits.py"
    found.write_text(TEXT)
    return found


def test_what_is_wrong_is_marked_where_it_stands(file: Path) -> None:
    async def edit() -> None:
        async with editor(file.parent) as one:
            wrong, strange = await one.opened(file, 4)
            assert wrong.severity == strange.severity == ERROR and wrong.code == "refuted"
            assert wrong.message.startswith("wrong: refuted\n") and "D′: f" in wrong.message
            assert wrong.range.start.line in (10, 11)
            assert strange.range.start == types.Position(21, 11)
            assert strange.code == "SP-LANGUAGE" and "instead" in strange.message
            assert strange.related_information is not None
            # What comes after a save says only what is left.
            (left,) = await one.saved(file, TEXT.replace("2 * f", "f"), 4)
            assert left.code == "SP-LANGUAGE"
            (torn,) = await one.saved(file, TEXT.replace("(1 / eps)", "(1 / eps", 1), 1)
            assert "SyntaxError" in torn.message and torn.range.start.line == 6
            assert not await one.saved(file, "import shiftproof\nx = 1\n", 1)
            assert not await one.saved(file, "x = 1\n", 1)

    asyncio.run(edit())


def test_lines_say_what_they_are_about(file: Path) -> None:
    async def edit() -> None:
        async with editor(file.parent) as one:
            await one.opened(file, 4)
            draw = await one.hover(file, 7)
            assert "**Laplace**(`1 / eps`)" in draw and "shift: `f - other(f)`" in draw
            assert "a shift by d costs `abs(d)` · `1 / scale`" in draw and "measure" in draw
            for line in (4, 5):
                claim = await one.hover(file, line)
                assert claim.startswith("**proved**: DP with ε = eps") and "for all sizes" in claim
            assert (await one.hover(file, 11)).startswith("**refuted**")
            assert "ratio" in await one.hover(file, 12)
            for line in (1, 2, 8, 16, 23):
                assert not await one.hover(file, line)

    asyncio.run(edit())


def test_an_alignment_is_written_down(file: Path) -> None:
    async def edit() -> str:
        async with editor(file.parent) as one:
            await one.opened(file, 4)
            offered = await one.offered(file, 8)
            assert [*offered] == ["Write the alignment of right down", "Open the proof of right"]
            action = offered["Write the alignment of right down"]
            assert isinstance(action, types.CodeAction)
            edit = action.edit
            assert edit is not None and edit.changes is not None
            return applied(TEXT, edit.changes[file.as_uri()])

    text = asyncio.run(edit())
    assert "from shiftproof import align, other\n" in text
    assert "    align(noise, f - other(f))\n    return f + noise" in text
    file.write_text(text)
    report = verify(resolve(str(file))[0])
    assert report.verdict is Verdict.PROVED


def test_a_counterexample_becomes_a_test(file: Path) -> None:
    async def edit() -> None:
        async with editor(file.parent) as one:
            await one.opened(file, 4)
            offered = await one.offered(file, 11)
            action = offered["Write the counterexample to wrong as a test"]
            assert isinstance(action, types.CodeAction)
            edit = action.edit
            assert edit is not None and edit.document_changes is not None
            created, written = edit.document_changes
            assert isinstance(created, types.CreateFile)
            assert isinstance(written, types.TextDocumentEdit)
            assert created.uri.endswith("test_some%20visits_wrong.py")
            space: dict[str, object] = {"__file__": str(file.with_name("test_it.py"))}
            (whole,) = written.edits
            assert isinstance(whole, types.TextEdit)
            exec(whole.new_text, space)
            test = space["test_wrong_withstands_its_counterexample"]
            assert callable(test)
            with pytest.raises(AssertionError, match="log ratio"):
                test()

    asyncio.run(edit())


def test_a_proof_is_opened(file: Path) -> None:
    async def edit() -> None:
        async with editor(file.parent) as one:
            await one.opened(file, 4)
            command = (await one.offered(file, 5))["Open the proof of right"]
            assert isinstance(command, types.Command)
            page = await one.run(command)
            assert one.shown == [page]
            assert isinstance(page, str) and page.endswith("right.html")
            assert "<html" in Path(page.removeprefix("file://")).read_text(encoding="utf-8")
            assert (
                await one.run(types.Command("", command.command, arguments=["file:///x", "y"]))
                is None
            )

    asyncio.run(edit())


def test_closed_files_are_forgotten(file: Path) -> None:
    async def edit() -> None:
        async with editor(file.parent) as one:
            await one.opened(file, 4)
            document = types.TextDocumentIdentifier(file.as_uri())
            one.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
            assert not await one.seen(file, 5)
            assert not await one.hover(file, 7)

    asyncio.run(edit())


def test_what_has_not_changed_is_not_proved_again(tmp_path: Path) -> None:
    """Of five mechanisms one changes: the others come from the cache."""
    body = TEXT[TEXT.index("@mechanism") : TEXT.index("@mechanism(DP())\ndef wrong")]
    head = TEXT[: TEXT.index("@mechanism")]
    text = head + "".join(body.replace("right", f"right_{k}") for k in range(5))
    file = tmp_path / "five.py"
    file.write_text(text)

    async def edit() -> float:
        async with editor(tmp_path) as one:
            assert not await one.opened(file, 6)
            begun = time.perf_counter()
            changed = text.replace("return f + noise", "return 2 * f + noise", 1)
            (found,) = await one.saved(file, changed, 6)
            assert found.code == "refuted"
            return time.perf_counter() - begun

    assert asyncio.run(edit()) < 60


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_its_end_waits_for_nothing(tmp_path: Path) -> None:
    """The file is a pipe into which nobody writes: to read it would take for ever."""
    file = tmp_path / "pipe.py"
    os.mkfifo(file)

    async def edit() -> None:
        async with editor(tmp_path) as one:
            document = types.TextDocumentItem(file.as_uri(), "python", 1, TEXT)
            one.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
            assert not await one.hover(file, 7)

    asyncio.run(edit())


def test_without_pygls_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shiftproof.commands.lsp.find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["lsp"])
    assert result.exit_code == 3 and "pip install 'shiftproof[lsp]'" in result.output
