"""Noise of which nothing but ``top_k`` tells: what a text owes before Lemma 5 speaks of it.

Each draw goes into one element of one list, and nowhere else; and nobody reads the list before
``top_k`` has.  So all that is decided up to there is decided without these draws, and they may
as well be drawn there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..arithmetic import Wrong
from ..language.steps import Draw, Make, Node, Pick, Store, evaluated, following
from ..language.syntax import is_call
from .runs import Gaps, Run


def gaps_of(run: Run) -> Gaps | None:
    """The list of which gaps are kept, where a shift says so.

    Raises:
        Wrong: noise that is said to be in such a list gets elsewhere, or is no such noise.
    """
    nodes, shifts = run.mechanism.nodes, run.shifts
    draws = [n for n in nodes if isinstance(n, Draw) and is_call(shifts[n.site], "gaps")]
    if not draws:
        return None
    first, stores = draws[0], [nodes[n.after] for n in draws]
    arrays = {n.array if isinstance(n, Store) else "" for n in stores}
    picks = [n for n in nodes if isinstance(n, Pick) and n.array in arrays]
    laws = {(n.law, *map(ast.unparse, (*n.arguments, shifts[n.site]))) for n in draws}
    if len(laws) > 1 or len(arrays) > 1 or len(picks) != 1 or picks[0].size is None:
        raise Wrong("measure: gaps are those of one top_k, of one list, with noise of one law")
    match shifts[first.site]:
        case ast.Call(args=[low, high], keywords=[]) if first.law in ("Laplace", "Exponential"):
            said = (low, high, *first.arguments)
        case _:
            raise Wrong(f"measure: there are no gaps of {first.law} noise, or not so")
    if any(name not in run.kinds or not run.kinds[name].public for name in _read_in(said)):
        raise Wrong("measure: gaps of noise that is not of parameters")
    (array,), pick, noise = arrays, picks[0], {n.target for n in draws}
    before, after = _reached(nodes, run.mechanism.start, pick), _reached(nodes, pick.after, None)
    for n in nodes:
        read = _read_in(evaluated(n))
        bound = (getattr(n, "target", ""), *(getattr(n, "targets", None) or ()))
        stored = isinstance(n, Store) and n.array == array
        if isinstance(n, Store) and n in stores:
            # An element is a sum with a draw that was drawn for it; so no two have the same one.
            before_it = [m for m in nodes if nodes.index(n) in following(m)]
            names = {m.target for m in before_it if isinstance(m, Draw)}
            rest = _beside(n.value, names)
            elsewhere = _read_in((*rest, *(() if n.place is None else (n.place,))))
            drawn = all(m in draws for m in before_it) and nodes[run.mechanism.start] != n
            own = len(rest) == len(names) == 1 and drawn and not noise & elsewhere
            _owe(n, own, "an element is a value plus a draw of its own")
        else:
            _owe(n, not noise & read, f"the noise of {array} is read elsewhere")
            _owe(n, not stored, f"{array} has elements without noise")
        _owe(n, n not in before or array not in read, f"{array} is read before the gaps are")
        late = n in after and (n in draws or n is pick or stored or array in bound)
        _owe(n, not late, f"{array} changes after its gaps were read")
        other = (array in bound and not isinstance(n, Make)) or (pick.target in bound and n != pick)
        _owe(n, not other, f"{array} or {pick.target} has a second meaning")
    others = [e for e in shifts if not is_call(e, "gaps")]
    _owe(pick, not {array, *noise} & _read_in(others), f"a shift reads what is in {array}")
    return Gaps(array, pick.target, *said)


def _owe(n: Node, claim: bool, what: str) -> None:
    if not claim:
        raise Wrong(f"line {n.line}: measure: {what}")


def _beside(e: ast.expr, noise: set[str]) -> list[ast.expr]:
    """The other side of a sum with a draw; both sides, or none, if it is no such sum."""
    sides = (e.left, e.right) if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Add) else ()
    return [s for s in sides if not (isinstance(s, ast.Name) and s.id in noise)]


def _read_in(expressions: Sequence[ast.expr]) -> set[str]:
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
            waiting.extend(following(nodes[k]) if nodes[k] is not end else ())
    return list(found.values())
