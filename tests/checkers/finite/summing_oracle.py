"""Exact probabilities of small mechanisms by brute force, and violations of their claims.

The function's own text runs, on a t = e^ε that is rational: ``exp`` is exact, ``/`` makes a
fraction, and every draw is tried.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from shiftproof import Mechanism

#: Values of e^(ε/2); of n, k and s; of private reals; and of public probabilities.
ROOTS = (Fraction(11, 10), Fraction(2))
SIZES = (1, 2, 3)
SHARES = (Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(1))
MOST_DRAWS, MOST_STEPS = 8, 400

Outcome = tuple[tuple[str, Any], ...]


class Eps:
    """A rational multiple of ε, for a given e^(ε/2)."""

    def __init__(self, root: Fraction, times: Fraction = Fraction(1)) -> None:
        self.root, self.times = root, times

    def exp(self) -> Fraction:
        power = self.times * 2
        assert power.denominator == 1
        return self.root**power.numerator

    def __neg__(self) -> Eps:
        return Eps(self.root, -self.times)

    def __mul__(self, k: int) -> Eps:
        return Eps(self.root, self.times * k)

    __rmul__ = __mul__

    def __truediv__(self, k: int) -> Eps:
        return Eps(self.root, self.times / k)


class Endless(Exception):
    """A run of too many steps."""


class _Exact(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            name = ast.Name("divided", ast.Load())
            return ast.Call(name, [node.left, node.right], [])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            arguments: list[ast.expr] = [ast.Constant(repr(node.value))]
            return ast.Call(ast.Name("Fraction", ast.Load()), arguments, [])
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name("step", ast.Load()), [], [])))
        return node


def _divided(a: Any, b: Any) -> Any:
    return a / b if isinstance(a, Eps) else Fraction(a) / b


def compiled(mechanism: Mechanism[..., Any]) -> Callable[..., Callable[..., Any]]:
    """The function of a mechanism, once a source of draws is given."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(mechanism.function)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list, function.returns = [], None
    for argument in function.args.args:
        argument.annotation = None
    code = compile(ast.fix_missing_locations(_Exact().visit(tree)), "<oracle>", "exec")

    def with_source(draw: Callable[[str, tuple[Any, ...]], Any]) -> Callable[..., Any]:
        steps = itertools.count()

        def step() -> None:
            if next(steps) > MOST_STEPS:
                raise Endless

        names: dict[str, Any] = {
            "exp": lambda e: e.exp() if isinstance(e, Eps) else Eps(Fraction(2), 0 * e).exp(),
            "divided": _divided,
            "Fraction": Fraction,
            "step": step,
            "sample": lambda noise: draw(*noise),
            "Bernoulli": lambda p: ("coin", (p,)),
            "DiscreteUniform": lambda low, high: ("uniform", (low, high)),
            "Categorical": lambda weights: ("weights", tuple(weights)),
        }
        exec(code, names)
        return names[function.name]  # type: ignore[no-any-return]

    return with_source


class Undefined(Exception):
    """A run that raises, or does not end."""


class OutOfDomain(Exception):
    """Inputs that a call rejects."""


def chances(with_source: Any, values: Mapping[str, Any]) -> dict[Outcome, Fraction]:
    """The probability of each outcome."""
    found: dict[Outcome, Fraction] = {}
    todo: list[list[int]] = [[]]
    while todo:
        chosen = todo.pop()
        used, mass = 0, Fraction(1)

        def draw(kind: str, numbers: tuple[Any, ...], chosen: list[int] = chosen) -> Any:
            nonlocal used, mass
            options = _options(kind, numbers)
            if used == len(chosen):
                if used >= MOST_DRAWS:
                    raise Endless
                todo.extend([*chosen, k] for k in range(1, len(options)))
                chosen.append(0)
            value, share = options[chosen[used]]
            used, mass = used + 1, mass * share
            return value

        try:
            result = with_source(draw)(**values)
            released = (
                tuple(result)
                if inspect.isgenerator(result)
                else result
                if isinstance(result, tuple)
                else (result,)
            )
        except AssertionError:
            raise OutOfDomain from None
        except Exception as error:
            raise Undefined(repr(error)) from None
        outcome = tuple((type(v).__name__, v) for v in released)
        found[outcome] = found.get(outcome, Fraction(0)) + mass
    assert sum(found.values()) == 1
    return found


def _options(kind: str, numbers: tuple[Any, ...]) -> list[tuple[Any, Fraction]]:
    if kind == "coin":
        p = Fraction(numbers[0])
        if not 0 < p < 1:
            raise ValueError("no probability")
        return [(True, p), (False, 1 - p)]
    if kind == "uniform":
        low, high = numbers
        if low > high or any(Fraction(n).denominator != 1 for n in numbers):
            raise ValueError("no range")
        return [(k, Fraction(1, int(high - low + 1))) for k in range(int(low), int(high) + 1)]
    total = sum(map(Fraction, numbers))
    if total <= 0 or any(w < 0 for w in numbers):
        raise ValueError("no weights")
    return [(k, Fraction(w) / total) for k, w in enumerate(numbers)]


def publics(mechanism: Mechanism[..., Any]) -> Iterator[dict[str, Any]]:
    """Small public inputs, ε in them."""
    options: dict[str, list[Any]] = {}
    for name, kind in mechanism.program.inputs.items():
        if name == "eps":
            options[name] = [Eps(root) for root in ROOTS]
        elif kind.public and kind.whole:
            options[name] = list(SIZES)
        elif kind.public:
            options[name] = [
                Fraction(0),
                Fraction(1, 10),
                Fraction(21, 121),
                Fraction(1, 4),
                Fraction(3, 4),
            ]
    for chosen in itertools.product(*options.values()):
        yield dict(zip(options, chosen))


def pairs(mechanism: Mechanism[..., Any], public: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Values of the private input that are neighbours, the way that the claim says."""
    privacy = type(mechanism.program.privacy).__name__
    ((_, kind),) = [(n, k) for n, k in mechanism.program.inputs.items() if not k.public]
    if privacy == "Related":
        if kind.whole:
            own, all_ = range(1, public["s"] + 1), range(1, public["n"] + 1)
            yield from itertools.product(own, all_)
        else:
            shares = [s for s in SHARES if s >= 0]
            yield from ((a, b) for a, b in itertools.product(shares, shares) if a >= b)
        return
    low, high = (public[b] if isinstance(b, str) else b for b in (kind.low, kind.high))  # type: ignore[attr-defined]
    values: list[Any] = list(range(low, high + 1)) if kind.whole else [high * s for s in SHARES]
    for a, b in itertools.product(values, values):
        policy = getattr(mechanism.program.privacy, "policy", None)
        if policy is None or a in policy.sensitive or a == b:
            yield a, b


def violation(mechanism: Mechanism[..., Any], times: int = 1) -> str:
    """Where the claim with the budget ``times · ε`` fails on the grid, in words, or nothing."""
    with_source = compiled(mechanism)
    ((name, _),) = [(n, k) for n, k in mechanism.program.inputs.items() if not k.public]
    utility = type(mechanism.program.privacy).__name__ == "UtilityOptimizedLDP"
    for public in publics(mechanism):
        factor = public["eps"].root ** (2 * times)
        known: dict[Any, dict[Outcome, Fraction]] = {}
        try:
            for pair in pairs(mechanism, public):
                for x in pair:
                    if x not in known:
                        known[x] = chances(with_source, {**public, name: x})
                left, right = (known[x] for x in pair)
                for outcome, chance in left.items():
                    there = right.get(outcome, Fraction(0))
                    shown = {k: getattr(v, "root", v) for k, v in public.items()}
                    words = f"{shown} {pair} {outcome}: {chance} and {there}"
                    if not utility or outcome[0][1] <= public["s"]:
                        if chance > factor * there:
                            return words
                    elif pair[0] <= public["s"] or (pair[0] != pair[1] and there):
                        return words
        except OutOfDomain:
            continue
        except Undefined as error:
            return f"{public} raises {error}"
    return ""
