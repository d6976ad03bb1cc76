"""Utility-optimised local differential privacy."""

from dataclasses import dataclass

from .base import Function, OutputClaim
from .ldp import LDP


@dataclass(frozen=True, slots=True)
class UtilityOptimizedLDP(LDP):
    """Utility-optimised LDP: some outputs are protected, others name a value that may be known.

    ``sensitive`` tells of a value whether it is sensitive, ``protected`` of a released value
    whether it is a protected one; both are functions of one parameter, in the language, which
    may use public scalar parameters of the mechanism by name as further ones.  For a protected
    output the bound holds between any two values.  Any other output comes from one value
    alone, and that is not sensitive.
    Source: Murakami and Kawamoto, "Utility-optimized local differential privacy mechanisms
    for distribution estimation" (USENIX Security 2019).
    """

    known_as = "utility-optimised local differential privacy"
    composes = False
    of_one_value = True
    sensitive: Function
    protected: Function

    @property
    def output_claim(self) -> OutputClaim:
        """Of protected outputs the bound is owed."""
        return OutputClaim(self.sensitive, self.protected)

    @property
    def of_inputs(self) -> LDP:
        """Any two values are neighbours."""
        return LDP()
