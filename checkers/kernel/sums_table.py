"""A proof by summation as a certificate says it."""

from __future__ import annotations

import msgspec


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One way in which a run can come to an outcome.

    Attributes:
        output: what is released, place by place: ``None``, a quoted string, ``True``, ``False``, a
            number that is an int, or ``float(…)`` of one that is a float.  ``released(k)`` is
            any number, the one that is released at place k.
        when: conditions on the inputs and on ``released(k)``.
        probability: with which the outcome comes about in this way, where the conditions hold.
    """

    output: tuple[str, ...]
    when: tuple[str, ...]
    probability: str


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rows, counted from 1: those that hold in D, and no others, and rows that hold in D'."""

    here: tuple[int, ...]
    there: tuple[int, ...]


class SumsCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One case of the neighbour relation.

    Attributes:
        case: its name; empty if there is one case only.
        relation: what it says of D and D', as derived from policy and queries.
        cells: which rows may hold together, of the outcomes that the bound speaks of.
    """

    case: str
    relation: tuple[str, ...]
    cells: tuple[Cell, ...]


class SumsPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The proof of a program's privacy by summation.

    The probability of an outcome is the sum over the rows that hold.

    Attributes:
        rows: all ways in which one run can come to its outcomes.
        cases: the cases of the neighbour relation.
    """

    rows: tuple[Row, ...]
    cases: tuple[SumsCase, ...]
