"""How far additive noise moves an answer: bias, variance, RMSE and E|error|, as formulas.

Which noise is best depends on the norm, and on whether a known bias is taken off again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Literal, TypeAlias

from ..dsl.errors import BadInput
from ..dsl.noise import DiscreteUniform, Distribution
from ..dsl.pretty import pretty
from ..dsl.showing import Shown
from ..dsl.terms import Atom, Exp, Group, Linear, Product, Symbol
from .formula_values import is_positive, value_of
from .noise_laws import LAWS, Expr, NoiseLaw
from .noise_text import noise_of_text

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
    make = LAWS.get(type(noise))
    if make is None:
        known = ", ".join(kind.__name__ for kind in LAWS)
        raise BadInput(f"{noise}: no noise that is added to an answer; there are {known}")
    terms = [noise.term(k) for k in range(len(noise.values))]
    if isinstance(noise, DiscreteUniform) and not all(t.integral for t in terms):
        raise BadInput(f"{_shown(noise)}: {noise.requirement}")
    given = [_expression(t) for t in terms]
    law = make(*given)
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
