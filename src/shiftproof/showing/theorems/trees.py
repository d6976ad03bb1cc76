"""Questions of proofs with their trees, for the checker that is proved right in Rocq.

``proofs/rocq/trees/Trees.v`` is the checker, and beside it is the program that reads these
lines; what they mean stands in its ``driver.ml``. All questions of some certificates:

  python -m shiftproof.showing.theorems.trees proofs/*.json
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...checkers.kernel.arithmetic import Wrong
from ...checkers.walking.certificate import Certificate, kind_of_certificate, read_certificate
from ..explaining.checks.owed import owed_of


def questions(certificate: Certificate) -> Iterator[str]:
    """The lines of all questions of a proof that have a tree.

    Raises:
        Wrong: the kernel does not agree to the proof.
    """
    owed = owed_of(certificate)
    if owed.refused:
        raise Wrong(owed.refused)
    for part in owed.parts:
        yield from lines_of(part.plain())


def lines_of(part: Mapping[str, Any]) -> Iterator[str]:
    """The lines of what was asked about one set of unknowns, as a page has it."""
    names = part["names"]
    # The order of the names decides which product comes first, which gives an equation its sign.
    ranks = {name: rank for rank, name in enumerate(sorted(names))}
    marks = zip(names, part["whole"], strict=True)
    met = (f"{ranks[x]} {whole} {ranks.get(_inverse(x), '-')}" for x, whole in marks)
    yield _line("unknowns", met)
    for fact in part["facts"]:
        yield _line("fact", [fact])
    for known, numbers, tree, *_ in part["owed"]:
        yield _line("question", [known, len(numbers), *numbers, tree])


def _inverse(name: str) -> str:
    return name[1:] if name[0] == "/" else f"/{name}"


def _line(kind: str, words: Iterable[object]) -> str:
    return " ".join(map(str, (kind, *words)))


def main(files: Sequence[str]) -> int:
    """Write the questions of some certificates; of counterexamples there are none."""
    for file in files:
        data = Path(file).read_bytes()
        if kind_of_certificate(data) == "proof":
            for line in questions(read_certificate(data, Certificate)):
                print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
