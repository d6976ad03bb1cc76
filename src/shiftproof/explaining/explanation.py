"""What ``explain`` returns: an account that can write itself down."""

from __future__ import annotations

from .model import Account


class Explanation(Account):
    """The account of one verdict, from the claim to the conclusion, and its forms.

    Attributes:
        mechanism: its name.
        verdict: ``proved``, ``bounded``, ``refuted``, ``unknown`` or ``unsupported``.
        summary: the answer in a sentence or two.
        sections: the account.
        about: what it is of, for what a page shows besides.
    """

    __slots__ = ()

    def as_markdown(self) -> str:
        """The account in Markdown, its formulas between dollars."""
        from .as_markdown import as_markdown

        return as_markdown(self)

    def as_latex(self, *, fragment: bool = False) -> str:
        """The account as a LaTeX article.

        Args:
            fragment: whether to leave out the preamble, for ``\\input`` into another document.
        """
        from .as_latex import as_latex

        return as_latex([self], fragment=fragment)

    def as_html(self) -> str:
        """The account as one HTML page that needs nothing else, with two runs that can be moved.

        What moves is the program itself, in JavaScript; without JavaScript the text is there.
        """
        from .as_html import as_html

        return as_html([self])

    def _repr_markdown_(self) -> str:
        """What a notebook shows."""
        return self.as_markdown()
