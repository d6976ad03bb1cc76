"""Small programs of kinds that random programs have found to be proved wrongly, or that were known.

Each is false, as executing it on records shows; none may be proved.
"""

from __future__ import annotations

from .settings import PREAMBLE

PLACES = "f: Annotated[Sequence[int], LocationCounts(by='place')], place: Public[IntVector]"
BITS = "x: Annotated[int, IntegerValue(0, 1)], y: Annotated[int, IntegerValue(0, 1)]"


def _text(claim: str, inputs: str, *body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body)
    return f"{PREAMBLE}\n\n@mechanism({claim})\ndef m({inputs}, eps: Epsilon):\n{lines}\n"


FALSE = {
    "a parameter assigned in one run": _text(
        "ADP(visited)", "f: Count, T: Public[float]", "if f < 1:", "    T = 0.0", "return T"
    ),
    "a parameter assigned in one run, then noise": _text(
        "ADP(visited)",
        "f: Counts, T: Public[int], U: Public[int]",
        "assert len(f) >= 2",
        "k = sample(OneSidedGeometric(1 / eps))",
        "if f[0] < U:",
        "    T = U",
        "for i in range(len(f)):",
        "    yield k + T",
    ),
    "a private number assigned before a loop": _text(
        "DP()",
        "x: Count",
        "k = sample(TwoSidedGeometric(1 / eps))",
        "if x < 1:",
        "    x = 100",
        "for i in range(1):",
        "    yield x + k",
    ),
    "a list bound again while it is looped over": _text(
        "DP()",
        "x: Annotated[int, IntegerValue(0, 1)]",
        "a = [0, x]",
        "for v in a:",
        "    a = [0, 0]",
        "    yield v",
    ),
    "two answers at one place move apart": _text(
        "DP()",
        PLACES,
        "assert len(f) >= 2 and len(place) == len(f)",
        "assert place[0] == place[1]",
        "k = sample(Laplace(1 / eps))",
        "return f[0] - f[1] + k",
    ),
    "all of a sensitive record is replaced": _text(
        "OneSidedDP(visited)",
        BITS,
        "k = sample(Exponential(1 / eps))",
        "return x + k, y",
    ),
    "public outcomes may be equal": _text(
        "UtilityOptimizedLDP(low, protected=low)",
        "x: Annotated[int, IntegerValue(2, 3)], T: Public[float], U: Public[float]",
        "assert T > 1 and U > 1",
        "b = sample(Bernoulli(1 / 2))",
        "return T if x == 2 else U",
    ),
    "a cost of twice the budget": _text(
        "DP()",
        "x: Count",
        "k = sample(Laplace(1 / eps))",
        "h = sample(Laplace(1 / eps))",
        "return x + k, x + h",
    ),
    "noise that is used twice": _text(
        "DP()",
        "f: Counts",
        "assert len(f) >= 2",
        "k = sample(Laplace(1 / eps))",
        "return f[0] + k, f[1] + k",
    ),
}
#: The name is assigned, and what its parameter was is known of it: a certificate may not say both.
REASSIGNED = _text(
    "DP()",
    "f: Counts, T: Public[float]",
    "assert T > 0",
    "U = T",
    "T = -1.0",
    "for i in range(len(f)):",
    "    yield U + f[i]",
)
