"""The budget of a claim: the user's function of public parameters, as a term."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NoReturn

from ..errors import BadInput, ShiftproofError, Unsupported
from ..language.declaration import INFER, Declaration
from ..language.readings import namespace_of
from ..parsing.budgets import NotArithmetic, Sized, budget_text
from ..privacy.inputs import EpsilonInput, RhoInput
from ..relations.program import plain_budget
from ..terms.linear import Linear, Symbol, number, term
from ..terms.substitution import apply_operation, divisors_of
from ..terms.values import exact


class Quantity:
    """A term that understands ``+ - * /`` with plain numbers, for budget functions.

    ``divisors`` are the terms that it was divided by on the way: each must not be zero.
    """

    def __init__(self, value: Linear, divisors: tuple[Linear, ...] = ()) -> None:
        self.value = value
        self.divisors = divisors

    def _with(self, other: object, combine: Callable[[Linear, Linear], Linear]) -> Quantity:
        also = other.divisors if isinstance(other, Quantity) else ()
        return Quantity(combine(self.value, _as_term(other)), (*self.divisors, *also))

    def __add__(self, other: object) -> Quantity:
        return self._with(other, operator.add)

    def __sub__(self, other: object) -> Quantity:
        return self._with(other, operator.sub)

    def __mul__(self, other: object) -> Quantity:
        return self._with(other, operator.mul)

    def __truediv__(self, other: object) -> Quantity:
        ratio = self._with(other, operator.truediv)
        return Quantity(ratio.value, (*ratio.divisors, _as_term(other)))

    def __rsub__(self, other: object) -> Quantity:
        return Quantity(_as_term(other) - self.value, self.divisors)

    def __rtruediv__(self, other: object) -> Quantity:
        return Quantity(_as_term(other) / self.value, (*self.divisors, self.value))

    def __neg__(self) -> Quantity:
        return Quantity(-self.value, self.divisors)

    def function(self, name: str) -> Quantity:
        """The power of e, the logarithm or the root of it."""
        return Quantity(apply_operation(name, (self.value,)), self.divisors)

    __radd__ = __add__
    __rmul__ = __mul__

    def _undecided(self, *_: object) -> NoReturn:
        raise TypeError("a budget is one expression for all parameters; it cannot compare them")

    def __call__(self, *_: object) -> NoReturn:
        """A parameter that is called like a function hides it, of ``math`` or another."""
        raise TypeError("a parameter of it is called, as if it were a function")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _undecided
    __bool__ = __float__ = __int__ = _undecided
    __hash__ = object.__hash__


def _as_term(value: object) -> Linear:
    """A quantity or plain number as a term.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(value, Quantity):
        return value.value
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return number(exact(value))
    if isinstance(value, Sized):
        raise TypeError("a sequence is no number; only its length is, as in len(f)")
    raise TypeError(f"{value!r} is no number")


def budget_of(mechanism: Declaration) -> Quantity:
    """The claimed ε over public parameters, and what it divides by, each factor once.

    Raises:
        BadInput: there is no budget, or it is no expression of public parameters.
    """
    return _by_factors(_claimed(mechanism))


def delta_of(mechanism: Declaration) -> Quantity:
    """The claimed δ over public parameters, and what it divides by; zero where none is claimed.

    Raises:
        BadInput: it is no expression of public parameters.
    """
    given = mechanism.privacy.delta
    if given is None:
        return Quantity(number(0))
    if isinstance(given, str):
        kind = mechanism.inputs.get(given)
        if kind is None or not kind.public or kind.array:
            raise BadInput(
                f"{mechanism.function.__name__}: its δ '{given}' is no public scalar parameter",
                mechanism.location,
            )
        return Quantity(term(Symbol(given, kind.whole, fixed=True)))
    return _by_factors(
        _expression(mechanism, given, "δ") if callable(given) else _number(mechanism, given, "δ")
    )


def _by_factors(found: Quantity) -> Quantity:
    """A quantity with what it divides by, each factor once."""
    inverses = (number(1) / divisor for divisor in found.divisors)
    factors = {d.key: d for inverse in inverses for d in divisors_of(inverse)}
    return Quantity(found.value, tuple(factors[key] for key in sorted(factors)))


def _claimed(mechanism: Declaration) -> Quantity:
    """The claimed ε as it is declared; where none is, a measure of what is small.

    Raises:
        BadInput: there is no budget, or it is no expression of public parameters.
    """
    if mechanism.privacy.pair_budget == "budget":
        if mechanism.budget is not None:
            raise BadInput(
                f"{mechanism.function.__name__}: two budgets; {mechanism.privacy} has one already",
                mechanism.location,
            )
        return Quantity(number(0))
    if mechanism.budget is None:
        own, word, letter = (
            (RhoInput, "Rho", "rho") if mechanism.privacy.zcdp else (EpsilonInput, "Epsilon", "eps")
        )
        names = [n for n, kind in mechanism.inputs.items() if type(kind) is own]
        if len(names) != 1:
            raise BadInput(
                f"{mechanism.function.__name__}: {len(names)} {word} parameters and no budget; "
                f"say which {mechanism.privacy.letter} is claimed, as in "
                f"budget=lambda {letter}1, {letter}2: {letter}1 + {letter}2",
                mechanism.location,
            )
        return Quantity(term(Symbol(names[0], fixed=True)))
    if mechanism.budget is INFER:
        if mechanism.privacy.delta is not None:  # for every ε there is another least δ
            raise BadInput(
                f"{mechanism.function.__name__}: budget=INFER beside a δ, of which no ε is "
                "searched for; say which ε is claimed, as in budget=1 or budget=lambda eps: eps",
                mechanism.location,
            )
        return Quantity(plain_budget(mechanism.inputs))
    if isinstance(mechanism.budget, Linear):
        return Quantity(mechanism.budget, tuple(divisors_of(mechanism.budget)))
    if not callable(mechanism.budget):
        return _number(mechanism, mechanism.budget, "budget")
    return _expression(mechanism, mechanism.budget, "budget")


def _number(mechanism: Declaration, given: Any, what: str) -> Quantity:
    """A budget that is given as a number."""
    try:
        return Quantity(_as_term(given))
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{mechanism.function.__name__}: the {what} is no finite number, and no function "
            f"of public parameters: {error}",
            mechanism.location,
        ) from None


def _expression(mechanism: Declaration, budget: Callable[..., Any], what: str) -> Quantity:
    """A budget that is given as a function."""
    parameters: dict[str, Quantity | Sized] = {}
    for name in inspect.signature(budget).parameters:
        kind = mechanism.inputs.get(name)
        if kind is not None and kind.array:
            parameters[name] = Sized(Quantity(term(Symbol(f"len({name})", True, fixed=True))))
        elif kind is not None and kind.public:
            parameters[name] = Quantity(term(Symbol(name, kind.whole, fixed=True)))
        else:
            raise BadInput(
                f"{mechanism.function.__name__}: the {what}'s '{name}' is no public parameter, and "
                "no sequence with a length",
                mechanism.location,
            )
    try:
        found = _given(mechanism, budget, parameters)
        return found if isinstance(found, Quantity) else Quantity(_as_term(found))
    except Unsupported:
        raise
    except (TypeError, ValueError, ShiftproofError, ArithmeticError) as error:
        raise BadInput(
            f"{mechanism.function.__name__}: the {what} is no expression in + - * /, exp, log and "
            f"sqrt: {error}",
            mechanism.location,
        ) from None


def _given(
    mechanism: Declaration, budget: Callable[..., Any], parameters: Mapping[str, Quantity | Sized]
) -> Any:
    """What the budget function gives: as it is written, or else by calling it.

    It is never called if its file is read and not executed.
    """
    text = budget_text(budget)
    executed = namespace_of(mechanism.function) is None
    if text is not None:
        try:
            return text.value(parameters, lambda n: Quantity(_as_term(n)), _length)
        except NotArithmetic as stop:
            if not executed:
                raise text.refuse(stop) from None
    if not executed:
        raise Unsupported(
            "a budget that is no single expression",
            mechanism.location,
            "write budget=lambda eps: 2 * eps, or execute the file with --import",
        )
    return budget(**parameters)


def _length(value: Any) -> int:
    return max(1, len(value.value.parts)) if isinstance(value, Quantity) else 1
