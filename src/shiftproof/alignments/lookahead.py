"""What becomes of a sample until the next loop head: what it meets there, and what it decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..dsl.language.flow import (
    AssignNode,
    BranchNode,
    Flow,
    HeadNode,
    SampleNode,
    StepNode,
    writes,
)
from ..dsl.language.statements import Ensure, Sample, Store
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Counted,
    Expression,
    Length,
    Name,
    children,
    names_in,
)
from ..dsl.language.unparse import unparse
from .results import Results
from .simplifying import ONE, both, negated, over, rewrite, same_text, times, worth
from .taint import Taint

#: Tests that were passed on the way, each with the node at which it does not matter any more.
Ways = tuple[tuple[int | None, Expression], ...]


class Lookahead:
    """What happens to a sample until the next loop head, in terms of what is known at the draw.

    ``guards``: the comparisons that it takes part in, then those of earlier samples.
    ``prophecies``: tests whether an index that may become a result is the one that does;
    ``own_prophecies``: where what is stored at the index holds the sample.
    ``private``: the private values that are read on the way, each with its factor where the
    sample's own is 1, ``near`` those in one sum with it, and ``tests`` what is asked of
    them.
    """

    def __init__(self, flow: Flow, taint: Taint, draw: int, results: Results) -> None:
        site = flow.nodes[draw]
        assert isinstance(site, SampleNode)
        self._own: list[Expression] = []
        self._earlier: list[Expression] = []
        self._public: list[Expression] = []
        self._results = results
        self.prophecies: list[Expression] = []
        self.own_prophecies: list[Expression] = []
        self.near: dict[str, tuple[Expression, Expression]] = {}  # by their text
        self.private: dict[str, tuple[Expression, Expression]] = {}
        self.tests: list[Expression] = []
        self._flow = flow
        self._taint = taint
        self._draw = draw
        self._target = site.step.target
        self._own_name = Name(NOWHERE, self._target)
        self._ways: Ways = ()
        self._visit(site.after, {}, set(), ())

    @property
    def guards(self) -> list[Expression]:
        """Tests whose outcome the shift may depend on.

        What is drawn for later rounds is not needed if there are none; and what joins one private
        value in one arm may join another in the next.
        """
        return [*self._own, *self._earlier] or ([] if len(self.private) == 1 else self._public)

    def _visit(
        self, k: int, known: Mapping[str, Expression | None], visited: set[int], ways: Ways
    ) -> None:
        node = self._flow.nodes[k]
        if k in visited:
            return
        visited.add(k)
        self._ways = ways = tuple(way for way in ways if way[0] != k)
        match node:
            case AssignNode(step=step, after=after):
                values = [self._seen(e, known) for e in step.values]
                for target, value in zip(step.targets, values, strict=True):
                    if value is not None and self._is_plain(value):
                        self._foresee(self._results.of_variable(target, value))
                later = {**known, **dict(zip(step.targets, values, strict=True))}
                self._visit(after, later, visited, ways)
            case StepNode(step=step, after=after):
                quiet = isinstance(step, Sample | Ensure)
                seen = [] if quiet else [self._seen(e, known) for e in children(step)]
                if isinstance(step, Store):
                    # A list that is made after the draw has no length there.
                    end = None if step.array in known else Length(NOWHERE, step.array)
                    index = end if step.index is None else seen[-1]
                    own = any(e is not None and self._target in names_in(e) for e in seen)
                    self._foresee(self._results.of_element(step.array, index), own)
                self._visit(after, {**known, **dict.fromkeys(writes(node))}, visited, ways)
            case BranchNode(test=test, yes=yes, no=no, join=join):
                found = self._seen(test, known)
                if found is not None and self._is_plain(found) and names_in(found):
                    self._public.append(found)
                for arm, holds in ((yes, True), (no, False)):
                    way = () if found is None else self._way(join, found, holds)
                    self._visit(arm, known, visited, (*ways, *way))
            case HeadNode(test=test):
                self._seen(test, known)

    def _is_plain(self, e: Expression) -> bool:
        """Whether an expression holds neither noise nor private values."""
        return not (
            self._taint.is_plain_private(e, self._draw) or self._taint.is_noisy(e, self._draw)
        )

    def _foresee(self, test: Expression | None, own: bool = False) -> None:
        for tests in (self.prophecies, *([self.own_prophecies] if own else ())):
            if test is not None and not same_text(test, tests):
                tests.append(test)

    def _seen(self, e: Expression, known: Mapping[str, Expression | None]) -> Expression | None:
        """The expression over what is known at the draw, or ``None`` if it needs more."""
        later = {n for n, v in known.items() if v is None}
        found = rewrite(e, {n: v for n, v in known.items() if v is not None})
        for beside, part, factor in self._private_parts(found):
            if later.isdisjoint(names_in(part) | names_in(factor)):
                text = f"{unparse(part)} times {worth(factor)}"
                for among in (self.private, self.near) if beside else (self.private,):
                    among.setdefault(text, (part, factor))
        if not later.isdisjoint(names_in(e)):
            return None
        for test in _innermost(found):
            asks = self._taint.is_private(test, self._draw)
            if asks and self._target not in names_in(test) and not same_text(test, self.tests):
                self.tests.append(test)
        for test, where in self._comparisons(found, tuple(way for _, way in self._ways)):
            whole = isinstance(test, Connective)
            plain = whole or not any(list(self._comparisons(c, ())) for c in children(test))
            if not plain or same_text(test, (*self._own, *self._earlier)):
                continue
            if self._target in names_in(test):
                guard = both((*where, test))
                if not same_text(guard, self._own):
                    self._own.append(guard)
            elif self._taint.is_noisy(test, self._draw):
                self._earlier.append(test)
        return found

    def _comparisons(
        self, e: Expression, where: tuple[Expression, ...]
    ) -> Iterator[tuple[Expression, tuple[Expression, ...]]]:
        """The comparisons inside an expression, each with what is settled where it matters.

        One that is guarded by ``is None`` stays whole.
        """
        if isinstance(e, Counted):
            return  # what is asked of records is no question about the noise
        if isinstance(e, Connective) and any(_is_test_of_none(m) for m in e.members):
            yield e, where
            return
        if isinstance(e, Comparison) and not _is_test_of_none(e):
            yield e, where
        if isinstance(e, Connective):
            settled = [m for m in e.members if self._is_settled(m)]
            where = (*where, *(m if e.operator == "and" else negated(m) for m in settled))
        for child in children(e):
            yield from self._comparisons(child, where)

    def _way(self, join: int | None, test: Expression, holds: bool) -> Ways:
        """What is known in an arm of a branch, if it is settled before the draw."""
        return ((join, test if holds else negated(test)),) if self._is_settled(test) else ()

    def _is_settled(self, test: Expression) -> bool:
        """Whether a test is decided before the draw, and alike in both runs if all goes well."""
        return self._target not in names_in(test) and not self._taint.is_plain_private(
            test, self._draw
        )

    def _private_parts(self, e: Expression) -> Iterator[tuple[bool, Expression, Expression]]:
        """The private values that an expression is linear in, whether the sample is beside them.

        A clipped one counts as a whole, and so does a product; with each stands its factor.
        """
        sides = children(e) if isinstance(e, Comparison) else (e,)
        terms = [part for side in sides for part in self._terms(side, ONE)]
        own = next((factor for t, factor in terms if same_text(t, (self._own_name,))), None)
        for t, factor in terms:
            whole = isinstance(t, Arithmetic | Cell | Name | Builtin | Conditional | Counted)
            noisy = self._target in names_in(t)
            if whole and not noisy and self._taint.is_plain_private(t, self._draw):
                yield own is not None, t, over(factor, own or ONE)
            else:
                for child in children(t):
                    yield from self._private_parts(child)

    def _terms(self, e: Expression, factor: Expression) -> Iterator[tuple[Expression, Expression]]:
        """The terms of a sum, each with its public factor."""
        match e:
            case Arithmetic(operator="+" | "-", left=left, right=right):
                yield from self._terms(left, factor)
                yield from self._terms(right, factor)
            case Arithmetic(operator="*", left=one, right=another) if self._is_plain(one):
                yield from self._terms(another, times(factor, one))
            case Arithmetic(operator="*", left=one, right=another) if self._is_plain(another):
                yield from self._terms(one, times(factor, another))
            case Arithmetic(operator="/", left=top, right=bottom) if self._is_plain(bottom):
                yield from self._terms(top, over(factor, bottom))
            case _:
                yield e, factor


def _innermost(e: Expression) -> Iterator[Expression]:
    """The comparisons inside an expression that compare no conditions."""
    inner = [test for child in children(e) for test in _innermost(child)]
    yield from inner
    if isinstance(e, Comparison) and not inner and not _is_test_of_none(e):
        yield e


def _is_test_of_none(e: Expression) -> bool:
    return isinstance(e, Comparison) and e.operator in ("is", "is not")
