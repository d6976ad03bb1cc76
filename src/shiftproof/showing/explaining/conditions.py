"""The conditions of the soundness theorem, one by one, and where each is owed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from ...checkers.walking.certificate import Head, Part
from ...checkers.walking.common import common_facts
from ...checkers.walking.notation import term_of
from ...checkers.walking.runs.discharge import Questioner
from ...checkers.walking.runs.heads import LoopHead, loop_head
from ...checkers.walking.runs.noise import alike_of, shifts_of
from ...checkers.walking.runs.prophecy import begin
from ...checkers.walking.runs.run import Run
from ...checkers.walking.runs.state import Condition, Ledger, Obligation, State
from ...checkers.walking.runs.vocabulary import Vocabulary
from ...checkers.walking.runs.walk import Walk
from ...checkers.walking.solvers import Solver
from ...dsl.language.flow import HeadNode
from ...dsl.language.syntax import Span
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import at_least
from ...dsl.terms.linear import Linear, number
from ...dsl.terms.pretty import pretty
from ...dsl.terms.smt import one_context
from ..words import (
    Block,
    Display,
    Entry,
    Items,
    Maths,
    Paragraph,
    Piece,
    Words,
    listed,
    paragraph,
    say,
)
from .claim import budget, distance_of
from .legend import legend
from .noises import Noise, noises
from .notation import Notation, is_sum
from .shifting import of_sum, shift_texts

#: What each condition asks, in the order of the theorem.
_ASKED: Mapping[Condition, tuple[str, str]] = {
    "support": ("Support", "A shifted draw is one that the noise can give on the other input."),
    "same samples": (
        "Same samples",
        "Where a branch decides what is drawn or released, both runs take it alike; so they draw "
        "the same samples, each from the same law.",
    ),
    "same output": ("Same output", "Both runs release the same values, in the same order."),
    "cost": ("Cost", "The price of every shift is counted, and the sum stays in the budget."),
    "measure": (
        "Measure",
        "Different draws are moved to different draws. A shift of real noise depends on its own "
        "draw through comparisons only, so no volume is gained.",
    ),
    "prophecy": ("Prophecy", "What a shift was told in advance is the same in both runs."),
    "definedness and end": (
        "Definedness and end",
        "Every division and index is defined in both runs, and where one ends so does the other.",
    ),
    "preconditions and positivity": (
        "Preconditions",
        "They are enforced when the mechanism is called, and every scale is positive under them.",
    ),
}


def condition_blocks(
    program: Program, case: Case, part: Part, notation: Notation
) -> Iterator[Block]:
    """Every condition with why it holds here."""
    owed, shifts = obligations(program, case, part), shift_texts(program, part)
    foretold = any("outcome(" in text for text in shifts)
    yield paragraph(
        "The alignment proves the claim if these conditions hold for every pair of neighbours and "
        "every run. Where the program leaves one open, the certificate has a proof of it."
    )
    drawn = noises(program, notation)
    entries = []
    for condition, (title, asks) in _ASKED.items():
        if condition == "prophecy" and not foretold:
            continue
        here = [o for o in owed if o.condition == condition]
        entries.append(Entry((asks + " ", *_here(condition, here, drawn, shifts)), f"{title}."))
    yield Items(tuple(entries))


def _here(
    condition: Condition, owed: Sequence[Obligation], drawn: Sequence[Noise], shifts: Sequence[str]
) -> Words:
    """Why it holds here."""
    if condition == "support" and drawn:
        return tuple(_supports(drawn, shifts, owed))
    if condition == "cost":
        return ("The sum is below.",)
    if condition == "measure" and not owed:
        return ("Here no shift depends on its own draw.",) if drawn else ("Nothing is shifted.",)
    if not owed:
        return (_AT_ONCE.get(condition, "It holds at once: nothing there differs."),)
    return ("Here: ", *_places(owed), ".")


_AT_ONCE = {
    "same output": "It holds at once, given the other conditions: what is released is the same "
    "expression in both runs.",
    "same samples": "It holds at once: no such branch depends on what differs.",
    "prophecy": "It follows from the same output: what was foretold is what comes out.",
    "support": "Nothing is shifted.",
    "definedness and end": "There is nothing that could be undefined.",
    "preconditions and positivity": "There is nothing to show.",
}


def _supports(
    drawn: Sequence[Noise], shifts: Sequence[str], owed: Sequence[Obligation]
) -> Iterator[Piece]:
    lines = {o.span.line for o in owed}
    for k, (noise, shift) in enumerate(zip(drawn, shifts, strict=True)):
        yield " " if k else ""
        draw = Maths(noise.symbol, noise.name)
        if shift.strip() in ("0", "False"):
            yield from (draw, " stays as it is")
        elif of_sum(shift) is not None:
            yield from (draw, " is summed")
        elif isinstance(noise.support, Maths):
            given = noise.line in lines
            yield from (noise.support, " follows from the relation" if given else " holds at once")
        elif noise.flipped:
            yield "A flipped bit is a bit"
        else:
            yield from (draw, f" may be {noise.support}")
        yield f" (line {noise.line})."


def owed_words(o: Obligation) -> str:
    """What is owed, as a statement."""
    said = o.detail.partition(" (")[0].replace(" must lie ", " lies ")
    subject, must, rest = said.partition(" must be ")
    verb = " are " if " and " in subject else " is "
    return _SAID.get(said, f"{subject}{verb}{rest}" if must else said)


#: What the kernel says shorter than a reader can follow.
_SAID = {"no pair of runs takes this way": "the ways that are left out are taken by no two runs"}


def _places(owed: Sequence[Obligation]) -> Words:
    """What is owed, each with its lines."""
    found: dict[str, set[int]] = {}
    for o in owed:
        found.setdefault(owed_words(o), set()).add(o.span.line)
    return listed(f"{detail}{_lines(lines)}" for detail, lines in found.items())


def _lines(lines: set[int]) -> str:
    shown = sorted(line for line in lines if line)
    if not shown:
        return ""
    word = "line" if len(shown) == 1 else "lines"
    return f" ({word} {', '.join(map(str, shown))})"


# What a proof by alignment owes, line by line: the kernel's own walk, its ledger kept.
#
# Nothing is proved here.  The kernel has discharged these obligations before there was a report.


def obligations(program: Program, case: Case, part: Part) -> tuple[Obligation, ...]:
    """Everything that is owed of the steps of a program, from its start and every loop head."""
    with one_context():
        sources: tuple[Head | None, ...] = (None, *part.heads)
        return tuple(o for head in sources for o in _Steps(program, case, part).owed(head))


class _Told(Run):
    """A run whose sums cost what is told with the alignment."""

    def pay_for_sum(self, state: State, own: Linear, other: Linear, span: Span) -> None:
        """Nothing more is said here."""


class _Steps:
    """One walk."""

    def __init__(self, program: Program, case: Case, part: Part) -> None:
        self._case, self._part = case, part
        self._ledger = Ledger()
        common = common_facts(program, case)
        oracle = Questioner(Solver())
        shifts, alike = shifts_of(program, part), alike_of(program, part)
        self._run = _Told(program, case, shifts, common, self._ledger, oracle, alike=alike)
        vocabulary = Vocabulary.of(program, case)
        self._heads = [loop_head(self._run, vocabulary, head) for head in part.heads]

    def owed(self, source: Head | None) -> Iterator[Obligation]:
        """What is owed on the ways from there to the next loop head or end."""
        if source is None:
            start = State(self._run.program.flow.start, fresh_start=False)
            begin(self._run, start)
        else:
            start = self._heads[self._part.heads.index(source)].start(self._run)
        Walk(self._run, self).explore(start)
        yield from self._ledger

    def arrives(self, state: State, node: HeadNode) -> None:
        """Both runs come to a loop head: its invariants are owed."""
        if not node.counted:
            self.ends(state, node.span)
        head: LoopHead | None = next((h for h in self._heads if h.fits(state)), None)
        if head is not None:
            head.owe(self._run, state, node.span)

    def gives_up(self, state: State, span: Span) -> None:
        """What is given up is counted with the costs."""

    def ends(self, state: State, span: Span) -> None:
        """Both runs end: the bounds on the costs are told elsewhere."""
        for rate, spent in state.costs.items():
            if not self._part.costs and spent != number(0):
                self._run.owe(state, at_least(number(0), spent), "cost", str(rate), span)


def cost_blocks(program: Program, case: Case, part: Part, notation: Notation) -> Iterator[Block]:
    """The sum of all costs, rate by rate, and that it is within the budget."""
    given_up = {rate: most for rate, most in part.costs.items() if _probability(rate)}
    yield from _given_up(program, given_up, notation)
    costs = {rate: most for rate, most in part.costs.items() if rate not in given_up}
    if not costs:
        yield paragraph("The shifts cost nothing in all, and so the budget is kept.")
        return
    if program.privacy.zcdp:
        yield paragraph(
            "The square of a shift is counted as its size times the most that it can be, which the "
            "certificate says of each."
        )
    yield paragraph(
        f"Costs are counted in units of the rate{'s' * (len(costs) > 1)} at which noise is "
        "paid for. When both runs end, {bounds}.",
        bounds=listed(_bound(rate, most, program, notation) for rate, most in costs.items()),
    )
    own = case.budget if case.distance is None else None
    claimed = budget(program, notation) if own is None else notation.of(pretty(own))
    meaning = Vocabulary.of(program, case).meaning
    paid_for = number(0)
    for rate, most in costs.items():
        paid_for = paid_for + term_of(rate, meaning) * term_of(most, meaning)
    relation = "=" if paid_for == (program.budget if own is None else own) else r"\leq"
    total = " + ".join(_product(*cost, program, notation) for cost in costs.items())
    paid = r"\mathrm{cost}_j" if program.calls else r"\mathrm{cost}(d_j)"
    latex = rf"\sum_j {paid} \leq {total}"
    if _bare(total) != _bare(claimed.latex):
        latex += f" {relation} {claimed.latex}"
    yield paragraph("Together, which keeps the budget:")
    yield Display(Maths(latex, f"{total} <= {claimed.plain}"))


def _probability(rate: str) -> str:
    """The probability that a rate of δ counts; empty of a rate of costs."""
    match ast.parse(rate, mode="eval").body:
        case ast.Call(func=ast.Name(id="given_up"), args=[tail]):
            return ast.unparse(tail)
    return ""


def _given_up(program: Program, counted: Mapping[str, str], notation: Notation) -> Iterator[Block]:
    """What is given up, tail by tail, and that it is within δ."""
    if not counted:
        return
    tails = {rate: _probability(rate) for rate in counted}
    yield paragraph(
        "The probability of what is given up is counted before each draw: {bounds}, along every "
        "run.",
        bounds=listed(
            say(
                "a tail of {p} is met {n} at most",
                p=notation.of(tails[rate]),
                n=_times(most, notation),
            )
            for rate, most in counted.items()
        ),
    )
    total = " + ".join(f"({most}) * ({tails[rate]})" for rate, most in counted.items())
    yield paragraph(
        "Together that is {t}, and {d} is claimed.",
        t=notation.of(total), d=notation.of(pretty(program.delta)),
    )  # fmt: skip


def _times(most: str, notation: Notation) -> Piece | Words:
    if most in ("1", "2"):
        return {"1": "once", "2": "twice"}[most]
    return say("{n} times", n=notation.of(most))


def invariant_blocks(
    program: Program, case: Case, part: Part, notation: Notation
) -> Iterator[Block]:
    """What holds at each loop head, whenever both runs come there; first of whole lists."""
    if part.alike:
        lists = listed(map(notation.name, part.alike))
        same = "The list {a} has" if len(part.alike) == 1 else "The lists {a} have"
        yield paragraph(
            same + " the same elements in both runs: whatever is put there is the same.", a=lists
        )
    heads = [head for head in part.heads if head.invariants]
    if not heads:
        return
    yield paragraph(
        "Loops are cut at their heads. What follows holds whenever both runs come there: at "
        "first, and after every round if it held before. It was found, and is checked, for runs "
        "of any length. The variable of a loop stands there for its value in the coming round."
    )
    for head in heads:
        yield Paragraph((f"At the loop of line {head.line}{_shape(head, heads)}:",))
        yield Items(tuple(Entry((notation.of(text),)) for text in head.invariants))
    explained = tuple(legend(program, case, heads, notation))
    if explained:
        yield paragraph("In these formulas:")
        yield Items(tuple(Entry((*words, ".")) for words in explained))


def _shape(head: Head, heads: list[Head]) -> str:
    """Which shape of its variables a head is about, where its loop has several."""
    same = [h for h in heads if h.loop == head.loop]
    if len(same) == 1:
        return ""
    telling = [
        f"{_named(name)} is {variable.kind.strip(chr(39))}"
        for name, variable in head.variables.items()
        if len({h.variables[name].kind if name in h.variables else "" for h in same}) > 1
    ]
    if telling:
        return f", where {' and '.join(telling)}"
    return f", in shape {same.index(head) + 1} of {len(same)}"


def _named(variable: str) -> str:
    """A variable, or what a certificate calls the sort of a list's elements."""
    return re.sub(r"^sort\((\w+)\)$", r"an element of \1", variable)


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


def _share(most: str, program: Program, notation: Notation) -> str:
    """The bound of a rate, of a distance if the budget is a multiple of one."""
    shown = notation.of(most).latex
    if program.privacy.pair_budget != "distance":
        return shown
    distance = distance_of(program, notation).latex
    return distance if most == "1" else rf"{shown} \cdot \left( {distance} \right)"


def _product(rate: str, most: str, program: Program, notation: Notation) -> str:
    shown = notation.of(rate).latex
    share = _share(most, program, notation)
    if share == "1":
        return shown
    if shown == "1":
        return share
    share, shown = (rf"\left( {text} \right)" if is_sum(text) else text for text in (share, shown))
    return rf"{share} \cdot {shown}"
