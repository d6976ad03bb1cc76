"""Privacy definitions, one file each: which inputs are neighbours, and with which budget."""

from .adp import ADP
from .base import Privacy
from .blowfish import Blowfish
from .context_aware import ContextAwareLDP
from .d_privacy import DPrivacy
from .dp import DP
from .input_discriminative import InputDiscriminativeLDP
from .ldp import LDP
from .one_sided import OneSidedDP
from .related import Related
from .utility_optimised import UtilityOptimizedLDP

__all__ = [
    "ADP",
    "DP",
    "LDP",
    "Blowfish",
    "ContextAwareLDP",
    "DPrivacy",
    "InputDiscriminativeLDP",
    "OneSidedDP",
    "Privacy",
    "Related",
    "UtilityOptimizedLDP",
]
