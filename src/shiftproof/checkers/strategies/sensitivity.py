"""The P-sensitivity and direction of any query, tested: neighbours on which it moves too far."""

from __future__ import annotations

import math
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypeVar

from hypothesis import Phase, Verbosity, currently_in_test_context, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import Flaky, HypothesisException, NoSuchExample

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import Direction
from ...dsl.privacy.policies import Policy
from .data_sets import DataSets, change_of, neighbouring_data_sets


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


# The simplest example of a condition, found with Hypothesis and nothing left behind.

T = TypeVar("T")


def simplest(
    examples_of: st.SearchStrategy[T],
    condition: Callable[[T], bool],
    *,
    examples: int,
    seed: int | None,
) -> T | None:
    """The simplest of the values that meet a condition; ``None`` if none was found.

    Independent of the user's Hypothesis profile and of earlier runs; may be called within a
    test that is itself run by Hypothesis.

    Args:
        examples_of: which values are tried.
        condition: asked of each.
        examples: how many are tried before one is found.
        seed: where the search starts; ``None`` for elsewhere in each run.

    Raises:
        Flaky: (of Hypothesis) the condition changed its mind.
    """
    chosen = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        print_blob=False,
        verbosity=Verbosity.quiet,
    )

    def search() -> T | None:
        random = Random() if seed is None else Random(seed)
        try:
            with _no_folder():
                return find(examples_of, condition, settings=chosen, random=random)
        except NoSuchExample:
            return None

    return _outside(search) if currently_in_test_context() else search()


@contextmanager
def _no_folder() -> Iterator[None]:
    """Keep what Hypothesis caches out of the user's folder, which would get a ``.hypothesis``."""
    usual: Any = storage_directory("examples", intent_to_write=False)
    with tempfile.TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(Path(getattr(usual, "path", usual)).parent)


def _outside(search: Callable[[], T]) -> T:
    """Search in a thread of its own: Hypothesis objects to a search within a test of its own."""
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(search())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


# One pair of data sets: what a query answers on them, and whether it moves too far.

Number: TypeAlias = int | float | Fraction
Answers: TypeAlias = tuple[Number, ...]
#: Of answers with rounding in them, differences up to this part of the largest are forgiven.
ROUNDING = Fraction(1, 2**48)
#: How much of a relation a message shows: policies of a hundred values are long.
LONGEST_RELATION = 120


class SensitivityViolated(AssertionError):
    """A query moves too far, or the wrong way, between two neighbours.

    Attributes:
        data: D.
        neighbour: D', a neighbour of D in the order of the relation.
        answers: the answers on D, as Python numbers; one for a query of one answer.
        neighbour_answers: those on D'.
        index: which answer goes furthest beyond what is allowed.
    """

    def __init__(
        self, message: str, pair: DataSets, answers: tuple[Answers, Answers], index: int
    ) -> None:
        super().__init__(message)
        self.data, self.neighbour = pair
        self.answers, self.neighbour_answers = answers
        self.index = index


@dataclass(frozen=True)
class Bound:
    """How far answers may move between neighbours, and where to.

    ``given``: the pairs come from the user, so whether they are neighbours is checked.

    Raises:
        BadInput: a number is negative or not finite, or the direction is none.
    """

    relation: Policy | Privacy
    sensitivity: Number
    direction: Direction
    tolerance: Number | None
    given: bool = False

    def __post_init__(self) -> None:
        sizes: dict[str, Any] = {"sensitivity": self.sensitivity}
        if self.tolerance is not None:
            sizes["tolerance"] = self.tolerance
        for name, value in sizes.items():
            known = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
            if not known or not math.isfinite(value) or value < 0:
                raise BadInput(f"{name}: got {value!r}; a number >= 0 is needed")
        if self.direction not in ("both", "decreasing", "increasing"):
            raise BadInput(
                f"direction: got {self.direction!r}; both, decreasing or increasing is needed"
            )

    def excess(self, one: Number, two: Number) -> Fraction:
        """How far beyond what is allowed an answer moves; not positive if it is within."""
        most, fall = Fraction(self.sensitivity), Fraction(one) - Fraction(two)
        low = Fraction(0) if self.direction == "decreasing" else -most
        high = Fraction(0) if self.direction == "increasing" else most
        return max(fall - high, low - fall) - self._slack(one, two)

    def _slack(self, one: Number, two: Number) -> Fraction:
        if self.tolerance is not None:
            return Fraction(self.tolerance)
        if isinstance(one, float) or isinstance(two, float):
            return ROUNDING * max(abs(Fraction(v)) for v in (one, two, self.sensitivity))
        return Fraction(0)

    def check(self, pair: DataSets) -> None:
        """Make sure that a pair of the user's is one of neighbours, where that can be told.

        Raises:
            BadInput: it is not.
        """
        if not self.given:
            return
        change = change_of(self.relation)
        if change is None or change.policy is None:
            return
        if not change.relates(*pair):
            what = "no neighbour of" if change.whole else "not in N_P(D) of"
            raise BadInput(f"data_sets: D′ = {pair[1]!r} is {what} D = {pair[0]!r}")

    def __str__(self) -> str:
        none = {"both": "", "decreasing": ", and none up", "increasing": ", and none down"}
        text = f"each answer moves by at most {self.sensitivity}{none[self.direction]}"
        return text if self.tolerance is None else f"{text}; tolerance {self.tolerance}"


@dataclass(frozen=True)
class Question:
    """A query, and how far it may move."""

    query: Callable[[Any], Any]
    bound: Bound

    def judged(self, pair: DataSets) -> Exception | None:
        """What is wrong on this pair."""
        try:
            self.bound.check(pair)
            one, two = (self._answers(data) for data in pair)
        except BadInput as error:
            return error
        if len(one) != len(two):
            return BadInput(
                f"the query has {len(one)} answers on D = {pair[0]!r} and {len(two)} on "
                f"D′ = {pair[1]!r}; it must have as many on every data set"
            )
        beyond = [self.bound.excess(a, b) for a, b in zip(one, two, strict=True)]
        if max(beyond, default=Fraction(0)) <= 0:
            return None
        index = beyond.index(max(beyond))
        return SensitivityViolated(self._message(pair, one, two, index), pair, (one, two), index)

    def wavers(self, pair: DataSets) -> BadInput:
        """The error for a query that answers now one thing, now another."""
        return BadInput(
            f"the query does not always give the same answer on D = {pair[0]!r} or on "
            f"D′ = {pair[1]!r}; test it without noise"
        )

    def _answers(self, data: Any) -> Answers:
        try:
            found = self.query(data)
        except HypothesisException:
            raise  # an assume() of the user's is for Hypothesis
        except Exception as error:
            problem = BadInput(f"the query raised {error!r} on the data set {data!r}")
            problem.__cause__ = error
            raise problem from error
        if hasattr(found, "tolist") and getattr(found, "ndim", 0) < 2:
            found = found.tolist()  # an array or a number of numpy as Python has it
        if isinstance(found, Sequence) and not isinstance(found, str | bytes):
            return tuple(_number(v, data) for v in found)
        return (_number(found, data),)

    def _message(self, pair: DataSets, one: Answers, two: Answers, index: int) -> str:
        a, b = one[index], two[index]
        fall = _difference(a, b)
        which = f"answer {index} of the query" if len(one) > 1 else "the query"
        way = "falls" if fall > 0 else "rises"
        shown = [answers[0] if len(answers) == 1 else answers for answers in (one, two)]
        return "\n".join(
            [
                f"{which} {way} by {abs(fall)} from D to D′; {self.bound}",
                f"  relation  {_short(str(self.bound.relation))}",
                f"  D         {pair[0]!r}",
                f"  D′        {pair[1]!r}",
                f"  {_record(*pair)}",
                f"  answers   {shown[0]} on D, {shown[1]} on D′",
            ]
        )


def _number(value: Any, data: Any) -> Number:
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int | Fraction):
        return value
    raise BadInput(
        f"the query answered {value!r} on the data set {data!r}; a finite number or a sequence "
        "of them is needed"
    )


def _difference(one: Number, two: Number) -> Number:
    """As people write it: a float where the answers are floats."""
    exact = Fraction(one) - Fraction(two)
    if isinstance(one, float) or isinstance(two, float):
        return float(exact)
    return int(exact) if exact.denominator == 1 else exact


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_RELATION else f"{text[:LONGEST_RELATION]}…"


def _record(data: Sequence[Any], other: Sequence[Any]) -> str:
    """The line about the record that differs."""
    shorter = min(len(data), len(other))
    at = next((i for i in range(shorter) if repr(data[i]) != repr(other[i])), shorter)
    if len(data) == len(other):
        return f"record {at}  {data[at]!r} → {other[at]!r}"
    if len(data) > len(other):
        return f"record {at}  {data[at]!r} is removed"
    return f"record {at}  {other[at]!r} is added"
