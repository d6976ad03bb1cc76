"""Which shifts are worth trying for a sample: a template with unknown whole coefficients.

Everything comes from the program at hand.  The pieces of a shift are the outcomes of
the comparisons that the sample will take part in; on each piece it is a combination
of the differences that flow into the same expressions and of the relation's bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ..dsl.language.flow import (
    AssignNode,
    BranchNode,
    Flow,
    HeadNode,
    ListNode,
    ReleaseNode,
    SampleNode,
    StepNode,
    writes,
)
from ..dsl.language.statements import Ensure, Pick, Sample, Store
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Length,
    Name,
    Other,
    children,
    names_in,
)
from ..dsl.privacy.inputs import Queries
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from ..dsl.terms.linear import Linear, Symbol
from .simplifying import rewrite, same_text
from .taint import Taint

#: At most so many comparisons make pieces; further ones are not looked at.
GUARD_LIMIT = 2


@dataclass(slots=True)
class Template:
    """Shifts with unknown coefficients; ``unknowns`` are the coefficients' names.

    ``constants`` are those of how far answers can move, and not of how far they do.  Where
    they are plain numbers they serve as a last resort: what is moved by as much as an
    answer keeps its distance to others.  Where they have a name, they are easier to count.
    """

    shifts: dict[int, Expression] = field(default_factory=dict)
    unknowns: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)

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
    """Templates for every sample that has no shift of its own in ``fixed``.

    The first one asks for prophecies wherever there is something to foretell.
    """
    first = _template(program, case, taint, fixed, foresee=True)
    yield first
    second = _template(program, case, taint, fixed, foresee=False)
    if second.shifts != first.shifts:
        yield second


def _template(
    program: Program, case: Case, taint: Taint, fixed: Mapping[int, Expression], *, foresee: bool
) -> Template:
    found = Template(dict(fixed))
    bounds = list(_bounds(program, case))
    results = Results(program.flow)
    for node in program.flow.sites:
        if node.site in fixed:
            continue
        seen = _Lookahead(program.flow, taint, program.flow.nodes.index(node), results)
        differences = [_difference(e) for e in seen.private]
        if node.step.distribution.lattice == "booleans":
            found.shifts[node.site] = _flip(found, node.site, (*seen.private, *seen.tests))
        else:
            told = seen.prophecies if foresee else []
            guards = (told or seen.guards)[:GUARD_LIMIT]
            features = [*differences, *bounds]
            found.shifts[node.site] = _pieces(found, node.site, guards, features, "")
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


def _difference(e: Expression) -> Expression:
    return Arithmetic(NOWHERE, "-", e, Other(NOWHERE, e))


def _bounds(program: Program, case: Case) -> Iterator[Expression]:
    """How far private answers can move, as expressions: constants and named sensitivities."""
    seen: set[str] = set()
    for name, move in case.moves.items():
        for bound in (move.high, move.low):
            size = bound if bound.constant >= 0 else -bound
            e = _as_expression(program, name, size)
            if e is not None and str(size) not in seen:
                seen.add(str(size))
                yield e


def _as_expression(program: Program, name: str, size: Linear) -> Expression | None:
    if size.is_constant:
        value = Fraction(size.constant)
        if value == 0:
            return None
        return Constant(NOWHERE, value, "int" if value.denominator == 1 else "float")
    kind = program.inputs[name]
    if isinstance(kind, Queries) and isinstance(kind.sensitivity, str):
        return Name(NOWHERE, Symbol(kind.sensitivity).key)
    return None


class _Lookahead:
    """What happens to a sample until the next loop head, in terms of what is known at the draw.

    ``guards``: the comparisons that it takes part in, then those of earlier samples.
    ``prophecies``: tests whether an index that may become a result is the one that does.
    ``private``: the private values that are read on the way, and ``tests`` what is asked of them.
    """

    def __init__(self, flow: Flow, taint: Taint, draw: int, results: Results) -> None:
        site = flow.nodes[draw]
        assert isinstance(site, SampleNode)
        self._own: list[Expression] = []
        self._earlier: list[Expression] = []
        self._results = results
        self.prophecies: list[Expression] = []
        self.private: list[Expression] = []
        self.tests: list[Expression] = []
        self._flow = flow
        self._taint = taint
        self._draw = draw
        self._target = site.step.target
        self._visit(site.after, {}, set())

    @property
    def guards(self) -> list[Expression]:
        """Comparisons whose outcome the shift may depend on."""
        return [*self._own, *self._earlier]

    def _visit(self, k: int, known: Mapping[str, Expression | None], visited: set[int]) -> None:
        node = self._flow.nodes[k]
        if k in visited:
            return
        visited.add(k)
        match node:
            case AssignNode(step=step, after=after):
                values = [self._seen(e, known) for e in step.values]
                for target, value in zip(step.targets, values, strict=True):
                    if value is not None and self._is_plain(value):
                        self._foresee(self._results.of_variable(target, value))
                later = {**known, **dict(zip(step.targets, values, strict=True))}
                self._visit(after, later, visited)
            case StepNode(step=step, after=after):
                quiet = isinstance(step, Sample | Ensure)
                seen = [] if quiet else [self._seen(e, known) for e in children(step)]
                if isinstance(step, Store):
                    # A list that is made after the draw has no length there.
                    end = None if step.array in known else Length(NOWHERE, step.array)
                    index = end if step.index is None else seen[-1]
                    self._foresee(self._results.of_element(step.array, index))
                self._visit(after, {**known, **dict.fromkeys(writes(node))}, visited)
            case BranchNode(test=test, yes=yes, no=no):
                self._seen(test, known)
                for arm in (yes, no):
                    self._visit(arm, known, visited)
            case HeadNode(test=test):
                self._seen(test, known)

    def _is_plain(self, e: Expression) -> bool:
        """Whether an expression holds neither noise nor private values."""
        return not (
            self._taint.is_plain_private(e, self._draw) or self._taint.is_noisy(e, self._draw)
        )

    def _foresee(self, test: Expression | None) -> None:
        if test is not None and not same_text(test, self.prophecies):
            self.prophecies.append(test)

    def _seen(self, e: Expression, known: Mapping[str, Expression | None]) -> Expression | None:
        """The expression over what is known at the draw, or ``None`` if it needs more."""
        if any(known.get(n, e) is None for n in names_in(e)):
            return None
        found = rewrite(e, {n: v for n, v in known.items() if v is not None})
        for part in self._private_parts(found):
            if not same_text(part, self.private):
                self.private.append(part)
        for test in _innermost(found):
            asks = self._taint.is_private(test, self._draw)
            if asks and self._target not in names_in(test) and not same_text(test, self.tests):
                self.tests.append(test)
        for test in _comparisons(found):
            whole = isinstance(test, Connective)
            plain = whole or not any(map(list, map(_comparisons, children(test))))
            if not plain or same_text(test, (*self._own, *self._earlier)):
                continue
            if self._target in names_in(test):
                self._own.append(test)
            elif self._taint.is_noisy(test, self._draw):
                self._earlier.append(test)
        return found

    def _private_parts(self, e: Expression) -> Iterator[Expression]:
        """The private values that an expression is linear in; a clipped one counts as a whole."""
        whole = isinstance(e, Cell | Name | Builtin | Conditional | Counted)
        own = self._target in names_in(e)
        if whole and not own and self._taint.is_plain_private(e, self._draw):
            yield e
            return
        for child in children(e):
            yield from self._private_parts(child)


def _comparisons(e: Expression) -> Iterator[Expression]:
    """The comparisons inside an expression; one that is guarded by ``is None`` stays whole."""
    if isinstance(e, Counted):
        return  # what is asked of records is no question about the noise
    if isinstance(e, Connective) and any(_is_test_of_none(m) for m in e.members):
        yield e
        return
    if isinstance(e, Comparison) and not _is_test_of_none(e):
        yield e
    for child in children(e):
        yield from _comparisons(child)


def _innermost(e: Expression) -> Iterator[Expression]:
    """The comparisons inside an expression that compare no conditions."""
    inner = [test for child in children(e) for test in _innermost(child)]
    yield from inner
    if isinstance(e, Comparison) and not inner and not _is_test_of_none(e):
        yield e


def _is_test_of_none(e: Expression) -> bool:
    return isinstance(e, Comparison) and e.operator in ("is", "is not")


# Which variables and lists decide the integers that a mechanism releases or picks.
#
# They say what a prophecy is worth asking: in a loop that ends in ``best = i`` and
# ``return best``, whether ``i`` is the one.  For the search only; no proof rests on it.


class Results:
    """The results of a program: released variables that hold indices, and lists picked from."""

    def __init__(self, flow: Flow) -> None:
        self._ranks: dict[str, int] = {}
        self._picks: dict[str, Pick] = {}
        indices = _indices(flow)
        for node in flow.nodes:
            if isinstance(node, ReleaseNode):
                names = [
                    e.name for e in node.step.values if isinstance(e, Name) and e.name in indices
                ]
                for rank, name in enumerate(names):
                    self._ranks.setdefault(name, rank)
            elif isinstance(node, ListNode) and isinstance(node.step, Pick):
                self._picks[node.step.array] = node.step

    def of_variable(self, target: str, value: Expression | None) -> Expression | None:
        """The prophecy to ask where a released variable is assigned an index."""
        if target not in self._ranks or not _is_index(value):
            return None
        assert value is not None
        return Comparison(NOWHERE, "==", value, Foretold(NOWHERE, self._ranks[target]))

    def of_element(self, array: str, index: Expression | None) -> Expression | None:
        """The prophecy to ask where an element is stored that may be picked."""
        pick = self._picks.get(array)
        if pick is None or index is None:
            return None
        if pick.count is not None:
            return Chosen(NOWHERE, index)
        return Comparison(NOWHERE, "==", index, Foretold(NOWHERE, 0))


def _indices(flow: Flow) -> set[str]:
    """The variables that are assigned another variable somewhere, and so may hold an index."""
    return {
        target
        for node in flow.nodes
        if isinstance(node, AssignNode)
        for target, value in zip(node.step.targets, node.step.values, strict=True)
        if _is_index(value)
    }


def _is_index(value: Expression | None) -> bool:
    """A plain variable, or one moved by a constant: what loops count with."""
    if isinstance(value, Arithmetic) and value.operator in "+-":
        return isinstance(value.left, Name) and isinstance(value.right, Constant)
    return isinstance(value, Name)
