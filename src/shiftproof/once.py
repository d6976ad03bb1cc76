"""An option that is given twice, of which a command would silently take the last."""

from __future__ import annotations

from collections import Counter

import click


def check_given_once(command: click.Command, context: click.Context, given: list[str]) -> None:
    """Make sure that no option with a value stands twice, unless it may.

    Args:
        command: what is called; of a group, its own command is looked at as well.
        context: that of the group which holds the command.
        given: what was typed after the command's name.

    Raises:
        UsageError: an option does.
    """
    inner = click.Context(command, context, info_name=command.name, resilient_parsing=True)
    try:
        _, rest, order = command.make_parser(inner).parse_args(list(given))
    except click.UsageError:
        return  # the command itself says so, with its own usage
    times = Counter(id(parameter) for parameter in order)
    for parameter in order:
        once = isinstance(parameter, click.Option) and not (
            parameter.multiple or parameter.count or parameter.is_flag
        )
        if once and times[id(parameter)] > 1:
            raise click.UsageError(f"{parameter.opts[-1]} is given more than once", inner)
    if isinstance(command, click.Group) and rest:
        nested = command.get_command(inner, rest[0])
        if nested is not None:
            check_given_once(nested, inner, rest[1:])
