"""An account as a card in HTML: self-contained, escaped, small, legible on light and on dark.

Colours are those of the page and its editor, but for the badge, which brings its own background.
Where a notebook is not trusted the style is taken away; headings, lists and tables are left.
"""

from __future__ import annotations

from ..account import Account, Fact
from ..words import Block, Display, Listing, Section, Table
from . import prose
from .colours import coloured
from .prose import text as _text

#: White on each of these has a contrast of at least 4.5.
_BADGES = {"good": "#1a7f37", "bad": "#c62828", "open": "#8a5a00", "plain": "#57606a"}

#: Up to how many characters a cell of a table stays on one line.
_SHORT = 24

# The class stands twice, so that these rules win over those of notebooks for any table or list.
_STYLE = """
.shiftproof.shiftproof { max-width: 60em; margin: .3em 0; padding: .6em .9em; line-height: 1.45;
  border: 1px solid rgba(128,128,128,.4); border-radius: 6px; overflow-wrap: anywhere }
.shiftproof.shiftproof p { margin: .3em 0 }
.shiftproof.shiftproof .head strong { font-size: 1.1em; margin-right: .5em }
.shiftproof.shiftproof .badge { display: inline-block; border-radius: 1em; padding: 0 .7em;
  color: #fff }
.shiftproof.shiftproof .note { font-size: .9em; opacity: .8 }
.shiftproof.shiftproof .part { font-weight: 600; margin-top: 1.2em }
.shiftproof.shiftproof .scroll { overflow-x: auto }
.shiftproof.shiftproof math { font-size: 1.05em }
.shiftproof.shiftproof math[display] { width: max-content; margin: .5em 0; text-align: left }
.shiftproof.shiftproof dl { display: grid; grid-template-columns: max-content minmax(0,1fr);
  align-items: baseline; gap: .15em 1em; margin: .4em 0; width: auto }
.shiftproof.shiftproof dt { font-weight: normal; opacity: .75; float: none; width: auto }
.shiftproof.shiftproof dd { margin: 0; width: auto }
.shiftproof.shiftproof code, .shiftproof.shiftproof pre {
  font-family: var(--jp-code-font-family, var(--vscode-editor-font-family, monospace)) }
.shiftproof.shiftproof code { white-space: pre-wrap; background: none; padding: 0; color: inherit;
  font-size: .95em }
.shiftproof.shiftproof .wide { overflow-x: auto; overflow-wrap: normal }
.shiftproof.shiftproof .short code { white-space: nowrap }
.shiftproof.shiftproof table { margin: .5em 0; border-collapse: collapse; font-size: 1em }
.shiftproof.shiftproof tr.row { background: none }
.shiftproof.shiftproof th, .shiftproof.shiftproof td { text-align: left; vertical-align: top;
  padding: .15em 1.2em .15em 0; background: none; border: 0 }
.shiftproof.shiftproof th { font-weight: normal; opacity: .75 }
.shiftproof.shiftproof pre { margin: .5em 0 0; padding: .5em 0 0; overflow-x: auto;
  background: none; color: inherit; border: 0; border-top: 1px solid rgba(128,128,128,.4);
  font-size: .95em }
.shiftproof.shiftproof pre i { font-style: normal; opacity: .6; user-select: none }
.shiftproof.shiftproof summary { cursor: pointer }
.shiftproof.shiftproof .py-word { font-weight: 600; color: var(--jp-mirror-editor-keyword-color,
  var(--vscode-symbolIcon-keywordForeground, inherit)) }
.shiftproof.shiftproof .py-name { font-weight: 600;
  color: var(--jp-mirror-editor-def-color, inherit) }
.shiftproof.shiftproof .py-text { color: var(--jp-mirror-editor-string-color,
  var(--vscode-debugTokenExpression-string, inherit)) }
.shiftproof.shiftproof .py-number { color: var(--jp-mirror-editor-number-color,
  var(--vscode-debugTokenExpression-number, inherit)) }
.shiftproof.shiftproof .py-comment { font-style: italic; opacity: .75 }
"""


def card(account: Account) -> str:
    """The account as one element, with its style."""
    lead, note = prose.words(account.summary), account.note
    reasons = tuple(line for text in account.evidence for line in text.split("\n"))
    inner = [
        _head(account),
        f"<p>{lead}</p>" if lead else "",
        *(prose.block(Display(formula)) for formula in account.claim),
        _facts(account.facts),
        *map(_section, account.sections),
        _listing(Listing(reasons)) if reasons else "",
        f'<p class="note">{_text(note)}</p>' if note else "",
    ]
    # What stands between dollars is the user's, and no formula.
    classes = "shiftproof mathjax_ignore tex2jax_ignore"
    body = "\n".join(filter(None, inner))
    return f'<style>{_STYLE}</style>\n<div class="{classes}">\n{body}\n</div>'


def _head(account: Account) -> str:
    badge = ""
    if account.verdict:
        colour = f"background:{_BADGES[account.mood]}"
        badge = f' <span class="badge" style="{colour}">{_text(account.verdict)}</span>'
    return f'<p class="head"><strong>{_text(account.title)}</strong>{badge}</p>'


def _section(section: Section) -> str:
    title = f'<p class="part">{_text(section.title)}</p>\n' if section.title else ""
    return title + "\n".join(map(_block, section.blocks))


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block)
        case Listing():
            return _listing(block)
    return prose.block(block)


def _facts(facts: tuple[Fact, ...]) -> str:
    if not facts:
        return ""
    pairs = (f"<dt>{_text(fact.label)}</dt><dd>{_lines(fact)}</dd>" for fact in facts)
    return "<dl>\n" + "\n".join(pairs) + "\n</dl>"


def _lines(fact: Fact) -> str:
    return "<br>".join(map(_code if fact.code else _text, fact.text.split("\n")))


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in table.head)
    rows = "\n".join(f'<tr class="row">{"".join(map(_cell, row))}</tr>' for row in table.rows)
    inner = f'<thead><tr class="row">{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
    return f'<div class="wide"><table>\n{inner}\n</table></div>'


def _cell(text: str) -> str:
    """A cell, which is not broken if it is short."""
    short = ' class="short"' if len(text) <= _SHORT else ""
    return f"<td{short}>{_code(text)}</td>"


def _listing(listing: Listing) -> str:
    if listing.first is None:
        lines = list(map(_text, listing.lines))
    else:
        shown = zip(listing.numbers, coloured(listing.lines, _text), strict=True)
        lines = [f"<i>{number}  </i>{line}" for number, line in shown]
    block = "<pre>" + "\n".join(lines) + "</pre>"
    if not listing.folded:
        return block
    return f"<details><summary>{_text(listing.folded)}</summary>{block}</details>"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"
