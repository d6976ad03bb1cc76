"""From an object to what a notebook shows of it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...dsl.showing import Form

if TYPE_CHECKING:
    from .card import Card

#: Which function makes the card of which class, and where, so that the others are not loaded.
_MAKERS = {
    "Mechanism": ("mechanisms", "of_mechanism"),
    "Report": ("answers", "of_report"),
    "Comparison": ("answers", "of_comparison"),
    "Bracket": ("answers", "of_comparison"),
    "Likelihood": ("answers", "of_comparison"),
    "Certificate": ("answers", "of_certificate"),
    "Refutation": ("answers", "of_certificate"),
    "Audit": ("results", "of_audit"),
    "OneSidedAudit": ("results", "of_audit"),
    "Outcomes": ("results", "of_outcomes"),
    "Reconstruction": ("results", "of_estimate"),
    "NoiseErrors": ("results", "of_estimate"),
}


def render(value: object, form: Form) -> str | None:
    """An object as HTML, LaTeX or text; ``None`` for one that has no such form."""
    if form == "text":
        return _text_of(value)
    if type(value).__name__ == "NoiseUtility":  # formulas, which HTML alone does not set
        return None if form == "html" else str(_module("results").latex_of(value))
    card = card_of(value)
    return None if card is None else str(getattr(_module(form), f"{form}_of")(card))


def _text_of(value: object) -> str | None:
    """What the command line prints of an object."""
    from ...checkers.verdicts import Report

    if not isinstance(value, Report):
        return None
    from ..formats import rendered
    from ..formats.of_reports import of_reports

    return rendered(of_reports([value]), "table")


def card_of(value: object) -> Card | None:
    """The card of an object."""
    names = (kind.__name__ for kind in type(value).__mro__)
    maker = next((_MAKERS[name] for name in names if name in _MAKERS), None)
    if maker is None:
        return None
    module, function = maker
    card: Card = getattr(_module(module), function)(value)
    return card


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)
