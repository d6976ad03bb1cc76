"""What is compared with the other tools, task by task, on the programs of their benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks import audit as audits
from benchmarks import simulate as simulations
from benchmarks.peer_mechanisms import EPSILON, ROWS, Row
from benchmarks.peer_times import (
    CAP,
    CHECKDP_PROOFS,
    CHECKDP_REFUTATIONS,
    PUBLISHED_AUDITS,
    SAMPLING,
    SHADOWDP_LONGEST,
    SHADOWDP_PROOFS,
    STATDP_ONLY,
    Bound,
    Known,
)
from benchmarks.prove import fresh
from benchmarks.refute import ratios
from benchmarks.table import Cells, Effort, Subject, Task, table
from shiftproof import Mechanism, Report, verify
from shiftproof.checkers.recheck import Rechecker
from shiftproof.workspace.files import gallery_certificates
from shiftproof.workspace.targets import gallery

#: How many sparse vectors are drawn each time.
SAMPLES = 2_000_000
#: Which part of an audit's runs is made beforehand.
BEFOREHAND = 0.001

PROVED = """\
*here*: the milliseconds of processor time of `verify`, from the text to a proof that the kernel has
checked, for all sizes and all ε. *CheckDP, earlier*: the seconds of its released code, for size 5
and ε = 1 (KLEE 3.1, Z3 alone; `>` is where it was stopped); for the one-directional sparse vector
those of one direction, where here both are proved. Its authors published that no program takes
more than 70 s ([abstract](https://arxiv.org/abs/2008.07485)). *ShadowDP, published*: seconds for
all sizes, given the alignments, and with ε = 1 or rewritten assertions where its checker needs them
([abstract](https://arxiv.org/abs/1903.12254),
[repository](https://github.com/cmla-psu/shadowdp)). StatDP, DP-Sniper and DP-Auditorium prove
nothing."""

REFUTED = """\
*here*: as above; the failing proof and the search for the counterexample. *ratio found* is that of
two exact likelihoods on neighbouring inputs, *allowed* is e to the claimed ε there. *CheckDP,
earlier*: as above, without the check of its counterexample by PSI, for which a second program is
written by hand. The last three are in the benchmark of StatDP and DP-Sniper only, who test black
boxes: see below."""

CHECKED = """\
*here*: the milliseconds of processor time of reading a certificate and checking it, by the
kernel or, of a counterexample, by exact likelihoods; *of verify*: their part of the time above.
None of the other tools writes a certificate that another checker reads."""

AUDITED = """\
All are audited as black boxes at ε = 0.5 on the pairs of inputs that StatDP proposes, both ways;
*exact* is the largest ε on these pairs. *here*: a lower bound on ε that holds with 90 %, its time
in two processes, and its runs; seeded. *DP-Sniper, earlier*: the same on the same pairs. *StatDP,
earlier*: the largest ε that it rejected of those tried (0: none). DP-Auditorium is not in this
table: its figures on these programs are not known.

What DP-Sniper's authors published of both tools is for **ε = 0.1**, on inputs that each tool chose
and on their machine: a lower bound on ε, and the seconds of the search, without those of the final
estimate
([reference results](https://github.com/eth-sri/dp-sniper/tree/master/eval_sp2021/reference-results)).
"""

SAMPLED = """\
Millions of sparse vectors of 10 queries a second, in processor time of one core. The others'
*earlier* figures, from the slowest to the fastest, are of their own samplers of such vectors."""


@cache
def _by_name() -> dict[str, Mechanism[..., Any]]:
    """The gallery, after a verdict that pays for what is imported at first use."""
    found = {m.function.__name__: m for m in gallery(run=True)}
    verify(fresh(found["laplace"]))
    return found


@cache
def _verified(name: str, repeat: int) -> tuple[float, Report]:
    """The median of a verdict's seconds of processor time, each derived anew; the last one."""
    seconds = []
    for _ in range(repeat):
        mechanism = fresh(_by_name()[name])
        begun = time.process_time()
        report = verify(mechanism)
        seconds.append(time.process_time() - begun)
    return statistics.median(seconds), report


def _beside(known: Known | None, here: float) -> tuple[str, str]:
    """A peer's seconds, and how many times ours they are."""
    if known is None:
        return "", ""
    _, seconds = known
    more = "> " if seconds >= CAP else ""
    return f"{more}{seconds:g}", f"{more}{seconds / here:,.0f}"


def _proved(name: str, effort: Effort) -> Cells:
    here, report = _verified(name, effort.repeat)
    shadow = f"≤ {SHADOWDP_LONGEST:g}" if name in SHADOWDP_PROOFS else ""
    known = _beside(CHECKDP_PROOFS.get(name), here)
    return (f"`{name}`", _verdict(report), f"{1000 * here:.0f}", *known, shadow)


def _verdict(report: Report) -> str:
    return f"{report.verdict}, {report.sizes} sizes" if report.sizes else str(report.verdict)


def _refuted(name: str, effort: Effort) -> Cells:
    here, report = _verified(name, effort.repeat)
    known = _beside(CHECKDP_REFUTATIONS.get(name), here)
    return (f"`{name}`", str(report.verdict), *ratios(report), f"{1000 * here:.0f}", *known)


def _checked(file: Path, name: str, effort: Effort) -> Cells:
    seconds = []
    Rechecker().check(file)  # what is imported at first use
    for _ in range(effort.repeat):
        checker = Rechecker()
        begun = time.process_time()
        found = checker.check(file)
        seconds.append(time.process_time() - begun)
    here, (whole, _) = statistics.median(seconds), _verified(name, effort.repeat)
    obligations = str(found.obligations) if found.verdict != "refuted" else ""
    return (
        f"`{file.name}`", str(found.standing), obligations, f"{1000 * here:.0f}",
        f"{100 * here / whole:.0f} %",
    )  # fmt: skip


def _certificate(name: str) -> Path:
    return next(gallery_certificates().glob(f"*.{name}.json"))


def _audited(row: Row, effort: Effort) -> Cells:
    # The processes are there, and have imported what they need, before the clock runs.
    audits.audited(row, effort.executor, audits.SEED, min(effort.share, BEFOREHAND))
    found, seconds = audits.audited(row, effort.executor, audits.SEED, effort.share)
    return (
        f"{row.exact:.4g}", f"{found.lower_bound:.3f}", f"{seconds:.1f}", f"{found.runs / 1e6:.1f}",
        f"{row.sniper:.3f}", f"{row.sniper_seconds:g}", f"{row.sniper_runs / 1e6:.0f}",
        f"{row.sniper_seconds / seconds:.1f}", "" if row.statdp is None else f"{row.statdp:g}",
    )  # fmt: skip


def _published() -> str:
    """What is published of audits, as a table."""

    def cells(known: Bound | None) -> Cells:
        return ("", "") if known is None else (f"{known[0]:g}", f"{known[1]:g}")

    heads = ("mechanism, ε = 0.1", "DP-Sniper, ε ≥", "s", "StatDP, ε ≥", "s")
    rows = [(name, *cells(one), *cells(two)) for name, (one, two) in PUBLISHED_AUDITS.items()]
    return table(heads, rows)


def _sampled(row: simulations.Row, effort: Effort) -> Cells:
    rate = simulations.rate(row, SAMPLES, effort.repeat)
    fastest = max(high for _, high in SAMPLING.values())
    spans = (f"{low:g} to {high:g}" for low, high in SAMPLING.values())
    return (f"{rate:.1f}", *spans, f"{rate / fastest:.1f}")


def _named(name: str, peer: str, measure: Callable[[str, Effort], Cells]) -> Subject:
    return Subject(peer, partial(measure, name))


_PROOFS = {
    **{name: peer for name, (peer, _) in CHECKDP_PROOFS.items()},
    **{n: f"{peer} (ShadowDP)" for n, peer in SHADOWDP_PROOFS.items() if n not in CHECKDP_PROOFS},
}
_REFUTATIONS = {
    **{name: peer for name, (peer, _) in CHECKDP_REFUTATIONS.items()},
    **{name: f"{peer} (StatDP)" for name, peer in STATDP_ONLY.items()},
}


def tasks() -> Sequence[Task]:
    """All that is compared, in the order of the page."""
    return (
        Task(
            "prove", "Proofs",
            ("program", "in the gallery", "verdict", "here, ms", "CheckDP, earlier, s", "ratio",
             "ShadowDP, published, s"),
            PROVED, [_named(name, peer, _proved) for name, peer in _PROOFS.items()],
        ),
        Task(
            "refute", "Counterexamples",
            ("program", "in the gallery", "verdict", "ratio found", "allowed", "here, ms",
             "CheckDP, earlier, s", "ratio"),
            REFUTED, [_named(name, peer, _refuted) for name, peer in _REFUTATIONS.items()],
        ),
        Task(
            "check", "Certificates, checked again",
            ("program", "certificate", "standing", "obligations", "here, ms", "of verify"),
            CHECKED,
            [
                Subject(peer, partial(_checked, _certificate(name), name))
                for name, peer in (_PROOFS | _REFUTATIONS).items()
            ],
        ),
        Task(
            "audit", f"Audits of black boxes, ε = {EPSILON:g}",
            ("mechanism", "exact", "here, ε ≥", "s", "M runs", "DP-Sniper, earlier, ε ≥", "s",
             "M runs", "s / here", "StatDP, earlier"),
            f"{AUDITED}\n{_published()}",
            [Subject(row.name, partial(_audited, row)) for row in ROWS],
        ),
        Task(
            "simulate", "Sampling",
            ("mechanism", "here, M/s", *(f"{peer}, earlier" for peer in SAMPLING),
             "here / fastest"),
            SAMPLED,
            [
                Subject(row.title, partial(_sampled, row))
                for row in simulations.ROWS if row.target == "sparse_vector"
            ],
        ),
    )  # fmt: skip
