"""The two statements about noise: a sample, and the alignment that may follow it."""

from __future__ import annotations

import ast

from .noise import Distribution
from .parse_calls import Calls
from .source import span_of
from .syntax import Expression, Sample, Statement, Whole, names_in_other


def parse_sample(expressions: Calls, name: str, call: ast.Call, node: ast.stmt) -> Sample:
    """``name = sample(Distribution(…))``."""
    refuse = expressions.refuse
    draw = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(draw, ast.Call):
        raise refuse(
            call, "sample of something that is no distribution", "write sample(Laplace(scale))"
        )
    word, found, written = expressions.called(draw)
    if word == "unbound":
        raise expressions.undefined(written, draw)
    if word != "noise":
        raise refuse(draw, f"'{written}' is no noise distribution", "use Laplace, Exponential, …")
    assert isinstance(found, type) and issubclass(found, Distribution)
    arguments = _arguments(expressions, draw, found)
    return Sample(span_of(node), name, found, arguments)


def parse_alignment(expressions: Calls, node: ast.stmt, before: Statement | None) -> Sample:
    """``align(name, shift)`` right after its sample: the sample, with its shift."""
    refuse = expressions.refuse
    assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    call = node.value
    fits = len(call.args) == 2 and not call.keywords and isinstance(call.args[0], ast.Name)
    if not fits:
        raise refuse(
            call,
            "align takes a noise variable and its shift",
            "write align(noise, shift)",
            "never",
        )
    target = call.args[0]
    assert isinstance(target, ast.Name)
    drawn = expressions.variable_of.get(target.id, target.id)
    if not isinstance(before, Sample) or before.target != drawn or before.shift is not None:
        raise refuse(
            call,
            f"align of '{target.id}' that does not follow its sample",
            f"write it once, right after {target.id} = sample(…), where the shift is fixed",
            "never",
        )
    expressions.in_alignment = True
    shift = expressions.parse(call.args[1])
    expressions.in_alignment = False
    if drawn in names_in_other(shift):
        raise refuse(
            call,
            f"other(…) of '{target.id}' in its own alignment",
            "use the values before it",
            "never",
        )
    return Sample(before.span, before.target, before.distribution, before.arguments, shift)


def _arguments(
    expressions: Calls, call: ast.Call, distribution: type[Distribution]
) -> tuple[Expression, ...]:
    """A distribution's parameters in order, given by position or by name."""
    names = distribution.parameters
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given or keyword.arg not in names:
            raise expressions.refuse(
                call, f"the keyword '{keyword.arg}'", f"use {', '.join(names)}", "never"
            )
        given[keyword.arg] = keyword.value
    if len(call.args) > len(names) or set(given) != set(names):
        raise expressions.refuse(
            call,
            f"{distribution.__name__} with {len(given)} parameters",
            f"give {', '.join(names)}",
            "never",
        )
    if distribution.listed:
        return _listed(expressions, given[names[0]], distribution)
    return tuple(expressions.parse(given[name]) for name in names)


def _listed(
    expressions: Calls, node: ast.expr, distribution: type[Distribution]
) -> tuple[Expression, ...]:
    """The elements of a list that is written out, or a local list as it is."""
    if isinstance(node, ast.List) and node.elts:
        return tuple(map(expressions.parse, node.elts))
    if isinstance(node, ast.Name) and node.id in expressions.lists:
        expressions.check_list(node.id, node)
        return (Whole(span_of(node), node.id),)
    (name,) = distribution.parameters
    empty = isinstance(node, ast.List)
    raise expressions.refuse(
        node,
        f"{distribution.__name__} of {f'no {name}' if empty else 'something that is no list'}",
        "write [a, b, …], or make a list first and give its name",
        "never" if empty else "not yet",
    )
