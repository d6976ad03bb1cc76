"""How far additive noise moves an answer: bias, variance, RMSE and E|error|.

Which noise is best depends on the norm, and on whether a known bias is taken off again.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Literal, NoReturn, TypeAlias

from ..dsl import noise as language
from ..dsl.errors import BadInput
from ..dsl.noise import Distribution
from ..dsl.showing import Shown
from ..dsl.terms.exponentials import exponential
from ..dsl.terms.linear import (
    Atom,
    DivisionByZero,
    Exp,
    Group,
    Linear,
    Product,
    Symbol,
    number,
    term,
)
from ..dsl.terms.pretty import pretty
from ..dsl.terms.values import exact
from .formula_values import is_positive, value_of
from .noise_laws import Expr, NoiseLaw, law_of

Debias: TypeAlias = Literal["mean", "median"]
_DEBIAS = (None, "mean", "median")


@dataclass(frozen=True, slots=True)
class NoiseErrors(Shown):
    """Numbers at given parameters; of an estimate in the unit of the answer, ``variance`` squared.

    Attributes:
        subtracted: what is taken off the noisy answer.
        bias: E of the error that is left.
        variance: its variance.
        rmse: the root of its mean square, sqrt(variance + bias²).
        mean_absolute_error: E|error|.
    """

    subtracted: float
    bias: float
    variance: float
    rmse: float
    mean_absolute_error: float


@dataclass(frozen=True, slots=True)
class NoiseUtility(Shown):
    """The errors of a noisy answer, as SymPy expressions.

    Symbols are positive: ``sympy.Symbol("eps", positive=True)``; those of ``DiscreteUniform``
    are whole numbers, too.

    Attributes:
        noise: as it would be written in a program.
        debias: what is subtracted: the ``"mean"``, a ``"median"``, or nothing (``None``).
        subtracted: the same as an expression.
        bias, variance, rmse, mean_absolute_error: as in :class:`NoiseErrors`.
        where: what the abbreviations in them mean, each by those before it.
        symbols: what :meth:`at` needs values for.
    """

    noise: str
    debias: Debias | None
    subtracted: Expr
    bias: Expr
    variance: Expr
    rmse: Expr
    mean_absolute_error: Expr
    where: tuple[tuple[Expr, Expr], ...]
    symbols: tuple[Expr, ...]
    _positive: tuple[Expr, ...]
    _requirement: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the symbols, in order."""
        return tuple(symbol.name for symbol in self.symbols)

    def in_full(self, expression: Expr) -> Expr:
        """One of the expressions without abbreviations."""
        for name, meaning in reversed(self.where):
            expression = expression.subs(name, meaning)
        return expression

    def at(self, **values: int | float | Fraction) -> NoiseErrors:
        """The numbers at these parameters, each right up to the rounding of a float.

        Args:
            values: a positive number for each parameter, as in ``at(eps=0.5)``, eps in nats;
                a float is the binary fraction that it holds.

        Raises:
            BadInput: a value is missing, one too many or out of range, there is no such noise at
                these values, or a result is beyond the floats.
        """
        given = {**dict(self.where), **self._given(values)}
        try:
            if not all(is_positive(condition, given) for condition in self._positive):
                raise BadInput(f"there is no such noise: {self._requirement}")
            return NoiseErrors(
                subtracted=value_of(self.subtracted, given),
                bias=value_of(self.bias, given),
                variance=value_of(self.variance, given),
                rmse=value_of(self.rmse, given),
                mean_absolute_error=value_of(self.mean_absolute_error, given),
            )
        except BadInput as error:
            at = ", ".join(f"{name} = {value}" for name, value in values.items())
            where = f"{self.noise} at {at}" if at else self.noise
            raise BadInput(f"{where}: {error}") from None

    def _given(self, values: Mapping[str, int | float | Fraction]) -> dict[Expr, Fraction]:
        for name in sorted({*values} ^ {*self.parameters}):
            what = "is missing" if name in self.parameters else "is not a parameter of it"
            wanted = ", ".join(self.parameters) or "none"
            raise BadInput(f"{self.noise}: {name} {what}; want values of: {wanted}")
        found = {
            symbol: _positive_number(symbol.name, values[symbol.name]) for symbol in self.symbols
        }
        for symbol, value in found.items():
            if symbol.is_integer and value.denominator != 1:
                raise BadInput(f"{symbol} = {value}: a whole number is needed in {self.noise}")
        return found


def noise_utility(noise: Distribution | str, debias: Debias | None = None) -> NoiseUtility:
    """The bias, variance, RMSE and E|error| of an answer with this noise, as formulas.

    Args:
        noise: a distribution with numbers, ``Laplace(2)``, or the text of one with parameters,
            ``"Laplace(1/eps)"``; its names stand for positive numbers.
        debias: ``"mean"`` or ``"median"``: what is subtracted from the noisy answer, which costs
            no privacy.  The mean makes the RMSE least, a median E|error|.

    Returns:
        Formulas in the names of ``noise``, and of geometric noise in alpha = exp(-1/scale).

    Raises:
        BadInput: it is no noise that is added to an answer, its parameters allow none, or
            ``debias`` is something else.

    Source: Asymmetric Differential Privacy, Theorem 3 and Section 5.1, with the norms told apart:
    Theorem 3 calls sqrt(2)/ε what E|error| is at least, but it is the RMSE of Laplace noise, and
    E|error| is 1/ε.  The 1/ε of asymmetric Laplace noise is its RMSE once the mean is subtracted.
    """
    if debias not in _DEBIAS:
        raise BadInput(f"debias: got {debias!r}; want None, 'mean' or 'median'")
    if isinstance(noise, str):
        noise = noise_of_text(noise)
    if not isinstance(noise, Distribution):
        raise BadInput(f"noise: got {noise!r:.80}; want a distribution, as Laplace(2), or its text")
    law, symbols = _law(noise)
    place = _DEBIAS.index(debias)
    subtracted = (0 * law.unit, law.mean, law.median)[place]
    bias, error = _short(law.mean - subtracted), law.absolute[place]
    rmse = _root(law.variance, bias, law.unit)
    used = _used((subtracted, bias, law.variance, rmse, error), law)
    return NoiseUtility(
        _shown(noise), debias, subtracted, bias, law.variance, rmse, error, used, symbols,
        law.positive, noise.requirement,
    )  # fmt: skip


def _law(noise: Distribution) -> tuple[NoiseLaw, tuple[Expr, ...]]:
    """The law, and the symbols in the parameters."""
    kind = type(noise)
    if kind.shape in ("coin", "weights") or not (
        kind.moments or kind.shape not in ("normal", "other")
    ):
        raise BadInput(
            f"{noise}: no noise that is added to an answer; there are {_added()}, and those that "
            "state their moments"
        )
    terms = [noise.term(k) for k in range(len(noise.values))]
    if _is_whole(kind) and not all(t.integral for t in terms):
        raise BadInput(f"{_shown(noise)}: {noise.requirement}")
    given = [_expression(t) for t in terms]
    law = law_of(kind, *given)
    symbols = {symbol.name: symbol for e in given for symbol in e.free_symbols}
    if clash := symbols.keys() & {abbreviation.name for abbreviation, _ in law.where}:
        raise BadInput(
            f"{_shown(noise)}: {min(clash)} is an abbreviation in its formulas; rename the "
            "parameter"
        )
    if any(condition.is_positive is False for condition in law.positive):
        raise BadInput(f"{_shown(noise)}: {noise.requirement}")
    return law, tuple(symbols[name] for name in sorted(symbols))


def _shown(noise: Distribution) -> str:
    terms = (noise.term(k) for k in range(len(noise.values)))
    return f"{type(noise).__name__}({', '.join(map(pretty, terms))})"


def _expression(linear: Linear) -> Expr:
    """A term as an expression; every symbol is positive."""
    import sympy

    constant = sympy.Rational(linear.constant.numerator, linear.constant.denominator)
    parts = (sympy.Rational(k.numerator, k.denominator) * _factor(a) for a, k in linear.parts)
    return sympy.together(sympy.Add(constant, *parts))


def _factor(atom: Atom) -> Expr:
    import sympy

    if isinstance(atom, Product):
        return sympy.Mul(*(_factor(base) ** power for base, power in atom.powers))
    if isinstance(atom, Group):
        return _expression(atom.inner)
    if isinstance(atom, Exp):
        return sympy.exp(_expression(atom.power))
    if isinstance(atom, Symbol):
        whole = {"integer": True} if atom.integral else {}
        return sympy.Symbol(atom.key, positive=True, **whole)
    raise BadInput(f"{atom} in a parameter of noise: want numbers, names, + - * / and exp")


def _short(difference: Expr) -> Expr:
    """With a common factor taken out: (1 - log(2))/eps."""
    import sympy

    return sympy.factor_terms(difference)


def _root(variance: Expr, bias: Expr, unit: Expr) -> Expr:
    """sqrt(variance + bias²); the unit is positive, so it may leave the root."""
    import sympy

    return unit * sympy.sqrt((variance / unit**2).cancel() + (bias / unit).cancel() ** 2)


def _used(expressions: tuple[Expr, ...], law: NoiseLaw) -> tuple[tuple[Expr, Expr], ...]:
    """The abbreviations that are needed, with what these need themselves."""
    needed = {s for e in expressions for s in e.free_symbols}
    for name, meaning in reversed(law.where):
        if name in needed:
            needed |= meaning.free_symbols
    return tuple((name, meaning) for name, meaning in law.where if name in needed)


def _positive_number(name: str, value: Any) -> Fraction:
    plain = isinstance(value, Real) and not isinstance(value, bool)
    try:
        if plain and 0 < float(value) < math.inf:
            if isinstance(value, Rational):  # those of numpy, too
                return Fraction(int(value.numerator), int(value.denominator))
            return Fraction(float(value))
    except OverflowError:
        pass
    raise BadInput(f"{name} = {value!r}: want a positive number that floats can hold")


# Noise as it is written in a program, ``Laplace(2/eps)``, read from text; nothing is executed.
#
# Names are positive parameters.  There are numbers, ``+ - * /``, and ``exp`` of an expression
# without another ``exp``.

_OPERATORS: dict[type[ast.operator], Callable[[Linear, Linear], Linear]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
#: Longer texts are refused, and products of sums that multiply out to more.
LONGEST, LONGEST_SUM = 200, 200
#: Who writes these means no parameter.
_NO_NAMES = ("nan", "inf", "infinity")
_KINDS = {
    name: kind
    for name, kind in vars(language).items()
    if isinstance(kind, type) and issubclass(kind, Distribution) and kind is not Distribution
}


def _is_whole(kind: type[Distribution]) -> bool:
    """Whether parameters are whole numbers: those of integers between two ends."""
    return kind.shape == "flat" and kind.is_finite()


def _added() -> str:
    """What is added to answers, and not chosen."""
    return ", ".join(n for n, kind in _KINDS.items() if kind.shape not in ("coin", "weights"))


def noise_of_text(text: str) -> Distribution:
    """The distribution that a text describes, with terms for its parameters.

    Args:
        text: a call of a distribution of the language, such as ``Exponential(c/eps)``.  Names in
            it stand for positive numbers; in ``DiscreteUniform`` for positive whole numbers.

    Raises:
        BadInput: it is nothing of the kind, or the distribution takes other parameters.
    """
    if len(text) > LONGEST:
        raise BadInput(f"noise {text[:40]!r}…: longer than {LONGEST} characters; simplify it")
    return _Reader(text).noise()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._whole = False

    def _refuse(self, problem: str) -> NoReturn:
        raise BadInput(f"noise {self._text!r}: {problem}")

    def noise(self) -> Distribution:
        try:
            call = ast.parse(self._text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            call = None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            self._refuse("want a distribution with its parameters, as in Laplace(1/eps)")
        kind = _KINDS.get(call.func.id)
        if kind is None:
            nearest = get_close_matches(call.func.id, _KINDS, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"want one of {', '.join(_KINDS)}"
            self._refuse(f"no distribution {call.func.id!r}: {hint}")
        if kind.listed:
            self._refuse(f"{call.func.id} is a choice, and not added to an answer")
        if call.keywords or len(call.args) != len(kind.parameters):
            self._refuse(f"want {call.func.id}({', '.join(kind.parameters)})")
        self._whole = _is_whole(kind)
        return kind.of(*(self._term(argument) for argument in call.args))

    def _term(self, node: ast.expr, inside: bool = False) -> Linear:
        """The term of an expression; ``inside`` the power of e."""
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return number(self._number(value))
            case ast.Name(id=name) if name.lower() not in _NO_NAMES:
                return term(Symbol(name, integral=self._whole, fixed=True))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._term(inner, inside)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                one, two = self._term(left, inside), self._term(right, inside)
                if len(one.parts) * len(two.parts) > LONGEST_SUM:
                    self._refuse("a product of sums that is too long")
                try:
                    return _OPERATORS[type(op)](one, two)
                except DivisionByZero:
                    self._refuse("something is divided by zero")
            case ast.Call(func=ast.Name(id="exp"), args=[power], keywords=[]) if not inside:
                return exponential(self._term(power, inside=True))
        self._refuse(
            f"'{ast.unparse(node)}' is none of: numbers, names, + - * /, exp without another exp"
        )

    def _number(self, value: int | float) -> Any:
        try:
            return exact(value)
        except (ValueError, OverflowError):
            self._refuse("a number is not finite")
