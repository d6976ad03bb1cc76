"""Lists at the heads of loops: of all their elements it holds what is said of the witnesses."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....checkers.kernel.language.syntax import expression, is_call
from ..stating.lists import ELEMENTS
from ..words.terms import NoTheorem, Reader, Term, closed, of_sort, proposition, word
from .part import Part
from .witnesses import witnesses

#: What the indices are called that stand for any.
_ANY = {"witness(1)": "any", "witness(2)": "other_any"}


def premises(
    part: Part, k: int, head: Mapping[str, Any], reader: Callable[[str], Reader]
) -> Iterator[str]:
    """What a head says of the lists that a state holds."""
    m, said = part.statement.machine, head.get("variables", {})
    lists = [n for n in m.variables[k] if m.sorts[n] in ELEMENTS]
    of_elements: list[str] = []
    for name in lists:
        here, there = (reader(side).variable(name) for side in ("", "'"))
        same = name in part.said.get("alike", ()) or _is_same(name, said)
        if same:
            yield f"{there.text} = {here.text}"
        length = said.get(f"len({name})", {})
        if length.get("value"):
            value = of_sort(part.reader().of(expression(length["value"])), "Z")
            yield _equal(word("len", "Z", here), value)
        if "other" not in length and not same:
            yield _equal(word("len", "Z", there), word("len", "Z", here))
        for one in _ANY:
            element = f"{name}[{one}]"
            if element in said and "other" not in said[element] and not same:
                of_elements.append(f"other({element}) == {element}")
    of_elements += [i for i in head.get("invariants", ()) if witnesses(i)]
    yield from dict.fromkeys(_of_all(part, text, reader) for text in of_elements if _indexed(text))


def _is_same(name: str, said: Mapping[str, Any]) -> bool:
    """Whether a list has the same length, and elements, in both runs."""
    about = [held for of, held in said.items() if of == f"len({name})" or of.startswith(f"{name}[")]
    return f"{name}[witness(1)]" in said and not any(
        held.keys() & {"other", "other_kind"} for held in about
    )


def _indexed(text: str) -> list[str]:
    """The lists of which an invariant reads an element at a witness."""
    return sorted({
        n.value.id
        for n in ast.walk(expression(text))
        if isinstance(n, ast.Subscript)
        and isinstance(n.value, ast.Name)
        and is_call(n.slice, "witness")
    })  # fmt: skip


def _of_all(part: Part, text: str, reader: Callable[[str], Reader]) -> str:
    """What is said of witnesses, of all indices that the list has."""
    if part.pairs.constants:
        raise NoTheorem("lists beside places where answers differ")
    spoken_of = witnesses(text)
    names = dict(zip(spoken_of, _ANY.values(), strict=False))

    def of_any(side: str) -> Reader:
        base = reader(side)

        def special(e: ast.expr) -> Term | None:
            shown = ast.unparse(e) if is_call(e, "witness") else ""
            return word(names[shown], "Z") if shown else base.special(e)

        return replace(base, special=special, other=lambda: of_any("" if side else "'"))

    array = reader("").variable(_indexed(text)[0])
    guards = [f"({bound})%Z ->" for n in names.values() for bound in (
        f"0 <= {n}", f"{n} < len {array.text}"
    )]  # fmt: skip
    if len(names) > 1:
        guards.append(f"{' <> '.join(names.values())} ->")
    shown = closed(proposition(of_any("").test(expression(text))))
    return f"forall {' '.join(names.values())}, {' '.join(guards)} {shown}"


def _equal(left: Term, right: Term) -> str:
    return proposition(Term("bool", "=", (left, right)))
