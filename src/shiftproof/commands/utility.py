"""``shiftproof utility``: how far additive noise moves an answer, and what debiasing gains."""

from __future__ import annotations

import click

from .common.answering import examples, print_found
from .common.options import json_option, set_option

#: What is compared if nothing is named; each is for sensitivity 1.
COMPARED = (
    "Laplace(1/eps)", "Exponential(1/eps)", "TwoSidedGeometric(1/eps)", "OneSidedGeometric(1/eps)",
)  # fmt: skip


@click.command(
    epilog=examples("utility --eps 1/2", 'utility "Laplace(2/eps)" "OneSidedGeometric(c/eps)"'),
    short_help="Print bias, RMSE and E|error| of noise, as formulas.",
)
@click.argument("noises", nargs=-1, metavar="[NOISE]...")
@click.option("--eps", metavar="E", help="Short for --set eps=E; in nats.")
@set_option
@json_option
def utility(
    noises: tuple[str, ...], eps: str | None, settings: tuple[str, ...], as_json: bool
) -> int:
    """Print bias, RMSE and E|error| of an answer with additive noise, as formulas.

    As it is, and with the mean or a median subtracted.  NOISE is written as in a program, such as
    "Laplace(2/eps)" or "OneSidedGeometric(c/eps)": numbers, + - * /, exp, and names, which stand
    for positive numbers.  Without any, the noises of DP and of ADP are compared, for
    sensitivity 1.  With --set, numbers are printed instead of formulas.

    There are Laplace, Logistic, Exponential, NegativeExponential, TwoSidedGeometric,
    DiscreteLaplace, OneSidedGeometric and NegativeOneSidedGeometric (each of a scale), Gaussian
    (sigma), Staircase (scale, step, share), Uniform and DiscreteUniform (low, high).

    \b
    Exit status:
      0  it is printed
      3  the input is bad
    """
    from ..estimators import utility_table
    from .common.settings import parse_settings

    found = utility_table.utilities(noises or COMPARED)
    names = {name for row in found for u in row for name in u.parameters}
    given = (*settings, f"eps={eps}") if eps is not None else settings
    at = parse_settings(given, names) if given else None
    print_found(
        as_json, lambda: utility_table.as_json(found, at), lambda: utility_table.as_text(found, at)
    )
    return 0
