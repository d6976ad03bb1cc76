"""What every noise distribution states about itself.

A subclass states, as data wherever it can, all that anyone needs to know of it: when its
parameters make sense, lattice and support, what a shift costs, its law, how it is drawn, and what
it is called.  Proofs, likelihoods, pictures, errors, explanations and simulations read it there.
The parser recognises it by being a subclass.  The kernel and the guard have tables of their own,
on purpose: they check what is said here; what is not in them is told to them as it is stated.

The class has two lives.  Called with numbers inside a mechanism that runs, it
checks them and draws.  Called with terms by the verifier, it answers in terms.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from ..errors import BadInput
from ..terms.exponentials import exponential as exponential_of
from ..terms.formulas import TRUE, Formula, above, at_least, conjunction
from ..terms.linear import Linear, number
from .texts import condition_of, term_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Parameter = int | float | Fraction | Linear


@dataclass(frozen=True, slots=True)
class Charge:
    """A piece of the cost of a shift: where ``when`` holds, ``amount * rate`` (nats).

    ``rate`` is built from the distribution's parameters only, and ``amount`` is
    linear in the shift; so costs of the same rate can be counted together.
    """

    when: Formula
    amount: Linear
    rate: Linear


class Distribution(ABC):
    """A noise distribution with parameters that are numbers or terms."""

    #: Which values it takes: a shift must stay on this lattice.
    lattice: ClassVar[Lattice]
    #: Names of the parameters, in order.
    parameters: ClassVar[tuple[str, ...]]
    #: When it exists: a condition on the parameters.
    exists: ClassVar[str] = "scale > 0"
    #: The same in words.
    requirement: ClassVar[str] = "the scale must be positive"
    #: The ends of its support, both included: a number or a parameter; empty where there is none.
    ends: ClassVar[tuple[str, str]] = ("", "")
    #: What a shift ``d`` costs: an upper bound on ``log g(x) - log g(x + d)`` as an amount, linear
    #: in ``d`` and ``abs(d)``, and a rate made of parameters; their product is in nats.
    cost: ClassVar[tuple[str, str]] = ("", "")
    #: The parameter s for which the Rényi divergence of order α of the law from the one that is
    #: shifted by d is at most α d² / (2 s²), for each α > 1; empty where none is known.
    spread: ClassVar[str] = ""
    #: Upper bounds on P(X >= t) and on P(X <= t), for every t, or where they are not negative;
    #: empty where none is known.
    above: ClassVar[str] = ""
    below: ClassVar[str] = ""
    #: How the density goes, of which exact likelihoods and moments are made.
    shape: ClassVar[Shape] = "other"
    #: The log of the density at ``x``, or on the integers of the probability, within the support.
    log_density: ClassVar[str] = ""
    #: E X, Var X, a median, E|X|, E|X - mean|, E|X - median|, where no shape tells them.
    moments: ClassVar[tuple[str, ...]] = ()
    #: Whether the kernel has a row of its own for it; else a certificate states its law.
    tabled: ClassVar[bool] = False
    #: Its symbol in LaTeX, and what the law is called.
    symbol: ClassVar[str] = ""
    called: ClassVar[str] = "its law"
    #: Whether the one parameter is a list of numbers.
    listed: ClassVar[bool] = False
    #: Whether an alignment can move its draws: a coin is flipped, a number shifted.
    shiftable: ClassVar[bool] = True
    #: Whether gaps between the largest of several draws can be kept (Lemma 5 of the theory).
    keeps_gaps: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A subclass may be distributed otherwise: what its parent's law is, it says anew.
        for name in (
            "shape", "log_density", "moments", "tabled", "symbol", "called", "keeps_gaps", "spread",
            "above", "below",
        ):  # fmt: skip
            if name not in vars(cls):
                setattr(cls, name, getattr(Distribution, name))
        # Who says anew how one value is drawn must not inherit how many of them are.
        if "draw" in vars(cls) and "draw_many" not in vars(cls):
            cls.draw_many = Distribution.draw_many  # type: ignore[method-assign]

    def __init__(self, *values: Parameter) -> None:
        self.values = values
        if not any(isinstance(v, Linear) for v in values):
            self._check_numbers(values)

    @classmethod
    def of(cls, *values: Parameter) -> Self:
        """The distribution with these values, as a program gives them: a list one by one."""
        return cls(*values)

    @property
    def names(self) -> tuple[str, ...]:
        """What each of the values is called in messages."""
        return self.parameters

    def _check_numbers(self, values: Sequence[Any]) -> None:
        for name, value in zip(self.names, values, strict=True):
            plain = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
            if not plain or (isinstance(value, float) and not math.isfinite(value)):
                raise BadInput(f"{self}: {name} is {value!r}; a finite number is needed")
        exact = self.of(*(number(Fraction(v)) for v in values))
        if exact.well_formed() != TRUE:
            raise BadInput(f"{self}: {self.requirement}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.values))})"

    def term(self, index: int = 0) -> Linear:
        """The parameter at ``index`` as a term."""
        value = self.values[index]
        return value if isinstance(value, Linear) else number(Fraction(value))

    @classmethod
    def is_finite(cls) -> bool:
        """Whether it has finitely many values, whose probabilities can be summed."""
        return cls.shape in ("coin", "weights") or (
            cls.shape == "flat" and cls.lattice == "integers"
        )

    @property
    def _given(self) -> dict[str, Linear]:
        """The parameters by their names."""
        return {name: self.term(k) for k, name in enumerate(self.parameters)}

    def well_formed(self) -> Formula:
        """The condition on the parameters under which the distribution exists."""
        return condition_of(self.exists, self._given)

    def support(self, draw: Linear) -> Formula:
        """The condition on a value under which it can be drawn (lattice aside)."""
        low, high = self.bounds
        inside = [] if low is None else [at_least(draw, low)]
        inside += [] if high is None else [at_least(high, draw)]
        return conjunction(inside)

    @cached_property
    def bounds(self) -> tuple[Linear | None, Linear | None]:
        """Between which values a draw lies; ``None`` where it has no end."""
        (low, high), given = self.ends, self._given if any(self.ends) else {}
        return term_of(low, given) if low else None, term_of(high, given) if high else None

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """An upper bound on ``log density(x) - log density(x + shift)``, by cases.

        The cases cover every shift, and the bound is exact wherever it can be.
        """
        (amount, rate), given = self.cost, self._given
        cases: list[tuple[Formula, Linear]] = [(TRUE, shift)]
        if "abs" in amount:
            zero = number(0)
            cases = [(at_least(shift, zero), shift), (above(-shift, zero), -shift)]
        moved, price = {**given, "d": shift}, term_of(rate, given)
        return tuple(
            Charge(when, term_of(amount, moved, {"abs": partial(_constantly, size)}), price)
            for when, size in cases
        )

    def tail(self, end: Linear, *, upwards: bool, strict: bool) -> Linear | None:
        """An upper bound on the probability of draws past an end; ``None`` where none is known.

        ``strict``: the end itself is not among them.
        """
        text = self.above if upwards else self.below
        if not text:
            return None
        if strict and self.lattice == "integers" and end.integral:
            end = end + number(1 if upwards else -1)
        return term_of(text, {**self._given, "t": end}, {"exp": exponential_of})

    def zcdp_charges(self, shift: Linear, most: Linear | None = None) -> tuple[Charge, ...]:
        """The same in ρ, for a shift that is foreseen and is ``most`` in size at most, by cases.

        Where a spread s is known, shift² at the rate 1 / (2 s²); or |shift| at the rate
        most / (2 s²), as shift² is no more than |shift| · most.  Else the size of what is paid
        in ε, which every order α > 1 allows.
        """
        zero = number(0)
        sizes = ((at_least(shift, zero), shift), (above(-shift, zero), -shift))
        if self.spread:
            spread = self._given[self.spread]
            unit = (number(1) / spread / spread).scaled(Fraction(1, 2))
            if most is None:
                return (Charge(TRUE, shift * shift, unit),)
            rate = most * unit
            return tuple(Charge(when, size, rate) for when, size in sizes)
        found = []
        for charge in self.charges(shift):
            for sign in (1, -1):
                size = charge.amount.scaled(sign)
                when = (at_least if sign == 1 else above)(size, zero)
                found.append(Charge(conjunction((charge.when, when)), size, charge.rate))
        return tuple(found)

    def flip_charges(self, drawn: Formula, flip: Formula) -> tuple[Charge, ...]:
        """The cost of flipping the bit ``drawn`` where ``flip`` holds; of bits only."""
        raise TypeError(f"{type(self).__name__}: a number is shifted, not flipped")

    def zcdp_flip_charges(self, drawn: Formula, flip: Formula) -> tuple[Charge, ...]:
        """The same in ρ; of bits only."""
        raise TypeError(f"{type(self).__name__}: a number is shifted, not flipped")

    @abstractmethod
    def draw(self, source: Uniforms) -> Draw:
        """One value, from uniform numbers; idealised where it is a float, else exact."""

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """``size`` independent values: float64 on the reals, int64 on the integers, or bool.

        Unless a distribution has something faster, one :meth:`draw` after the other.

        Raises:
            LimitReached: a whole number does not fit into 64 bits.
        """
        from .drawing.batches import one_by_one

        return one_by_one(self.draw, self.lattice, generator, size)

    def as_fraction(self, index: int = 0) -> Fraction:
        """The parameter at ``index`` exactly as given; a float is the binary fraction it holds."""
        value = self.values[index]
        assert not isinstance(value, Linear)
        return Fraction(value)

    @property
    def scale(self) -> float:
        """The first parameter as a float, for samplers that are idealised anyway."""
        return self.as_float(0)

    def as_float(self, index: int) -> float:
        """The parameter at ``index`` as the float next to it.

        Raises:
            BadInput: that is zero or infinite, and the parameter is not.
        """
        value = self.values[index]
        assert not isinstance(value, Linear)
        try:
            found = float(value)
        except OverflowError:
            found = math.inf
        if math.isinf(found) or (not found and value):
            raise BadInput(f"{self}: {self.names[index]} is beyond the floats")
        return found


def _constantly(value: Linear, _: Linear) -> Linear:
    return value


def exponential(source: Uniforms) -> float:
    """A standard exponential draw (mean 1), in [0, ∞)."""
    return -math.log1p(-source.random())


# What is drawn, and from what.

#: The values that a distribution can take at all.
Lattice = Literal["reals", "integers", "booleans"]

#: How a density goes: it falls by exp(-|x| / scale) on each side of zero that is in the support,
#: is the same between two ends, or falls in steps; two values, or values by weights; or
#: in a way of its own, which ``log_density`` tells.
Shape = Literal["falling", "flat", "stairs", "coin", "weights", "normal", "other"]

#: One drawn value.
Draw = int | float | Fraction | bool


class Uniforms(Protocol):
    """A source of independent uniform numbers, such as ``random.Random``."""

    def random(self) -> float:
        """The next float in [0, 1)."""
        ...

    def randrange(self, stop: int, /) -> int:
        """The next of the integers 0, …, ``stop`` - 1, each exactly as likely; ``stop >= 1``."""
        ...
