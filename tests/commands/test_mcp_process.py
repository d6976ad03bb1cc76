"""``shiftproof mcp`` as a process: its standard output, its end, and its workers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof import BadInput
from shiftproof.commands import mcp as command
from shiftproof.commands.assistants import workers
from shiftproof.commands.assistants.workers import Workers
from shiftproof.commands.cli import main
from tests.commands.test_mcp import SERVED, WRONG, environment


def running(folder: Path) -> subprocess.Popen[str]:
    """A server without a client."""
    return subprocess.Popen(
        [sys.executable, "-m", "shiftproof", "mcp"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8", cwd=folder, env=os.environ | environment(),
    )  # fmt: skip


def send(
    process: subprocess.Popen[str], number: int | None, method: str, params: dict[str, Any]
) -> None:
    assert process.stdin is not None
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    message |= {} if number is None else {"id": number}
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


@SERVED
def test_standard_output_is_the_protocol_only(tmp_path: Path) -> None:
    """Also where a file would print, and where the end comes in the middle of a call."""
    started = {"protocolVersion": "2025-06-18", "capabilities": {}}
    started["clientInfo"] = {"name": "test", "version": "1"}
    loud = f"print('loud')\n{WRONG}"
    with running(tmp_path) as process:
        assert process.stdin is not None and process.stdout is not None
        send(process, 1, "initialize", started)
        replies = [json.loads(process.stdout.readline())]
        send(process, None, "notifications/initialized", {})
        process.stdin.write("no JSON\n")
        send(process, 2, "tools/call", {"name": "verify", "arguments": {"source": loud}})
        while replies[-1].get("id") != 2:
            replies.append(json.loads(process.stdout.readline()))
        assert "refuted" in replies[-1]["result"]["content"][0]["text"]
        endless = {"name": "verify", "arguments": {"path": "shiftproof.mechanisms"}}
        send(process, 3, "tools/call", endless)
        time.sleep(2)
        began = time.monotonic()
        rest, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert time.monotonic() - began < 10
    assert [json.loads(line)["jsonrpc"] for line in rest.splitlines()] in ([], ["2.0"])
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())


@SERVED
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_it(tmp_path: Path, name: str) -> None:
    with running(tmp_path) as process:
        assert process.stdout is not None
        send(process, 1, "ping", {})
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=30)
    assert process.returncode == -getattr(signal, name)
    assert "Traceback" not in errors


class TestWorkers:
    def test_what_is_killed_costs_itself_only(self) -> None:
        async def both() -> str:
            made = Workers()
            with pytest.raises(BadInput, match="killed, perhaps for want of memory"):
                await made.do(os._exit, 1)
            found = await made.do(str, 5)
            made.end()
            return found

        assert asyncio.run(both()) == "5"

    def test_a_process_is_used_again_until_it_is_worn(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workers, "LIFETIME", 2)

        async def several() -> list[int]:
            made = Workers()
            found = [await made.do(os.getpid) for _ in range(3)]
            made.end()
            return found

        first, second, third = asyncio.run(several())
        assert first == second != third


def test_the_package_is_looked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["mcp"])
    assert result.exit_code == 3
    assert result.output == "Error: mcp needs the package mcp: pip install 'shiftproof[mcp]'\n"
