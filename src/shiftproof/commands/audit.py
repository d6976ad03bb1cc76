"""``shiftproof audit``: look for an event that breaks ε, by sampling."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..workspace.interrupts import Interrupts
from .common.answering import INTERRUPTED, examples, print_found
from .common.options import (
    executor_option,
    import_option,
    json_option,
    plot_option,
    samples_option,
    seed_option,
    set_option,
    target_argument,
)

if TYPE_CHECKING:
    from ..checkers.auditing.audit import Prepared
    from ..workspace.executors import Opener

VIOLATION = 1


@click.command(
    epilog=examples(
        "audit noisy.py::noisy --import --relation number --epsilon 0.5 --samples 3e6",
        'audit --command "python noisy.py" --relation all:5 --epsilon 1',
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
    "--relation", metavar="R", help="How answers differ: number, all:5, one-falling:5, …",
)  # fmt: skip
@click.option(
    "--sensitivity", type=float, default=1.0, show_default=True, metavar="S",
    help="By how much an answer of --relation moves at most.",
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
    help="What the ideal mechanism may be above the claim, in nats.",
)  # fmt: skip
@click.option(
    "--judge", type=click.Choice(["ideal", "code"]),
    help="The mechanism, or the bits of its floats too (default but for the language).",
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
@json_option
def audit(
    target: str | None,
    command: str | None,
    epsilon: float | None,
    relation: str | None,
    sensitivity: float,
    pairs: Path | None,
    settings: tuple[str, ...],
    samples: int,
    confidence: float,
    tolerance: float,
    judge: Any,
    bound: bool,
    black_box: bool,
    one_sided: bool,
    seed: int | None,
    executor: str,
    plot: Path | None,
    execute: bool,
    as_json: bool,
) -> int:
    """Look for an event that is likelier on D than ε allows, by sampling.

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
    from ..workspace.executors import opener

    opened = opener(executor)
    if one_sided:
        if plot or command or relation or pairs or epsilon is not None:
            raise click.UsageError("--one-sided goes with TARGET, --samples, --confidence, --seed")
        return _one_sided(target, execute, samples, confidence, seed, opened, as_json)
    if plot is not None:
        from ..showing.plots.drawing import check_drawable

        check_drawable(plot)
    with redirect_stdout(sys.stderr), Interrupts() as interrupts:
        prepared = _prepared(
            target, command, execute, settings,
            epsilon=epsilon, relation=relation, sensitivity=sensitivity,
            pairs=None if pairs is None else _read(pairs), samples=samples, confidence=confidence,
            tolerance=tolerance, judge=judge, stop=not bound, exact=not black_box, seed=seed,
        )  # fmt: skip
        from ..showing.report import rate_shown

        with rate_shown(samples) as show, opened() as where:
            prepared.run(where, show, interrupts.allowed)
        result = prepared.result()
    from ..showing import audits
    from ..showing.report import prints_unicode

    if plot is not None:
        audits.draw(result, plot)
    print_found(
        as_json, lambda: audits.as_json(result), lambda: audits.as_text(result, prints_unicode())
    )
    if result.verdict == "violation found":
        return VIOLATION
    return INTERRUPTED if result.interrupted else 0


def _one_sided(
    target: str | None,
    execute: bool,
    samples: int,
    confidence: float,
    seed: int | None,
    opened: Opener,
    as_json: bool,
) -> int:
    from ..checkers.auditing.one_sided import audit_one_sided
    from ..workspace.audit_targets import target_of

    with redirect_stdout(sys.stderr), opened() as where:
        found = audit_one_sided(
            target_of(target, None, execute), samples=samples, confidence=confidence, seed=seed,
            executor=where,
        )  # fmt: skip
    print_found(as_json, found.as_json, found.as_text)
    return VIOLATION if found.verdict == "refuted" else 0


def _read(file: Path) -> list[tuple[Any, ...]]:
    from ..workspace.audit_targets import pairs_of_file

    return pairs_of_file(file)


def _prepared(
    target: str | None, command: str | None, execute: bool, settings: tuple[str, ...], **given: Any
) -> Prepared:
    from ..checkers.auditing.audit import prepare
    from ..dsl.errors import BadInput
    from ..dsl.mechanism import Mechanism
    from ..workspace.audit_targets import target_of
    from .common.counterexamples import given_inputs

    found = target_of(target, command, execute)
    if isinstance(found, Mechanism):
        return prepare(found, given=given_inputs(settings, found), **given)
    if settings:
        raise BadInput("--set: only mechanisms of the language have public inputs by name")
    return prepare(found, **given)
