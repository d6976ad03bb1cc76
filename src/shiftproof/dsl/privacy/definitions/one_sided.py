"""ε-one-sided differential privacy."""

from dataclasses import dataclass

from ..policies import Policy
from .base import Privacy, RecordChange, Told, told_values


@dataclass(frozen=True, slots=True)
class OneSidedDP(Privacy):
    """ε-one-sided differential privacy: a sensitive record is replaced by any other one.

    A record is sensitive if one of its attributes is; all of it may then change, while
    (P, ε)-ADP lets its sensitive attributes change only.  The two are one for records of one
    value.  Source: Kotsogiannis et al., "One-sided differential privacy" (ICDE 2020).
    """

    relaxes = True
    policy: Policy

    @property
    def record_change(self) -> RecordChange:
        """A record with a sensitive value is replaced."""
        return RecordChange(self.policy, whole=True)

    def told(self) -> Told:
        """The definition in words."""
        rest, parts = told_values(self.policy)
        return Told(
            "one-sided differential privacy",
            "{e} is a neighbour of {d} if one record of {d} that has a sensitive value is "
            "replaced by any other record. Sensitive are {values}, " + rest + ". The relation is "
            "directed: only the step from {d} to {e} is owed.",
            parts,
        )
