"""What stands beside the lines of the program: the noise, its shift and price, what is owed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...checkers.kernel.certificate import Certificate, Part
from ...checkers.kernel.check import ONE_SIDED
from ...checkers.verdicts import Report
from ...dsl.flow import CallNode
from ...dsl.program import Program
from ..claim import case_words
from ..conditions import owed_words
from ..model import Code, Maths, Words, say
from ..noises import Noise, noises, notation_of
from ..notation import Notation
from ..owed import obligations
from ..shifting import shift_texts, shift_words

#: Sentences by the line of the program that they are about.
Notes = Mapping[int, list[Words]]


def notes_of(report: Report, program: Program) -> Notes:
    """The notes of a proof by alignment; of any other program the laws of its noise."""
    notation = notation_of(program)
    found: dict[int, list[Words]] = {}
    drawn = noises(program, notation)
    for noise in drawn:
        found.setdefault(noise.line, []).append(_law(noise))
    certificate = report.certificate
    parts = certificate.parts if isinstance(certificate, Certificate) else ()
    own = [part for part in parts if part.case != ONE_SIDED]
    for part in own:
        where = f"Where {case_words(part.case)}: it " if len(own) > 1 else "It "
        for noise, text in zip(drawn, shift_texts(program, part), strict=True):
            words = _shift(noise, text, where, notation)
            if words not in found[noise.line]:
                found[noise.line].append(words)
    if own:
        _add_calls(program, found)
    for line, words in _owed(program, own).items():
        found.setdefault(line, []).append(words)
    return found


def _law(noise: Noise) -> Words:
    return say("{x} is drawn from {law}.", x=Maths(noise.symbol, noise.name), law=noise.law)


def _shift(noise: Noise, text: str, where: str, notation: Notation) -> Words:
    moved = shift_words(text, noise.shift, notation, flipped=noise.flipped)
    if text.strip() in ("0", "False"):
        return (where, *moved, ".")
    return (where, *moved, "; that costs ", noise.price, " nats.")


def _add_calls(program: Program, found: dict[int, list[Words]]) -> None:
    for node in program.flow.nodes:
        if isinstance(node, CallNode):
            words = say(
                "Its own proof aligns the noise of {name}, at the price that it claims.",
                name=Code(node.step.callee.name),
            )
            found.setdefault(node.step.span.line, []).append(words)


def _owed(program: Program, parts: Sequence[Part]) -> Mapping[int, Words]:
    """What is owed at each line, the invariants of a loop by that name."""
    found: dict[int, dict[str, None]] = {}
    for part in parts:
        case = next(case for case in program.cases if case.name == part.case)
        for obligation in obligations(program, case, part):
            here = found.setdefault(obligation.span.line, {})
            loop = obligation.condition == "loop invariant"
            here["the invariants of this loop hold" if loop else owed_words(obligation)] = None
    return {line: ("Owed: ", "; ".join(said), ".") for line, said in found.items() if line}
