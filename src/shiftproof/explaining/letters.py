"""Names as symbols: ``eps`` is ε, ``T`` a letter, ``f1`` has an index, ``noisy_max`` is a word.

A name that is a symbol of the accounts, such as ``D``, is set like a typewriter's.
"""

from __future__ import annotations

import re

_LETTERS = "αβγδεζηθικλμνξπρστυφχψω"
_WORDS = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega",
]  # fmt: skip
#: Words that are a letter; "eta" or "pi" is more often a name of its own.
_READ = ["alpha", "gamma", "delta", "theta", "kappa", "mu", "rho", "sigma", "tau", "phi"]
_GREEK = (
    {"eps": r"\varepsilon", "epsilon": r"\varepsilon"}
    | {word: "\\" + word for word in _READ}
    | {letter: "\\" + word for letter, word in zip(_LETTERS, _WORDS, strict=True)}
)
#: Symbols of the accounts, as they are and with an index.
_TAKEN = {"lam": "lam", "beta": "beta", "λ": "lambda", "β": "beta"} | {c: c for c in "CDMPSZdeoz"}
_TAKEN_WITH_INDEX = _TAKEN | {"delta": "delta", "δ": "delta"} | {c: c for c in "bprwy"}


def letters(name: str) -> str:
    """A name as one symbol of a formula."""
    if not name.strip("_"):
        return r"\underline{\enspace}"  # by itself it would begin an index
    if name in _TAKEN:
        return rf"\mathtt{{{_TAKEN[name]}}}"
    if name in _GREEK:
        return _GREEK[name]
    if len(name) == 1 and name.isascii():
        return name
    digits = re.fullmatch(r"(.*?)_?([0-9]+)", name)
    if digits and digits[1].strip("_"):
        taken = _TAKEN_WITH_INDEX.get(digits[1])
        base = letters(digits[1]) if taken is None else rf"\mathtt{{{taken}}}"
        return f"{base}_{{{digits[2]}}}" if "_" not in base else f"{{{base}}}_{{{digits[2]}}}"
    first, _, rest = name.partition("_")
    if rest and (len(first) == 1 or first in _GREEK):
        return rf"{letters(first)}_{{\textit{{{rest.replace('_', ' ').strip()}}}}}"
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
