"""``shiftproof export``: proofs as theorems for Rocq, which checks them by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common.answering import BAD_INPUT, chosen, examples, give, one_by_one
from .common.options import (
    Output,
    gallery_option,
    import_option,
    output_options,
    processes_option,
    targets_argument,
)
from .common.settings import check_named

if TYPE_CHECKING:
    from ..showing.theorems.folder import Exported
    from ..showing.theorems.rocq import Checked
    from ..workspace.importing import AnyMechanism


@click.command(
    epilog=examples("export --rocq theorems visits.py", "export --rocq theorems --check --gallery"),
    short_help="Write proofs as theorems for Rocq.",
)
@targets_argument(required=False)
@gallery_option
@click.option(
    "--rocq", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR",
    help="Where to; what is there of an export before is replaced.",
)  # fmt: skip
@click.option(
    "--check", "asks", is_flag=True, help="Have Rocq check all of it: needs coqc and Coquelicot."
)
@processes_option
@output_options
@import_option
def export(
    targets: tuple[str, ...],
    whole: bool,
    folder: Path,
    asks: bool,
    processes: int | None,
    execute: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Write proofs as theorems for Rocq: of each mechanism a statement to read, and its proof.

    DIR gets NAME.v with the statement and NAME_proof.v, the theory that they use, and a Makefile.
    TARGET is as for verify, and is verified; proofs of the gallery are taken from the package.

    \b
    Exit status:
      0  all is written and, with --check, accepted; of --gallery, what has no theorem is named
      1  Rocq rejects a theorem, or it rests on further axioms
      2  a TARGET has no theorem, or no proof
      3  shiftproof failed on a mechanism, it is unsupported, or the input is bad
    """
    from ..showing.answers.theorems import of_exports
    from ..showing.theorems.folder import check_own, write_folder
    from ..showing.theorems.rocq import found_coqc

    check_named(targets, whole, "mechanisms or files, as in 'visits.py'")
    check_own(folder)
    if asks:
        found_coqc()
    named = chosen(targets, execute)
    own = one_by_one(named, _exported)
    gallery = one_by_one(_gallery(named) if whole else [], _exported)
    found = [*own.found, *(one for one in gallery.found if one.proved)]
    write_folder(found, folder)
    checked = _checked(found, folder, processes) if asks else {}
    wanted = frozenset(one.mechanism for one in own.found)
    status = give(of_exports(found, checked, folder, wanted), form, outputs)
    return BAD_INPUT if own.failed or gallery.failed else status


def _gallery(named: Sequence[AnyMechanism]) -> list[AnyMechanism]:
    """The mechanisms of the gallery that are private, without those that are named."""
    from ..workspace.targets import gallery

    places = {str(mechanism.location) for mechanism in named}
    right = [mechanism for mechanism in gallery() if mechanism.expect == "proved"]
    return [mechanism for mechanism in right if str(mechanism.location) not in places]


def _exported(mechanism: AnyMechanism) -> Exported:
    from ..checkers.verify import verify
    from ..showing.theorems.folder import exported, reports_of_called, stored

    found = stored(mechanism)
    return found or exported(verify(mechanism), reports_of_called(mechanism))


def _checked(found: Sequence[Exported], folder: Path, processes: int | None) -> dict[str, Checked]:
    """What Rocq says of the theorems, by their names."""
    from ..showing.report import progress
    from ..showing.theorems.folder import theory_files
    from ..showing.theorems.rocq import build_theory, checked
    from ..workspace.executors import cores

    names = [one.theorem.name for one in found if one.theorem]
    if not names:
        return {}
    said: dict[str, Checked] = {}
    files = theory_files()
    with progress(len(files) + len(names)) as show:
        build_theory(folder, lambda file: show(files.index(file), file))
        for name, one in checked(folder, names, processes or cores()):
            said[name] = one
            show(len(files) + len(said), name)
    return said
