"""(P, ε)-asymmetric differential privacy."""

from dataclasses import dataclass

from ..policies import Policy
from .base import Privacy, RecordChange, Told, told_values


@dataclass(frozen=True, slots=True)
class ADP(Privacy):
    """(P, ε)-asymmetric differential privacy: one record changes, and only sensitive values of it.

    Source: Asymmetric Differential Privacy, Definition 10 (one direction only).
    """

    relaxes = True
    policy: Policy

    @property
    def record_change(self) -> RecordChange:
        """Sensitive values of one record change."""
        return RecordChange(self.policy)

    def told(self) -> Told:
        """The definition in words."""
        rest, parts = told_values(self.policy)
        return Told(
            "asymmetric differential privacy",
            "{e} is a neighbour of {d} if it has as many records, one record differs, and it "
            "differs only in attributes whose value in {d} is sensitive. The policy {p} calls "
            "{values} sensitive, " + rest + ". The relation is directed: only the step from {d} "
            "to {e} is owed.",
            parts,
        )
