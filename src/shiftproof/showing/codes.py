"""What kind of reason a reason is: a code that never changes, with a section of a page to each.

The page is ``why_not_proved`` of the documentation; ``shiftproof why CODE`` prints its section.
"""

from __future__ import annotations

import re

from ..dsl.errors import FAULT, BadInput, did_you_mean
from .pages import page

#: The limits that are not in capitals.
_LIMITS = "cells|choices|digits|gaps|list|paths|powers|products|rate|rows|runs|shift|steps|terms"
#: By what each kind of reason is known, the most telling first.
_KNOWN = tuple(
    (f"SP-{code}", re.compile(words))
    for code, words in (
        ("FAULT", f"^{FAULT}"),
        ("LANGUAGE", r"unsupported \((?:not yet|never)\)"),
        ("SEARCH", "no counterexample found|neither be confirmed nor ruled out"),
        ("CALL", "it calls |private arguments of|the budget of .* divides"),
        ("KERNEL", "the kernel|every recorded run has a negative cost"),
        ("GUARD", "the guard"),
        (
            "NOTHING",
            "no run was found that|two different inputs are neighbours|contradict each other",
        ),
        ("DEFINED", "raises an exception|'definedness and end'"),
        ("SUPPORT", "'support'"),
        ("SAME-SAMPLES", "'same samples'"),
        ("SAME-OUTPUT", "'same output'"),
        ("COST", "'cost'|no ε was found that is kept|^of the ρ that it keeps"),
        ("MEASURE", "'measure'"),
        ("PROPHECY", "'prophecy'"),
        ("SCALE", "'preconditions and positivity'|divides by what is not zero"),
        ("ONE-SIDED", "'one-sided claim'"),
        ("ELEMENTS", "'loop invariant'"),
        ("NO-ALIGNMENT", "no alignment of the template fits"),
        ("INVARIANT", "no loop invariant was found|within the solver's resources"),
        ("SUMS", "with probability|has the probability|finite noise"),
        ("LIMIT", rf"(?:^|: )(?:[A-Z_]{{4,}}|{_LIMITS}): |more than [0-9,]+ "),
    )
)
#: Of reasons that nothing else fits: something is not declared as it has to be.
DECLARED = "SP-DECLARED"
#: The code that a section has in the line below its title.
_SECTION = re.compile(
    r"^## ([^\n]*)\n\n`(SP-[A-Z-]+)`\n\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)
#: What tells how to help, and is no reason.
_ADVICE = re.compile("^proved (?:with|if) ")


def code_of(reason: str) -> str:
    """The code of a reason, or nothing for a line that says what would help."""
    if not reason or _ADVICE.search(reason):
        return ""
    first = reason.partition("\n")[0]
    return next((code for code, words in _KNOWN if words.search(first)), DECLARED)


def coded(reason: str) -> str:
    """The reason with its code at the end of its first line; what follows is an excerpt."""
    first, newline, rest = reason.partition("\n")
    code = code_of(reason)
    return f"{first} [{code}]{newline}{rest}" if code else reason


def sections() -> dict[str, tuple[str, str]]:
    """The title and the text of the page's section on each code."""
    found = _SECTION.findall(page("why_not_proved"))
    return {code: (title, text.strip()) for title, code, text in found}


def all_codes() -> str:
    """Each code with the title of its section, line by line."""
    known = sections()
    width = max(map(len, known))
    return "\n".join(f"{code:<{width}}  {title}" for code, (title, _) in known.items())


def section_on(code: str) -> str:
    """The page's section on a code, which may be without its SP- and in any case.

    Raises:
        BadInput: there is no such code.
    """
    known = sections()
    name = code.upper()
    name = name if name.startswith("SP-") else f"SP-{name}"
    if name not in known:
        inside = [repr(other) for other in known if name.removeprefix("SP-") in other]
        near = did_you_mean(name, known, "shiftproof why lists them")
        near = f"did you mean {' or '.join(inside)}?" if inside else near
        raise BadInput(f"{code}: there is no such code; {near}")
    title, text = known[name]
    return f"{title}\n{'=' * len(title)}\n\n{text}"
