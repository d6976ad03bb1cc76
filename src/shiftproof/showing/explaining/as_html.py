"""HTML: one page that needs nothing else, with the text, and with runs that the reader moves."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from importlib.resources import files

from ...checkers.walking.certificate import Certificate
from ..account import Account
from ..formats import prose
from ..formats.colours import coloured
from ..words import Block, Listing, Section
from . import page
from .checks import as_html as checks
from .checks.owed import owed_of
from .checks.words import section as section_of
from .page.play import Notes, notes_of, play_of
from .page.plots import bars, densities

_SCRIPTS = ("numbers.js", "runs.js", "laws.js", "elements.js", "inputs.js", "noise.js", "stage.js")
#: Nothing is loaded from anywhere, whatever a program's names and strings hold.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_RUNS = (
    "Move the noise of the run on D, or choose other inputs. The run on D′ gets the aligned noise: "
    "it comes to the same output, at a cost within the budget."
)
_TRIED = (
    "Move the noise of the run on D, or choose other inputs. The run on D′ gets the noise that the "
    "best attempt aligns. That is no proof: for some inputs and noise it fails, as it says then."
)
_LAWS = (
    "Choose inputs and parameters. Every run is followed, and the probabilities of each outcome "
    "are added up: on D, on D′, and how far they are apart at worst."
)


def as_html(explanations: Sequence[Account]) -> str:
    """One or several accounts as one page; several have a list of contents."""
    accounts = [_Account(e, f"account-{k}") for k, e in enumerate(explanations, start=1)]
    title = ", ".join(e.title for e in explanations[:3]) + (" …" if len(accounts) > 3 else "")
    body = "".join(account.article() for account in accounts)
    plays = [f'play("{a.id}-play", {a.play});' for a in accounts if a.play]
    scripts = "".join(_file(name) for name in _SCRIPTS) + "\n".join(plays)
    checked = any(a.owed is not None and a.owed.count for a in accounts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)} · shiftproof</title>\n<style>\n{_file('page.css')}</style>\n"
        f"</head>\n<body>\n<main>\n{_contents(explanations)}{body}</main>\n"
        # Apart from the other scripts: neither rests on the other.
        + (f"<script>\n{checks.script()}</script>\n" if checked else "")
        + (f"<script>\n{scripts}\n</script>\n" if plays else "")
        + "</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return (files(page) / name).read_text("utf-8")


def _contents(explanations: Sequence[Account]) -> str:
    if len(explanations) < 2:
        return ""
    entries = "".join(
        f'<li><a href="#account-{k}">{html.escape(e.title)}</a> {_verdict(e.verdict)}</li>'
        for k, e in enumerate(explanations, start=1)
    )
    return f'<nav aria-label="Mechanisms"><ul>{entries}</ul></nav>\n'


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {html.escape(verdict)}">{html.escape(verdict)}</span>'


class _Account:
    """One account; ``play`` is what moves in it, if anything does, ``owed`` what a proof owes."""

    def __init__(self, explanation: Account, identity: str) -> None:
        self.id = identity
        self._explanation = explanation
        about = explanation.about
        self._report = about.report if about is not None else None
        self._program = about.program if about is not None else None
        self.play = ""
        self._notes: Notes = {}
        if self._report is not None and self._program is not None:
            self.play = play_of(self._report, self._program)
            self._notes = notes_of(self._report, self._program)
        certificate = self._report.certificate if self._report is not None else None
        self._proof = certificate if isinstance(certificate, Certificate) else None
        self.owed = owed_of(self._proof, self._program) if self._proof is not None else None

    def article(self) -> str:
        """The whole account."""
        e = self._explanation
        sections = "".join(self._section(section) for section in e.sections)
        status = checks.status(f"{self.id}-checked", self.owed) if self.owed is not None else ""
        return (
            f'<article id="{self.id}">\n<header><h1>{_breakable(e.title)} '
            f"{_verdict(e.verdict)}</h1>\n<p>{prose.words(e.summary)}</p>{status}</header>\n"
            f"{'' if self._tried else self._stage()}{sections}{self._checks()}</article>\n"
        )

    def _checks(self) -> str:
        """What the browser checks, and the obligations."""
        if self._proof is None or self.owed is None:
            return ""
        told = self._section(section_of(self.owed, self._proof))
        return told + checks.obligations(f"{self.id}-checked", self.owed)

    @property
    def _tried(self) -> bool:
        """Whether what moves is an attempt only, which is told after the account of its failure."""
        return self._explanation.verdict not in ("proved", "bounded")

    @property
    def _after(self) -> str:
        """The section after which what was tried can be moved."""
        return "Claim" if self._explanation.verdict == "refuted" else "What failed"

    def _stage(self) -> str:
        if not self.play or self._report is None:
            return ""
        summed = self._report.method in ("sums", "enumeration")
        title = "Both laws side by side" if summed else "Two runs side by side"
        told = _LAWS if summed else _TRIED if self._tried else _RUNS
        if self._tried:
            title = "The best alignment that was tried"
        return (
            f"<section><h2>{title}</h2><p>{told}</p>"
            f'<div id="{self.id}-play"><noscript><p class="quiet">This part needs JavaScript; the '
            "rest of the page does not.</p></noscript></div></section>\n"
        )

    def _section(self, section: Section) -> str:
        blocks = "".join(self._block(block) for block in section.blocks)
        if section.title == "Counterexample":
            blocks += self._plots()
        after = self._stage() if self._tried and section.title == self._after else ""
        return f"<section><h2>{html.escape(section.title)}</h2>\n{blocks}</section>\n{after}"

    def _plots(self) -> str:
        found = self._report.refutation if self._report is not None else None
        if found is None:
            return ""
        curves = densities(found, self._program) if self._program is not None else ""
        return bars(found) + curves

    def _block(self, block: Block) -> str:
        match block:
            case Listing(first=int(first)) as listing:
                begins = f' style="counter-reset: line {first - 1}"'
                return f'<ol class="program"{begins}>{"".join(self._lines(listing, first))}</ol>\n'
            case Listing(lines=lines):
                text = html.escape("\n".join(lines))
                return f'<pre class="scroll" tabindex="0">{text}</pre>\n'
        return prose.block(block)

    def _lines(self, listing: Listing, first: int) -> Iterator[str]:
        """A program, line by line, each with what is to be said of it."""
        own = self._program is not None and listing.file == self._program.source.file
        shown = zip(listing.lines, coloured(listing.lines), strict=True)
        for number, (line, coloured_line) in enumerate(shown, start=first):
            said = self._notes.get(number, ()) if own else ()
            notes = "".join(f"<p>{prose.words(words)}</p>" for words in said)
            aside = f'<div class="note">{notes}</div>' if notes else ""
            indent = len(line) - len(line.lstrip(" "))  # what wraps goes on right of it
            begins = f' style="--indent: {indent}ch"' if indent else ""
            yield f"<li><code{begins}>{coloured_line or ' '}</code>{aside}</li>"


def _breakable(name: str) -> str:
    """A name that may be broken between its words."""
    return html.escape(name).replace("_", "_<wbr>")
