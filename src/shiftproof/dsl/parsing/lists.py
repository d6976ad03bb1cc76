"""The statements about lists and about noise."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from fractions import Fraction

from ..language.scope import word_of
from ..language.source import span_of
from ..language.statements import Assign, MakeList, Pick, Sample, Statement, Store
from ..language.syntax import Arithmetic, Cell, Constant, Expression, Name, Whole, names_in_other
from ..noise import Distribution
from .calls import Calls
from .expressions import ARITHMETIC, dotted_name

# The statements about lists: make one, store into it, pick indices by it.
#
# A list has a fixed length and one name.  Nothing else is a list: a second name for one, a
# list inside a list, or one that is released would let a later store be seen elsewhere.


def list_names(nodes: Iterable[ast.AST], expressions: Calls) -> set[str]:
    """The variables that are made as lists somewhere in a function."""
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and makes_list(node.value, expressions)
    }


def makes_list(value: ast.expr | None, expressions: Calls) -> bool:
    """Whether an assigned value is a new list."""
    if isinstance(value, ast.List):
        return True
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return isinstance(value.left, ast.List) or isinstance(value.right, ast.List)
    # Looked up without a trace: helpers of the function are not known yet when names are listed.
    name = dotted_name(value.func) if isinstance(value, ast.Call) else None
    if name is None or expressions.is_local(name.partition(".")[0]):
        return False
    return word_of(expressions.scope.lookup(name)) == "top_k"


def parse_list(
    expressions: Calls, target: ast.expr, value: ast.expr, node: ast.stmt
) -> tuple[Statement, ...]:
    """``a = [fill] * length``, ``a = [x, y]``, ``a[i] = value``, ``i = argmax(a)``, ``top_k``.

    Nothing if the statement is none of these.
    """
    if isinstance(target, ast.Subscript):
        cell = _cell(expressions, target)
        return (Store(span_of(node), cell.array, expressions.parse(value), cell.index),)
    if isinstance(value, ast.List) and isinstance(target, ast.Name):
        return _literal(expressions, target.id, value, node)
    picked = _picks(value, expressions)
    if picked is not None:
        assert isinstance(value, ast.Call)
        name = _plain_name(expressions, target)
        return (parse_pick(expressions, expressions.variable_of.get(name, name), value, node),)
    if not makes_list(value, expressions):
        return ()
    assert isinstance(value, ast.BinOp)
    one, length = value.left, value.right
    if isinstance(length, ast.List):
        one, length = length, one
    if not isinstance(one, ast.List) or len(one.elts) != 1:
        raise expressions.refuse(node, "a list of several values", "write [value] * length")
    fill = expressions.parse(one.elts[0])
    name = _plain_name(expressions, target)
    return (MakeList(span_of(node), name, fill, expressions.parse(length)),)


def _literal(
    expressions: Calls, name: str, value: ast.List, node: ast.stmt
) -> tuple[Statement, ...]:
    """``a = [x, y]``: the values first, for they may read an earlier list of the same name."""
    # before:  a = [x, y]                      after:  v@1, v@2 = x, y
    #                                                  a = [v@1] * 2; a[0] = v@1; a[1] = v@2
    span = span_of(node)
    if not value.elts:
        return (MakeList(span, name, None, Constant(span, Fraction(0), "int")),)
    values = tuple(map(expressions.parse, value.elts))
    names = tuple(expressions.fresh("value") for _ in values)
    reads = [Name(span, n) for n in names]
    size = Constant(span, Fraction(len(names)), "int")
    stores = (
        Store(span, name, read, Constant(span, Fraction(k), "int")) for k, read in enumerate(reads)
    )
    return (Assign(span, names, values), MakeList(span, name, reads[0], size), *stores)


def parse_append(expressions: Calls, node: ast.stmt) -> Statement | None:
    """``a.append(value)``, if the statement is that."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    owner = call.func.value
    if not isinstance(owner, ast.Name) or owner.id not in expressions.lists:
        return None
    if call.func.attr != "append" or len(call.args) != 1 or call.keywords:
        advice = "a list of the language can be indexed, stored into and appended to"
        raise expressions.refuse(node, f"'{call.func.attr}' of a list", advice)
    expressions.check_list(owner.id, owner)
    return Store(span_of(node), owner.id, expressions.parse(call.args[0]), None)


def parse_pick(expressions: Calls, target: str, call: ast.Call, node: ast.stmt) -> Pick:
    """A call of ``argmax`` or ``top_k``."""
    word, _, _ = expressions.called(call)
    wanted = 2 if word == "top_k" else 1
    if len(call.args) != wanted or call.keywords:
        shown = "top_k(values, k)" if wanted == 2 else "argmax(values)"
        raise expressions.refuse(
            call, f"{word} of {len(call.args)} arguments", f"write {shown}", "never"
        )
    values = call.args[0]
    if not isinstance(values, ast.Name) or values.id not in expressions.arrays:
        raise expressions.refuse(
            call, f"{word} of something that is no sequence", "store the values in a list first"
        )
    expressions.check_list(values.id, values)
    expressions.check_random_access(values.id, values)
    count = expressions.parse(call.args[1]) if wanted == 2 else None
    return Pick(span_of(node), target, values.id, count)


def store_into(
    expressions: Calls, target: ast.Subscript, op: ast.operator, value: ast.expr, node: ast.stmt
) -> Statement:
    """``a[i] += value`` and its kin."""
    if type(op) not in ARITHMETIC:
        raise expressions.refuse(node, "this assignment operator", "use += -= *= /= //= %=")
    cell, span = _cell(expressions, target), span_of(node)
    total = Arithmetic(span, ARITHMETIC[type(op)], cell, expressions.parse(value))
    return Store(span, cell.array, total, cell.index)


def picks(value: ast.expr | None, expressions: Calls) -> bool:
    """Whether an expression is a call of ``argmax``."""
    return _picks(value, expressions) == "argmax"


def _picks(value: ast.expr | None, expressions: Calls) -> str | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name | ast.Attribute):
        word = expressions.called(value)[0]
        return word if word in ("argmax", "top_k") else None
    return None


def _cell(expressions: Calls, target: ast.Subscript) -> Cell:
    if not isinstance(target.value, ast.Name) or target.value.id not in expressions.lists:
        raise expressions.refuse(
            target, "a store into something that is no list of its own", "make a list first"
        )
    read = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    cell = expressions.parse(read)
    assert isinstance(cell, Cell)
    return cell


def _plain_name(expressions: Calls, target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return target.id
    raise expressions.refuse(target, "a list inside something else", "give the list a name")


# The two statements about noise: a sample, and the alignment that may follow it.


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
        count = len(call.args) + len(call.keywords)
        law, wanted = distribution.__name__, ", ".join(names)
        centred = names == ("scale",) and count == 2
        raise expressions.refuse(
            call,
            f"{law} with {count} parameters",
            f"give {wanted}" + (f" only: {law} noise has no other place than 0" * centred),
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
