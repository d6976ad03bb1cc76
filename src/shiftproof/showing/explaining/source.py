"""The program of an account: its own lines, under the numbers that they have in their file.

Whatever else an account says of a line or of a draw is about these lines, because it is told of the
program that was read from them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from msgspec import structs

from ...checkers.verdicts import Report
from ...checkers.walking.certificate import Certificate
from ...dsl.errors import ShiftproofError
from ...dsl.language.scope import word_of
from ...dsl.language.source import Source
from ...dsl.mechanism import Mechanism
from ...dsl.normalise import read_normalised
from ...dsl.parsing.rewriting import Pieces
from ...dsl.relations.program import Program
from ..account import About
from ..printable import short_name
from ..words import Block, Code, Listing, listed, paragraph, say


def about(report: Report) -> About:
    """What an account of a report is of: the program as its author wrote it, where that is known.

    Else it is the one in the certificate, in its normal form.
    """
    from ...checkers.certify import placed  # with the prover, which a listing does not need

    program = None if report.fault else _program(report)
    certificate = report.certificate
    if program is None or not isinstance(certificate, Certificate):
        return About(report, program)
    parts = tuple(placed(part, program) for part in certificate.parts)
    here = structs.replace(certificate, parts=parts)
    return About(replace(report, certificate=here), program)


def _program(report: Report) -> Program | None:
    if report.subject is not None:
        try:
            return report.subject.program
        except ShiftproofError:
            return None  # the account says why
    if report.certificate is None:
        return None
    return read_normalised(report.certificate.text).program


def program_blocks(it: About) -> Iterator[Block]:
    """The lines of a mechanism and of all functions of its author that it rests on."""
    program, certificate = it.program, it.report.certificate
    if program is None:
        return
    if it.report.subject is None:
        yield paragraph("This is the normal form of its text, as the certificate has it:")
        lines = () if certificate is None else certificate.program
        yield Listing(lines, 1, program.source.file)
        return
    own = program.source.file
    found = sorted(
        {(s.file != own, s.file, s.first): s for s in _sources(it.report.subject, program)}.items()
    )
    for (elsewhere, file), group in groupby(found, key=lambda one: one[0][:2]):
        if elsewhere:
            yield paragraph("From {file}:", file=Code(short_name(file)))
        yield from (listing(source) for _, source in group)
    constants = _constants(program)
    if constants:
        yield paragraph("Outside of these lines, {all}.", all=listed(
            say("{name} is {value}", name=Code(name), value=Code(value))
            for name, value in constants
        ))  # fmt: skip


def listing(source: Source) -> Listing:
    """The lines of one function."""
    text = "".join(source.lines[source.first - 1 : source.tree.end_lineno])
    lines = textwrap.dedent(text).rstrip("\n").split("\n")
    return Listing(tuple(lines), source.first, source.file)


def _sources(mechanism: Mechanism[..., object], program: Program) -> Iterator[Source]:
    """The sources of a mechanism, of its helpers and rules, and of what it calls."""
    yield program.source
    pieces = Pieces()
    try:
        pieces.add(mechanism)
    except ShiftproofError:
        return  # a file has changed since, or something cannot be written down
    yield from (piece.source for piece in pieces.order)


def _constants(program: Program) -> list[tuple[str, str]]:
    """The numbers and words from outside that a program and its callees use, by their names."""
    uses = [use for one in (program, *program.calls) for use in one.frozen]
    found = {(u.name, repr(u.found)) for u in uses if word_of(u.found) == "constant"}
    return sorted(found)
