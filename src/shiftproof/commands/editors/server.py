"""The server: an editor says what was opened and saved, and asks what stands where."""

from __future__ import annotations

import os
import shutil
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ... import __version__
from ...showing.explaining.explain import explain
from . import actions, marks
from .verdicts import Decided, Verdicts, decide


class Server(LanguageServer):
    """Keeps the verdicts of the files that were opened or saved.

    Args:
        folder: where verdicts are cached and pages written.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__("shiftproof", __version__)
        self._folder = folder
        self._verdicts: dict[str, Verdicts] = {}
        self._saves: Counter[str] = Counter()
        self._one_at_a_time = threading.Lock()
        self.shut_down = False

    def end(self) -> None:
        """End the process at once: nobody waits for a proof that is under way.

        Its status is 1 if the editor has not asked to shut down, as the protocol has it.
        """
        shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0 if self.shut_down else 1)

    def decide(self, uri: str) -> None:
        """Verify a file as it stands on disk, and publish what is found as it comes.

        A file that is saved again meanwhile is not finished.
        """
        self._saves[uri] += 1
        save, path = self._saves[uri], _path(uri)

        def show(verdicts: Verdicts) -> None:
            if self._saves[uri] == save:
                self._verdicts[uri] = verdicts
                found = marks.diagnostics(verdicts, self.lines(uri))
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))

        with self._one_at_a_time:
            decide(path, self._folder / "cache", show, lambda: self._saves[uri] != save)

    def forget(self, uri: str) -> None:
        """A file was closed."""
        self._saves[uri] += 1
        self._verdicts.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def at(self, uri: str, line: int) -> Decided | None:
        """The mechanism at a line, which counts from 0, if it is decided."""
        verdicts = self._verdicts.get(uri)
        return None if verdicts is None else verdicts.at(line + 1)

    def named(self, uri: str, name: str) -> Decided | None:
        """A mechanism by its name, if it is decided."""
        known = self._verdicts.get(uri)
        found = () if known is None else known.decided
        return next((one for one in found if one.report.mechanism == name), None)

    def lines(self, uri: str) -> list[str]:
        """The text of a file as the editor has it."""
        return self.workspace.get_text_document(uri).source.splitlines()

    def page(self, one: Decided) -> str:
        """The address of a page with the proof or the counterexample."""
        file = self._folder / f"{one.report.mechanism}.html"
        file.write_text(explain(one.report).as_html(), encoding="utf-8")
        return file.as_uri()


def server(folder: Path) -> Server:
    """A server that answers what it can be asked.

    Args:
        folder: where it may write; it is removed when the editor ends it.
    """
    made = Server(folder)

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @made.thread()
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        made.decide(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    @made.thread()
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        made.decide(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        made.forget(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        line = params.position.line
        one = made.at(params.text_document.uri, line)
        text = "" if one is None else marks.hover(one, line + 1)
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content) if text else None

    @made.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def offered(params: types.CodeActionParams) -> list[actions.Action]:
        uri = params.text_document.uri
        one = made.at(uri, params.range.start.line)
        return [] if one is None else actions.actions(one, _path(uri), made.lines(uri))

    @made.feature(types.SHUTDOWN)
    def shut_down(params: None) -> None:
        made.shut_down = True

    @made.feature(types.EXIT)
    def ended(params: None) -> None:
        made.end()

    @made.command(actions.OPEN)
    async def open_page(uri: str, name: str) -> str | None:
        one = made.named(uri, name)
        if one is None:
            return None
        page = made.page(one)
        await made.window_show_document_async(types.ShowDocumentParams(page, external=True))
        return page

    return made


def _path(uri: str) -> Path:
    return Path(unquote(urlparse(uri).path))
