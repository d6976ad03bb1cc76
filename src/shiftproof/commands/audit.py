"""``shiftproof audit``: look for an event that breaks ε, by sampling."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..workspace.interrupts import Interrupts
from .common.answering import INTERRUPTED, examples, give
from .common.options import (
    Output,
    executor_option,
    import_option,
    output_options,
    plot_option,
    samples_option,
    seed_option,
    set_option,
    target_argument,
)

if TYPE_CHECKING:
    from ..showing.account import Account, Place


@click.command(
    epilog=examples(
        "audit noisy.py::noisy --import --relation number --epsilon 0.5 --samples 3e6",
        'audit --command "python noisy.py" --relation all:5 --epsilon 1 --delta 1e-6',
        "audit noisy_max_value --seed 1",
    ),
    short_help="Look for an event that breaks ε, by sampling.",
)
@target_argument("target", required=False)
@click.option(
    "--command", metavar="COMMAND",
    help="Audit a program that answers requests in JSON lines, instead of TARGET.",
)  # fmt: skip
@click.option(
    "--epsilon", type=float, metavar="E",
    help="The claim, in nats; of a mechanism of the language, its own by default.",
)  # fmt: skip
@click.option(
    "--delta", type=float, metavar="D",
    help="The δ of the claim, from 0 to below 1; the bound is of the ε at this δ; of a mechanism "
    "of the language that claims one, its own by default, otherwise 0.",
)  # fmt: skip
@click.option(
    "--rho", type=float, metavar="R",
    help="Another claim, instead of --epsilon: R-zCDP; its own of a mechanism that claims a ρ.",
)  # fmt: skip
@click.option(
    "--relation", metavar="R", help="How answers differ: number, all:5, one-falling:5, …",
)  # fmt: skip
@click.option(
    "--sensitivity", type=float, default=1.0, show_default=True, metavar="S",
    help="By how much an answer of --relation moves at most.",
)  # fmt: skip
@click.option(
    "--between", nargs=2, type=float, metavar="LOW HIGH",
    help="Look for answers between two numbers that break the claim, as neighbours of --relation.",
)  # fmt: skip
@click.option(
    "--records", type=click.Path(path_type=Path), metavar="FILE",
    help="Look for data sets that break it: JSON with the columns of their records.",
)  # fmt: skip
@click.option(
    "--pairs", type=click.Path(path_type=Path), metavar="FILE",
    help="Ordered pairs of inputs: a JSON list of [D, D'].",
)  # fmt: skip
@set_option
@samples_option(default="1e6")
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, metavar="C",
    help="Of a violation that is found, and of the bound.",
)  # fmt: skip
@click.option(
    "--tolerance", type=float, default=0.0, show_default=True, metavar="T",
    help="What the ideal mechanism may be above the claim, in nats, or of ρ.",
)  # fmt: skip
@click.option(
    "--judge", type=click.Choice(["ideal", "code"]),
    help="The mechanism, or the bits of its floats too (default but for the language).",
)  # fmt: skip
@click.option(
    "--batch", metavar="NAME",
    help="The parameter of a function that gets how many outputs it is to give at a time; by "
    "default size, n_samples, samples or n without a default.",
)  # fmt: skip
@click.option("--bound", is_flag=True, help="Go on after a violation, to bring up the bound.")
@click.option(
    "--black-box", is_flag=True, help="Do not look into a mechanism of the language.",
)  # fmt: skip
@click.option(
    "--one-sided", is_flag=True,
    help="Audit what its ensures say instead: a single wrong answer refutes them.",
)  # fmt: skip
@seed_option()
@executor_option
@plot_option
@import_option
@output_options
def audit(
    target: str | None,
    command: str | None,
    between: tuple[float, float] | None,
    records: Path | None,
    pairs: Path | None,
    settings: tuple[str, ...],
    batch: str | None,
    bound: bool,
    black_box: bool,
    one_sided: bool,
    executor: str,
    plot: Path | None,
    execute: bool,
    form: str,
    outputs: Sequence[Output],
    **given: Any,
) -> int:
    """Look for an event that is likelier on D than the claim allows, by sampling.

    TARGET is a mechanism (file.py::name, module::name, a name of the gallery), or with --import
    any function.  What is found is wrong with probability at most 1 - C; that nothing is found
    proves nothing, and the table says what could have been seen.  --set keeps public inputs of a
    mechanism of the language at a value.  Without --seed one is drawn, and told.  Ctrl-C stops it
    and prints the evidence so far.

    \b
    Exit status:
      0    no violation was found, or no wrong answer
      1    a violation was found, or a wrong answer
      3    the input is bad, or the mechanism unsupported
      130  it was stopped before a violation was found
    """
    from ..workspace.audit_targets import pairs_of_file, space_of_file, target_of
    from ..workspace.executors import opener

    opened = opener(executor)
    claimed = (given["epsilon"], given["delta"], given["rho"])
    others = (plot, command, pairs, between, records, given["relation"], *claimed)
    if one_sided and any(other is not None for other in others):
        raise click.UsageError("--one-sided goes with TARGET, --samples, --confidence, --seed")
    if plot is not None:
        from ..showing.plots.drawing import check_drawable

        check_drawable(plot)
    if one_sided:
        from ..checkers.auditing.one_sided import audit_one_sided
        from ..showing.answers import results

        same = {name: given[name] for name in ("samples", "confidence", "seed")}
        with redirect_stdout(sys.stderr), opened() as where:
            found = target_of(target, command, execute, batch)
            seen = audit_one_sided(found, executor=where, **same)
        return _give(results.of_one_sided(seen, _place(found)), form, outputs)
    with redirect_stdout(sys.stderr), Interrupts() as interrupts:
        from ..checkers.auditing.audit import prepare
        from ..checkers.auditing.boxes.spaces import AnswerSpace
        from ..dsl.errors import BadInput
        from ..dsl.mechanism import Mechanism
        from ..showing.report import rate_shown
        from .common.counterexamples import given_inputs

        found = target_of(target, command, execute, batch)
        if isinstance(found, Mechanism):
            given["given"] = given_inputs(settings, found)
        elif settings:
            raise BadInput("--set: only mechanisms of the language have public inputs by name")
        if pairs is not None:
            given["pairs"] = pairs_of_file(pairs)
        if between is not None:
            if given["relation"] is None:
                raise BadInput("--between: want --relation beside it, as in --relation all:5")
            moves = given["relation"], *between, given["sensitivity"]
            given |= {"space": AnswerSpace(*moves), "relation": None}
        if records is not None:
            if between is not None:
                raise BadInput("--records: want it without --between")
            given["space"] = space_of_file(records)
        prepared = prepare(found, stop=not bound, exact=not black_box, **given)
        with rate_shown(given["samples"]) as show, opened() as where:
            prepared.run(where, show, interrupts.allowed)
        result = prepared.result()
    if plot is not None:
        from ..showing.plots.audit import plot_audit
        from ..showing.plots.drawing import save

        save(plot_audit(result), plot)
    from ..showing.answers import results

    account = results.of_audit(result, _place(found))
    return _give(account, form, outputs, INTERRUPTED if result.interrupted else 0)


def _give(account: Account, form: str, outputs: Sequence[Output], otherwise: int = 0) -> int:
    from ..showing.account import Answers

    answers = Answers("audit", (account,), account.status or otherwise, single=True)
    return give(answers, form, outputs)


def _place(target: Any) -> Place:
    """Where what is audited stands; nowhere if it is a program."""
    from ..showing.account import Place
    from ..showing.printable import relative

    location = getattr(target, "location", None)
    target = getattr(target, "function", target)
    if location is not None:
        return Place(relative(location.file), location.line)
    return Place(relative(getattr(target, "place", "")))
