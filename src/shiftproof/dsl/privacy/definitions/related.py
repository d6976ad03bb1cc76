"""Privacy under a relation of the user's own."""

from dataclasses import dataclass

from .base import Function, Privacy, Told


@dataclass(frozen=True, slots=True)
class Related(Privacy):
    """A relation of the user's own, over all private inputs at once.

    ``rule`` is a function of the language whose parameters are the private inputs of the
    mechanism, and public scalar ones where it needs them; it says of D (plain names) and D'
    (``other(...)``) when they are neighbours.  For sequences the rule holds at every index,
    and lengths are public::

        def one_person(visits: float, stays: float) -> bool:
            return 0 <= visits - other(visits) and 0 <= stays - other(stays) \\
                and visits - other(visits) + stays - other(stays) <= 1
    """

    relaxes = True
    rule: Function

    @property
    def input_rule(self) -> Function:
        """The rule."""
        return self.rule

    def told(self) -> Told:
        """The definition in words."""
        return Told(
            "privacy under a relation of its author's own",
            "{e} is a neighbour of {d} if {rule}; for sequences at every index, and with "
            "public lengths. The rule is its author's.",
            {"rule": self.rule},
        )
