"""What the shifts cost in all, against the budget; and the invariants that bound it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..checkers.kernel.certificate import Head, Part
from ..checkers.kernel.notation import term_of
from ..checkers.kernel.vocabulary import Vocabulary
from ..dsl.pretty import pretty
from ..dsl.privacy import DPrivacy
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.rules import rule_of
from ..dsl.terms import number
from ..dsl.unparse import unparse
from .claim import budget
from .legend import legend
from .letters import is_sum
from .model import Block, Display, Entry, Items, Maths, Piece, Words, listed, paragraph, say
from .notation import Notation


def cost_blocks(program: Program, case: Case, part: Part, notation: Notation) -> Iterator[Block]:
    """The sum of all costs, rate by rate, and that it is within the budget."""
    if not part.costs:
        yield paragraph("The shifts cost nothing in all, and so the budget is kept.")
        return
    noun = "rate" if len(part.costs) == 1 else "rates"
    yield paragraph(
        f"Costs are counted in units of the {noun} at which noise is paid for. When both runs "
        "end, {bounds}.",
        bounds=listed(_bound(rate, most, program, notation) for rate, most in part.costs.items()),
    )
    terms = [_product(rate, most, program, notation) for rate, most in part.costs.items()]
    claimed = budget(program, notation)
    if case.budget is not None and case.distance is None:
        claimed = notation.of(pretty(case.budget))
    total = " + ".join(terms)
    relation = "=" if _is_whole(program, case, part) else r"\leq"
    paid = r"\mathrm{cost}_j" if program.calls else r"\mathrm{cost}(d_j)"
    latex = rf"\sum_j {paid} \leq {total}"
    if _bare(total) != _bare(claimed.latex):
        latex += f" {relation} {claimed.latex}"
    yield paragraph("Together, which keeps the budget:")
    yield Display(Maths(latex, f"{total} <= {claimed.plain}"))


def invariant_blocks(
    program: Program, case: Case, part: Part, notation: Notation
) -> Iterator[Block]:
    """What holds at each loop head, whenever both runs come there."""
    heads = [head for head in part.heads if head.invariants]
    if not heads:
        return
    yield paragraph(
        "Loops are cut at their heads. What follows holds whenever both runs come there: at "
        "first, and after every round if it held before. It was found, and is checked, for runs "
        "of any length. The variable of a loop stands there for its value in the coming round."
    )
    shapes = _shapes(heads)
    for head in heads:
        shown = [notation.of(text) for text in head.invariants]
        yield paragraph(
            "At the loop of line {line}{shape}:", line=str(head.line), shape=shapes[id(head)]
        )
        yield Items(tuple(Entry((formula,)) for formula in shown))
    explained = tuple(legend(program, case, heads, notation))
    if explained:
        yield paragraph("In these formulas:")
        yield Items(tuple(Entry((*words, ".")) for words in explained))


def _shapes(heads: list[Head]) -> Mapping[int, Words]:
    """Which shape of its variables a head is about, where a loop has several."""
    found: dict[int, Words] = {}
    for head in heads:
        same = [h for h in heads if h.loop == head.loop]
        if len(same) == 1:
            found[id(head)] = ()
            continue
        telling = [
            f"{name} is {variable.kind.strip(chr(39))}"
            for name, variable in head.variables.items()
            if len({h.variables[name].kind if name in h.variables else "" for h in same}) > 1
        ]
        found[id(head)] = (f", where {' and '.join(telling)}",) if telling else (
            f", in shape {same.index(head) + 1} of {len(same)}",
        )  # fmt: skip
    return found


def _bound(rate: str, most: str, program: Program, notation: Notation) -> Words:
    symbol = notation.of(f"cost({rate})").latex
    return say(
        "{c} at the rate {rate}",
        c=Maths(rf"{symbol} \leq {_share(most, program, notation)}", f"cost({rate}) <= {most}"),
        rate=notation.of(rate),
    )


def _bare(latex: str) -> str:
    """A formula without the marks between factors."""
    return latex.replace(r"\cdot", "").replace(r"\thinspace", "").replace(" ", "")


def _is_whole(program: Program, case: Case, part: Part) -> bool:
    """Whether the bounds of all rates add up to the budget itself."""
    meaning = Vocabulary.of(program, case).meaning
    total = number(0)
    for rate, most in part.costs.items():
        total = total + term_of(rate, meaning) * term_of(most, meaning)
    budget_of_case = program.budget if case.budget is None else case.budget
    return total == (program.budget if case.distance is not None else budget_of_case)


def _share(most: str, program: Program, notation: Notation) -> str:
    """The bound of a rate, of a distance if the budget is a multiple of one."""
    shown = notation.of(most).latex
    if not isinstance(program.privacy, DPrivacy):
        return shown
    distance = notation.of(unparse(rule_of(program.privacy.distance).condition)).latex
    return distance if most == "1" else rf"{shown} \cdot \left( {distance} \right)"


def _product(rate: str, most: str, program: Program, notation: Notation) -> str:
    shown = notation.of(rate).latex
    share = _share(most, program, notation)
    if share == "1":
        return shown
    if shown == "1":
        return share
    if is_sum(share):
        share = rf"\left( {share} \right)"
    return rf"{share} \cdot {shown}"


def least_words(upper: str | None, claimed: Maths, notation: Notation) -> tuple[Piece, ...]:
    """That less than the claimed budget was proved, if so."""
    if upper is None or upper == claimed.plain or not upper.replace("*", "").isascii():
        return ()
    return say(" The proof gives more: even {least} is enough.", least=notation.of(upper))
