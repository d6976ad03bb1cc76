"""From an object to what a notebook shows of it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..dsl.showing import Form

if TYPE_CHECKING:
    from .card import Card

#: Which module makes the card of which class, so that the others are not loaded.
_MAKERS = {
    "Mechanism": "of_mechanisms", "Report": "of_reports", "Comparison": "of_comparisons",
    "Bracket": "of_comparisons", "Likelihood": "of_comparisons", "Certificate": "of_certificates",
    "Refutation": "of_certificates", "Audit": "of_audits", "OneSidedAudit": "of_audits",
    "Outcomes": "of_outcomes", "Reconstruction": "of_estimates", "NoiseErrors": "of_estimates",
}  # fmt: skip


def render(value: object, form: Form) -> str | None:
    """An object as HTML, LaTeX or text; ``None`` for one that has no such form."""
    if form == "text":
        return _text_of(value)
    if type(value).__name__ == "NoiseUtility":  # formulas, which HTML alone does not set
        return None if form == "html" else str(_module("of_noises").latex_of(value))
    card = card_of(value)
    return None if card is None else str(getattr(_module(form), f"{form}_of")(card))


def _text_of(value: object) -> str | None:
    """What the command line prints of an object."""
    from ..checkers.verdicts import Report

    if not isinstance(value, Report):
        return None
    from ..formats import rendered
    from ..formats.of_reports import of_reports

    return rendered(of_reports([value]), "table")


def card_of(value: object) -> Card | None:
    """The card of an object."""
    names = (kind.__name__ for kind in type(value).__mro__)
    maker = next((_MAKERS[name] for name in names if name in _MAKERS), None)
    return None if maker is None else _module(maker).card_of(value)


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)
