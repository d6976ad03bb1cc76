"""What a suite is made of: boxes of a library, each with the outcome that is expected of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
#: Ordered pairs of inputs, each (D, D') or (name, D, D').
Pairs: TypeAlias = Sequence[Sequence[Any]]

#: What an audit may come to.  The last one: it says that it cannot audit this.
VIOLATION, NOTHING, REFUSED = "violation found", "no violation found", "refused"
#: The ε of a box that has no reason for another one; and how many runs.
EPSILON = 0.5
SAMPLES = 100_000


@dataclass(frozen=True)
class Box:
    """A black box and what an audit of it should come to.

    Attributes:
        function: what is audited; its name is that of the box.
        pairs: the inputs on which it is audited.
        epsilon: what its library or its author claims, in nats.
        ideal, code: the expected verdicts: on the mechanism, and on the bits of its floats too.
        why: one sentence.
        samples: how many runs may be made.
    """

    function: Callable[..., Any]
    pairs: Pairs
    epsilon: float
    ideal: str
    code: str
    why: str
    samples: int = SAMPLES

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return str(self.function.__name__)


@dataclass
class Library:
    """The boxes of a library, in the order in which they are written.

    Attributes:
        package: its name on PyPI; empty for code that no package has.
        release: what stands for its version where there is no package.
        boxes: the boxes.
    """

    package: str = ""
    release: str = "-"
    boxes: list[Box] = field(default_factory=list)

    @property
    def version(self) -> str:
        """The version that is installed."""
        try:
            return version(self.package) if self.package else self.release
        except PackageNotFoundError:
            return self.release

    def box(
        self,
        pairs: Pairs,
        epsilon: float = EPSILON,
        *,
        ideal: str,
        code: str = "",
        why: str,
        samples: int = SAMPLES,
    ) -> Callable[[Function], Function]:
        """Make a box of the function below; on the code the same is expected unless it is said."""

        def add(function: Function) -> Function:
            self.boxes.append(Box(function, pairs, epsilon, ideal, code or ideal, why, samples))
            return function

        return add


def both_ways(*pairs: tuple[Any, Any]) -> Pairs:
    """Each pair, and the same two inputs exchanged."""
    return [ordered for one, other in pairs for ordered in ((one, other), (other, one))]
