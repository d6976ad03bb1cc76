"""Counting again: all sizes that a certificate must cover, each from the program alone."""

from __future__ import annotations

from collections.abc import Mapping

from ...dsl.errors import ShiftproofError
from ...dsl.program import Program
from .enumeration_limits import LARGEST, Sizes, choices, limits_of
from .enumeration_runs import STEPS
from .enumeration_sizes import Counter
from .enumeration_table import EnumeratedSizes, EnumerationPart
from .enumeration_values import Wrong


def counted_again(program: Program, part: EnumerationPart) -> tuple[int, list[str]]:
    """The number of comparisons, and what differs from the certificate."""
    program = program.inlined
    problems: list[str] = []
    total = 0
    try:
        limits = limits_of(program)
        if part.largest > LARGEST:
            raise Wrong(f"sizes up to {part.largest} are too many")
        if not limits and part.largest:
            problems.append(f"sizes up to {part.largest} of a program without sizes")
        complete = is_complete(limits, part.largest)
        if not complete and part.largest < 1:
            problems.append("size 0 alone is no bound")
        if part.complete != complete:
            problems.append("whether these are all sizes is not as the preconditions say")
        said = iter(part.settings)
        stated = next(said, None)
        counter = Counter(program, [STEPS])
        for sizes in sorted(choices(limits, part.largest), key=order_of):
            found = counter.found(sizes)
            if found is None:
                continue
            if stated is None or stated != found:
                shown = ", ".join(f"{n} = {v}" for n, v in sizes.items()) or "no sizes"
                problems.append(f"at {shown}: {_difference(stated, found)}")
                break
            total += found.comparisons
            stated = next(said, None)
        else:
            if stated is not None:
                problems.append(f"the certificate counts sizes {stated.sizes} besides")
        if not any(s.pairs and s.comparisons for s in part.settings):
            problems.append("nothing is compared")
    except (Wrong, ShiftproofError) as error:
        problems.append(str(error))
    except RecursionError:
        problems.append("an expression nests too deep")
    return total, problems


def is_complete(limits: Mapping[str, tuple[int, int | None]], largest: int) -> bool:
    """Whether the preconditions allow no larger sizes."""
    return all(high is not None and high <= largest for _, high in limits.values())


def order_of(sizes: Sizes) -> tuple[int, list[int]]:
    """In which order sizes are counted: by the largest one first."""
    return max(sizes.values(), default=0), list(sizes.values())


def _difference(stated: EnumeratedSizes | None, found: EnumeratedSizes) -> str:
    if stated is None or stated.sizes != found.sizes:
        return "the certificate does not count these sizes here"
    for name in ("inputs", "outcomes", "pairs", "comparisons"):
        one, two = getattr(stated, name), getattr(found, name)
        if one != two:
            return f"{two} {name}, and not {one}"
    return "the laws are others"
