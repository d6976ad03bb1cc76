"""Programs that were once proved, or crashed the verifier; none may ever be proved.

All of them fail (with an exception that tells of the input) in a helper's name: the proof
reads another object than Python does.  ``f[0] > 40`` decides whether they raise.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from tests.loading import source

HEADER = """
from collections.abc import Iterator
from shiftproof import DP, Counts, Epsilon, Laplace, Public, Vector, mechanism, sample

def later(a):
    return a

@mechanism(DP())
def m(f: Counts, T: Public[Vector], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1 and len(T) >= 1
"""
FOOTER = """
    noise = sample(Laplace(1 / eps))
    yield f[0] + noise
"""
RAISING = {
    # TypeError: the helper's own f is a number
    "a parameter named as the private sequence": """
    def h(f):
        return f[0]
    x = h(3) if f[0] > 40 else 0
""",
    "a parameter named as a public sequence": """
    def h(T):
        return T[0]
    x = h(3) if f[0] > 40 else 0
""",
    "the length of such a parameter": """
    def h(f):
        return len(f)
    x = h(3) if f[0] > 40 else 0
""",
    # TypeError: the helper's own g is a number
    "a parameter named as another helper": """
    def g(a):
        return a
    def h(g):
        return g(3)
    x = h(3) if f[0] > 40 else 0
""",
    # UnboundLocalError: the name belongs to the function from its first line on
    "a helper used before its definition": """
    x = later(1) if f[0] > 40 else 0
    def later(a):
        return a
""",
    # UnboundLocalError: the definition was not reached
    "a helper defined in a private branch": """
    if f[0] <= 40:
        def h(a):
            return a
    x = h(0)
""",
}


@pytest.mark.parametrize("name", sorted(RAISING))
def test_an_exception_that_tells_is_not_proved_away(name: str, tmp_path: Path) -> None:
    mechanism = source(tmp_path, HEADER + RAISING[name] + FOOTER)["m"]
    with pytest.raises((TypeError, UnboundLocalError)):
        mechanism((99,), (1.0,), 1.0)
    assert isinstance(mechanism((2,), (1.0,), 1.0)[0], float)
    assert verify(mechanism).verdict is not Verdict.PROVED
