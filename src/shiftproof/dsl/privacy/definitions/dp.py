"""ε-differential privacy."""

from dataclasses import dataclass
from typing import Literal

from ...errors import BadInput
from .base import Privacy, RecordChange, Told


@dataclass(frozen=True, slots=True)
class DP(Privacy):
    """ε-differential privacy; neighbours by ``replacement`` of a record, or ``add-remove``."""

    relaxes = True
    is_symmetric = True
    neighbours: Literal["replacement", "add-remove"] = "replacement"

    def __post_init__(self) -> None:
        Privacy.__post_init__(self)
        if self.neighbours not in ("replacement", "add-remove"):
            raise BadInput(f"DP: got {self.neighbours!r}; 'replacement' or 'add-remove' is needed")

    @property
    def record_change(self) -> RecordChange:
        """One record changes in any way, or only one data set has it."""
        return RecordChange(adding=self.neighbours == "add-remove")

    def told(self) -> Told:
        """The definition in words."""
        if self.neighbours == "replacement":
            return Told(
                "differential privacy (replacement of one record)",
                "{d} and {e} are neighbours if they have as many records and differ in one of "
                "them, in any way.",
            )
        return Told(
            "differential privacy (one record added or removed)",
            "{d} and {e} are neighbours if one of them has one record more than the other, "
            "and they are otherwise the same. The number of records is not public.",
        )
