"""A certificate of a proof: what a person can review and the kernel can re-check.

Everything is text, exact, in a fixed order.  Terms and conditions are written as
:mod:`.notation` says.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from ...dsl.errors import BadInput
from ...dsl.relations.program import Program
from ...dsl.showing import Shown
from .claims import assumptions, claim_text, precondition_texts
from .stated import StatedLaw, stated_laws

T = TypeVar("T")

#: The version of the file format; the kernel reads this one and no other.
VERSION = 2
#: The largest file that is read.
LARGEST = 4_000_000


class Variable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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


class Relation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a case of the neighbour relation says of D and D', in the kernel's words.

    Attributes:
        facts: of the unknown constants of a pair.
        inputs: of each private input what it is on D', and what holds of it.
        budget, distance: those of the pair, where the definition makes them depend on it.
    """

    facts: tuple[str, ...] = ()
    inputs: dict[str, tuple[str, ...]] = {}
    budget: str = ""
    distance: str = ""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The proof of one case of the neighbour relation, or of the one-sided claims.

    Attributes:
        case: the case's name; empty if there is one case only.
        relation: what the case says of D and D', as derived from policy and queries.
        shifts: the alignment: for each sample, by its place in the program, the shift.
        heads: the loop heads.
        costs: of each rate, the most that the shifts may cost in all, in units of the rate.
        cells: of a proof by sums, for each kind of outcome the rows that hold together, those of
            D exactly and some of D'; by their numbers.
        alike: the lists that have the same elements in both runs.
        prices: where draws are summed, what it may cost that their outcome is the same in both
            runs, likely ones first.
        ensures: the lines of the core text whose ``ensure`` the part proves.
        pure: where ρ is claimed and ε is proved, that ε.
        rho, tail: where a δ is claimed and ρ is proved, that ρ, and a t with e^-t at most δ.
        trees: of each question that the kernel asks, in order, why the answer is no.
    """

    case: str
    relation: Relation = Relation()
    shifts: tuple[str, ...] = ()
    heads: tuple[Head, ...] = ()
    costs: dict[str, str] = {}
    cells: tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...] | None = None
    alike: tuple[str, ...] = ()
    prices: tuple[str, ...] | None = None
    ensures: tuple[int, ...] = ()
    pure: str = ""
    rho: str = ""
    tail: str = ""
    trees: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What the claim follows from: ``ε``, or ``ρ``; empty where it is what is proved."""
        return "ε" if self.pure else "ρ" if self.rho else ""


class Tools(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What made the certificate."""

    shiftproof: str
    python: str
    z3: str


class Heading(Shown, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every certificate says of its mechanism.

    Attributes:
        version: of the format.
        mechanism: its name.
        source: the file that it stands in, seen from the folder of the certificate.
        program: its normalised text, which declares it and all that it needs, line by line.
        fingerprint: the SHA-256 of that text.
        claim: the privacy claim in words.
        preconditions: under which inputs it is made.
        assumptions: what it takes on trust.
    """

    version: int
    mechanism: str
    source: str
    program: tuple[str, ...]
    fingerprint: str
    claim: str
    preconditions: tuple[str, ...]
    assumptions: tuple[str, ...]

    @property
    def text(self) -> str:
        """The program as one text."""
        return "\n".join(self.program) + "\n"

    def differences(self, program: Program) -> list[str]:
        """What it says of its mechanism that the program does not say."""
        said = {
            "name": (self.mechanism, program.name),
            "claim": (self.claim, claim_text(program)),
            "preconditions": (self.preconditions, precondition_texts(program)),
            "assumptions": (self.assumptions, assumptions(program)),
        }
        return [
            f"the {what} is not that of the program: {now!r}"
            for what, (was, now) in said.items()
            if was != now
        ]


class EnumeratedSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was found for one choice of sizes.

    Attributes:
        sizes: the public integers, and lengths of sequences as ``len(q)``.
        inputs: how many private inputs there are.
        outcomes: how many different outputs they have.
        pairs: how many ordered pairs of inputs are neighbours.
        comparisons: how many different pairs of probabilities were compared.
        laws: what comes out of each input with which probability, where that is short.
    """

    sizes: dict[str, int]
    inputs: int
    outcomes: int
    pairs: int
    comparisons: int
    laws: tuple[str, ...] = ()


class EnumerationPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A proof by counting all runs on all inputs.

    Attributes:
        largest: no size is larger.
        complete: whether the preconditions allow no larger ones.
        settings: each choice of sizes that has inputs.
        trees: of each question that the kernel asks, why the answer is no.
    """

    largest: int
    complete: bool
    settings: tuple[EnumeratedSizes, ...]
    trees: tuple[str, ...] = ()


class Certificate(
    Heading,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag="proof",
    tag_field="kind",
):
    """A proof of one mechanism's claims.

    Attributes:
        core: the program as the kernel reads it, line by line: helpers written out.
        one_sided: the claims of its answers that are proved, in words.
        parts: the proof, case by case; the last part is about the one-sided claims, if any.
        leans_on: the fingerprints of the mechanisms that it calls, by name.
        made_by: the tools.
        enumeration: the proof by the laws on all inputs of some sizes, if it is one; the parts
            then are about the one-sided claims only.
        laws: of noise of which the kernel has no law of its own, by its name.
        library: the SHA-256 of the library's file that the program was read from, if it was.
    """

    core: tuple[str, ...]
    one_sided: tuple[str, ...]
    parts: tuple[Part, ...]
    leans_on: dict[str, str]
    made_by: Tools
    enumeration: EnumerationPart | None = None
    laws: dict[str, StatedLaw] = {}
    library: str = ""

    def differences(self, program: Program) -> list[str]:
        """What it says of its mechanism, or of the laws of noise, that the program does not say."""
        found = Heading.differences(self, program)
        if self.laws != stated_laws(program):
            found.append("the laws are not those that the noise of the program states")
        return found

    @property
    def is_summed(self) -> bool:
        """Whether the proof is by the probabilities of all outcomes."""
        return any(part.cells is not None for part in self.parts)

    @property
    def shown(self) -> str:
        """What the claim follows from, as in its parts."""
        return next((part.shown for part in self.parts if part.shown), "")

    @property
    def sums_draws(self) -> bool:
        """Whether some of its noise is summed and not shifted."""
        return any(part.prices is not None for part in self.parts)

    @property
    def verdict(self) -> str:
        """What is certified: that the claim is ``proved``, or ``bounded`` by a size."""
        counted = self.enumeration
        return "proved" if counted is None or counted.complete else "bounded"


def lines_of_text(text: str) -> tuple[str, ...]:
    """A program's text line by line."""
    return tuple(text.removesuffix("\n").split("\n"))


def certificate_text(certificate: Any) -> str:
    """A certificate as JSON, indented, its fields in their order."""
    raw = msgspec.json.encode(certificate)
    return msgspec.json.format(raw, indent=2).decode() + "\n"


class OldCertificate(BadInput):
    """A certificate of an earlier version of the format."""


class _Kind(msgspec.Struct, frozen=True):
    """As much of a file as says what it is."""

    kind: str = ""
    version: int = 0


def kind_of_certificate(data: bytes) -> str:
    """What a certificate certifies: ``proof`` or ``refutation``.

    Raises:
        OldCertificate: it is one of an earlier version.
        BadInput: the file is no certificate, or one of another version.
    """
    if len(data) > LARGEST:
        raise BadInput(f"{len(data)} bytes; a certificate has at most {LARGEST}")
    found = _decoded(data, _Kind)
    if found.kind not in ("proof", "refutation"):
        raise BadInput("no certificate: its kind is neither 'proof' nor 'refutation'")
    if 0 < found.version < VERSION:
        raise OldCertificate(
            f"a certificate of version {found.version}; 'verify' writes version {VERSION}, which "
            "a kernel without a solver checks"
        )
    if found.version != VERSION:
        raise BadInput(f"a certificate of version {found.version}; version {VERSION} is read")
    return str(found.kind)


def read_certificate(data: bytes, kind: type[T]) -> T:
    """A certificate from the bytes of its file.

    Raises:
        BadInput: it is none of this kind and version.
    """
    kind_of_certificate(data)
    return _decoded(data, kind)


def _decoded(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"no certificate: {error}") from None
