"""ρ-zero-concentrated differential privacy."""

from dataclasses import dataclass, field

from ...errors import BadInput
from .dp import DP


@dataclass(frozen=True, slots=True)
class ZCDP(DP):
    """ρ-zero-concentrated differential privacy: ``DP(…, zcdp=True)`` by its own name.

    The Rényi divergence of order α of the outputs on D from those on D' is at most αρ, for every
    α > 1, for neighbours both ways.  One-sided: ``ADP(policy, zcdp=True)``.

    Source: Bun and Steinke, "Concentrated differential privacy: simplifications, extensions, and
    lower bounds" (TCC 2016), Definition 1.1.
    """

    zcdp: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        DP.__post_init__(self)
        if not self.zcdp:
            raise BadInput("ZCDP: got zcdp=False; write DP(), which claims ε")

    @property
    def pure(self) -> DP:
        """``DP`` with the same neighbours."""
        return DP(self.neighbours)
