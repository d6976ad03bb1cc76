"""How many times as likely, beside how many times a claim allows: ``4 > e^ε = 2``."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from flint import arb

from ..exact.numbers import PLAIN, Enclosure, decimal, rational, working
from .comparison import Comparison

#: Numbers of any size; floats would end at 10^308.
_DECIMAL = Context(prec=30)
#: How many digits a rounded number has, where they tell it from the one beside it.
_DIGITS = 6
#: A budget that is within 2^-100 of a multiple of ln 2 is that multiple: it is made of the ε and of
#: the numbers among the inputs, which are far shorter.
_NEAR = 100
#: The largest divisor of a fraction that somebody may have meant by a float.
LARGEST = 10_000


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of two likelihoods against the most that is allowed.

    Attributes:
        ratio: exact, or rounded.
        relation: how it stands to what is allowed: ``>``, ``<``, ``=``, or ``≈``.
        allowed: e to the claimed ε, exact or rounded.
        ratio_exact, allowed_exact: which of the two are exact.
    """

    ratio: str
    relation: str
    allowed: str
    ratio_exact: bool
    allowed_exact: bool

    def __str__(self) -> str:
        sign = "=" if self.allowed_exact else "≈"
        return f"{self.ratio} {self.relation} e^ε {sign} {self.allowed}"


def ratio_of(
    left: Enclosure, right: Enclosure, nats: Enclosure, *, breaks: bool, attains: bool
) -> Ratio:
    """The ratio of two likelihoods above 0, against what ``nats`` allow.

    Args:
        left: how likely an outcome is on D.
        right: how likely it is on D′.
        nats: the claimed ε.
        breaks: whether the ratio is above what is allowed, for certain.
        attains: whether it cannot be told from what is allowed.
    """
    ratio, power = left.low / right.low, power_of(nats)
    exact = left.exact and right.exact
    most = _DECIMAL.exp(_decimal(nats.low)) if power is None else _decimal(power)
    relation = ">" if breaks else "=" if exact and ratio == power else "≈" if attains else "<"
    both = _decimal(ratio), most
    ours, limit = (_digits(x, _DIGITS) for x in both) if relation in "=≈" else _apart(*both)
    short, short_power = (len(str(number)) <= PLAIN for number in (ratio, power))
    return Ratio(
        ratio=str(ratio) if exact and short else ours,
        relation=relation,
        allowed=str(power) if power is not None and short_power else limit,
        ratio_exact=exact and short,
        allowed_exact=power is not None and short_power,
    )


def power_of(nats: Enclosure) -> Fraction | None:
    """e to so many nats if that is rational; of what a claim can say that is a power of 2."""
    if nats.exact:
        return Fraction(1) if nats.low == 0 else None
    with working(2 * _NEAR):
        low, high = (arb(rational(end)) / arb.const_log2() for end in (nats.low, nats.high))
        if not abs(low) < PLAIN * 4:  # it would be rounded anyway
            return None
        k = round(float(low))
        near = all(abs(end - k) < arb(2) ** -_NEAR for end in (low, high))
    return Fraction(2) ** k if near else None


# Rounded numbers, of any size.


def _decimal(value: Fraction) -> Decimal:
    return _DECIMAL.divide(Decimal(value.numerator), Decimal(value.denominator))


def rounded_apart(one: Fraction, two: Fraction) -> tuple[str, str]:
    """Both as :func:`rounded`, with as many digits as it takes to tell them apart."""
    return _apart(_decimal(one), _decimal(two))


def _apart(one: Decimal, two: Decimal) -> tuple[str, str]:
    for digits in range(_DIGITS, _DECIMAL.prec):
        both = _digits(one, digits), _digits(two, digits)
        if both[0] != both[1]:
            return both
    return _digits(one, _DIGITS), _digits(two, _DIGITS)


def rounded(value: Fraction) -> str:
    """``0.25`` or ``1.5e-400``, of six digits, without zeros at the end."""
    return _digits(_decimal(value), _DIGITS)


def _digits(value: Decimal, digits: int) -> str:
    short = Context(prec=digits).plus(value).normalize(Context(prec=digits))
    exponent = short.adjusted() if short else 0
    if -5 <= exponent < 15:
        return f"{short:f}"
    return f"{short.scaleb(-exponent):f}e{exponent}"


# Claims that are missed by the rounding of a float: ``budget=1 / 72`` is a little below 1/72.


def hint(comparison: Comparison) -> str | None:
    """What to write instead, where the claim is a float and the fraction it stands for is kept."""
    order = Fraction(comparison.order or 1)
    budget = comparison.budget.enclosure
    if comparison.log_ratio is None or not comparison.breaks:
        return None
    claims = {"budget": budget.low / order if budget.exact else Fraction(0)}
    if comparison.delta is not None and comparison.delta.enclosure.exact:
        claims["delta"] = comparison.delta.enclosure.low
    meant = {name: value.limit_denominator(LARGEST) for name, value in claims.items()}
    for name, value in claims.items():
        short = meant[name]
        if short != value and float(short) == float(value) and _is_kept(comparison, meant):
            where, by = "below" if value < short else "above", decimal(abs(short - value), 2)
            exact = f"Fraction({short.numerator}, {short.denominator})"
            is_ = f"the float {float(value)!r} is {where} {short} by {by}"
            return f"{name}: {is_}; {exact} is not broken here"
    return None


def _is_kept(c: Comparison, meant: dict[str, Fraction]) -> bool:
    """Whether it is not shown that such a claim is broken here, too."""
    assert c.log_ratio is not None
    with working(2 * _NEAR):
        if c.delta is None:
            order = Fraction(c.order or 1)
            return c.log_ratio.enclosure.low <= meant["budget"] * order
        epsilon = meant["budget"] or c.budget.enclosure.high
        most = rational(meant.get("delta", c.delta.enclosure.low))
        left, right = rational(c.on_left.enclosure.low), rational(c.on_right.enclosure.high)
        return not left - arb(rational(epsilon)).exp() * right > arb(most)
