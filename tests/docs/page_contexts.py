"""What pages leave out: where their fragments stand, and the files that they speak of."""

from __future__ import annotations

from pathlib import Path

SPARSE_VECTOR = """
from collections.abc import Iterator
from shiftproof import (
    ADP, Counts, Epsilon, Exponential, Nat, Policy, Public, Vector, align, mechanism, other, sample,
)

@mechanism(ADP(Policy(sensitive={1})))
def busy_places(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        BLOCK
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None
"""

DECISION = """
from shiftproof import ADP, Count, Epsilon, Exponential, Policy, Public, ensure, mechanism, sample

@mechanism(ADP(Policy(sensitive={1})))
def decision(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    BLOCK
    return "alarm"
"""

#: Fragments, by page and first line: a mechanism that is proved with the fragment in it.
CONTEXTS = {
    ("README.md", "noise = sample(Exponential(c / eps))"): SPARSE_VECTOR,
    ("README.md", "if f + noise < T:"): DECISION,
    ("language.md", "if f + noise < T:"): DECISION,
}

COUNTS = """\
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def noisy_count(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise

@mechanism(DP())
def busy_places(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return x + noise
"""


def lay_out(page: Path, folder: Path) -> None:
    """Write the files that a page takes for granted."""
    (folder / "retail.dat").write_text("".join(f"{i % 7} {i % 5}\n" for i in range(60)))
    (folder / "src").mkdir()
    (folder / "certificates").mkdir()
    if page.name == "notebooks.md":
        (folder / "mechanisms.py").write_text(COUNTS)
    if page.name == "README.md":
        _write_the_printed_version(page, folder / "printed.py")
    if page.name == "ci.md":
        (folder / "mechanisms").mkdir()
        (folder / "mechanisms" / "__init__.py").touch()
        (folder / "mechanisms" / "counts.py").write_text(COUNTS)


def _write_the_printed_version(page: Path, file: Path) -> None:
    """As the page says: its first mechanism, with one more answer."""
    code = page.read_text(encoding="utf-8").split("```python\n")[1].partition("```")[0]
    assert code.count("answered >= c") == code.count("busy_places") == 1
    printed = code.replace("answered >= c", "answered > c")
    file.write_text(printed.replace("busy_places", "printed_places"))
