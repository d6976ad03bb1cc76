"""What certificates of the gallery show, checked again by the kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ....checkers.kernel.certificate import read_certificate
from ....checkers.recheck import Rechecker
from ....checkers.rechecks import Recheck, Standing
from ....checkers.refuting.certificate import Refutation
from ....checkers.refuting.text import in_words
from ..claim import Finding, Undecided

_FOLDER = Path(__file__).parents[2]


def private(name: str) -> Finding:
    """Whether a mechanism of the gallery keeps its claim, as its certificate shows.

    Args:
        name: ``file.mechanism``, the name of the certificate.

    Returns:
        True for a proof, for all sizes, of which the kernel finds every obligation valid; false
        for a counterexample whose probabilities are computed again.

    Raises:
        Undecided: the certificate is not valid, is about another source than that of today, or
            proves only some sizes.
    """
    found = _rechecked(name)
    if found.standing is not Standing.VALID:
        raise Undecided(f"{name} is {found.standing.value}: {'; '.join(found.reasons)}")
    if found.verdict == "proved":
        return Finding(True, f"{name} proved, {found.obligations} obligations: {found.claim}")
    if found.verdict == "refuted":
        refutation = read_certificate(_path(name).read_bytes(), Refutation)
        return Finding(False, f"{name} refuted: {'; '.join(in_words(refutation.counterexample))}")
    raise Undecided(f"{name} is only {found.verdict}")


def refuted(name: str) -> Finding:
    """Whether a mechanism of the gallery breaks its claim: the opposite of :func:`private`."""
    found = private(name)
    return Finding(not found.holds, found.detail)


def _path(name: str) -> Path:
    return _FOLDER / f"{name}.json"


@cache
def _rechecked(name: str) -> Recheck:
    """One certificate, checked together with those beside it on which it may lean."""
    files = sorted(_FOLDER.glob(f"{name.partition('.')[0]}.*.json"))
    wanted = str(_path(name))
    return next(r for r in Rechecker().check_all(files) if r.certificate == wanted)
