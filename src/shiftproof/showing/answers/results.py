"""What many runs or reports tell: audits, outcomes, estimates, and errors of noise."""

from __future__ import annotations

from dataclasses import fields

from ...checkers.auditing.one_sided import OneSidedAudit
from ...checkers.auditing.result import Audit
from ...dsl.simulation.outcomes import Outcomes
from ...estimators.noise_utility import NoiseErrors, NoiseUtility
from ...estimators.reconstruction import Reconstruction
from .. import audits
from ..account import Account, Mood, facts_of
from ..explaining.notation import letters
from ..formats.formula import formula, words
from ..words import Section, Table

#: How many events are listed.
EVENTS = 5
_NO_PROOF = "That no violation was found does not mean that there is none."


def of_audit(audit: Audit) -> Account:
    """An audit of privacy, with the events that were tested."""
    violated = audit.verdict == "violation found"
    notes = {"note": "\n".join(audit.notes)}
    tested = [t for t in audit.tested if t.runs][:EVENTS]
    sides = [[audits.inputs_text(side, audit.public) for side in (t.left, t.right)] for t in tested]
    rows = tuple(
        (
            t.event, left, right, f"{t.on_left:,}, {t.on_right:,} of {t.runs:,}",
            audits.ratio_text(t).removeprefix("a ratio of "),
        )
        for t, (left, right) in zip(tested, sides, strict=True)
    )  # fmt: skip
    head = ("event", "D", "D′", "came on D, on D′", "ratio")
    return Account(
        audit.mechanism,
        audit.verdict,
        sections=_table(head, rows),
        mood="bad" if violated else "plain",
        facts=facts_of(audits.facts(audit) | notes),
        note="" if violated else _NO_PROOF,
    )


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> tuple[Section, ...]:
    return (Section("", (Table(head, rows),)),) if rows else ()


def of_one_sided(audit: OneSidedAudit) -> Account:
    """An audit of a one-sided claim."""
    lines = audit.as_text().split("\n")[1:]
    mood: Mood = "bad" if audit.verdict == "refuted" else "plain"
    evidence = tuple(line.removeprefix("  ") for line in lines)
    return Account(audit.mechanism, audit.verdict, mood=mood, evidence=evidence)


# Outcomes of many runs: how many there are, and the most frequent ones.

#: How many runs are counted, and how many outcomes listed.
COUNTED, LISTED = 100_000, 10


def of_outcomes(outcomes: Outcomes) -> Account:
    """Outcomes; of very many, the first ones are counted."""
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
    table = _table(("outcome", "runs", "share"), rows)
    found = facts_of({"runs": runs, "different outcomes": listed})
    return Account("outcomes", sections=table, facts=found)


# Estimates: a distribution that was reconstructed, and the errors of noise in numbers.

#: How many values of a distribution are listed.
VALUES = 20


def of_errors(errors: NoiseErrors) -> Account:
    """The errors of a noise."""
    named = {f.name.replace("_", " "): f"{getattr(errors, f.name):.10g}" for f in fields(errors)}
    return Account("noise errors", facts=facts_of(named))


def of_reconstruction(found: Reconstruction) -> Account:
    """A distribution that was reconstructed."""
    facts = {
        "method": f"{found.method}, {found.iterations:,} iterations",
        "reports": f"{found.reports:,.10g}",
        "warning": "\n".join(found.warnings),
    }
    count = len(found.distribution)
    rows = tuple((str(k), f"{p:.6g}") for k, p in enumerate(found.distribution[:VALUES]))
    return Account(
        "reconstruction",
        "converged" if found.converged else "not converged",
        sections=_table(("value", "probability"), rows),
        mood="good" if found.converged else "open",
        facts=facts_of(facts),
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
