"""The papers' claims, each decided by machine.

One package a paper, one module a part of it; ``topics.py`` has their order.  An entry is a
:class:`Claim`: what is printed, how it is read, and the checks that decide it (``claim.py``);
``settle`` draws the verdict from what the checks find.  ``ways/`` holds the means of deciding that
several entries share.
"""

from __future__ import annotations

import importlib

from .claim import Check as Check
from .claim import Claim as Claim
from .claim import Finding as Finding
from .claim import Paper as Paper
from .claim import Role as Role
from .claim import Settled as Settled
from .claim import Verdict as Verdict
from .claim import settle as settle
from .topics import TOPICS as TOPICS
from .topics import Topic as Topic


def claims(paper: Paper | None = None) -> tuple[Claim, ...]:
    """The claims of one paper, or of all three, in the order of the papers."""
    return tuple(
        claim for topic in TOPICS if paper in (None, topic.paper) for claim in claims_on(topic)
    )


def claims_on(topic: Topic) -> tuple[Claim, ...]:
    """The claims of one topic, in the order of its paper."""
    return tuple(claim for part in topic.parts for claim in _claims_of(topic.paper, part))


def _claims_of(paper: Paper, part: str) -> tuple[Claim, ...]:
    folder = paper.name.lower()
    found: tuple[Claim, ...] = importlib.import_module(f".{folder}.{part}", __name__).CLAIMS
    return found
