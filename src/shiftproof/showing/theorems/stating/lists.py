"""Lists of a program as values of the theory: what each step does to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ....checkers.kernel.language.steps import Make, Node, Pick, Store
from ..words.terms import NoTheorem, Reader, Sort, Term, number, of_sort, word

#: Steps that make, change or read a list.
ListStep: TypeAlias = Make | Store | Pick
#: Lists of numbers and of truth values, by what they hold.
LISTS: Mapping[Sort, Sort] = {"Z": "array Z", "R": "array R", "bool": "array bool"}
#: What lists hold.
ELEMENTS: Mapping[Sort, Sort] = {of: sort for sort, of in LISTS.items()}


def bound(node: ListStep, reader: Reader) -> Iterator[tuple[str, Sort]]:
    """What a step tells of the sorts of variables.

    Raises:
        LookupError: that of something in it is not known yet.
    """
    match node:
        case Make(target=target, fill=ast.expr() as fill):
            yield target, _list_of(target, reader.of(fill))
        case Store(array=array, value=value):
            yield array, _list_of(array, reader.of(value))
        case Pick(target=target):
            yield target, "Z"


def _list_of(name: str, element: Term) -> Sort:
    if element.sort not in LISTS:
        raise NoTheorem(f"the list {name}, which holds neither numbers nor truth values")
    return LISTS[element.sort]


def changed(node: ListStep, reader: Reader, sorts: Mapping[str, Sort]) -> dict[str, Term]:
    """The values of variables behind a step."""
    match node:
        case Make(target=target, fill=fill, length=length):
            sort = sorts[target]
            filled = nothing(ELEMENTS[sort]) if fill is None else reader.of(fill)
            size = of_sort(reader.of(length), "Z")
            return {target: word("filled", sort, size, of_sort(filled, ELEMENTS[sort]))}
        case Store(array=array, place=place, value=value):
            held = reader.variable(array)
            new = of_sort(reader.of(value), ELEMENTS[held.sort])
            if place is None:
                return {array: word("appended", held.sort, held, new)}
            index = of_sort(reader.of(place), "Z")
            return {array: word("stored", held.sort, held, index, new)}
        case Pick(target=target, array=array, size=None):
            held = reader.variable(array)
            if held.sort != "array R":
                raise NoTheorem("the place of the largest of whole numbers")
            return {target: word("argmax", "Z", held)}
    raise NoTheorem("the places of several largest numbers")


def nothing(sort: Sort) -> Term:
    """Any value of a sort."""
    if sort == "option Z":
        return word("None", sort)
    if sort in ELEMENTS:
        return word("filled", sort, number(0, "Z"), nothing(ELEMENTS[sort]))
    return Term("bool", "false") if sort == "bool" else number(0, sort)


def read(node: Node) -> set[str]:
    """The list that a step reads or changes."""
    return {node.array} if isinstance(node, Store | Pick) else set()


def source(node: ListStep) -> str:
    """A step as the text of the core language has it."""
    match node:
        case Make(target=target, fill=None):
            return f"{target} = []"
        case Make(target=target, fill=ast.expr() as fill, length=length):
            return f"{target} = [{ast.unparse(fill)}] * {ast.unparse(length)}"
        case Store(array=array, place=None, value=value):
            return f"{array}.append({ast.unparse(value)})"
        case Store(array=array, place=ast.expr() as place, value=value):
            return f"{array}[{ast.unparse(place)}] = {ast.unparse(value)}"
        case Pick(target=target, array=array, size=None):
            return f"{target} = argmax({array})"
        case Pick(target=target, array=array, size=ast.expr() as size):
            return f"{target} = top_k({array}, {ast.unparse(size)})"
    return ""
