"""An editor for tests: a real client of the language server, over its standard streams."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

#: How long an answer may take, in seconds: a hang is no answer.
PATIENCE = 60


class Editor:
    """Opens and saves files, and keeps what is published of them."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: dict[str, list[Sequence[types.Diagnostic]]] = {}
        self.shown: list[str] = []
        self._news = asyncio.Event()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, []).append(params.diagnostics)
            self._news.set()

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        def shown(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            return types.ShowDocumentResult(success=True)

    async def opened(self, file: Path, times: int) -> Sequence[types.Diagnostic]:
        """The squiggles of a file that is opened, once they were published so often."""
        document = types.TextDocumentItem(file.as_uri(), "python", 1, file.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return await self.seen(file, times)

    async def saved(self, file: Path, text: str, times: int) -> Sequence[types.Diagnostic]:
        """The same of a file that is changed and saved."""
        file.write_text(text)
        known = len(self.published.get(file.as_uri(), []))
        document = types.VersionedTextDocumentIdentifier(2, file.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(file.as_uri()))
        )
        return await self.seen(file, known + times)

    async def seen(self, file: Path, times: int) -> Sequence[types.Diagnostic]:
        """What is published of a file the n-th time."""
        while len(self.published.get(file.as_uri(), [])) < times:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        return self.published[file.as_uri()][-1]

    async def hover(self, file: Path, line: int) -> str:
        """What is said of a line, which counts from 1."""
        document = types.TextDocumentIdentifier(file.as_uri())
        position = types.Position(line - 1, 6)
        found = await self.client.text_document_hover_async(types.HoverParams(document, position))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def offered(self, file: Path, line: int) -> dict[str, types.CodeAction | types.Command]:
        """What is offered on a line, by its title."""
        here = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(file.as_uri()), here, types.CodeActionContext([])
            )
        )
        return {one.title: one for one in found or ()}

    async def run(self, command: types.Command) -> object:
        """What a command gives."""
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, command.arguments)
        )


@asynccontextmanager
async def editor(folder: Path) -> AsyncIterator[Editor]:
    """An editor with a folder; the server is a process of its own."""
    client = LanguageClient("tests", "1")
    found = Editor(client)
    await client.start_io(sys.executable, "-m", "shiftproof", "lsp")
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri())
    )
    client.initialized(types.InitializedParams())
    yield found
    await client.shutdown_async(None)
    client.exit(None)
    await asyncio.wait_for(client.stop(), PATIENCE)


def applied(text: str, edits: Sequence[types.TextEdit]) -> str:
    """The text with insertions at beginnings of lines."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda e: -e.range.start.line):
        assert edit.range.start == edit.range.end and edit.range.start.character == 0
        lines.insert(edit.range.start.line, edit.new_text)
    return "".join(lines)
