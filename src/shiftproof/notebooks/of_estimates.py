"""Estimates: a distribution that was reconstructed, and the errors of noise in numbers."""

from __future__ import annotations

from dataclasses import fields

from ..estimators.noise_utility import NoiseErrors
from ..estimators.reconstruction import Reconstruction
from .card import Card, Table, fact

#: How many values of a distribution are listed.
LISTED = 20


def card_of(value: Reconstruction | NoiseErrors) -> Card:
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
    rows = tuple((str(k), f"{p:.6g}") for k, p in enumerate(found.distribution[:LISTED]))
    return Card(
        "reconstruction",
        "converged" if found.converged else "not converged",
        "good" if found.converged else "open",
        facts=tuple(fact(label, text) for label, text in facts.items() if text),
        tables=(Table(("value", "probability"), rows),),
        note=f"The first {LISTED} of {count:,} values." if count > LISTED else "",
    )
