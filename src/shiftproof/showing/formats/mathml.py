r"""Formulas as MathML, from the few commands of LaTeX that the accounts and SymPy use.

before:  \frac{c}{\varepsilon} \leq f'_{i}
after:   <mfrac><mi>c</mi><mi>ε</mi></mfrac><mo>≤</mo><msubsup>…</msubsup>
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ..words import Maths

_TOKEN = re.compile(r"\\[a-zA-Z]+ ?|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)
_LETTERS = {
    "varepsilon": "ε", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "pi": "π", "infty": "∞",
}  # fmt: skip
_OPERATORS = {
    "leq": "≤", "geq": "≥", "neq": "≠", "in": "∈", "notin": "∉", "cdot": "·", "neg": "¬",
    "sum": "∑", "approx": "≈", "times": "×", "to": "→", "pm": "±", "dots": "…", "bmod": "mod",
    "lt": "<", "gt": ">", "parallel": "∥",
}  # fmt: skip
_FUNCTIONS = {"min": "min", "max": "max", "ln": "ln", "Pr": "Pr", "exp": "exp", "log": "log"}
_FENCES = {
    "lvert": "|", "rvert": "|", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    "lbrace": "{", "rbrace": "}",
}  # fmt: skip
_SPACES = {"thinspace": "0.17em", "quad": "1em"}
#: A minus after one of these is a sign, and no difference: nothing is left free behind it.
_OPENING = {"(", "[", ",", "=", "<", ">", r"\leq", r"\geq", r"\neq", r"\in", r"\approx"}
_SIGN = '<mo form="prefix">−</mo>'
_GAP = f'<mspace width="{_SPACES["thinspace"]}"></mspace>'
#: Formulas of more characters may be broken between their parts where they stand in a line.
_LONG = 36
_BREAKS = {"<mo>=</mo>", "<mo>≤</mo>", "<mo>≥</mo>", "<mo>∈</mo>", "<mo>+</mo>", "<mo>,</mo>"}


def inline(formula: Maths) -> str:
    """A formula in a sentence; a long one in several pieces, between which a line may end."""
    pieces = list(_Reader(formula.latex).row())
    if len(formula.plain) <= _LONG:
        return _math("".join(pieces))
    rows: list[list[str]] = [[]]
    for piece in pieces:
        rows[-1].append(piece)
        if piece in _BREAKS or piece.startswith("<mtext"):
            rows.append([])
    return "<wbr>".join(_math("".join(row)) for row in rows if row)


def display(formula: Maths) -> str:
    """A formula on a line of its own."""
    inner = "".join(_Reader(formula.latex).row())
    return f'<math display="block">{inner}</math>'


def _math(inner: str) -> str:
    return f"<math>{inner}</math>"


class _Reader:
    """Reads one formula from the left."""

    def __init__(self, latex: str) -> None:
        self._tokens = [t.strip() or " " for t in _TOKEN.findall(latex)]
        self._at = 0

    def row(self, end: str = "") -> Iterator[str]:
        """The elements up to a closing token, or to the end."""
        before = ""
        while self._at < len(self._tokens):
            token = self._next()
            if token == end:
                return
            if token[1:] in _FUNCTIONS and (before[:1].isdigit() or before == r"\frac"):
                yield _GAP  # as TeX leaves it between a factor and a function
            if token == "-" and before in _OPENING:
                yield _SIGN
            elif token != " ":
                yield self._scripted(self._element(token))
            before = before if token == " " else token

    def _next(self) -> str:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _group(self) -> str:
        """What stands in braces, or the next element."""
        while self._at < len(self._tokens):
            token = self._next()
            if token == "{":
                return "<mrow>" + "".join(self.row("}")) + "</mrow>"
            if token != " ":
                return self._element(token)
        return "<mrow></mrow>"

    def _fence(self) -> str:
        """What grows with what it encloses."""
        fence = self._next() if self._at < len(self._tokens) else ""
        shown = _FENCES.get(fence[1:], "") if fence.startswith("\\") else fence
        return f"<mo>{shown}</mo>"

    def _gap(self) -> str:
        """What stands between the name of a function and its argument, if that has no brackets."""
        rest = (token for token in self._tokens[self._at :] if token != " ")
        plain = next(rest, "(")[0].isalnum()
        return _GAP if plain else ""

    def _words(self) -> str:
        """The text in braces, as it is."""
        if self._at < len(self._tokens) and self._tokens[self._at] == "{":
            self._at += 1
        found = ""
        while self._at < len(self._tokens) and (token := self._next()) != "}":
            found += token
        return html.escape(found.replace(" ", "\u00a0"))

    def _scripted(self, base: str) -> str:
        """An element with what stands below and above it."""
        below = above = ""
        while self._at < len(self._tokens) and self._tokens[self._at] in ("_", "^", "'"):
            sign = self._next()
            if sign == "'":  # the glyph is raised as it is
                base = f'<mrow>{base}<mo form="postfix" lspace="0" rspace="0">′</mo></mrow>'
            elif sign == "_":
                below = self._group()
            else:
                above = self._group()
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def _element(self, token: str) -> str:
        if token == "{":
            return "<mrow>" + "".join(self.row("}")) + "</mrow>"
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{html.escape(token)}</mi>"
        if token in "()[]|":
            return f'<mo stretchy="false">{token}</mo>'
        return f"<mo>{html.escape(token.replace('-', '−'))}</mo>"

    def _command(self, name: str) -> str:
        if name in _LETTERS:
            return f"<mi>{_LETTERS[name]}</mi>"
        if name in _OPERATORS:
            return f"<mo>{html.escape(_OPERATORS[name])}</mo>"
        if name in _FUNCTIONS:
            return f"<mi>{_FUNCTIONS[name]}</mi>{self._gap()}"
        if name in _FENCES:
            side = "prefix" if name.startswith("l") else "postfix"
            return f'<mo form="{side}" stretchy="false" lspace="0" rspace="0">{_FENCES[name]}</mo>'
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"></mspace>'
        match name:
            case "displaystyle":
                return ""
            case "frac":
                return f"<mfrac>{self._group()}{self._group()}</mfrac>"
            case "sqrt":
                return f"<msqrt>{self._group()}</msqrt>"
            case "left":  # both fences are of one row, so that they grow alike
                begins, inner = self._fence(), "".join(self.row(r"\right"))
                return f"<mrow>{begins}{inner}{self._fence()}</mrow>"
            case "vert":
                return '<mo stretchy="false" lspace="0" rspace="0">|</mo>'
            case "text":
                return f"<mtext>{self._words()}</mtext>"
            case "textit":
                return f'<mi mathvariant="italic" class="word">{self._words()}</mi>'
            case "mathrm":
                return f'<mi mathvariant="normal">{self._words()}</mi>'
        return f"<mtext>{html.escape(name)}</mtext>"
