"""Between which two numbers the ε or ρ of each mechanism of the gallery lies, kept in a file.

``python docs/_ext/brackets.py`` computes what is missing or about another text of the mechanism,
which takes seconds for each; the site only reads the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from shiftproof import Bracket

FILE = Path(__file__).with_name("brackets.json")


class Kept(TypedDict):
    """What ``shiftproof bound`` finds.

    ``fingerprint`` is that of the mechanism's text, ``lower`` is in nats at the parameters ``at``,
    ``share`` says how much of the proved ε that is.
    """

    fingerprint: str
    upper: str | None
    lower: str
    share: float
    tight: bool
    at: dict[str, str]


def kept_brackets() -> dict[str, Kept]:
    """The brackets in the file, by the names of the mechanisms."""
    found: dict[str, Kept] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def bracket_to_keep(bracket: Bracket, fingerprint: str) -> Kept:
    """A bracket in plain values."""
    from shiftproof.checkers.refuting.likelihood import lower_bound_text, shown

    found = bracket.comparison
    at = {} if found is None else found.epsilon | {n: shown(v) for n, v in found.public.items()}
    return Kept(
        fingerprint=fingerprint,
        upper=bracket.upper,
        lower="none found" if found is None else lower_bound_text(found),
        share=round(bracket.share, 6),
        tight=bracket.tight,
        at=at,
    )


def main() -> None:
    """Bring the file up to date, one mechanism after the other."""
    from shiftproof import bound
    from shiftproof.dsl.normalise import fingerprint, normalised
    from shiftproof.workspace.targets import gallery

    known, found = kept_brackets(), {}
    for mechanism in gallery():
        if mechanism.privacy.delta is not None:
            continue  # what is found from below is a δ then
        name, mark = mechanism.function.__name__, fingerprint(normalised(mechanism))
        if name not in known or known[name]["fingerprint"] != mark:
            known[name] = bracket_to_keep(bound(mechanism), mark)
            _write(known)  # what took so long is kept, whatever happens next
            print(name, known[name]["lower"], file=sys.stderr)
        found[name] = known[name]
    _write(found)


def _write(brackets: dict[str, Kept]) -> None:
    from shiftproof.workspace.files import write_whole

    text = json.dumps(brackets, indent=1, sort_keys=True, ensure_ascii=False)
    write_whole(FILE, f"{text}\n".encode())


if __name__ == "__main__":
    main()
