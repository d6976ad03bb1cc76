"""The steps of a run as functions: each changes the variables, and says where to go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...dsl.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ...dsl.syntax import (
    Cell,
    Expression,
    Let,
    MakeList,
    Name,
    Pick,
    Span,
    Store,
    Whole,
    children,
)
from .meaning import Failure, Meanings
from .ratios import Declined
from .releases import Outcomes
from .values import Meaning, Variables

#: The longest list.
LONGEST_LIST = 1_000

FINITE = (Bernoulli, Categorical, DiscreteUniform)
Doing = Callable[[Variables], int]


class Steps:
    """The functions of one program's nodes; ``run[0]`` is what was released so far."""

    def __init__(self, meanings: Meanings, outcomes: Outcomes) -> None:
        self._meanings = meanings
        self._outcomes = outcomes

    def of(self, node: Node) -> Doing | None:
        """What a node does: it changes the variables, and says where to go on."""
        of, slot = self._meanings.of, self._meanings.slot
        match node:
            case SampleNode(step=step):
                slot(step.target)
                if step.distribution not in FINITE:
                    raise Declined(f"a draw of {step.distribution.__name__} is not finite")
                return None
            case EndNode():
                return None
            case AssignNode(step=step, after=after):
                return _assigning(
                    [slot(t) for t in step.targets], list(map(of, step.values)), after
                )
            case BranchNode(test=test, yes=yes, no=no) | HeadNode(test=test, body=yes, exit=no):
                return _choosing(self._meanings.condition(test), yes, no)
            case EnsureNode(claim=claim, after=after):
                return _assigning([slot("@claim")], [of(claim)], after)
            case ReleaseNode(values=values, after=after):
                return partial(self._release, list(map(of, values)), after)
            case ListNode(step=MakeList() as step, after=after):
                fill = None if step.fill is None else of(step.fill)
                return partial(_make, slot(step.target), fill, of(step.length), after)
            case ListNode(step=Store() as step, after=after):
                index = None if step.index is None else of(step.index)
                return partial(_store, slot(step.array), index, of(step.value), step.span, after)
            case ListNode(step=Pick() as step, after=after):
                count = None if step.count is None else of(step.count)
                array, target = self._meanings.whole(step.array), slot(step.target)
                return partial(self._pick, target, array, count, step.span, after)
        raise Declined(f"{type(node).__name__} is not enumerated")

    def _release(self, values: Sequence[Meaning], after: int, run: Variables) -> int:
        for value in values:
            run[0] = self._outcomes.after(run[0], value(run))  # type: ignore[arg-type]
        return after

    def _pick(
        self,
        target: int,
        array: Meaning,
        count: Meaning | None,
        span: Span,
        after: int,
        run: Variables,
    ) -> int:
        cells = array(run)
        assert isinstance(cells, tuple)
        k = 1 if count is None else count(run)
        if type(k) is not int:
            raise Declined("top_k of a number that is no int")
        if not 0 <= k <= len(cells):
            raise Failure(span, f"{k} of {len(cells)} values are picked")
        left, order = list(range(len(cells))), list[int]()
        while len(order) < k:
            best = left[0]
            for i in left[1:]:
                if self._meanings.at_least(cells[i], cells[best], True):
                    best = i
            left.remove(best)
            order.append(best)
        run[target] = order[0] if count is None else tuple(order)
        return after


def _assigning(targets: list[int], values: list[Meaning], after: int) -> Doing:
    if len(targets) == 1:
        (target,), (value,) = targets, values

        def assign(run: Variables) -> int:
            run[target] = value(run)
            return after

        return assign

    def assign_all(run: Variables) -> int:
        found = [v(run) for v in values]
        for place, one in zip(targets, found, strict=True):
            run[place] = one
        return after

    return assign_all


def _choosing(test: Callable[[Variables], bool], yes: int, no: int) -> Doing:
    return lambda run: yes if test(run) else no


def _make(target: int, fill: Meaning | None, length: Meaning, after: int, run: Variables) -> int:
    first = None if fill is None else fill(run)
    size = length(run)
    if type(size) is not int:
        raise Declined("a list whose length is no int")
    if size > LONGEST_LIST:
        raise Declined(f"a list of {size} elements")
    if isinstance(first, tuple):
        raise Declined("a list inside a list")
    run[target] = () if fill is None else (first,) * max(size, 0)
    return after


def _store(
    array: int, index: Meaning | None, value: Meaning, span: Span, after: int, run: Variables
) -> int:
    new, cells = value(run), run[array]
    assert isinstance(cells, tuple) and not isinstance(new, tuple)
    if index is None:
        if len(cells) >= LONGEST_LIST:
            raise Declined(f"a list of more than {LONGEST_LIST} elements")
        run[array] = (*cells, new)
        return after
    i = index(run)
    if type(i) is not int:
        raise Declined("an index that is no int")
    if not 0 <= i < len(cells):
        raise Failure(span, f"the index {i} is out of range")
    run[array] = (*cells[:i], new, *cells[i + 1 :])
    return after


def reads_private(node: Node, private: frozenset[str]) -> bool:
    """Whether a node looks at a private input; its length is public."""
    return any(_reads(e, private) for e in expressions_of(node)) or (
        isinstance(node, ListNode) and isinstance(node.step, Pick) and node.step.array in private
    )


def _reads(e: Expression, names: frozenset[str]) -> bool:
    """Whether an expression looks at one of some inputs; a length is no look at it."""
    own = (isinstance(e, Name) and e.name in names) or (
        isinstance(e, Cell | Whole) and e.array in names
    )
    return own or any(_reads(c, names) for c in children(e))


def bound_in(node: Node) -> frozenset[str]:
    """The names that inlined functions bind while a node is evaluated."""

    def within(e: Expression) -> frozenset[str]:
        own = frozenset(e.names) if isinstance(e, Let) else frozenset[str]()
        return own.union(*map(within, children(e)))

    return frozenset[str]().union(*map(within, expressions_of(node)))


def written_by(node: Node) -> frozenset[str]:
    """The variables that a node changes."""
    match node:
        case AssignNode(step=assign):
            return frozenset(assign.targets)
        case SampleNode(step=sample):
            return frozenset({sample.target})
        case ListNode(step=Store(array=array)):
            return frozenset({array})
        case ListNode(step=MakeList(target=target) | Pick(target=target)):
            return frozenset({target})
    return frozenset()
