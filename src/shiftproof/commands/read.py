"""``shiftproof read``: a function of a library, as a mechanism of the language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common.answering import examples
from .common.options import reading_option, target_argument

if TYPE_CHECKING:
    from ..libraries.text import Written


@click.command(
    epilog=examples(
        "read grr.py::GRR_Client --reading grr.toml",
        "read grr.toml",
        "read grr.toml::grr --write grr_read.py",
    ),
    short_help="Read a function of a library as a mechanism.",
)
@target_argument("target")
@reading_option
@click.option(
    "--write", "output", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the mechanism there, as a file of Python; of one function.",
)  # fmt: skip
def read(target: str, reading: Path | None, output: Path | None) -> int:
    """Read a function of a library as it stands, and print the mechanism that it is.

    Nothing is executed.  Beside each line stands that of the library, below what was taken for
    granted.  TARGET is FILE.py::function or FILE.py::Class.method with --reading, or a file of
    readings, TOML or TOML::name.  verify, refute and bound take the same.

    \b
    Exit status:
      0  all was read
      3  something is not read: the line and the reason are printed
    """
    from ..dsl.errors import BadInput, Unsupported
    from ..libraries.mechanisms import SUFFIX, chosen, mechanism_of
    from ..showing.printable import shortened
    from ..workspace.files import writable, write_whole

    if reading is not None:
        library, _, function = target.rpartition("::")
        if not library:
            raise BadInput(f"{target}: want FILE.py::function or FILE.py::Class.method")
        file, found = reading, chosen(reading, library, function)
    else:
        place, _, function = target.partition("::")
        file = Path(place)
        if file.suffix != SUFFIX:
            raise BadInput(f"{target}: want --reading TOML, which says what its inputs are")
        found = chosen(file, function=function)
    if output is not None:
        if len(found) > 1:
            raise BadInput(f"--write: {target} has {len(found)} functions; want one")
        writable(output)
    status = 0
    for one in found:
        try:
            written, _ = mechanism_of(one, file)
        except Unsupported as error:
            click.echo(f"{one.called}: not read\n{shortened(str(error))}\n", err=True)
            status = 3
            continue
        click.echo(_beside(one.called, written))
        if output is not None:
            write_whole(output, written.text.encode())
    return status


def _beside(called: str, written: Written) -> str:
    """The lines of a mechanism beside those of the library."""
    from ..showing.printable import relative

    width = min(max(len(text) for text, _ in written.lines) + 2, 72)
    module = written.module
    place = f"{relative(str(module.path))}:{written.line}"
    found = [f"{called}, from {place}", f"SHA-256 {module.sha256}"]
    last = ("", 0)
    for text, at in written.lines:
        beside = "" if at == last else f"{at[1]:>5}  {written.source(at)}"
        last = at
        if len(text) < width:
            found.append(f"{text:<{width}}| {beside}")
        else:
            found += [text, f"{'':<{width}}| {beside}"] if beside else [text]
    found += [f"taken for granted: {one}" for one in dict.fromkeys(written.taken)]
    return "\n".join(line.rstrip() for line in found) + "\n"
