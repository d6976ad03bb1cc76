"""``shiftproof completion``: the Tab key of a shell, and the script for it."""

from __future__ import annotations

import click

from .common.answering import examples, print_answer

#: Each shell with the file that it reads when it starts, or that it completes from.
_FILES = {
    "bash": "~/.local/share/bash-completion/completions/shiftproof",
    "zsh": "~/.zfunc/_shiftproof",
    "fish": "~/.config/fish/completions/shiftproof.fish",
}


@click.command(
    epilog=examples(*(f"completion {shell} > {file}" for shell, file in _FILES.items())),
    short_help="Print the script for the Tab key of a shell.",
)
@click.argument("shell", type=click.Choice(tuple(_FILES)))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script with which a shell completes commands, options and files.

    Save it where the shell looks for it, or try it at once: source it, or in bash
    eval "$(shiftproof completion bash)".  For zsh, ~/.zfunc must be in fpath before compinit.
    """
    from click.shell_completion import get_completion_class

    program = context.find_root()
    name = program.command.name or "shiftproof"
    kind = get_completion_class(shell)
    assert kind is not None, "click knows these shells"
    # Not source(), which for bash asks the bash that is here for its version.
    script = kind(program.command, {}, name, f"_{name.upper()}_COMPLETE")
    print_answer(script.source_template % script.source_vars())
    return 0
