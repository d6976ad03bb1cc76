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
    SampleNode,
)
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Name,
    Other,
    Summed,
    names_in,
)
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from . import giving_up
from .features import difference, farthest, moves_both_ways, scaled
from .foreseen import bounds_beside, choices, foreseen
from .gaps import shifts_for_gaps
from .giving_up import WAYS, Tails, unless
from .lookahead import Lookahead
from .results import Results
from .simplifying import ONE, rewrite, times
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
        node: Lookahead(flow, taint, flow.nodes.index(node), results)
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
    ahead = {n: Lookahead(flow, taint, flow.nodes.index(n), results) for n in flow.sites}
    beside = {
        n.site: bounds_beside(program, case, (seen.near or seen.private).values())
        for n, seen in ahead.items()
    }
    left = {n: seen for n, seen in ahead.items() if n.site not in fixed}
    for which in choices(case, beside.values()):
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
    ahead = {n: Lookahead(flow, taint, flow.nodes.index(n), results) for n in flow.sites}
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
    ahead: Mapping[SampleNode, Lookahead],
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
