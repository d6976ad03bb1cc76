"""The commands about counterexamples: ``refute``, ``recompute`` and ``bound``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common.answering import BAD_INPUT, chosen, examples, give, one_by_one, the_one
from .common.options import (
    BRACKETING,
    SEARCHING,
    Output,
    effort_option,
    file_argument,
    import_option,
    output_options,
    set_option,
    targets_argument,
)

if TYPE_CHECKING:
    from ..checkers.refuting.comparison import Comparison
    from ..showing.account import Account
    from ..workspace.importing import AnyMechanism


@click.command(
    epilog=examples(
        "refute visits.py --save broken.json --write-test test_visits.py",
        "refute noisy_max_value --set eps=1",
    ),
    short_help="Look for counterexamples, exact and small.",
)
@targets_argument(required=True)
@set_option
@effort_option(SEARCHING)
@click.option("--save", type=click.Path(path_type=Path), help="Save the counterexample.")
@click.option(
    "--write-test", type=click.Path(path_type=Path),
    help="Write a pytest file that fails as long as the counterexamples hold.",
)  # fmt: skip
@import_option
@output_options
def refute(
    targets: tuple[str, ...],
    settings: tuple[str, ...],
    effort: int,
    save: Path | None,
    write_test: Path | None,
    execute: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Look for counterexamples: two neighbouring inputs and an outcome that break a claim.

    Both probabilities are exact or enclosed; nothing is sampled.  TARGET is as for verify.  --set
    keeps a public input at a value; an ε may be a multiple of ln 2, as in --set eps='2 ln 2'.

    \b
    Exit status:
      0  no counterexample was found, which proves nothing
      1  a claim is refuted
      3  a mechanism is unsupported, shiftproof failed on one, or the input is bad
    """
    from dataclasses import replace

    import msgspec

    from ..showing.account import Answers
    from ..showing.answers.comparisons import of_search
    from ..workspace.files import write_whole
    from ..workspace.regression import target_of, test_source
    from .common.counterexamples import searched

    found: dict[str, Comparison] = {}

    def search(mechanism: AnyMechanism) -> Account:
        result = searched(mechanism, settings, effort)
        if result.comparison is not None:
            target = target_of(mechanism)
            found[target] = msgspec.structs.replace(result.comparison, target=target)
            result = replace(result, comparison=found[target])
        return of_search(mechanism, result)

    mechanisms = chosen(targets, execute)
    if save is not None and len(mechanisms) != 1:
        raise click.UsageError(f"--save is for one mechanism; there are {len(mechanisms)}")
    answered = one_by_one(mechanisms, search)
    if not answered.found:
        return BAD_INPUT
    if save is not None and found:
        write_whole(save, next(iter(found.values())).as_json())
    if write_test is not None and found:
        write_whole(write_test, test_source(found, write_test, execute).encode())
    status = BAD_INPUT if answered.failed else 1 if found else 0
    return give(Answers("refute", tuple(answered.found), status), form, outputs)


@click.command(
    epilog=examples("recompute broken.json"), short_help="Compute a saved counterexample again."
)
@file_argument()
@click.option("--target", help="The mechanism, where it is not where it was.")
@import_option
@output_options
def recompute(
    file: Path, target: str | None, execute: bool, form: str, outputs: Sequence[Output]
) -> int:
    """Compute a saved counterexample again, for the mechanism as it is now.

    \b
    Exit status:
      0  it does not break the claim any more
      1  it still does
      3  the mechanism's inputs are others now, or the input is bad
    """
    from ..checkers.refuting.comparison import comparison_from_json
    from ..checkers.refuting.comparison import recompute as compute
    from ..showing.account import Answers
    from ..showing.answers.comparisons import of_recomputed
    from ..workspace.files import read_whole

    comparison = read_whole(file, comparison_from_json)
    mechanism = the_one(target or comparison.target, execute)
    with redirect_stdout(sys.stderr):
        now = compute(comparison, mechanism)
    account = of_recomputed(comparison, now)
    return give(Answers("recompute", (account,), account.status, single=True), form, outputs)


@click.command(
    epilog=examples("bound visits.py", "bound laplace --set eps='2 ln 2'"),
    short_help="Bracket the true ε, from above and below.",
)
@targets_argument(required=False)
@set_option
@effort_option(BRACKETING)
@import_option
@output_options
def bound(
    targets: tuple[str, ...],
    settings: tuple[str, ...],
    effort: int,
    execute: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Bracket the true ε: the least one proved, and the largest exact log ratio found.

    TARGET is as for verify; without any, the correct mechanisms of the gallery are bounded.  --set
    is as for refute.

    \b
    Exit status:
      0  every bracket is there, however wide
      3  a mechanism is unsupported, shiftproof failed on one, or the input is bad
    """
    from ..checkers.bound import bound as bracket
    from ..showing.account import Answers
    from ..showing.answers.comparisons import of_bracket
    from ..workspace.targets import gallery
    from .common.counterexamples import given_inputs

    found = chosen(targets, execute) or [m for m in gallery() if m.expect == "proved"]
    answered = one_by_one(
        found, lambda m: of_bracket(bracket(m, given_inputs(settings, m), effort=effort))
    )
    if not answered.found:
        return BAD_INPUT
    status = BAD_INPUT if answered.failed else 0
    return give(Answers("bound", tuple(answered.found), status), form, outputs)
