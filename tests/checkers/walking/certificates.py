"""The certificates of the gallery, for tests of what checks them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import shiftproof.proofs
from shiftproof.checkers.recheck import Recheck, Rechecker, Standing
from shiftproof.dsl.normalise import fingerprint

PROOFS = Path(next(iter(shiftproof.proofs.__path__))).resolve()
FILES = sorted(PROOFS.glob("*.json"))
#: What a subprocess needs to import what this process imports.
IMPORTS = {"PYTHONPATH": ":".join(p for p in sys.path if p)}


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def kind(path: Path) -> str:
    return str(content(path)["kind"])


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


FINGERPRINTS = {path: content(path)["fingerprint"] for path in FILES}


def named(name: str) -> dict[str, Any]:
    """The certificate of a mechanism of the gallery, apart from where its source is."""
    (path,) = [p for p in FILES if p.name.endswith(f".{name}.json")]
    return content(path) | {"source": ""}


def with_program(certificate: dict[str, Any], program: str) -> dict[str, Any]:
    """The certificate of another program, as far as the fingerprint goes."""
    lines = program.removesuffix("\n").split("\n")
    return certificate | {"program": lines, "fingerprint": fingerprint(program)}


def program_of(certificate: dict[str, Any]) -> str:
    """The text of a certificate's program."""
    return "\n".join(certificate["program"]) + "\n"


def _has_lines(data: dict[str, Any]) -> bool:
    lines = data.get("program")
    return isinstance(lines, list) and all(isinstance(line, str) for line in lines)


def rechecked(data: dict[str, Any] | bytes, folder: Path) -> Recheck:
    """What ``check`` says of a file with this content, and of those in the gallery it leans on."""
    path = folder / "certificate.json"
    if isinstance(data, dict) and data.get("source") == "" and _has_lines(data):
        # Its own program is the source: what is asked is whether the certificate is right.
        (folder / "source.py").write_text(program_of(data), "utf-8", "surrogatepass")
        data = data | {"source": "source.py"}
    path.write_bytes(data if isinstance(data, bytes) else encoded(data))
    leans_on = data.get("leans_on") if isinstance(data, dict) else None
    marks = leans_on.values() if isinstance(leans_on, dict) else ()
    more = [p for p in FILES if FINGERPRINTS[p] in marks]
    return Rechecker().check_all([path, *more])[0]


def standing(data: dict[str, Any] | bytes, folder: Path) -> Standing:
    return rechecked(data, folder).standing
