"""The P-sensitivity and direction of any query, tested: neighbours on which it moves too far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import Flaky

from ..dsl.errors import BadInput
from ..dsl.inputs import Direction
from ..dsl.policies import Policy
from ..dsl.privacy import Privacy
from .query_moves import Bound, Number, Question
from .simplest import simplest
from .strategies.data_sets import DataSets, neighbouring_data_sets


def assert_p_sensitivity(
    query: Callable[[Any], Any],
    policy: Policy | Privacy,
    sensitivity: Number = 1,
    direction: Direction = "both",
    *,
    attributes: int = 1,
    min_size: int = 0,
    max_size: int = 5,
    universe: Iterable[int] = (0, 1),
    one_hot: bool = False,
    marked: int = 1,
    records: st.SearchStrategy[Any] | None = None,
    data_sets: st.SearchStrategy[DataSets] | None = None,
    tolerance: Number | None = None,
    examples: int = 500,
    seed: int | None = 0,
) -> None:
    """Fail if neighbours are found on which a query moves too far, or the wrong way.

    The query is any Python function of a data set, a tuple of records; it answers with a
    number or a sequence of numbers (one-dimensional arrays too), each of which is held to the
    bound.  Ordered pairs of neighbours (D, D') are searched with Hypothesis, and what is found
    is made small.  Passing is no proof: on other data sets, larger ones to begin with, the
    query may still move further.  ``p_sensitivity`` goes through all data sets of one size.

    Args:
        query: the function; the same answer on the same data set.
        policy: who is a neighbour of whom: a policy, or a privacy definition (``DP()``, …).
        sensitivity: by how much an answer may move at most, |q(D) − q(D')|; at least 0.
        direction: ``decreasing`` if no answer may be larger on D' than on D, ``increasing`` if
            none may be smaller.
        attributes, min_size, max_size, universe, one_hot, marked, records: which data sets are
            searched, as in :func:`shiftproof.strategies.neighbouring_data_sets`.
        data_sets: a strategy for the ordered pairs themselves, in place of these.  Under a
            policy (``OneSidedDP`` too) they must be neighbours; of other relations that is not
            checked.
        tolerance: by how much an answer may move beyond the bound, or against its direction,
            as floats round.  By default 2⁻⁴⁸ of the largest of the two answers and the bound
            where one of the answers is a float, and nothing for ints and fractions.  With
            ``tolerance=0`` floats are compared exactly, as the numbers that they hold.
        examples: how many pairs are tried.
        seed: where the search starts.  The same seed tries the same pairs as long as versions
            and loaded modules are the same; ``None`` tries others in each run.

    Raises:
        SensitivityViolated: an AssertionError with both data sets, both answers, the record
            that differs, and what was allowed.
        BadInput: the query raises, answers with something else than finite numbers, answers
            the same data set in two ways, or has more answers on one data set than on another;
            or an argument is not what is asked for.

    Source: "Asymmetric Differential Privacy", Definition 11 (P-sensitivity) and Definition 12
    (direction).
    """
    __tracebackhide__ = True
    if type(examples) is not int or examples < 1:
        raise BadInput(f"examples: got {examples!r}; an int of at least 1 is needed")
    bound = Bound(policy, sensitivity, direction, tolerance, given=data_sets is not None)
    pairs = data_sets
    if pairs is None:
        pairs = neighbouring_data_sets(
            policy,
            attributes,
            min_size=min_size,
            max_size=max_size,
            universe=universe,
            one_hot=one_hot,
            marked=marked,
            records=records,
        )
    problem = _problem(Question(query, bound), pairs, examples, seed)
    if problem is not None:
        raise problem


def _problem(
    question: Question, pairs: st.SearchStrategy[DataSets], examples: int, seed: int | None
) -> Exception | None:
    """What is wrong on the simplest pair on which something is."""
    found: list[tuple[DataSets, Exception]] = []

    def is_bad(pair: DataSets) -> bool:
        error = question.judged(pair)
        # What is wrong first stays it, while the pair is made small.
        if error is None or (found and type(error) is not type(found[0][1])):
            return False
        found[:] = [(pair, error)]
        return True

    try:
        return found[0][1] if simplest(pairs, is_bad, examples=examples, seed=seed) else None
    except Flaky:
        return question.wavers(found[0][0])
