"""What a method of proof gives: a proof, or what is in its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...dsl.errors import Unsupported
from ...dsl.relations.program import Program
from ...dsl.terms.linear import Linear
from ..verdicts import OneSided
from ..walking.certificate import EnumerationPart, Part

if TYPE_CHECKING:
    from ..refuting.inputs import Instance

Name = Literal["sums", "alignment", "enumeration"]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of a mechanism's privacy: case by case of its relation, or by its laws.

    Attributes:
        method: which method found it; empty for no proof at all.
        sizes: of which sizes; ``all``, or up to some.
        least: the least ε that it shows to be kept.
        parts, enumeration: what the kernel checks it by.  A proof for small sizes by an
            alignment leaves nothing to check.
        counted: the core text of which the kernel has counted that.
        alignment: the shift of each sample, as text.
        reasons: why it is not for all sizes.
    """

    parts: tuple[Part, ...] = ()
    enumeration: EnumerationPart | None = None
    counted: tuple[str, ...] = ()
    method: Name | Literal[""] = ""
    sizes: str = ""
    least: Linear | None = None
    alignment: Mapping[str, str] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it is for all sizes."""
        return self.sizes == "all"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a method has no proof.

    Attributes:
        method: which one.
        reasons: what is in its way; none if it is not for such programs.
        starts: pairs of inputs on which the claim may be wrong.
        alignment: the best one that was found, as text.
        declined: it is not for such programs, so that its failure tells nothing of the claim.
        refusal: what in the program it cannot read.
    """

    method: Name
    reasons: tuple[str, ...] = ()
    starts: tuple[Instance, ...] = ()
    alignment: Mapping[str, str] = field(default_factory=dict)
    declined: bool = False
    refusal: Unsupported | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """The one-sided claims, each decided, and one proof of those that are proved.

    ``limits``: what ended the work on them before its end.
    """

    claims: tuple[OneSided, ...] = ()
    part: Part | None = None
    limits: tuple[str, ...] = ()

    @property
    def proved(self) -> tuple[str, ...]:
        """The claims that are proved."""
        return tuple(c.claim for c in self.claims if c.outcome == "proved")


Method = Callable[[Program], Proof | Failure]
