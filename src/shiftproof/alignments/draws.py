"""One sample of the paired run: its shift, what the shift owes, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..dsl.errors import BadInput
from ..dsl.language.evaluate import Evaluator
from ..dsl.language.flow import SampleNode
from ..dsl.language.syntax import Conditional, Expression, Span
from ..dsl.noise import Bernoulli, Charge, Distribution
from ..dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Flag,
    Formula,
    Sign,
    choice,
    conjunction,
    disjunction,
    equal,
    first_choice,
    iff,
    implies,
    negation,
)
from ..dsl.terms.linear import Atom, Linear, Symbol, number, term
from ..dsl.terms.substitution import Substitution, symbols_of
from ..dsl.terms.values import Num
from .alignment import Condition, Reason
from .paths import Path
from .run import Run


def take_sample(run: Run, path: Path, node: SampleNode) -> Iterator[Path]:
    """Draw on D, shift for D', owe what the shift needs, charge what it costs."""
    distribution = _distribution(run, path, node)
    if path.decide(distribution.well_formed()) is False:
        return  # there is no such distribution; that it is owed has been said
    target, span = node.step.target, node.step.span
    shift = run.shifts[node.site]
    drawn = run.inputs.draw(target, distribution, lambda: _ties(run, path, target, shift))
    path.left[target] = drawn
    path.right.pop(target, None)
    if isinstance(distribution, Bernoulli):
        assert isinstance(drawn, Formula)
        yield from _flip(run, path, node, distribution, drawn, shift)
    else:
        assert isinstance(drawn, Num)
        path.assume(distribution.support(drawn.term))
        yield from _move(run, path, node, distribution, drawn, shift, span)


def _ties(run: Run, path: Path, target: str, shift: Expression) -> Iterator[Fraction]:
    """The values of a sample at which a comparison of its shift is just decided."""
    unknown = Symbol(f"{target}?")
    left, right = run.sides(path)
    before = path.left.get(target)
    path.left[target] = Num(term(unknown), "float")
    while isinstance(shift, Conditional):
        test = Evaluator(left, right).condition(shift.test)
        if isinstance(test, Sign):
            factor = dict(test.subject.parts).get(unknown)
            if factor is not None and len(test.subject.parts) == 1:
                yield -Fraction(test.subject.constant) / factor
        shift = shift.no
    path.left.pop(target)
    if before is not None:
        path.left[target] = before


def _distribution(run: Run, path: Path, node: SampleNode) -> Distribution:
    """The distribution with its parameters as terms: public, the same in both runs, well formed."""
    if not node.step.distribution.shiftable:
        raise run.program.refuse(
            node.step.span,
            f"an alignment of a {node.step.distribution.__name__} draw",
            "its values have no distance; where all noise is finite, it is summed instead",
        )
    pairs = [run.numbers(path, a) for a in node.step.arguments]
    found = [tuple(pair[k].term for pair in pairs) for k in (0, 1)]
    span = node.step.span
    if not all(p.fixed for p in found[0]):
        raise run.program.refuse(
            span,
            "a noise parameter that varies while the mechanism runs",
            "build it from constants and public scalar parameters that are never assigned",
        )
    same = conjunction(equal(a, b) for a, b in zip(*found, strict=True))
    run.owe(
        path,
        same,
        Reason(Condition.SAME_SAMPLES, "both runs draw from the same distribution", span),
    )
    try:
        distribution = node.step.distribution(*found[0])
    except TypeError as error:
        raise BadInput(
            f"{node.step.distribution.__name__}: {error}", run.program.location(span)
        ) from None
    detail = f"{distribution.requirement} ({distribution})"
    run.owe(path, distribution.well_formed(), Reason(Condition.PRECONDITIONS, detail, span))
    return distribution


def _move(
    run: Run,
    path: Path,
    node: SampleNode,
    distribution: Distribution,
    drawn: Num,
    shift: Expression,
    span: Span,
) -> Iterator[Path]:
    left, right = run.sides(path)
    evaluator = Evaluator(left, right)
    moved = evaluator.number(shift).term
    run.owe_duties(path, evaluator.duties)
    _owe_measure(run, path, distribution, drawn.term, moved, span)
    for piece, d in list(pieces(run, path, moved)):
        if distribution.lattice == "integers" and not d.integral:
            run.owe(piece, FALSE, Reason(Condition.SUPPORT, f"the shift {d} is an integer", span))
            continue
        support = distribution.support(drawn.term + d)
        run.owe(
            piece, support, Reason(Condition.SUPPORT, "the shifted noise is in the support", span)
        )
        for paid in _pay(run, piece, distribution.charges(d), span):
            moved_draw = Num(drawn.term + d, drawn.kind)
            paid.right[node.step.target] = moved_draw
            paid.shifted.append(moved_draw)
            paid.node = node.after
            yield paid


def _owe_measure(
    run: Run, path: Path, distribution: Distribution, drawn: Linear, moved: Linear, span: Span
) -> None:
    """The shift is fixed on each of finitely many pieces, and the pieces' images are disjoint."""
    own = {s.key for s in symbols_of(drawn)}
    if not any(s.key in own for s in symbols_of(moved)):
        return
    if distribution.lattice == "reals" and not _piecewise_constant(moved, own):
        detail = "the shift depends on the sample through comparisons only"
        run.owe(path, FALSE, Reason(Condition.MEASURE, detail, span))
        return
    (key,) = own
    twin = term(Symbol(f"{key}'", distribution.lattice == "integers", private=True))
    renamed = Substitution({key: twin})
    clash = equal(drawn + moved, twin + renamed.linear(moved))
    claim = implies(
        conjunction((distribution.support(twin), negation(equal(drawn, twin)))), negation(clash)
    )
    run.owe(
        path, claim, Reason(Condition.MEASURE, "different draws have different shifted draws", span)
    )


def _piecewise_constant(moved: Linear, own: set[str]) -> bool:
    """Whether the sample occurs in tests of choices only."""

    def fine(atom: Atom) -> bool:
        if isinstance(atom, Choice):
            return _piecewise_constant(atom.yes, own) and _piecewise_constant(atom.no, own)
        return not any(s.key in own for s in symbols_of(term(atom)))

    return all(fine(atom) for atom, _ in moved.parts)


def pieces(run: Run, path: Path, moved: Linear) -> Iterator[tuple[Path, Linear]]:
    """The path on each piece of a term, with the term as a plain combination there."""
    atom = first_choice(moved)
    if atom is None or not run.split:
        yield path, moved
        return
    factor = dict(moved.parts)[atom]
    rest = moved - term(atom).scaled(factor)
    for fork, value in list(run.forks(path, atom.test)):
        arm = atom.yes if value else atom.no
        yield from pieces(run, fork, rest + arm.scaled(factor))


def _pay(run: Run, path: Path, charges: tuple[Charge, ...], span: Span) -> Iterator[Path]:
    """Charge the case that applies; undecided cases are followed one by one."""
    if not run.split:
        for charge in charges:
            path.charge(charge.rate, _where(charge.when, charge.amount))
        yield path
        return
    here: Path | None = path
    for charge in charges:
        if here is None:
            return
        remaining: Path | None = None
        for fork, applies in list(run.forks(here, charge.when)):
            if applies:
                fork.charge(charge.rate, charge.amount)
                yield fork
            else:
                remaining = fork
        here = remaining
    if here is not None and run.observer.feasible(here, TRUE):
        covered = disjunction(c.when for c in charges)
        run.owe(here, covered, Reason(Condition.COST, "the cost covers every shift", span))


def _where(test: Formula, amount: Linear) -> Linear:
    return choice(test, amount, number(0))


def _flip(
    run: Run,
    path: Path,
    node: SampleNode,
    distribution: Bernoulli,
    drawn: Formula,
    shift: Expression,
) -> Iterator[Path]:
    left, right = run.sides(path)
    evaluator = Evaluator(left, right)
    flip = evaluator.condition(shift)
    span = node.step.span
    run.owe_duties(path, evaluator.duties)
    if isinstance(drawn, Flag):
        bit = drawn.symbol
        on, off = (Substitution(flags={bit.key: value}).formula(flip) for value in (TRUE, FALSE))
        run.owe(
            path,
            iff(on, off),
            Reason(Condition.MEASURE, "the flip does not depend on its bit", span),
        )
    flipped = disjunction(
        (conjunction((drawn, negation(flip))), conjunction((negation(drawn), flip)))
    )
    for fork, value in list(run.forks(path, flip)) if run.split else [(path, None)]:
        twin = flipped if value is None else negation(drawn) if value else drawn
        fork.right[node.step.target] = twin
        fork.shifted.append(twin)
        for paid in _pay(run, fork, distribution.flip_charges(drawn, flip), span):
            paid.node = node.after
            yield paid
