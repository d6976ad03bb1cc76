"""The functions of a privacy definition, read once: like helpers, but of both inputs."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from types import FunctionType
from typing import Any

from ..errors import BadInput, Location
from ..language.declaration import source_of
from ..language.scope import Scope
from ..language.source import span_of
from ..language.syntax import names_in_other
from ..parsing.helpers import HelperBody, Helpers
from ..privacy.definitions import Privacy
from ..privacy.definitions.base import Function
from ..relations.pairs import Rule, as_rule


def read_definition(privacy: Privacy) -> Privacy:
    """The definition with what its functions say in their places.

    Raises:
        BadInput, Unsupported: as :func:`rule_of`.
    """
    given = {f.name: getattr(privacy, f.name) for f in fields(privacy) if not f.kw_only}
    rules: dict[str, Any] = {n: rule_of(v) for n, v in given.items() if callable(v)}
    return replace(privacy, **rules) if rules else privacy


def rule_of(function: Function) -> Rule:
    """Read a function; what was read stays as it is.

    Raises:
        BadInput: it is no plain function, or its source cannot be read.
        Unsupported: it does more than compute.
    """
    return function if isinstance(function, Rule) else _read(function)


@cache
def _read(function: Function) -> Rule:
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        return as_rule(function)  # which it is not
    source = source_of(function)
    a = source.tree.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults:
        where = Location(source.file, source.tree.lineno, 1)
        raise BadInput(
            f"the rule '{function.__name__}' has unusual parameters; plain ones are needed", where
        )
    names = tuple(parameter.arg for parameter in a.args)
    expressions = Helpers(source, Scope(function), (), set(names))
    expressions.bound = set(names)
    renamed: dict[str, str] = {}
    with expressions.inside_helper(renamed, source.tree, function.__name__):
        expressions.in_alignment = True  # a rule speaks of both inputs
        condition = HelperBody(expressions, renamed, source.tree).value(source.tree.body)
    strange = sorted(name.partition("@")[0] for name in names_in_other(condition) - set(names))
    if strange:
        raise source.refuse(
            span_of(source.tree),
            f"other(…) of '{strange[0]}', which '{function.__name__}' assigns",
            "write other(…) of parameters that are not assigned",
        )
    return Rule(source, names, condition)
