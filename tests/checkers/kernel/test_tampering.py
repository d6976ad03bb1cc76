"""Changed certificates are accepted only if still right, for a reason told without the kernel.

Half of the proofs keep their trees; for the others trees are looked for, as a forger would.
160 of proofs and 25 of refutations by default; SHIFTPROOF_FULL=1 takes 2,000 and 800 of them.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.paired import runs
from shiftproof.checkers.recheck import Standing
from shiftproof.dsl.errors import FAULT
from tests.checkers.kernel.explaining import explanation
from tests.checkers.kernel.finding import found_anew
from tests.checkers.kernel.tampering import tampered
from tests.checkers.walking.certificates import rechecked

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
PROOFS, REFUTATIONS = (2_000, 800) if FULL else (160, 25)


@contextmanager
def counted() -> Iterator[list[int]]:
    """How many trees the kernel looked at."""
    looked = [0]
    refute = runs.refute

    def refuting(*question: Any) -> None:
        looked[0] += 1
        refute(*question)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "refute", refuting)
        yield looked


def forged(changed: Any, chance: random.Random) -> tuple[Any, str]:
    """The certificate, half of the time with new trees if there are some."""
    if chance.random() < 0.5:
        return changed, "trees kept"
    try:
        return found_anew(changed), "trees found"
    except (Wrong, KeyError, TypeError, ValueError, AttributeError, IndexError):
        return changed, "no trees found"


def statistics(count: int, *, proofs: bool) -> Counter[str]:
    """Checks so many changed certificates; what came of them."""
    found: Counter[str] = Counter()

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**64))
    def tampering(seed: int) -> None:
        chance = random.Random(seed)
        original, changed = tampered(chance, proofs)
        while changed == original:
            original, changed = tampered(chance, proofs)
        if proofs:
            changed, way = forged(changed, chance)
            found[way] += 1
        with tempfile.TemporaryDirectory() as folder, counted() as looked:
            answer = rechecked(changed, Path(folder))
            found["tampered"] += 1
            found[str(answer.standing)] += 1
            found["trees were looked at"] += looked[0] > 0
            found["faults"] += any(FAULT in reason for reason in answer.reasons)
            assert answer.standing is not Standing.OBSOLETE
            assert answer.reasons or answer.standing is Standing.VALID
            if answer.standing is Standing.VALID:
                found[explanation(original, changed, Path(folder))] += 1

    tampering()
    print(dict(found))
    return found


def test_changed_proofs() -> None:
    found = statistics(PROOFS, proofs=True)
    assert found["trees were looked at"] > found["tampered"] / 3, found
    assert found["trees found"] > found["tampered"] / 10, found
    assert found["invalid"] > found["tampered"] / 3, found
    assert found["faults"] <= found["tampered"] / 50, found
    assert found["another proof"] > 0 and found["another program"] > 0, found


def test_changed_refutations() -> None:
    found = statistics(REFUTATIONS, proofs=False)
    assert found["invalid"] > found["tampered"] / 2, found
