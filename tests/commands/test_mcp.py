"""``shiftproof mcp``: a client of the protocol's own package asks a server in a process."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import shiftproof
from shiftproof.showing.pages import PAGES
from tests.docs.blocks import blocks_of
from tests.places import ROOT

SERVED = pytest.mark.skipif(
    find_spec("mcp") is None, reason="the server is an extra: pip install 'shiftproof[mcp]'"
)
TOOLS = ["verify", "refute", "bound", "explain", "audit", "language", "why"]
IMPORTS = "from shiftproof import *\n"
COUNT = """
@mechanism(DP())
def {name}(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale}))
    return {result}
"""


def count(name: str, scale: str = "1 / eps", result: str = "f + noise") -> str:
    return COUNT.format(name=name, scale=scale, result=result)


FINE = IMPORTS + count("fine")
WRONG = IMPORTS + count("wrong", "1 / (2 * eps)")
#: Its alignment is annotated, and wrong: there is no proof and no counterexample.
OPEN = IMPORTS + count("undecided", result="0").replace(
    "    return", "    align(noise, 2 * (f - other(f)) + 1)\n    return"
)
STRANGE = IMPORTS + count("strange", result="{}")
#: Leaves a file behind if it is executed.
TRAP = f"open('ran', 'w').close()\n{FINE}"


def environment() -> dict[str, str]:
    """That of a server, which imports what is tested here."""
    folder = str(Path(shiftproof.__file__).parents[1])
    return {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}


class Asking:
    """A server in a folder of its own, and a client that is connected to it."""

    def __init__(self, portal: Any, client: Any, folder: Path) -> None:
        self.portal, self.client, self.folder = portal, client, folder

    def ask(self, method: str, *arguments: Any) -> Any:
        return self.portal.call(getattr(self.client, method), *arguments)

    def told(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        return told(self.ask("call_tool", tool, arguments))

    def answer(self, tool: str, **arguments: Any) -> str:
        text, failed = self.told(tool, **arguments)
        assert not failed, text
        return text

    def error(self, tool: str, **arguments: Any) -> str:
        text, failed = self.told(tool, **arguments)
        assert failed, text
        assert "\n" not in text and "Traceback" not in text and text
        return text


def told(result: Any) -> tuple[str, bool]:
    """The text of an answer, and whether it is an error."""
    (content,) = result.content
    assert result.structured_content is None  # nothing is said twice
    return content.text, bool(result.is_error)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    from anyio.from_thread import start_blocking_portal
    from mcp import Client, StdioServerParameters, stdio_client

    folder = tmp_path_factory.mktemp("project")
    scratch = tmp_path_factory.mktemp("scratch")
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "shiftproof", "mcp"],
        env=environment() | {"TMPDIR": str(scratch)},
        cwd=folder,
    )
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        client = portal.wrap_async_context_manager(Client(stdio_client(started)))
        yield Asking(portal, stack.enter_context(client), folder)
    assert not list(scratch.iterdir())


@SERVED
class TestServer:
    def test_it_says_what_it_is(self, server: Asking) -> None:
        assert server.client.server_info.name == "shiftproof"
        assert server.client.server_info.version == shiftproof.__version__
        assert "executed" in server.client.instructions

    def test_tools(self, server: Asking) -> None:
        tools = server.ask("list_tools").tools
        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            assert len(tool.description) > 60, tool.name
            assert tool.annotations.read_only_hint
            assert not tool.input_schema.get("required")
            for parameter in tool.input_schema["properties"].values():
                assert parameter["description"].endswith("."), parameter
        assert tools[4].input_schema["properties"]["samples"]["maximum"] == 3_000_000

    def test_pages_are_resources(self, server: Asking) -> None:
        resources = server.ask("list_resources").resources
        assert [resource.uri for resource in resources] == [f"shiftproof://docs/{p}" for p in PAGES]
        for resource in resources:
            (page,) = server.ask("read_resource", resource.uri).contents
            assert page.mime_type == "text/markdown" and page.text.startswith("# ")

    def test_the_language(self, server: Asking) -> None:
        page = server.answer("language")
        assert page.startswith("# The language\n") and "## Grammar" in page
        assert server.answer("language", section="noise").startswith("## Noise\n")
        assert "did you mean 'Noise'?" in server.error("language", section="noize")
        if (ROOT / "docs").exists():
            assert page == (ROOT / "docs" / "language.md").read_text(encoding="utf-8")

    def test_what_a_code_means(self, server: Asking) -> None:
        assert server.answer("why", code="same-output").startswith("Same output\n===")
        assert "SP-SUPPORT  " in server.answer("why")
        assert "there is no such code" in server.error("why", code="SP-NONE")

    @pytest.mark.parametrize(
        ("tool", "arguments", "message"),
        [
            ("verfy", {}, "did you mean 'verify'?"),
            ("verify", {"sauce": FINE}, "there is no parameter 'sauce'; did you mean 'source'?"),
            ("refute", {"source": WRONG, "effort": 0}, "effort: Input should be greater than"),
            ("audit", {"source": WRONG, "samples": 10**9}, "less than or equal to 3000000"),
            ("audit", {"source": WRONG, "samples": 5}, "at least 1000"),
            ("explain", {"source": FINE, "form": "html"}, "form: Input should be 'markdown'"),
        ],
    )
    def test_wrong_calls(
        self, server: Asking, tool: str, arguments: dict[str, Any], message: str
    ) -> None:
        assert message in server.error(tool, **arguments)


@SERVED
class TestAnswers:
    def test_proved(self, server: Asking) -> None:
        text = server.answer("verify", source=FINE)
        assert text.startswith("fine: proved\n")
        assert "  proved ε   eps\n  in         <source>, line 3\n" in text
        assert "proved: The claim holds for all sizes" in text

    def test_refuted(self, server: Asking) -> None:
        text = server.answer("verify", source=WRONG)
        assert text.startswith("wrong: refuted\n")
        assert "  D               f = 0\n  D′              f = 1\n" in text
        assert "ratio           4 > e^ε = 2; log ratio 1.38629436112 nats" in text
        assert "keeps           ε ≤ 2*eps, proved" in text
        assert "SP-" not in text

    def test_unknown(self, server: Asking) -> None:
        text = server.answer("verify", source=OPEN)
        assert text.startswith("undecided: unknown\n")
        assert "<source>:7:5: the annotated alignment fails on 'cost'" in text
        assert text.endswith("The tool why tells what helps: SP-COST, SP-SEARCH")

    def test_unsupported(self, server: Asking) -> None:
        text = server.answer("verify", source=STRANGE)
        assert text.startswith("strange: unsupported\n")
        assert "<source>:6:12: unsupported (not yet)" in text
        assert "instead: " in text and "SP-LANGUAGE" in text

    def test_several(self, server: Asking) -> None:
        text = server.answer("verify", source=FINE + count("wrong", "1 / (2 * eps)"))
        first, second, third, *others = text.split("\n")
        assert first == "1 proved, 1 refuted; 1 not as expected"
        assert second == "wrong (<source>:8): refuted, proved ε: –"
        assert third == "fine (<source>:3): proved, proved ε: eps"
        assert "  outcome: 0" in others

    def test_few_lines_of_many(self, server: Asking) -> None:
        many = "".join(count(f"wrong_{k}", "1 / (2 * eps)") for k in range(24))
        lines = server.answer("verify", source=IMPORTS + many).split("\n")
        assert len(lines) <= 40
        assert lines[19] == "… 6 more lines; name asks for one mechanism"
        assert server.answer("verify", source=IMPORTS + many, name="wrong_7").startswith("wrong_7:")

    def test_what_no_name_holds_is_told(self, server: Asking) -> None:
        inside = "def f():" + count("inner").replace("\n", "\n    ")
        text = server.answer("verify", source=FINE + inside)
        assert "f.inner (<source>:8): unsupported" in text

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"source": "def f(:\n"}, "<source>:1:7: cannot be imported: SyntaxError"),
            ({"source": "x = 1\n"}, "<source>: holds no mechanism"),
            ({"source": "x = \x00\n"}, "<source>:1:1: cannot be imported: SyntaxError"),
            ({"source": f"x = {'(' * 5000}1{')' * 5000}"}, "cannot be imported"),
            ({"source": FINE, "name": "fin"}, "did you mean 'fine'?"),
            ({"source": FINE, "path": "a.py"}, "want either source"),
            ({}, "want either source"),
            ({"path": "nowhere.py"}, "nowhere.py: no such file"),
            ({"path": "nothing_at_all"}, "no file, module or mechanism of the gallery"),
            ({"path": "sparse_vectr"}, "did you mean 'sparse_vector'?"),
        ],
    )
    @pytest.mark.parametrize("tool", ["verify", "audit"])
    def test_no_answer(
        self, server: Asking, tool: str, arguments: dict[str, str], message: str
    ) -> None:
        assert message in server.error(tool, **arguments)

    def test_paths(self, server: Asking) -> None:
        file = server.folder / "own.py"
        file.write_text(FINE)
        assert "own.py, line 3" in server.answer("verify", path="own.py")
        file.write_text(WRONG)  # it is read again
        assert "own.py, line 3" in server.answer("verify", path=str(file), name="wrong")
        assert "refuted" in server.answer("verify", path="own.py::wrong")
        (server.folder / "other.py").write_text(FINE)
        assert "1 proved, 1 refuted" in server.answer("verify", path=".")
        assert server.answer("verify", path="sparse_vector").startswith("sparse_vector: proved")

    def test_nothing_is_executed_or_left_behind(self, server: Asking) -> None:
        (server.folder / "trap.py").write_text(TRAP)
        before = sorted(server.folder.iterdir())
        for given in ({"source": TRAP}, {"path": "trap.py"}):
            for tool in ("verify", "refute", "bound", "explain"):
                server.answer(tool, **given)
            server.answer("audit", **given, samples=5_000)
        assert sorted(server.folder.iterdir()) == before

    def test_the_page_shows_what_is_answered(self, server: Asking) -> None:
        page = ROOT / "docs" / "assistants.md"
        if not page.exists():
            pytest.skip("the packages hold no pages")
        program, answer = [b.text for b in blocks_of(page) if b.language in ("python", "text")]
        (server.folder / "halved.py").write_text(program)
        assert server.answer("verify", path="halved.py") == answer.rstrip("\n")

    def test_the_page_names_all(self, server: Asking) -> None:
        page = ROOT / "docs" / "assistants.md"
        if not page.exists():
            pytest.skip("the packages hold no pages")
        text = page.read_text(encoding="utf-8")
        for tool in server.ask("list_tools").tools:
            assert f"| `{tool.name}` |" in text
            assert all(f"`{parameter}`" in text for parameter in tool.input_schema["properties"])
        assert all(name in text for name in PAGES)

    def test_refute(self, server: Asking) -> None:
        text = server.answer("refute", source=WRONG, set=["eps=1"])
        assert text.startswith("wrong: refuted\n") and "  at          eps = 1\n" in text
        assert "which proves nothing" in server.answer("refute", source=FINE, effort=100)
        assert "instead: " in server.error("refute", source=STRANGE)
        assert "--set 'a=1'" in server.error("refute", source=WRONG, set=["a=1"])

    def test_bound(self, server: Asking) -> None:
        text = server.answer("bound", source=WRONG)
        assert text.startswith("wrong: tight\n") and "ε ≤ 2*eps, proved" in text

    def test_explain(self, server: Asking) -> None:
        text = server.answer("explain", source=WRONG)
        assert text.startswith("# wrong: refuted\n") and "\n## Counterexample\n" in text
        part = server.answer("explain", source=FINE, section="conclu")
        assert "\n## Conclusion\n" in part and "## Claim" not in part
        assert "want one of The mechanism, Claim" in server.error(
            "explain", source=FINE, section="nothing"
        )
        text = server.answer("explain", path="sparse_vector", form="text")
        assert "  invariants   i·1 >= 0\n" in text
        assert "strange: unsupported" in server.answer("explain", source=STRANGE, form="text")
        several = FINE + count("second")
        assert "choose one by name (fine, second)" in server.error("explain", source=several)

    def test_explain_is_cut(self, server: Asking) -> None:
        remarks = "    # a remark\n" * 100
        long = FINE.replace("    noise", f"{remarks}    noise")
        *lines, last = server.answer("explain", source=long).split("\n")
        assert len(lines) == 119
        assert " more lines; section asks for one of The mechanism, Claim, Alignment" in last

    def test_audit(self, server: Asking) -> None:
        text = server.answer("audit", source=WRONG, samples=100_000, seed=1)
        assert text.startswith("wrong: violation found\n")
        assert "of 100,000" in text and "seed 1" in text
        text = server.answer("audit", source=FINE, samples=10_000, set=["eps=1"])
        assert "no violation found" in text and "eps = 1" in text
        assert "instead: " in server.error("audit", source=STRANGE)


@SERVED
class TestProcesses:
    def test_several_calls_at_once(self, server: Asking) -> None:
        import anyio

        async def at_once() -> list[str]:
            texts = [""] * 6

            async def one(k: int) -> None:
                result = await server.client.call_tool("verify", {"source": (FINE, WRONG)[k % 2]})
                texts[k], _ = told(result)

            async with anyio.create_task_group() as group:
                for k in range(6):
                    group.start_soon(one, k)
            return texts

        texts = server.portal.call(at_once)
        assert texts == [server.answer("verify", source=s) for s in (FINE, WRONG)] * 3

    def test_a_call_that_is_taken_back_ends(self, server: Asking) -> None:
        import anyio

        async def taken_back() -> None:
            with anyio.move_on_after(1):
                await server.client.call_tool("verify", {"path": "shiftproof.mechanisms"})
                raise AssertionError("the whole gallery in a second")

        for _ in range(5):  # more than there are workers
            server.portal.call(taken_back)
        began = time.monotonic()
        assert "proved" in server.answer("verify", source=FINE)
        assert time.monotonic() - began < 30
