"""Random mechanisms as Python text: shapes that are often private and mechanisms of the gallery.

Most are changed a little afterwards (:mod:`.twists`).  Nothing here knows what is private.
"""

from __future__ import annotations

import ast
import json
import random
import re
from functools import cache

from tests.places import ROOT

from .settings import PREAMBLE, SETTINGS
from .shapes import Writer, indent
from .shapes import body as shaped
from .twists import twisted

CERTIFICATES = ROOT / "proofs"
#: Of how many programs one is a mechanism of the gallery.
OF_GALLERY = 0.1
#: How many changes are made.
TWISTS = (0, 0, 0, 1, 1, 1, 1, 2, 2, 3)


def program(seed: int) -> str:
    """The text of a module whose last function is a mechanism ``m``."""
    rng = random.Random(seed)
    if rng.random() < OF_GALLERY:
        text = rng.choice(gallery())
    else:
        setting = rng.choice(SETTINGS)
        text = PREAMBLE + "\n\n" + written(Writer(rng, setting))
    tree = ast.parse(text)
    main = tree.body[-1]
    assert isinstance(main, ast.FunctionDef)
    if twisted(tree, main, rng, rng.choice(TWISTS)):
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return text


def written(w: Writer) -> str:
    """One mechanism, and what it calls."""
    body = shaped(w)
    if "yield" in body:
        body = (
            re.sub(r"\breturn ([^\n]+)", r"yield \1\n    return", body)
            if "return " in body
            else body
        )
        body = _resumed(body)
    used = {n for n in ("T", "U", "ts", "c") if re.search(rf"\b{n}\b", body)}
    facts = ["c >= 1"] if "c" in used and w.chance(0.8) else []
    facts += ["far > 0"] if "far" in w.setting.public else []
    facts += [f"len(ts) == len({a})" for a in w.rows if "ts" in used]
    facts += [f"len({a}) >= 2" for a in w.rows if f"{a}[0]" in body or f"{a}[1]" in body]
    facts += ["len(place) == len(f)"] if "place" in w.setting.public else []
    facts += ["fine <= eps"] if "fine" in w.setting.public and w.chance(0.5) else []
    kind = "int" if w.discrete and w.chance(0.6) else "float"
    public = [f"{n}: Public[{kind}]" for n in ("T", "U") if n in used]
    public += ["ts: Public[Vector]"] if "ts" in used else []
    public += ["c: Public[Nat]"] if "c" in used else []
    public += [w.setting.public] if w.setting.public else []
    stated = "InputDisc" in w.claim or "Context" in w.claim
    budget = (
        "" if stated or w.chance(0.9) else f", budget=lambda eps: {w.any('2 * eps', 'eps / 2')}"
    )
    head = (
        f"@mechanism({w.setting.privacy}{budget})\n"
        f"def m({', '.join([w.setting.inputs, *public, 'eps: Epsilon'])}):"
    )
    given = f"assert {' and '.join(facts)}\n" if facts else ""
    return f"{w.before}{head}\n{indent(given + body)}\n"


def _resumed(body: str) -> str:
    """Lines that a replaced ``return`` put one level too deep, at the level of their ``yield``."""
    lines: list[str] = []
    for line in body.split("\n"):
        if line.strip() == "return" and lines and lines[-1].lstrip().startswith("yield "):
            depth = len(lines[-1]) - len(lines[-1].lstrip())
            line = " " * depth + "return"
        lines.append(line)
    return "\n".join(lines)


@cache
def gallery() -> tuple[str, ...]:
    """The mechanisms of the gallery's certificates in their normal form, each as ``m``."""
    found = []
    for path in sorted(CERTIFICATES.glob("*.json")):
        certificate = json.loads(path.read_text(encoding="utf-8"))
        name = re.escape(certificate["mechanism"])
        found.append(re.sub(rf"\b{name}\b", "m", "\n".join(certificate["program"])))
    return tuple(found)
