"""How many steps lie between data sets: the distance that goes with a policy.

A *step* goes from a data set D to one of N_P(D); a policy that protects only some values makes it
one-way.  One-sided answers are bounded by how many steps lie between data where they are false and
data where they are true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..errors import BadInput, LimitReached
from .policies import EXHAUSTIVE_ANSWERS, DataSet, Policy, is_record_neighbour


def minimum_step(policy: Policy, data: DataSet, other: DataSet) -> int | None:
    """The least number of steps that lead from ``data`` to ``other``; ``None`` if none do.

    It is how many records differ, if record → other record in each place, and else there is no
    path.  *Proof.*  A step changes one record, so k differing records take k steps at least.  Along
    any path a record goes from one to the next by →, which is transitive, so first → last; and if
    that holds in each place, one step for each differing record is enough, since → is reflexive
    and leaves the other records alone.

    Under ``Policy.everything()``, where (P, ε)-ADP is DP of replaced records, it is the Hamming
    distance, and there is a path wherever sizes agree.

    Args:
        policy: which values are sensitive.
        data, other: tuples of records; of different sizes there is no path.

    Raises:
        BadInput: a differing record has a value outside the universe, or data is no tuple of
            tuples.

    Source: Asymmetric Differential Privacy, Definition 14.
    """
    _check_shape(data)
    _check_shape(other)
    if len(data) != len(other):
        return None
    changed = [(r, s) for r, s in zip(data, other, strict=True) if tuple(r) != tuple(s)]
    possible = [is_record_neighbour(r, s, policy) for r, s in changed]  # all, for their checks
    return len(changed) if all(possible) else None


def data_sets(policy: Policy, size: int, attributes: int = 1) -> Iterator[DataSet]:
    """Every data set of so many records with so many attributes, lazily.

    Raises:
        BadInput: a number is negative, or not whole.
        LimitReached: there are more than ``EXHAUSTIVE_ANSWERS``, or one is as large as that.
    """
    sizes: tuple[Any, ...] = (size, attributes)
    if not all(isinstance(n, int) and n >= 0 for n in sizes):
        raise BadInput(
            f"wanted whole sizes of at least 0, got {size} records, {attributes} attributes"
        )
    # Each value doubles the number at least, unless there is but one.
    cells = min(size * attributes, EXHAUSTIVE_ANSWERS.bit_length())
    if max(size, attributes, len(policy.universe) ** cells) > EXHAUSTIVE_ANSWERS:
        raise LimitReached(
            "EXHAUSTIVE_ANSWERS",
            f"there are too many data sets of {size} records of {attributes} attributes, or they "
            f"are too large: take smaller sizes (at most {EXHAUSTIVE_ANSWERS})",
        )
    records = list(product(policy.universe, repeat=attributes))
    return product(records, repeat=size)


@dataclass(frozen=True, slots=True)
class AnswerSteps:
    """How far data is from data on which an answer is false; ``None`` where no path leads.

    Attributes:
        from_false: the least number of steps from data where it is false to this data.
        to_false: the least number of steps from this data to data where it is false.
        from_never: the least number of steps to this data from data where a one-sided answer can
            never be given: it is false there, or steps lead from there to where it is.  At most
            ``from_false``; with it the bound of Theorem 9 is the best one.
    """

    from_false: int | None
    to_false: int | None
    from_never: int | None


def answer_steps(policy: Policy, query: Callable[[DataSet], object], data: DataSet) -> AnswerSteps:
    """How many steps lead between ``data`` and data on which the answer is false.

    By asking the query on every data set of this size over the policy's universe.

    Args:
        policy: which values are sensitive.
        query: q; what it gives is taken as true or false.
        data: records of one width.

    Raises:
        BadInput: the records differ in width, or have a value outside the universe, or data is no
            tuple of tuples.
        LimitReached: there are more data sets than ``EXHAUSTIVE_ANSWERS``.

    Source: Asymmetric Differential Privacy, Definition 14 and Theorem 9, which as printed counts
    from ``data`` to false answers, where the probability is 0.
    """
    _check_shape(data)
    if len({len(record) for record in data}) > 1:
        raise BadInput("the records have different numbers of attributes; all need the same")
    for record in data:
        for value in record:
            policy.is_sensitive(value)  # asked only for its check of the universe
    everything = data_sets(policy, len(data), len(data[0]) if data else 0)
    false = {found for found in everything if not query(found)}
    return AnswerSteps(
        from_false=_least(minimum_step(policy, found, data) for found in false),
        to_false=_least(minimum_step(policy, data, found) for found in false),
        from_never=_least(minimum_step(policy, found, data) for found in _leading(policy, false)),
    )


def _check_shape(data: Any) -> None:
    """Make sure that it is a data set: records in a tuple, values in each.  Lists will do."""
    wrong = data
    if isinstance(data, tuple | list):
        wrong = next((record for record in data if not isinstance(record, tuple | list)), None)
        if wrong is None:
            return
    raise BadInput(f"data: got {wrong!r:.80}; want a tuple of records such as ((1, 0), (0, 0))")


def _leading(policy: Policy, ends: Collection[DataSet]) -> set[DataSet]:
    """``ends``, and every data set from which steps lead there."""
    found, waiting = set(ends), list(ends)

    def before(value: int) -> set[int]:
        """The values that may become this one."""
        return {value, *policy.sensitive}

    while waiting:
        data = waiting.pop()
        for place, record in enumerate(data):
            for changed in product(*map(before, record)):
                one = (*data[:place], changed, *data[place + 1 :])
                if one not in found:
                    found.add(one)
                    waiting.append(one)
    return found


def _least(steps: Iterator[int | None]) -> int | None:
    return min((k for k in steps if k is not None), default=None)
