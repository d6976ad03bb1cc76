"""What pages leave out: where their fragments stand, and the files that they speak of."""

from __future__ import annotations

from pathlib import Path

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
        _write_the_halved_version(page, folder / "halved.py")
    if page.name == "ci.md":
        (folder / "mechanisms").mkdir()
        (folder / "mechanisms" / "__init__.py").touch()
        (folder / "mechanisms" / "counts.py").write_text(COUNTS)


def _write_the_halved_version(page: Path, file: Path) -> None:
    """As the page says: its first mechanism, with half of the noise."""
    code = page.read_text(encoding="utf-8").split("```python\n")[1].partition("```")[0]
    assert code.count("Laplace(1 / eps)") == code.count("noisy_count") == 1
    halved = code.replace("Laplace(1 / eps)", "Laplace(1 / (2 * eps))")
    file.write_text(halved.replace("noisy_count", "halved_count"))
