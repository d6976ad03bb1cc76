"""stub"""

from __future__ import annotations

import ast
from typing import NamedTuple

from .text import Header, Mechanism


class Kind(NamedTuple):
    public: bool
    array: bool
    whole: bool
    attributes: int
    facts: tuple[str, ...]


class Case(NamedTuple):
    name: str
    facts: tuple[str, ...]
    inputs: dict[str, tuple[str, ...]]
    budget: str
    distance: str


def kinds(header: Header) -> dict[str, Kind]:
    out = {}
    for n, a in header.inputs.items():
        t = ast.unparse(a)
        if t == "Epsilon":
            out[n] = Kind(True, False, False, 0, (f"{n} > 0",))
        elif t == "Public[Nat]":
            out[n] = Kind(True, False, True, 0, (f"{n} >= 0",))
        elif t == "Public[float]":
            out[n] = Kind(True, False, False, 0, ())
        elif t == "Public[Vector]":
            out[n] = Kind(True, True, False, 0, (f"len({n}) >= 0",))
        elif t == "Counts":
            out[n] = Kind(False, True, True, 0, (f"len({n}) >= 0",))
        elif t == "Count":
            out[n] = Kind(False, False, True, 0, ())
    return out


def cases(m: Mechanism) -> list[Case]:
    inputs = {}
    low = 0 if "ADP" in ast.unparse(m.header.privacy) else -1
    for n, k in kinds(m.header).items():
        if not k.public:
            x = f"{n}[i]" if k.array else n
            mv = f"move({n})[i]" if k.array else f"move({n})"
            inputs[n] = (
                f"{x} - {mv}",
                f"{mv} >= {low}",
                f"1 >= {mv}",
                f"{x} >= 0",
                f"other({x}) >= 0",
            )
    return [Case("", (), inputs, "", "")]
