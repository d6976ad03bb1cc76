"""A mechanism as one self-contained text, the same for every file that it could stand in.

The text is a Python module that needs nothing but this library.  It does not depend on where
the mechanism stands, on comments, formatting, types of variables, or the way names are imported.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from ..errors import BadInput, Unsupported
from ..language.declaration import Declaration
from ..mechanism import Mechanism
from ..noise import Distribution
from ..noise.own import TAKEN
from ..parsing.rewriting import Names, Piece, Pieces, Rewriting, named, source_name
from ..privacy.definitions import Privacy
from ..reading.rules import rule_of
from ..relations.program import Program
from ..static import UnreadMechanism, read_text
from ..terms.substitution import Substitution
from .claims import Claims

#: Longer texts are not read.
LONGEST_TEXT = 200_000
_SOURCES = ("builtins", "collections.abc", "fractions", "typing")


def normalised(mechanism: Mechanism[..., Any]) -> str:
    """The text that declares exactly this mechanism.

    ``read_normalised`` gives the same program back, and the same text again.

    Raises:
        Unsupported: the mechanism cannot be read, or something in it cannot be written down.
        BadInput: as for ``mechanism.program``.
    """
    _ = mechanism.program  # what cannot be read cannot be written
    for function in mechanism.privacy.functions:
        rule_of(function)
    try:
        return _text(mechanism)
    except RecursionError:
        raise Unsupported(
            "an expression or block that nests too deep",
            mechanism.location,
            "use variables or helper functions for parts of it",
        ) from None
    except Unsupported as error:
        if error.location is not None:
            raise
        raise Unsupported(error.message, mechanism.location, error.advice) from None


def _text(mechanism: Mechanism[..., Any]) -> str:
    pieces = Pieces()
    main = pieces.add(mechanism)
    for piece in pieces.order:
        if isinstance(piece.found, Declaration):
            pieces.local |= set(piece.found.inputs)
    names = Names(main.source.tree.name, pieces.local)
    names.keep(mechanism, main.source.tree.name)
    body = [_definition(piece, names) for piece in pieces.order]
    laws = [_law(law, names) for _, law in sorted(names.laws.items())]
    return "\n\n".join([_head(names), *laws, *body]) + "\n"


def _law(law: type[Distribution], names: Names) -> str:
    """A law of the file's own: what it states."""
    said = [f"    {name} = {value!r}" for name, value in sorted(TAKEN[law].items())]
    return "\n".join([f"class {law.__name__}({names.imported('Distribution')}):", *said])


def _definition(piece: Piece, names: Names) -> str:
    tree = Rewriting(piece, partial(named, names)).tree()
    tree.name = names.of_function(piece.found, tree.name)
    if isinstance(piece.found, Declaration):
        claims = Claims(names)
        tree.decorator_list = [
            claims.decorator(piece.found, lambda rule: names.of_function(rule, source_name(rule)))
        ]
        for parameter in tree.args.args:
            parameter.annotation = claims.annotation(piece.found.inputs[parameter.arg])
    return ast.unparse(ast.fix_missing_locations(tree))


def _head(names: Names) -> str:
    """The imports, and other names for builtins whose own are taken."""
    lines = []
    modules = [m for m in names.imports if m not in _SOURCES]
    for module in [*_SOURCES[1:], *modules]:
        wanted = sorted(names.imports.get(module, {}).items())
        if wanted:
            shown = [name if name == here else f"{name} as {here}" for name, here in wanted]
            lines.append(f"from {module} import {', '.join(shown)}")
    renamed = sorted(names.imports.get("builtins", {}).items())
    lines += [f"{here} = {name}" for name, here in renamed if name != here]
    return "\n".join(lines)


def fingerprint(text: str) -> str:
    """A short name for a text, which no other text shares."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_normalised(text: str) -> Mechanism[..., Any]:
    """The last mechanism that a text declares; nothing of the text is executed.

    Raises:
        BadInput: the text is too long, is no Python module, or declares no mechanism.
        Unsupported: only executing it would tell what the mechanism is.
    """
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"the text of a mechanism has {len(text)} characters; that is too long")
    found = read_text(text, "<normalised>")
    if not found:
        raise BadInput("the text declares no mechanism")
    mechanism = found[-1][1]
    if isinstance(mechanism, UnreadMechanism):
        raise mechanism.error
    return mechanism


def same_program(left: Program, right: Program) -> bool:
    """Whether two programs claim and do the same; where they stand does not count."""
    return _meaning(left) == _meaning(right)


def _meaning(program: Program) -> object:
    """What a program claims and does, that of the mechanisms that it calls included."""
    return (
        list(program.inputs.items()),
        Substitution().linear(program.budget),  # multiplied out, as texts are read
        Substitution().linear(program.delta),
        program.divisors,
        _claimed(program.privacy),
        _bare(program.preconditions),
        _bare(program.flow),
    )


def _claimed(privacy: Privacy) -> object:
    if privacy.functions:
        rules = map(rule_of, privacy.functions)
        told = tuple((rule.parameters, rule.condition) for rule in rules)
        return type(privacy), privacy.zcdp, told
    return privacy.exactly


def _bare(value: object) -> object:
    """A tree of data classes as plain tuples, without the places of its nodes."""
    if isinstance(value, Program):
        return _meaning(value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = (_bare(getattr(value, f.name)) for f in fields(value) if f.name != "span")
        return (type(value), *parts)
    if isinstance(value, tuple | list):
        return tuple(map(_bare, value))
    if isinstance(value, Mapping):
        return tuple((key, _bare(item)) for key, item in value.items())
    return value
