"""Cards of what many runs or reports tell: audits, outcomes, estimates, and errors of noise."""

from __future__ import annotations

from dataclasses import fields

from ...checkers.auditing.one_sided import OneSidedAudit
from ...checkers.auditing.result import Audit
from ...dsl.simulation.outcomes import Outcomes
from ...estimators.noise_utility import NoiseErrors, NoiseUtility
from ...estimators.reconstruction import Reconstruction
from ..audits import claim_text, inputs_text, judgement_text, ratio_text, value_text
from ..explaining.notation import letters
from .card import Card, Listing, Table, fact
from .latex import formula, words

#: How many events are listed.
EVENTS = 5
_NO_PROOF = "That no violation was found does not mean that there is none."


def of_audit(audit: Audit | OneSidedAudit) -> Card:
    """The card of an audit."""
    return _one_sided(audit) if isinstance(audit, OneSidedAudit) else _privacy(audit)


def _privacy(audit: Audit) -> Card:
    violated = audit.verdict == "violation found"
    runs = f"{audit.runs:,} of {audit.asked:,}, seed {audit.seed}"
    public = ", ".join(f"{name} = {value_text(value)}" for name, value in audit.public.items())
    found = {
        "claim": claim_text(audit),
        "at": public,
        "ideal": judgement_text(audit.ideal, audit),
        "code": "" if audit.code is None else judgement_text(audit.code, audit),
        "runs": f"interrupted after {runs}" if audit.interrupted else runs,
        "note": "\n".join(audit.notes),
    }
    tested = [t for t in audit.tested if t.runs][:EVENTS]
    rows = tuple(
        (
            t.event, inputs_text(t.left, audit.public), inputs_text(t.right, audit.public),
            f"{t.on_left:,}, {t.on_right:,} of {t.runs:,}",
            ratio_text(t).removeprefix("a ratio of "),
        )
        for t in tested
    )  # fmt: skip
    head = ("event", "D", "D′", "came on D, on D′", "ratio")
    return Card(
        audit.mechanism,
        audit.verdict,
        "bad" if violated else "plain",
        facts=tuple(fact(label, text) for label, text in found.items() if text),
        tables=(Table(head, rows),) if rows else (),
        note="" if violated else _NO_PROOF,
    )


def _one_sided(audit: OneSidedAudit) -> Card:
    lines = audit.as_text().split("\n")[1:]
    return Card(
        audit.mechanism,
        audit.verdict,
        "bad" if audit.verdict == "refuted" else "plain",
        listings=(Listing(tuple(line.removeprefix("  ") for line in lines)),),
    )


# Outcomes of many runs: how many there are, and the most frequent ones.

#: How many runs are counted, and how many outcomes listed.
COUNTED, LISTED = 100_000, 10


def of_outcomes(outcomes: Outcomes) -> Card:
    """The card of outcomes; of very many, the first ones are counted."""
    some = outcomes[:COUNTED]
    counts = some.counts()
    runs = f"{len(outcomes):,}"
    if len(some) < len(outcomes):
        runs += f", of which the first {len(some):,} were counted"
    rows = tuple(
        (", ".join(map(repr, outcome)) or "nothing", f"{times:,}", f"{times / len(some):.4g}")
        for outcome, times in counts[:LISTED]
    )
    listed = f"{len(counts):,}" + ("; the most frequent:" if len(counts) > LISTED else "")
    return Card(
        "outcomes",
        facts=(fact("runs", runs), fact("different outcomes", listed)),
        tables=(Table(("outcome", "runs", "share"), rows),) if rows else (),
    )


# Estimates: a distribution that was reconstructed, and the errors of noise in numbers.

#: How many values of a distribution are listed.
VALUES = 20


def of_estimate(value: Reconstruction | NoiseErrors) -> Card:
    """The card of an estimate."""
    return _errors(value) if isinstance(value, NoiseErrors) else _distribution(value)


def _errors(errors: NoiseErrors) -> Card:
    named = {f.name.replace("_", " "): getattr(errors, f.name) for f in fields(errors)}
    return Card("noise errors", facts=tuple(fact(n, f"{v:.10g}") for n, v in named.items()))


def _distribution(found: Reconstruction) -> Card:
    facts = {
        "method": f"{found.method}, {found.iterations:,} iterations",
        "reports": f"{found.reports:,.10g}",
        "warning": "\n".join(found.warnings),
    }
    count = len(found.distribution)
    rows = tuple((str(k), f"{p:.6g}") for k, p in enumerate(found.distribution[:VALUES]))
    return Card(
        "reconstruction",
        "converged" if found.converged else "not converged",
        "good" if found.converged else "open",
        facts=tuple(fact(label, text) for label, text in facts.items() if text),
        tables=(Table(("value", "probability"), rows),),
        note=f"The first {VALUES} of {count:,} values." if count > VALUES else "",
    )


# The errors of a noise as formulas, below each other.


def latex_of(utility: NoiseUtility) -> str:
    """The formulas and what their abbreviations mean, as LaTeX."""
    from sympy import latex

    head = utility.noise + (f" less its {utility.debias}" if utility.debias else "")
    names = {symbol: letters(symbol.name) for symbol in utility.symbols}
    rows = [
        rf"{words(f'{label} = ')}\displaystyle {latex(value, symbol_names=names)}"
        for label, value in (
            ("subtracted", utility.subtracted), ("bias", utility.bias),
            ("variance", utility.variance), ("RMSE", utility.rmse),
            ("E|error|", utility.mean_absolute_error),
        )
    ]  # fmt: skip
    rows += [
        rf"{words('where ')}{latex(name, symbol_names=names)} = {latex(of, symbol_names=names)}"
        for name, of in utility.where
    ]
    return formula([words(head), *rows], gap="[2ex]")
