"""One-sided answers: the inputs on which they are wrong if anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice, product
from numbers import Integral, Real
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.language.flow import HeadNode, expressions_of
from ...dsl.language.syntax import Cell, Constant, Expression, Name, children
from ...dsl.mechanism import Mechanism
from ...dsl.privacy.inputs import DataSet, EpsilonInput, InputKind
from ...dsl.relations.program import Program
from ..refuting.inputs import plain_inputs
from ..refuting.starting.seeds import EPSILONS, Seeds, epsilons

# Inputs on which one-sided claims are wrong if anywhere: ties, what is next to them, rounding.

#: How many inputs are chosen at most: sides of neighbours, and inputs at the edge.
SIDES, EDGES = 60, 250
#: Where answers and thresholds meet on purpose; and where adding noise is lost to rounding.
LEVELS, LOST = (5.0, 2.5, 0.0, 1.0), (2.0**53 - 4, 2.0**53, 1e300)
#: How many numbers of the program are tried as levels.
NUMBERS = 12
#: By how much the other thresholds differ from the first one.
FAR = 20
#: Whole numbers are simulated below this in size.
LARGEST = 2**53


def accepted_inputs(mechanism: Mechanism[..., Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs of a mechanism, checked; streams are read to their end."""
    found = mechanism.convert(**inputs)
    return {n: tuple(v) if isinstance(v, Iterator) else v for n, v in found.items()}


def edge_inputs(mechanism: Mechanism[..., Any]) -> list[dict[str, Any]]:
    """Sides of neighbours, and inputs at the edge."""
    program = mechanism.program
    sides = _distinct(mechanism, _sides(program), SIDES)
    if not sides:
        raise BadInput(f"{program.name}: no inputs within the preconditions were found; give some")
    # The answers of data sets cannot be chosen: there thresholds go to where they are.
    sets = _data_sets(program)
    bases = {repr([side[n] for n in sets]): side for side in reversed(sides)}
    edges = chain.from_iterable(_edges(program, base) for base in reversed(bases.values()))
    return [*sides, *_distinct(mechanism, edges, EDGES)]


def _distinct(
    mechanism: Mechanism[..., Any], candidates: Iterable[Mapping[str, Any]], most: int
) -> list[dict[str, Any]]:
    """The first ones that the mechanism accepts."""
    found: dict[str, dict[str, Any]] = {}
    for inputs in candidates:
        try:
            accepted = accepted_inputs(mechanism, inputs)
        except BadInput:
            continue
        found.setdefault(repr(accepted), accepted)
        if len(found) == most:
            break
    return list(found.values())


def _sides(program: Program) -> Iterator[dict[str, Any]]:
    """Both sides of some pairs of neighbours, with many public inputs."""
    seeds = Seeds(program)
    few = 8 if _data_sets(program) else 2
    lengths = (3, 1, 2) if any(kind.array for kind in program.inputs.values()) else (1,)
    for amounts in epsilons(program, EPSILONS):
        for n in lengths:
            for public in islice(seeds.publics(n, {}), 6):
                found = seeds.pairs("e", public | amounts, n)
                for instance in islice(found, few):
                    for side in (instance.left, instance.right):
                        inputs = plain_inputs(program, "e", instance.public, side)
                        yield {name: _floats(value) for name, value in inputs.items()}


def _data_sets(program: Program) -> list[str]:
    return [name for name, kind in program.inputs.items() if isinstance(kind, DataSet)]


def _floats(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_floats, value))
    return float(value) if isinstance(value, Fraction) else value


def _edges(program: Program, base: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Inputs where private answers meet thresholds and numbers of the program."""
    kinds = program.inputs
    nodes = program.inlined.flow.nodes
    read = [e for node in nodes for e in _inside(expressions_of(node))]
    numbers = [float(e.value) for e in read if isinstance(e, Constant) and abs(e.value) < LOST[-1]]
    levels = dict.fromkeys((*numbers[:NUMBERS], *LEVELS))
    # A loop that counts up to a large number would not come to its end.
    tests = [node.test for node in nodes if isinstance(node, HeadNode) and not node.counted]
    compared = [e for e in _inside(tests) if isinstance(e, Name | Cell)]
    counted = {e.name if isinstance(e, Name) else e.array for e in compared}
    if not counted & {*kinds}:
        levels |= dict.fromkeys(LOST)
    public = {n: k for n, k in kinds.items() if k.public and not isinstance(k, EpsilonInput)}
    answers = {n: k for n, k in kinds.items() if not k.public and not isinstance(k, DataSet)}
    real = tuple(n for n, k in public.items() if not k.whole)
    for names in dict.fromkeys([real, tuple(public), *((n,) for n in public)]):
        several = any(public[n].array for n in names)
        whole = any(public[n].whole for n in names)
        for more, level in product((0, FAR, -FAR) if several else (0,), levels):
            if whole and level not in range(FAR):  # what is counted to should not be large
                continue
            at = {n: _filled(public[n], base[n], (level, level + more)) for n in names}
            for answered in _answers(answers, base, level):
                yield {**base, **at, **answered}


def _inside(expressions: Iterable[Expression]) -> Iterator[Expression]:
    for e in expressions:
        yield e
        yield from _inside(children(e))


def _answers(
    kinds: Mapping[str, InputKind], base: Mapping[str, Any], level: float
) -> Iterator[dict[str, Any]]:
    """All answers the same, at the level or next to it; then the first one differs."""
    near = {n: _near(kind, level) for n, kind in kinds.items()}
    steps = range(max(map(len, near.values()), default=1))
    for one, others in [(k, k) for k in steps] + [p for k in steps for p in ((0, k), (k, 0))]:
        found, first = {}, True
        for n, kind in kinds.items():
            options = near[n]
            values = [options[k % len(options)] for k in (one if first else others, others)]
            found[n], first = _filled(kind, base[n], values), False
        yield found


def _near(kind: InputKind, level: float) -> list[Any]:
    """A number and those next to it."""
    if kind.whole:
        low, high = math.floor(level), math.ceil(level)
        found = dict.fromkeys((low, high, high + 1, low - 1))
        return [v for v in found if v < LARGEST] or [LARGEST - 1]
    ulps = (math.nextafter(level, to) for to in (math.inf, -math.inf))
    return list(dict.fromkeys((level, level + 1, level - 1, *ulps)))


def _filled(kind: InputKind, base: Any, values: Sequence[Any]) -> Any:
    """A number, or as many as there are in ``base``: the first value, then the last one."""
    first, last = (int(v) if kind.whole else v for v in (values[0], values[-1]))
    return tuple(last if k else first for k in range(len(base))) if kind.array else first


# How often a one-sided answer can be given: what theory says, to compare an audit with.
#
# A one-sided answer ("safe") is never given on data where it is false.  How often it may then be
# given where it is true depends on how many steps lie between: privacy allows little change in
# each of them.


def one_sided_rate_dp(epsilon: float, delta: float, steps: int) -> float:
    """The largest probability of a one-sided true answer of any (ε, δ)-DP mechanism.

    δ (e^(kε) - 1) / (e^ε - 1), at most 1; with δ = 0 no such answer can be given.

    Args:
        epsilon: ε in nats; at least 0, where the bound is kδ.
        delta: δ, from 0 to 1.
        steps: k, the least number of records to change until the answer is false; 0 where it
            is false already, and then the bound is 0.

    Raises:
        BadInput: an argument is out of its range, or no number.

    Source: Asymmetric Differential Privacy, Theorem 8.
    """
    e, d, k = _real("epsilon", epsilon), _real("delta", delta), _steps(steps)
    if d > 1:
        raise BadInput(f"delta: got {delta!r}; a number from 0 to 1 is needed")
    if d == 0 or k == 0:
        return 0.0
    # (e^(kε) - 1) / (e^ε - 1) = e^((k-1)ε) (1 - e^(-kε)) / (1 - e^(-ε)), which has no overflow.
    growth = (k - 1) * e
    share = math.expm1(-k * e) / math.expm1(-e) if e else k
    log = math.log(d) + growth + math.log(share)
    if log > 1:
        return 1.0
    # For e^growth to overflow, δ must be about as small as floats can be.
    return min(d * share * math.exp(growth) if growth < 700 else math.exp(log), 1.0)


def one_sided_rate_adp(epsilon: float, steps: int | None, reaches_false: bool = False) -> float:
    """The largest probability of a one-sided true answer on D of any (P, ε)-ADP mechanism.

    Steps are those from a data set to one of its neighbours in N_P.  If they lead from D to
    data where the answer is false, it is never given on D: 0.  If they lead to D from data
    where it is never given: 1 - e^(-kε).  If neither: 1, no bound.

    Args:
        epsilon: ε in nats; at least 0.
        steps: k, the least number of steps to D from data where the answer is never given: it
            is false there, or ``reaches_false`` is true of that data.  ``None`` if there is no
            such path, 0 where it is never given on D itself.  Counted only from data where it
            is false, k may be larger or not exist: then the bound is true, but not the least.
        reaches_false: whether steps lead from D to data where the answer is false.

    Raises:
        BadInput: an argument is out of its range, or of another type.

    Source: Asymmetric Differential Privacy, Theorem 9, repaired: as printed, k is counted from
    D to data where the answer is false, and there the probability is 0.
    """
    e = _real("epsilon", epsilon)
    k = None if steps is None else _steps(steps)
    if not isinstance(reaches_false, bool):
        raise BadInput(f"reaches_false: got {reaches_false!r}; True or False is needed")
    if reaches_false:
        return 0.0
    return 1.0 if k is None else _one_minus_exp(k * e)


def one_sided_rate_attained(epsilon: float, steps: int) -> float:
    """The probability with which a noisy count says truly that it is below a threshold.

    1 - e^(-kε), the most that Theorem 9 allows.  With asymmetric Laplace noise (exponential, of
    mean 1/ε) this holds exactly if all of these do, and not in general:

    * the query is a count that only falls (a decreasing integer query of sensitivity 1);
    * the threshold T is an integer, and the answer is f + noise < T, not <=;
    * there is enough data for the count to reach T.

    Its mirror image is a count that only rises, with noise that only takes away, and
    f + noise > T, not >=.  One-sided geometric noise attains 1 - e^(-kε) for every real
    threshold, with the threshold itself or without, and in both directions.

    Args:
        epsilon: ε in nats; at least 0.
        steps: k, by how many steps in N_P the data is away from data where the answer is false:
            T - f for an integer T; 0 where it is false already.

    Raises:
        BadInput: an argument is out of its range, or of another type.

    Source: Asymmetric Differential Privacy, Theorem 11, with the hypotheses that it needs.
    """
    return _one_minus_exp(_steps(steps) * _real("epsilon", epsilon))


def _one_minus_exp(cost: float) -> float:
    return -math.expm1(-cost) if cost else 0.0


def _real(name: str, value: Any) -> float:
    """A finite number that is not negative."""
    number = math.nan
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    if not (math.isfinite(number) and number >= 0):
        raise BadInput(f"{name}: got {value!r}; a finite number that is not negative is needed")
    return number


def _steps(value: Any) -> float:
    """A whole number that is not negative, as a float."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise BadInput(f"steps: got {value!r}; an int that is not negative is needed")
    try:
        return float(value)
    except OverflowError:
        raise BadInput("steps: got an int that is beyond the floats; give a smaller one") from None
