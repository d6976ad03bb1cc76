"""Names as symbols: ``eps`` is ε, ``T`` a letter, ``f1`` has an index, ``noisy_max`` is a word."""

from __future__ import annotations

import re

_GREEK = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"} | {
    word: "\\" + word
    for word in (
        "alpha", "beta", "gamma", "delta", "theta", "kappa", "mu", "rho", "sigma", "tau", "phi",
    )
}  # fmt: skip


def letters(name: str) -> str:
    """A name as one symbol of a formula."""
    if name in _GREEK:
        return _GREEK[name]
    if len(name) == 1:
        return name
    digits = re.fullmatch(r"(.*?)_?(\d+)", name)
    if digits and digits[1]:
        return f"{letters(digits[1])}_{{{digits[2]}}}"
    first, _, rest = name.partition("_")
    if rest and (len(first) == 1 or first in _GREEK):
        return rf"{letters(first)}_{{\textit{{{rest.replace('_', ' ')}}}}}"
    return rf"\textit{{{name.replace('_', ' ').strip()}}}"


def is_sum(latex: str) -> bool:
    """Whether a formula needs brackets in a product: a sum, or one that begins with a minus."""
    depth = 0
    for token in re.findall(r"\\lvert|\\rvert|\\lfloor|\\rfloor|[{}()]|[+-]", latex):
        if token in ("+", "-") and depth == 0:
            return True
        depth += (token in ("{", "(", r"\lvert", r"\lfloor")) - (
            token in ("}", ")", r"\rvert", r"\rfloor")
        )
    return False


def verbatim(text: str) -> str:
    """Words inside a formula, as they are; what TeX would read otherwise is a blank."""
    plain = re.sub(r"[\\{}$%#&^~_]|[^\x20-\u017f‘’]", " ", text)
    return rf"\text{{{plain}}}"
