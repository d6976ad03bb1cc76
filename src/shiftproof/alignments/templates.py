"""Which shifts are worth trying for a sample: a template with unknown whole coefficients.

Everything comes from the program at hand.  The pieces of a shift are the outcomes of
the comparisons that the sample will take part in; on each piece it is a combination
of the differences that flow into the same expressions and of the relation's bounds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

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
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Length,
    Name,
    Other,
    Summed,
    children,
    names_in,
)
from ..dsl.language.unparse import unparse
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from . import giving_up
from .features import difference, farthest, moves_both_ways, scaled
from .foreseen import bounds_beside, choices, foreseen
from .gaps import shifts_for_gaps
from .giving_up import WAYS, Tails, unless
from .results import Results
from .simplifying import ONE, both, negated, over, rewrite, same_text, times, worth
from .summing import summed_shifts
from .taint import Taint

#: At most so many comparisons make pieces; further ones are not looked at.
GUARD_LIMIT = 2


@dataclass(slots=True)
class Template:
    """Shifts with unknown coefficients; ``unknowns`` are the coefficients' names.

    ``constants`` are those of how far answers can move, and not of how far they do.  Where
    they are plain numbers they serve as a last resort: what is moved by as much as an
    answer keeps its distance to others.  Where they have a name, they are easier to count.
    ``parted``: some shift asks two comparisons.  ``usual``: those by which samples move as what
    is beside them does.
    """

    shifts: dict[int, Expression] = field(default_factory=dict)
    unknowns: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    parted: bool = False
    usual: dict[str, int] = field(default_factory=dict)

    @property
    def sums(self) -> bool:
        """Whether some draws are summed."""
        return any(isinstance(shift, Summed) for shift in self.shifts.values())

    @property
    def sites(self) -> int:
        """How many samples it has unknown coefficients for."""
        return len({name.partition(".")[0].rstrip("+-") for name in self.unknowns})

    def filled(self, values: Mapping[str, int]) -> dict[int, Expression]:
        """The shifts with values put in, simplified."""
        constants = {n: Constant(NOWHERE, Fraction(v), "int") for n, v in values.items()}
        return {site: rewrite(shift, constants) for site, shift in self.shifts.items()}

    def unknown(self, name: str) -> Name:
        """A new unknown coefficient."""
        self.unknowns.append(name)
        return Name(NOWHERE, name)


def templates(
    program: Program, case: Case, taint: Taint, fixed: Mapping[int, Expression]
) -> Iterator[Template]:
    """Templates for every sample that has no shift of its own in ``fixed``, each once.

    First those whose samples answer to what they are added to or compared with alone; and first
    those that ask for prophecies wherever there is something to foretell; then those by which
    a list keeps its gaps; then those that sum finite noise; and last those by which each of several
    draws with an end moves the way that it can.
    """
    if program.privacy.zcdp:
        yield from _foreseen_templates(program, case, taint, fixed)
        return
    if program.privacy.delta is not None:
        yield from _with_tails(program, case, taint, fixed)
        if any(_is_normal(n) for n in program.flow.sites):
            return
    flow, bounds = program.flow, list(farthest(program, case))
    results = Results(flow)
    ahead = {
        node: _Lookahead(flow, taint, flow.nodes.index(node), results)
        for node in flow.sites
        if node.site not in fixed
    }
    yielded: list[dict[int, Expression]] = []
    gaps = shifts_for_gaps(program, case, taint, ahead)
    summed = summed_shifts(program, fixed)
    for given in (fixed, *({**fixed, **more} for more in (gaps, summed) if more)):
        left = {node: seen for node, seen in ahead.items() if node.site not in given}
        for near, foresee in ((True, True), (True, False), (False, True), (False, False)):
            found = _template(left, bounds, given, foresee=foresee, near=near)
            if found.shifts not in yielded:
                yielded.append(found.shifts)
                yield found
    if moves_both_ways(case) and sum(any(n.step.distribution.ends) for n in ahead) > 1:
        for near in (True, False):
            yield _template(ahead, bounds, fixed, foresee=False, near=near, signs=True)


def _foreseen_templates(
    program: Program, case: Case, taint: Taint, fixed: Mapping[int, Expression]
) -> Iterator[Template]:
    """The same under a claim of ρ: nothing is foretold, and no shift of such noise reads it."""
    flow, bounds = program.flow, list(farthest(program, case))
    results = Results(flow)
    ahead = {n: _Lookahead(flow, taint, flow.nodes.index(n), results) for n in flow.sites}
    beside = {
        n.site: bounds_beside(program, case, (seen.near or seen.private).values())
        for n, seen in ahead.items()
    }
    left = {n: seen for n, seen in ahead.items() if n.site not in fixed}
    for which in choices(beside.values()):
        for near in (True, False):
            found = _template(left, bounds, fixed, foresee=False, near=near, foreseen_only=True)
            for n in flow.sites:
                shift = found.shifts[n.site]
                found.shifts[n.site] = foreseen(n, shift, beside[n.site], which)
            yield found


def _is_normal(node: SampleNode) -> bool:
    """Whether the noise of a draw has a ρ and no ε."""
    law = node.step.distribution
    return bool(law.spread) and not law.cost[0]


def _with_tails(
    program: Program, case: Case, taint: Taint, fixed: Mapping[int, Expression]
) -> Iterator[Template]:
    """The same where a δ is claimed: some of the draws are given up, and nothing is foretold."""
    flow, bounds = program.flow, list(farthest(program, case))
    results, tails = Results(flow), Tails(program)
    ahead = {n: _Lookahead(flow, taint, flow.nodes.index(n), results) for n in flow.sites}
    left = {n: seen for n, seen in ahead.items() if n.site not in fixed}
    normal = list(filter(_is_normal, flow.sites))
    beside = {
        n.site: bounds_beside(program, case, (seen.near or seen.private).values()) or [ONE]
        for n, seen in ahead.items()
    }
    ways = {}
    for n, seen in ahead.items():
        private = [e for e, _ in (seen.near or seen.private).values()]
        own = tails.ways(n, seen.guards, private, seen.tests, beside[n.site])
        ways[n.site] = list(itertools.islice(own, WAYS))
    options = list(giving_up.choices({s: w for s, w in ways.items() if w}))
    for chosen in options or [{}]:
        found = _template(left, bounds, fixed, foresee=False, near=True)
        for site, which in chosen.items():
            found.shifts[site] = unless(found.shifts[site], ways[site][which])
        for n in normal:
            share = program.budget.scaled(Fraction(1, len(normal)))
            private = [e for e, _ in (ahead[n].near or ahead[n].private).values()]
            shift, bound = found.shifts[n.site], beside[n.site][0]
            capped = tails.capped(n, shift, private[0], bound, share) if private else None
            found.shifts[n.site] = capped or found.shifts[n.site]
        yield found


def _template(
    ahead: Mapping[SampleNode, _Lookahead],
    bounds: Sequence[Expression],
    fixed: Mapping[int, Expression],
    *,
    foresee: bool,
    near: bool,
    signs: bool = False,
    foreseen_only: bool = False,
) -> Template:
    found = Template(dict(fixed))
    everywhere = [factor for seen in ahead.values() for _, factor in seen.private.values()]
    for node, seen in ahead.items():
        if node.step.distribution.lattice == "booleans":
            asked = (*(e for e, _ in seen.private.values()), *seen.tests)
            found.shifts[node.site] = _flip(found, node.site, asked)
        else:
            told = (seen.own_prophecies or seen.prophecies) if foresee else []
            guards = told or seen.guards
            if foreseen_only and node.step.distribution.spread:
                guards = [g for g in guards if node.step.target not in names_in(g)]
            guards = guards[:GUARD_LIMIT]
            private = ((near and seen.near) or seen.private).values()
            if signs:
                tests = (Comparison(NOWHERE, ">=", e, Other(NOWHERE, e)) for e, _ in private)
                guards = [*itertools.islice(tests, 1), *guards[: GUARD_LIMIT - 1]]
            differences = [times(factor, difference(e)) for e, factor in private]
            # What meets answers in later rounds only meets them as they are read there.
            factors = [factor for _, factor in private] or everywhere
            features = [*differences, *scaled(bounds, factors)]
            found.parted = found.parted or (len(guards) > 1 and not told)
            known = len(found.unknowns)
            found.shifts[node.site] = _pieces(found, node.site, guards, features, "")
            for k, name in enumerate(found.unknowns[known:]):
                if k % len(features) < len(differences):
                    found.usual[name] = 1
    return found


def _pieces(
    t: Template, site: int, guards: list[Expression], features: list[Expression], piece: str
) -> Expression:
    if guards:
        yes = _pieces(t, site, guards[1:], features, piece + "+")
        no = _pieces(t, site, guards[1:], features, piece + "-")
        return Conditional(NOWHERE, guards[0], yes, no)
    total: Expression = Constant(NOWHERE, Fraction(0), "int")
    for k, feature in enumerate(features):
        unknown = t.unknown(f"coefficient@{site}{piece}.{k}")
        if isinstance(feature, Constant):
            t.constants.append(unknown.name)
        part = Arithmetic(NOWHERE, "*", unknown, feature)
        total = Arithmetic(NOWHERE, "+", total, part)
    return total


def _flip(t: Template, site: int, private: Iterable[Expression]) -> Expression:
    """Flip never, always, or where a private value, or what is asked of one, differs."""
    one = Constant(NOWHERE, Fraction(1), "int")
    options: list[Expression] = []
    for k, e in enumerate([None, *private]):
        chosen = Comparison(NOWHERE, ">=", t.unknown(f"coefficient@{site}.{k}"), one)
        differs = None if e is None else Comparison(NOWHERE, "!=", e, Other(NOWHERE, e))
        options.append(chosen if differs is None else Connective(NOWHERE, "and", (chosen, differs)))
    options.append(BooleanConstant(NOWHERE, False))
    return Connective(NOWHERE, "or", tuple(options))


#: Tests that were passed on the way, each with the node at which it does not matter any more.
Ways = tuple[tuple[int | None, Expression], ...]


class _Lookahead:
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
