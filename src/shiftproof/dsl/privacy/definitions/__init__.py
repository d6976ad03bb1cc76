"""Privacy definitions, one file each: which inputs are neighbours, and with which budget."""

from .adp import ADP as ADP
from .base import Privacy as Privacy
from .blowfish import Blowfish as Blowfish
from .context_aware import ContextAwareLDP as ContextAwareLDP
from .d_privacy import DPrivacy as DPrivacy
from .dp import DP as DP
from .group import Group as Group
from .input_discriminative import InputDiscriminativeLDP as InputDiscriminativeLDP
from .ldp import LDP as LDP
from .one_sided import OneSidedDP as OneSidedDP
from .related import Related as Related
from .utility_optimised import UtilityOptimizedLDP as UtilityOptimizedLDP
from .zcdp import ZCDP as ZCDP
