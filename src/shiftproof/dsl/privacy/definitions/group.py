"""Group privacy."""

from dataclasses import dataclass

from ...errors import BadInput
from .base import Privacy, RecordChange, Told


@dataclass(frozen=True, slots=True)
class Group(Privacy):
    """Group privacy: D and D' are joined by a chain of at most ``size`` steps of a definition.

    Under ``Group(DP(), k)`` up to k records are replaced, under ``Group(DP("add-remove"), k)`` up
    to k records come or go; a declared sensitivity is that of one step, so answers move by k times
    as much.  ε, in nats, is for the whole chain.  What is proved is ε / k for one step, from which
    ε for the chain follows; a mechanism that keeps ε for the chain but not ε / k for each of its
    steps is not proved.

    Args:
        definition: ``DP()`` or ``DP("add-remove")``.
        size: k, an int of at least 1.

    Raises:
        BadInput: another definition, or another size.

    Source: Dwork and Roth, "The algorithmic foundations of differential privacy" (2014),
    Theorem 2.2.
    """

    definition: Privacy
    size: int

    def __post_init__(self) -> None:
        Privacy.__post_init__(self)
        given: object = self.definition
        change = given.record_change if isinstance(given, Privacy) else None
        refused = change is None or change.policy is not None or self.definition.group_size > 1
        if refused or self.definition.is_relaxed:
            raise BadInput(
                f"Group: got {self.definition}; DP() or DP('add-remove') is needed: of no other "
                "definition is it said what a group is"
            )
        if type(self.size) is not int or self.size < 1:
            raise BadInput(f"Group: got the size {self.size!r}; an int of at least 1 is needed")

    @property
    def record_change(self) -> RecordChange | None:
        """How a step changes a data set."""
        return self.definition.record_change

    @property
    def group_size(self) -> int:
        """The size."""
        return self.size

    @property
    def one_step(self) -> Privacy:
        """The definition of a step."""
        return self.definition

    def told(self) -> Told:
        """The definition in words."""
        name, neighbours, parts = self.definition.told()
        return Told(
            f"group privacy of up to {self.size} steps of {name}",
            f"{{d}} and {{e}} are neighbours if at most {self.size} steps lead from one to the "
            f"other. A step is this: {neighbours}",
            parts,
        )
