"""A certificate of a refutation: a program, two neighbouring inputs, an outcome, enclosures."""

from __future__ import annotations

from ..kernel.certificate import Heading, Tools
from .comparison import Comparison


class Refutation(
    Heading, frozen=True, forbid_unknown_fields=True, tag="refutation", tag_field="kind"
):
    """A counterexample to one mechanism's privacy claim.

    Attributes:
        counterexample: the inputs, the outcome, and how likely it is under each.
        made_by: the tools.
    """

    counterexample: Comparison
    made_by: Tools
