"""Reports and rechecks of every kind, as ``verify`` and ``check`` would answer them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from shiftproof import OneSided, Report, Verdict, comparison_from_json
from shiftproof.checkers.recheck import Recheck, Standing

WITNESS = """{"version": 1, "mechanism": "weak", "claim": "DP with ε = eps",
"epsilon": {"eps": "ln 2"}, "public": {}, "left": {"x": 0}, "right": {"x": 1},
"outcome": [{"kind": "real", "value": "0"}], "ending": "end", "measure": "density / ln 2",
"on_left": {"low": "1", "high": "1"}, "on_right": {"low": "1/4", "high": "1/4"},
"budget": {"low": "69/100", "high": "7/10"}, "log_ratio": {"low": "138/100", "high": "139/100"},
"breaks": true}"""
RATIO = "ratio 4 > e^ε ≈ 1.99372; log ratio"


def report(verdict: str, expected: Any = "proved", **others: Any) -> Report:
    """A report of ``own.py`` in the current folder."""
    found = Report(
        mechanism="m",
        file=str(Path("own.py").absolute()),
        line=7,
        claim="ADP(Policy(sensitive={1})) with ε = eps; f[i] − f[i]′ ∈ [0, 1]",
        preconditions=("eps > 0", "c >= 1"),
        verdict=Verdict(verdict),
        expected=expected,
        sizes="all" if verdict == "proved" else "",
        epsilon_upper="eps" if verdict == "proved" else None,
        refutation=comparison_from_json(WITNESS) if verdict == "refuted" else None,
        assumptions=("noise is ideal",),
        seconds=0.5,
    )
    return replace(found, **others)


def reports() -> list[Report]:
    """One report of each kind; the names say what is to be looked at."""
    own = str(Path("own.py").absolute())
    broken = OneSided("whenever line 40 says 'safe': x < 3", "broken", "x = 3", "1/2 at eps = ln 2")
    unlikely = OneSided("whenever line 41 says 'safe': x < 3", "broken", "x = 3", "0")
    unclear = OneSided("whenever line 42 says 'safe': x < 3", "unknown")
    return [
        report("proved", mechanism="fine"),
        report("refuted", mechanism="weak", reasons=(f"{own}:9:5: the best alignment fails",)),
        report("refuted", "refuted", mechanism="known"),
        report("proved", "refuted", mechanism="not_refuted"),
        report("unknown", mechanism="unclear", reasons=(f"{own}:9:5: it fails", "no witness")),
        report("unknown", "refuted", mechanism="unclear_too", reasons=("no witness",)),
        report("bounded", mechanism="bounded", sizes="up to 3", reasons=("no invariant",)),
        report(
            "unsupported",
            mechanism="strange",
            reasons=(f"{own}:9:12: a call of 'eval'\n    eval(x)\n    ^^^^\n    instead: +",),
        ),
        report("proved", mechanism="sided", one_sided=(broken, unlikely, unclear)),
        report("proved", "refuted", mechanism="known_sided", one_sided=(broken, unclear)),
    ]


def rechecks() -> list[Recheck]:
    """One recheck of each standing."""
    own = str(Path("own.py").absolute())
    valid = Recheck(
        str(Path("certificates/m.json").absolute()), Standing.VALID, "m", own, 7, "proved",
        "DP with ε = eps", ("eps > 0",), (), ("noise is ideal",), 12, 0.25,
    )  # fmt: skip
    return [
        valid,
        replace(valid, standing=Standing.OBSOLETE, reasons=("the body has changed",)),
        replace(valid, standing=Standing.INVALID, reasons=(f"{own}:9:5: 'cost' fails",)),
        Recheck(str(Path("odd.json").absolute()), Standing.UNREADABLE, reasons=("no JSON",)),
    ]
