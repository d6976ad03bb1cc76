"""A certificate of a refutation: a program, two neighbouring inputs, an outcome, enclosures."""

from __future__ import annotations

import msgspec

from ..kernel.certificate import Tools, text_of_lines
from .comparison import Comparison


class Refutation(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="refutation", tag_field="kind"
):
    """A counterexample to one mechanism's privacy claim.

    Attributes:
        version: of the format.
        mechanism: its name.
        source: the file that it stands in, seen from the folder of the certificate.
        program: its normalised text, which declares it and all that it needs, line by line.
        fingerprint: the SHA-256 of that text.
        claim: the privacy claim in words.
        preconditions: under which inputs it is made.
        assumptions: what it takes on trust.
        counterexample: the inputs, the outcome, and how likely it is under each.
        made_by: the tools.
    """

    version: int
    mechanism: str
    source: str
    program: tuple[str, ...]
    fingerprint: str
    claim: str
    preconditions: tuple[str, ...]
    assumptions: tuple[str, ...]
    counterexample: Comparison
    made_by: Tools

    @property
    def text(self) -> str:
        """The program as one text."""
        return text_of_lines(self.program)
