"""What is said of a page that checks itself: what the browser checks, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator

from ....checkers.walking.certificate import Certificate
from ...words import Block, Code, Section, listed, paragraph, plural
from .owed import Owed

_CHECK = Code("shiftproof check")


def section(owed: Owed, certificate: Certificate) -> Section:
    """The account of the checks, for the end of a page."""
    return Section("What this browser checks", tuple(_told(owed, certificate)))


def _told(owed: Owed, certificate: Certificate) -> Iterator[Block]:
    if owed.refused:
        yield paragraph("The kernel does not agree to this proof: {why}.", why=owed.refused)
        return
    if owed.count:
        yield paragraph(
            "Each obligation is a list of facts that must contradict each other: what is known at "
            "a place of the program, and the negation of what is owed there. Its tree shows that "
            "they do, by sums and products of facts, splits of cases and cuts of integers. When "
            "this page is opened, a short program in it goes through all trees in exact fractions."
        )
        yield paragraph(
            "The browser checks the arithmetic of each obligation, and no more. Which obligations "
            "the program owes is the kernel's word: {check} derives them anew from its text.",
            check=_CHECK,
        )
    if more := owed.questions - owed.count:
        yield paragraph(
            f"The kernel asked {plural(owed.questions, 'question')}. Of {more} there is no tree: "
            "whether a way can be left out, or a number is never zero. Such an answer is not used: "
            "the kernel goes both ways, and nothing rests on it."
        )
    yield from _of_method(owed, certificate)
    if certificate.leans_on:
        yield paragraph(
            "What the mechanism calls, {names}, has a proof of its own, whose obligations are not "
            "among these.",
            names=listed(map(Code, certificate.leans_on)),
        )


def _of_method(owed: Owed, certificate: Certificate) -> Iterator[Block]:
    """What the kernel does without a tree for it."""
    if certificate.enumeration is not None:
        trees = "most of that has no tree" if owed.count else "there are no trees"
        yield paragraph(
            "This proof is by enumeration. The kernel follows all runs on all inputs of these "
            "sizes, adds up the probabilities and compares them as polynomials by itself: "
            f"{trees}. The browser does not check that; {{check}} counts it all again.",
            check=_CHECK,
        )
    elif certificate.is_summed:
        yield paragraph(
            "This proof is by sums. Checked here are the comparisons of the sums, that the "
            "combinations cover all inputs, and that expressions have values. Not checked here: "
            "which ways a run has, and with which probability; {check} finds them again.",
            check=_CHECK,
        )
    elif certificate.sums_draws:
        yield paragraph(
            "Some noise of this proof is summed and not shifted. Checked here are the comparisons "
            "of the sums. Not checked here: which ways the draws have, and with which probability; "
            "{check} finds them again.",
            check=_CHECK,
        )
    elif not owed.count:
        yield paragraph(
            "The kernel asked nothing that needs a tree: what is owed stands among the facts as "
            "it is. That is the kernel's word; {check} derives it anew.",
            check=_CHECK,
        )
