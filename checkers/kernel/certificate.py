"""A certificate of a proof: what a person can review and the kernel can re-check.

Everything is text, exact, in a fixed order.  Terms and conditions are written as
:mod:`.notation` says.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...dsl.errors import BadInput

#: The version of the file format; the kernel reads this one and no other.
VERSION = 1
#: The largest file that is read.
LARGEST = 2_000_000


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what a certificate consists of: immutable, and no field is unknown."""


class Variable(Struct):
    """A program variable at a loop head.

    Attributes:
        kind: what Python has in D: ``int``, ``float``, ``bool``, ``None`` or a quoted string.
        other_kind: the same in D', where it is not the same.
        value: its value in D, where that never changes; over parameters and unknown constants.
        other: its value in D', where that is not the one in D: an expression over parameters,
            unknown constants and, by its name, the value in D; ``?`` for any value.
    """

    kind: str
    other_kind: str = ""
    value: str = ""
    other: str = ""


class Head(Struct):
    """What holds whenever both runs come to a loop head, in one shape of its variables.

    Attributes:
        loop: which loop of the program it is, from 0, in the order of their lines.
        line: the line of the loop in the certificate's program.
        variables: those that are needed from here on.
        costs: of each rate, what the shifts have cost so far in units of the rate, where that
            is known; ``?`` where the invariants bound it.
        invariants: conditions on the variables and the costs.
    """

    loop: int
    line: int
    variables: dict[str, Variable] = {}
    costs: dict[str, str] = {}
    invariants: tuple[str, ...] = ()


class Part(Struct):
    """The proof of one case of the neighbour relation, or of the one-sided claims.

    Attributes:
        case: the case's name; empty if there is one case only.
        relation: what the case says of D and D', as derived from policy and queries.
        shifts: the alignment: for each sample, by its place in the program, the shift.
        heads: the loop heads.
        costs: of each rate, the most that the shifts may cost in all, in units of the rate.
    """

    case: str
    relation: tuple[str, ...]
    shifts: tuple[str, ...]
    heads: tuple[Head, ...]
    costs: dict[str, str]


class Tools(Struct):
    """What made the certificate."""

    shiftproof: str
    python: str
    z3: str


class Certificate(Struct, tag="proof", tag_field="kind"):
    """A proof of one mechanism's claims.

    Attributes:
        version: of the format.
        mechanism: its name.
        program: its normalised text, which declares it and all that it needs.
        fingerprint: the SHA-256 of that text.
        claim: the privacy claim in words.
        preconditions: under which inputs it is made.
        assumptions: what it takes on trust.
        one_sided: the claims of its answers that are proved, in words.
        parts: the proof, case by case; the last part is about the one-sided claims, if any.
        leans_on: the fingerprints of the mechanisms that it calls, by name.
        made_by: the tools.
    """

    version: int
    mechanism: str
    program: str
    fingerprint: str
    claim: str
    preconditions: tuple[str, ...]
    assumptions: tuple[str, ...]
    one_sided: tuple[str, ...]
    parts: tuple[Part, ...]
    leans_on: dict[str, str]
    made_by: Tools


def certificate_text(certificate: Any) -> str:
    """A certificate as JSON, indented, its fields in their order."""
    raw = msgspec.json.encode(certificate)
    return msgspec.json.format(raw, indent=2).decode() + "\n"


def read_certificate(data: bytes, kinds: Any = Certificate) -> Any:
    """A certificate from JSON.

    Args:
        data: the file's bytes.
        kinds: the kinds of certificate that are wanted, a struct or a union of them.

    Raises:
        BadInput: it is none, or one of another version.
    """
    if len(data) > LARGEST:
        raise BadInput(f"{len(data)} bytes; a certificate has at most {LARGEST}")
    try:
        found = msgspec.json.decode(data, type=kinds)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BadInput(f"no certificate: {error}") from None
    except UnicodeDecodeError:
        raise BadInput("no certificate: the file is not UTF-8") from None
    if found.version != VERSION:
        raise BadInput(f"a certificate of version {found.version}; this tool reads {VERSION}")
    return found
