"""Trees that show that conditions contradict each other, for the kernel to check.

``refuter`` is asked.  ``standing`` keeps what questions share, ``cores`` asks Z3 which facts are
needed, ``splitting`` proves with those: by sums (``simplex``), ``integers`` and ``products``;
``steps`` writes the proof as a tree.
"""

from .refuter import Refuter as Refuter
