"""How the objects of the toolkit look in a notebook: as a card in HTML or LaTeX.

Importing this names it as the renderer, and no more: an object's account is made, and its format
loaded, when the first one is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..dsl import showing

if TYPE_CHECKING:
    from .account import Account

showing.RENDERER = __name__

#: Which function makes the account of which class, and where, so that the others are not loaded.
_MAKERS = {
    "Mechanism": ("mechanisms", "of_mechanism"),
    "Report": ("comparisons", "of_report"),
    "Comparison": ("comparisons", "of_comparison"),
    "Bracket": ("comparisons", "of_bracket"),
    "Likelihood": ("comparisons", "of_likelihood"),
    "Certificate": ("comparisons", "of_certificate"),
    "Refutation": ("comparisons", "of_certificate"),
    "Audit": ("results", "of_audit"),
    "OneSidedAudit": ("results", "of_one_sided"),
    "Outcomes": ("results", "of_outcomes"),
    "Reconstruction": ("results", "of_reconstruction"),
    "NoiseErrors": ("results", "of_errors"),
    "NoiseUtility": ("results", "of_utility"),
}


def render(value: object, form: showing.Form) -> str | None:
    """An object as HTML, LaTeX or text; ``None`` for one that has no such form."""
    kinds = [kind.__name__ for kind in type(value).__mro__]
    if form == "text" and "Report" in kinds:
        reports = _module("answers.reports").of_reports([value])
        return str(_module("formats").rendered(reports, "table"))
    if form == "latex" and "NoiseUtility" in kinds:
        return str(_module("answers.results").latex_of(value))
    account = account_of(value)
    if account is None:
        return None
    if form == "text":
        answers = _module("account").Answers("", (account,), 0, single=True)
        return str(_module("formats").rendered(answers, "table"))
    if form == "html":
        return str(_module("formats.html").card(account))
    return str(_module("formats.formula").card(account))


def account_of(value: object) -> Account | None:
    """The account of an object that notebooks show as a card."""
    names = (kind.__name__ for kind in type(value).__mro__)
    maker = next((_MAKERS[name] for name in names if name in _MAKERS), None)
    if maker is None:
        return None
    found: Account = getattr(_module(f"answers.{maker[0]}"), maker[1])(value)
    return found


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)
