"""A judge of claims of δ and ρ about mechanisms with discrete noise, apart from the product.

The text of a mechanism is executed as Python, once for each way its draws may come out, with laws
of its own in decimal numbers of 40 digits.  Noise is followed up to a distance; what is beyond it
is ``unseen``, a bound, and counts for whoever is accused: a violation is only what is one wherever
the unseen mass lies, and so is what keeps a claim.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

D = Decimal
ZERO, ONE = D(0), D(1)
#: Of which orders the Rényi divergence is taken.
ORDERS = (1.01, 1.1, 1.5, 2.0, 4.0, 16.0, 64.0)
#: By how much something has to be wrong: far more than what 40 digits, and floats of ρ, get wrong.
SLACK, SLACK_RHO = D("1e-12"), 1e-9
#: How many runs are made of one input at most.
RUNS = 40_000

Outcome = tuple[Any, ...]


class TooMany(Exception):
    """There are more runs than are made."""


class NotAdmitted(Exception):
    """The inputs do not meet the preconditions."""


class _More(Exception):
    """A draw that the run was not told."""


@contextmanager
def precisely() -> Iterator[None]:
    """Decimal numbers of 40 digits; also as a decorator."""
    with localcontext(prec=40):
        yield


@dataclass(frozen=True)
class Noise:
    """Values with their probabilities, and what is beyond them."""

    values: tuple[tuple[Any, Decimal], ...]
    beyond: Decimal = ZERO


@dataclass
class Law:
    """The probabilities of what is released, and that of all that was not followed."""

    masses: defaultdict[Outcome, Decimal] = field(default_factory=lambda: defaultdict(lambda: ZERO))
    unseen: Decimal = ZERO


@dataclass(frozen=True)
class Claim:
    """What a definition says: its neighbours, and whether a δ or a ρ is meant."""

    kind: str
    neighbours: str = "replace"
    delta: Any = None
    zcdp: bool = False


def number(value: Any) -> Decimal:
    """A number as a decimal one; a float is what it was written as."""
    if isinstance(value, Fraction):
        return D(value.numerator) / D(value.denominator)
    return value if isinstance(value, Decimal) else D(str(value))


@cache
def noise_of(name: str, parameters: tuple[Any, ...], tail: Decimal) -> Noise:
    """A law, from its definition."""
    given = [number(p) for p in parameters] if name != "Categorical" else []
    if name == "Bernoulli":
        return Noise(((True, given[0]), (False, 1 - given[0])))
    if name == "Categorical":
        weights = [number(w) for w in parameters]
        return Noise(tuple((k, w / sum(weights)) for k, w in enumerate(weights)))
    if name == "DiscreteUniform":
        low, high = map(int, given)
        return Noise(tuple((k, ONE / (high - low + 1)) for k in range(low, high + 1)))
    if name == "DiscreteGaussian":
        return _normal(given[0], tail)
    alpha = (-1 / given[0]).exp()
    far = max(3, math.ceil(float(tail.ln() / alpha.ln())))
    if name in ("OneSidedGeometric", "NegativeOneSidedGeometric"):
        sign = 1 if name == "OneSidedGeometric" else -1
        values = tuple((sign * k, (1 - alpha) * alpha**k) for k in range(far + 1))
        return Noise(values, alpha ** (far + 1))
    both = tuple((k, (1 - alpha) / (1 + alpha) * alpha ** abs(k)) for k in range(-far, far + 1))
    return Noise(both, 2 * alpha ** (far + 1) / (1 + alpha))


def _normal(sigma: Decimal, tail: Decimal) -> Noise:
    far = max(4, math.ceil(float(sigma) * math.sqrt(2 * float(-tail.ln()))))
    weights = {k: (-(D(k) ** 2) / (2 * sigma**2)).exp() for k in range(-far, far + 1)}
    # Beyond far the ratio of two neighbouring weights is below this.
    ratio = (-(2 * D(far) + 1) / (2 * sigma**2)).exp()
    rest = 2 * weights[far] * ratio / (1 - ratio)
    least = sum(weights.values(), ZERO)
    # Masses are from below; what that leaves out is beyond, too.
    total = least + rest
    return Noise(tuple((k, w / total) for k, w in weights.items()), rest / least)


class Judged:
    """A text whose last function is the mechanism ``m``."""

    def __init__(self, text: str) -> None:
        self._told: Iterator[Any] = iter(())
        self._tail = D("1e-12")
        self.claim = Claim("")
        self._budget: Any = None
        tree = _Exact().visit(ast.parse(text))
        tree.body = [s for s in tree.body if not isinstance(s, ast.ImportFrom)]
        code = compile(
            ast.fix_missing_locations(tree),
            "<judged>",
            "exec",
            flags=__future__.annotations.compiler_flag,
        )
        scope: dict[str, Any] = {
            "mechanism": self._mechanism,
            "sample": self._sample,
            "ensure": lambda _: None,
            "exp": lambda x: number(x).exp(),
            "log": lambda x: number(x).ln(),
            "sqrt": lambda x: number(x).sqrt(),
            "_quotient": _quotient,
            "Policy": lambda *_, **__: None,
            "Decimal": D,
        }
        for kind in ("DP", "ADP", "LDP", "ZCDP"):
            scope[kind] = lambda *a, kind=kind, **k: _claimed(kind, *a, **k)
        for law in (
            "OneSidedGeometric", "NegativeOneSidedGeometric", "TwoSidedGeometric",
            "DiscreteLaplace", "DiscreteUniform", "DiscreteGaussian", "Bernoulli",
        ):  # fmt: skip
            scope[law] = lambda *p, law=law: (law, p)
        scope["Categorical"] = lambda weights: ("Categorical", tuple(weights))
        exec(code, scope)
        self._main = scope["m"].inside

    def _mechanism(self, claim: Claim, budget: Any = None, **_: Any) -> Callable[[Any], Any]:
        self.claim, self._budget = claim, budget  # that of the last one stays
        return _Callable

    def _sample(self, law: tuple[str, tuple[Any, ...]]) -> Any:
        for value in self._told:
            return value
        raise _More(*law)

    def law(self, inputs: Mapping[str, Any], tail: Decimal) -> Law:
        """The probabilities of all that may be released on these inputs."""
        found = Law()
        waiting: list[tuple[tuple[Any, ...], Decimal]] = [((), ONE)]
        for _ in range(RUNS):
            if not waiting:
                return found
            told, weight = waiting.pop()
            self._told = iter(told)
            try:
                outcome = tuple((type(v).__name__, v) for v in _released(self._main, inputs))
            except _More as more:
                noise = noise_of(*more.args, tail)
                waiting.extend(((*told, v), weight * p) for v, p in noise.values if p)
                found.unseen += weight * noise.beyond
            except AssertionError:
                raise NotAdmitted from None
            else:
                found.masses[outcome] += weight
        raise TooMany

    def of_parameters(self, what: Any, inputs: Mapping[str, Any]) -> Decimal:
        """A budget or a δ for these inputs."""
        if isinstance(what, str):
            return number(inputs[what])
        if callable(what):
            names = inspect.signature(what).parameters
            return number(what(**{n: inputs[n] for n in names}))
        return number(what)

    def budget(self, inputs: Mapping[str, Any]) -> Decimal:
        """The ε or ρ that is claimed."""
        named = "rho" if self.claim.zcdp else "eps"
        return self.of_parameters(named if self._budget is None else self._budget, inputs)

    def delta(self, inputs: Mapping[str, Any]) -> Decimal:
        """The δ that is claimed."""
        return self.of_parameters(self.claim.delta, inputs)


class _Callable:
    """What ``@mechanism`` makes: called by another one it gives all that it releases."""

    def __init__(self, inside: Callable[..., Any]) -> None:
        self.inside = inside

    def __call__(self, *args: Any, **named: Any) -> tuple[Any, ...]:
        return tuple(_values(self.inside(*args, **named)))


def _released(main: Callable[..., Any], inputs: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(_values(main(**inputs)))


def _values(result: Any) -> Iterator[Any]:
    if inspect.isgenerator(result):
        yield from result
    else:
        yield from result if isinstance(result, tuple) else (result,)


def _claimed(kind: str, *given: Any, delta: Any = None, zcdp: bool = False) -> Claim:
    return Claim(
        "DP" if kind == "ZCDP" else kind,
        "add-remove" if "add-remove" in given else "replace",
        delta,
        zcdp or kind == "ZCDP",
    )


def _quotient(a: Any, b: Any) -> Decimal:
    return number(a) / number(b)


class _Exact(ast.NodeTransformer):
    """Quotients and decimal numbers are decimal ones."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name("_quotient", ast.Load()), [node.left, node.right], [])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, float):
            text = ast.Constant(repr(node.value))
            return ast.Call(ast.Name("Decimal", ast.Load()), [text], [])
        return node


def excess(left: Law, right: Law, epsilon: Decimal) -> tuple[Decimal, Decimal]:
    """Between what the largest P[S] − e^ε P′[S] is."""
    factor = epsilon.exp()
    seen = sum(
        (max(ZERO, p - factor * right.masses.get(o, ZERO)) for o, p in left.masses.items()), ZERO
    )
    return seen - factor * right.unseen, seen + left.unseen


def divergence(left: Law, right: Law, order: float) -> tuple[float, float]:
    """What D_α is at least, and about what it is; in floats.

    What is seen on one side alone is as likely on the other one as all that is unseen there.
    """
    ln_p, ln_q, unseen = logs(left, right)
    with np.errstate(divide="ignore", over="ignore"):
        most = np.logaddexp(ln_q, unseen)
        ln_q = np.where(np.isneginf(ln_q), unseen, ln_q)
        if order == 1:  # terms may be negative: nothing is known for certain, but where all is seen
            low, about = (float(np.exp(ln_p) @ (ln_p - q)) for q in (most, ln_q))
            return low if not left.unseen else 0.0, about
        low, about = (
            float(np.logaddexp.reduce(order * ln_p + (1 - order) * q)) / (order - 1)
            for q in (most, ln_q)
        )
    return low, about


def logs(left: Law, right: Law) -> tuple[Any, Any, float]:
    """The logarithms of what is seen on one side, of the same on the other, and of what is not."""
    masses = [(p, right.masses.get(o, ZERO)) for o, p in left.masses.items() if p]
    ln_p, ln_q = (np.array([ln(m[side]) for m in masses]) for side in (0, 1))
    return ln_p, ln_q, ln(right.unseen)


def ln(value: Decimal) -> float:
    """The logarithm of what may be too small for a float."""
    if not value:
        return -math.inf
    exponent = value.adjusted()
    return math.log(float(value.scaleb(-exponent))) + exponent * math.log(10)


#: Private inputs by how they are declared: small ones.
KINDS = ("count", "counts", "histogram", "query", "query2", "value")


def are_neighbours(kind: str, claim: Claim, left: Any, right: Any) -> bool:
    """Whether the claim is owed from one input to another one; straight from the definitions."""
    if kind == "value":
        return int(left) != int(right)
    if kind.startswith("query"):
        return 0 < abs(int(left) - int(right)) <= (2 if kind == "query2" else 1)
    one = [left] if kind == "count" else [*left]
    two = [right] if kind == "count" else [*right]
    moved = [a - b for a, b in zip(one, two, strict=True)]
    if not any(moved) or min(*one, *two) < 0 or max(map(abs, moved)) > 1:
        return False
    up, down = moved.count(-1), moved.count(1)
    if kind == "histogram" and (up > 1 or down > 1):
        return False
    if claim.kind == "ADP":
        return not up
    return not (claim.neighbours == "add-remove" and up and down)


def inputs_of(kind: str, size: int) -> list[Any]:
    """Small private inputs."""
    if kind == "count":
        return [0, 1, 2, 3]
    if kind.startswith("query"):
        return [-1, 0, 1, 2, 3]
    if kind == "value":
        return [0, 1, 2]
    most = 2 if size > 1 else 3
    return [*itertools.product(range(most + (size == 1)), repeat=size)]


@dataclass(frozen=True)
class Violation:
    """Two inputs between which a claim does not hold, and by how much."""

    inputs: dict[str, Any]
    left: Any
    right: Any
    found: str


@dataclass
class Judgement:
    """What was found of a claim.

    Attributes:
        violation: what breaks it for certain.
        compared: how many pairs were compared.
        closest: the largest share of what is claimed that was found to be needed.
    """

    violation: Violation | None = None
    compared: int = 0
    closest: float = 0.0


@precisely()
def judged(
    read: Judged,
    private: tuple[str, str],
    parameters: Sequence[Mapping[str, Any]],
    sizes: Sequence[int],
    tail: Decimal,
    *,
    stops: bool = True,
) -> Judgement:
    """Hold the claim against all small neighbours, for these public parameters."""
    name, kind = private
    found = Judgement()
    for given, size in itertools.product(parameters, sizes):
        laws: dict[Any, Law] = {}
        try:
            for value in inputs_of(kind, size):
                laws[value] = read.law({**given, name: value}, tail)
        except (NotAdmitted, TooMany):
            continue
        for left, right in itertools.permutations(laws, 2):
            if not are_neighbours(kind, read.claim, left, right):
                continue
            found.compared += 1
            said = kept(read, {**given, name: left}, laws[left], laws[right])
            found.closest = max(found.closest, said[0])
            if said[1] and stops:
                found.violation = Violation(dict(given), left, right, said[1])
                return found
    return found


def kept(read: Judged, inputs: Mapping[str, Any], left: Law, right: Law) -> tuple[float, str]:
    """What share of the claim is needed, at least; and what breaks it, if it is broken."""
    budget = read.budget(inputs)
    if not read.claim.zcdp:
        delta = read.delta(inputs)
        low, _ = excess(left, right, budget)
        share = float(low / delta) if delta else 0.0
        return share, f"δ = {low} > {delta}" if low > delta + SLACK else ""
    ln_p, ln_q, unseen = logs(left, right)
    most_q = np.logaddexp(ln_q, unseen)
    most = 0.0
    for order in ORDERS:
        # Terms that are left out are positive: this is from below.
        low_rho = float(np.logaddexp.reduce(order * ln_p + (1 - order) * most_q)) / (order - 1)
        most = max(most, low_rho / (order * float(budget)))
        if low_rho > order * float(budget) * (1 + SLACK_RHO) + SLACK_RHO:
            return most, f"D_{order} = {low_rho} > {order} · {budget}"
    return most, ""
