"""Mechanisms that nobody here wrote, audited as black boxes: `python -m benchmarks.libraries`.

Laplace, geometric and exponential mechanisms of diffprivlib and of OpenDP, each at ε = 0.5 for
inputs that differ by 1.  They need `pip install -e ".[libraries]"`.  Their noise comes from the
operating system, so an audit of them cannot be repeated exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import diffprivlib.mechanisms as diffprivlib  # type: ignore[import-not-found,unused-ignore]
import opendp.prelude as opendp  # type: ignore[import-not-found,unused-ignore]
from rich.console import Console
from rich.table import Table

from shiftproof import Audit, audit, pairs_of_relation

EPSILON = 0.5


@cache
def _diffprivlib(name: str, utility: tuple[float, ...] | None = None) -> Any:
    options: dict[str, Any] = {} if utility is None else {"utility": list(utility)}
    return getattr(diffprivlib, name)(epsilon=EPSILON, sensitivity=1, **options)


@cache
def _opendp(name: str) -> Any:
    opendp.enable_features("contrib")
    if name == "noisy_max":
        domain = opendp.vector_domain(opendp.atom_domain(T=float, nan=False))
        metric = opendp.linf_distance(T=float)
        measure = opendp.max_divergence()
        return opendp.m.make_noisy_max(domain, metric, measure, scale=2 / EPSILON)
    kind = int if name == "geometric" else float
    options = {} if kind is int else {"nan": False}
    domain, metric = opendp.atom_domain(T=kind, **options), opendp.absolute_distance(T=kind)
    return getattr(opendp.m, f"make_{name}")(domain, metric, scale=1 / EPSILON)


def diffprivlib_laplace(x: float) -> float:
    """diffprivlib's Laplace mechanism."""
    return float(_diffprivlib("Laplace").randomise(x))


def diffprivlib_geometric(x: int) -> int:
    """Its geometric mechanism."""
    return int(_diffprivlib("Geometric").randomise(x))


def diffprivlib_exponential(scores: tuple[float, ...]) -> int:
    """Its exponential mechanism, on these utilities."""
    return int(_diffprivlib("Exponential", scores).randomise())


def opendp_laplace(x: float) -> float:
    """OpenDP's Laplace measurement."""
    return float(_opendp("laplace")(x))


def opendp_geometric(x: int) -> int:
    """Its geometric measurement."""
    return int(_opendp("geometric")(x))


def opendp_exponential(scores: tuple[float, ...]) -> int:
    """The index of the largest noisy score: with Gumbel noise, the exponential mechanism."""
    return int(_opendp("noisy_max")(list(scores)))


SCORES = [(p.name, p.left, p.right) for p in pairs_of_relation("all:3")]
FLOATS: Sequence[Any] = [(0.0, 1.0), (1.0, 0.0)]
INTEGERS: Sequence[Any] = [(0, 1), (1, 0)]
BOXES: tuple[tuple[Callable[..., Any], Sequence[Any]], ...] = (
    (diffprivlib_laplace, FLOATS),
    (diffprivlib_geometric, INTEGERS),
    (diffprivlib_exponential, SCORES),
    (opendp_laplace, FLOATS),
    (opendp_geometric, INTEGERS),
    (opendp_exponential, SCORES),
)


def main() -> None:
    """Print what an audit says of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300_000, help="runs for each mechanism")
    options = parser.parse_args()
    table = Table("mechanism", "ideal", "ε ≥", "code", "ε ≥", "runs", "s", "best event")
    for function, pairs in BOXES:
        found = audit(
            function, epsilon=EPSILON, pairs=pairs, samples=options.samples, confidence=0.99
        )
        table.add_row(function.__name__, *_row(found))
    Console(width=150).print(table)


def _row(found: Audit) -> tuple[str, ...]:
    code = found.judgement
    event = found.tested[0].event if found.tested else ""
    return (
        found.ideal.verdict, f"{found.ideal.lower_bound:.3f}", code.verdict,
        f"{code.lower_bound:.3f}", f"{found.runs:,}", f"{found.seconds:.0f}", event[:60],
    )  # fmt: skip


if __name__ == "__main__":
    main()
