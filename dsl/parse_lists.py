"""The statements about lists: make one, store into it, pick indices by it.

A list has a fixed length and one name.  Nothing else is a list: a second name for one, a
list inside a list, or one that is released would let a later store be seen elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from fractions import Fraction

from .parse_calls import Calls
from .parse_expressions import ARITHMETIC, dotted_name
from .scope import word_of
from .source import span_of
from .syntax import Arithmetic, Assign, Cell, Constant, MakeList, Name, Pick, Statement, Store


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
        return (Store(span_of(node), cell.array, cell.index, expressions.parse(value)),)
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
        Store(span, name, Constant(span, Fraction(k), "int"), read) for k, read in enumerate(reads)
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
    return Store(span_of(node), owner.id, None, expressions.parse(call.args[0]))


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
    return Store(span, cell.array, cell.index, total)


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
