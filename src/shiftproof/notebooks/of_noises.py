"""The errors of a noise as formulas, below each other."""

from __future__ import annotations

from ..estimators.noise_utility import NoiseUtility
from ..explaining.letters import letters
from .latex import formula, words


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
