"""Noise of which nothing but ``top_k`` tells: what the text owes before Lemma 5 may speak of it.

Each draw goes into one element of one list, and nowhere else; and nobody reads the list before
``top_k`` has.  So all that is decided up to there is decided without these draws, and they may
as well be drawn there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..arithmetic import Wrong
from ..language.steps import (
    Assign,
    Branch,
    Called,
    Draw,
    End,
    Head,
    Make,
    Node,
    Pick,
    Store,
    evaluated,
)
from ..language.syntax import is_call
from .runs import Gaps, Run

#: Laws of which the lemma is shown.
LAWS = ("Laplace", "Exponential")


def gaps_of(run: Run) -> Gaps | None:
    """The list of which gaps are kept, where a shift says so.

    Raises:
        Wrong: noise that is said to be in such a list gets elsewhere, or is no such noise.
    """
    nodes, shifts = run.mechanism.nodes, run.shifts
    draws = [n for n in nodes if isinstance(n, Draw) and is_call(shifts[n.site], "gaps")]
    if not draws:
        return None
    laws = {(n.law, *map(ast.unparse, (*n.arguments, shifts[n.site]))) for n in draws}
    stores = [nodes[n.after] for n in draws]
    arrays = {n.array if isinstance(n, Store) else "" for n in stores}
    picks = [n for n in nodes if isinstance(n, Pick) and n.array in arrays]
    shift, law, scale = shifts[draws[0].site], draws[0].law, draws[0].arguments[:1]
    assert isinstance(shift, ast.Call)
    if len(laws) > 1 or len(arrays) > 1 or len(picks) != 1 or picks[0].size is None:
        raise Wrong("measure: gaps are those of one top_k, of one list, with noise of one law")
    if law not in LAWS or len(scale) != 1 or len(shift.args) != 2 or shift.keywords:
        raise Wrong(f"measure: there are no gaps of {law} noise, or not by such a shift")
    said = (*shift.args, *scale)
    if any(name not in run.kinds or not run.kinds[name].public for name in _names(said)):
        raise Wrong("measure: gaps of noise that is not of parameters")
    (array,), pick, noise = arrays, picks[0], {n.target for n in draws}
    for draw, store in zip(draws, stores, strict=True):
        assert isinstance(store, Store)
        rest = _summands(store.value, draw.target)
        behind = [n for n in nodes if draw.after in _after(n)]
        # An element is a sum with a draw that was drawn for it; so no two have the same one.
        if (
            len(rest) != 1
            or any(n not in draws for n in behind)
            or run.mechanism.start == draw.after
        ):
            raise Wrong(f"line {store.line}: measure: an element is a value plus a draw of its own")
        if noise & _names((*rest, *(() if store.place is None else (store.place,)))):
            raise Wrong(f"line {store.line}: measure: the draw is read twice")
    before, after = _reached(nodes, run.mechanism.start, pick), _reached(nodes, pick.after, None)
    for n in nodes:
        if n not in stores and noise & _names(evaluated(n)):
            raise Wrong(f"line {n.line}: measure: the noise of {array} is read elsewhere")
        if n in before and array in _names(evaluated(n)):
            raise Wrong(f"line {n.line}: measure: {array} is read before the gaps are")
        stored = isinstance(n, Store) and n.array == array
        late = n in after and (n in draws or n is pick or stored or array in _bound(n))
        if late or (stored and n not in stores):
            raise Wrong(f"line {n.line}: measure: {array} changes other than by its noise")
        if (array in _bound(n) and not isinstance(n, Make)) or (
            pick.target in _bound(n) and n is not pick
        ):
            raise Wrong(f"line {n.line}: measure: a second meaning of {array} or {pick.target}")
    others = [e for e in shifts if not is_call(e, "gaps")]
    if {array, *noise} & _names(others):
        raise Wrong(f"measure: a shift reads what is in {array}")
    return Gaps(array, pick.target, *said)


def _summands(e: ast.expr, noise: str) -> list[ast.expr]:
    """The other side of a sum with a draw; both sides if neither is the draw."""
    if not isinstance(e, ast.BinOp) or not isinstance(e.op, ast.Add):
        return []
    return [s for s in (e.left, e.right) if not (isinstance(s, ast.Name) and s.id == noise)]


def _names(expressions: Sequence[ast.expr]) -> set[str]:
    """The names that are read; how long a list is says nothing of what is in it."""
    found, waiting = set(), list[ast.AST](expressions)
    while waiting:
        e = waiting.pop()
        if isinstance(e, ast.Name):
            found.add(e.id)
        if not is_call(e, "len"):
            waiting.extend(ast.iter_child_nodes(e))
    return found


def _reached(nodes: Sequence[Node], start: int, end: Node | None) -> list[Node]:
    """The steps from one on, up to another one; with that one."""
    found: dict[int, Node] = {}
    waiting = [start]
    while waiting:
        k = waiting.pop()
        if k not in found:
            found[k] = nodes[k]
            waiting.extend(_after(nodes[k]) if nodes[k] is not end else ())
    return list(found.values())


def _after(n: Node) -> tuple[int, ...]:
    match n:
        case Branch():
            return (n.yes, n.no)
        case Head():
            return (n.body, n.exit)
        case End():
            return ()
    return (n.after,)


def _bound(n: Node) -> tuple[str, ...]:
    """The names that a step gives a meaning."""
    match n:
        case Assign() | Called():
            return n.targets or ()
        case Draw() | Make() | Pick():
            return (n.target,)
    return ()
