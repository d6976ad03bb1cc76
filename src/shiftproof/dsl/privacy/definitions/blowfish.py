"""Blowfish privacy of a value."""

from dataclasses import dataclass

from .base import Function, Told
from .ldp import LDP


@dataclass(frozen=True, slots=True)
class Blowfish(LDP):
    """Blowfish privacy of a value: neighbours are the edges of a graph of secrets, both ways.

    ``secrets`` is a rule of the language over the private inputs: whether D (plain names) and
    D' (``other(...)``) are to be told apart by nobody::

        def close(x: int) -> bool:
            return abs(x - other(x)) <= 5

    Source: He, Machanavajjhala and Ding, "Blowfish privacy" (SIGMOD 2014), without
    constraints on the data.
    """

    secrets: Function

    @property
    def edge_rule(self) -> Function:
        """The graph of secrets."""
        return self.secrets

    def told(self) -> Told:
        """The definition in words."""
        return Told(
            "Blowfish privacy",
            "{d} and {e} are neighbours, both ways, if {rule} or the same holds with the two "
            "exchanged: the graph of secrets, which its author declares.",
            {"rule": self.secrets},
        )
