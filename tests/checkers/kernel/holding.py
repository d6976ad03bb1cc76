"""Whether concrete runs contradict a part of a certificate: its shifts, heads and bounds."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from shiftproof import Mechanism
from shiftproof.alignments.alignment import Alignment, annotated_shifts
from shiftproof.dsl.language.flow import HeadNode
from shiftproof.dsl.relations.cases import cases_of
from shiftproof.dsl.relations.program import Program
from tests.checkers.kernel.watching import Arrival, Reader, Unclear, Watched, watched
from tests.checkers.walking.certificates import program_of
from tests.loading import source


def annotated(text: str, shifts: list[str]) -> str:
    """A normalised program with the shifts of a certificate written into it as ``align``."""
    tree = ast.parse(text)
    waiting = iter(shifts)

    class Adding(ast.NodeTransformer):
        def visit_Assign(self, node: ast.Assign) -> Any:
            if not (isinstance(node.value, ast.Call) and _is_sample(node.value)):
                return node
            moved = Counting(tree).visit(ast.parse(next(waiting), mode="eval").body)
            align = f"align({ast.unparse(node.targets[0])}, {ast.unparse(moved)})"
            return [node, ast.parse(align).body[0]]

        def visit_Expr(self, node: ast.Expr) -> Any:
            call = node.value
            own = isinstance(call, ast.Call) and ast.unparse(call.func) == "align"
            return ast.Pass() if own else node

    Adding().visit(tree.body[-1])
    assert next(waiting, None) is None
    head = "from shiftproof import align, count, other, outcome\n"
    return head + ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class Counting(ast.NodeTransformer):
    """Gives conditions on records, as certificates write them, functions of their own."""

    def __init__(self, module: ast.Module) -> None:
        self._module = module

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func) != "count" or isinstance(node.args[0], ast.Name):
            return node
        names = {n.id for n in ast.walk(node.args[0]) if isinstance(n, ast.Name)} - {"record"}
        more = "".join(f", {n}" for n in sorted(names))
        own = f"of_record_{len(self._module.body)}"
        text = f"def {own}(record{more}): return {ast.unparse(node.args[0])}"
        self._module.body.insert(0, ast.parse(text).body[0])
        call = f"count({own}, {ast.unparse(node.args[1])}{more})"
        return ast.parse(call, mode="eval").body


def _is_sample(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "sample"


def with_shifts(certificate: dict[str, Any], part: dict[str, Any], folder: Path) -> Any:
    """The mechanism as Python runs it, with the shifts of one part."""
    text = annotated(program_of(certificate), part.get("shifts", []))
    return source(folder, text)[certificate["mechanism"]]


def contradictions(
    certificate: dict[str, Any], folder: Path, count: int = 12, seen: Counter[str] | None = None
) -> Iterator[str]:
    """What concrete runs say against a certificate of a proof, part by part."""
    seen = Counter() if seen is None else seen
    parts = [p for p in certificate["parts"] if p["case"] != "one-sided claims"]
    for k, part in enumerate(parts):
        mechanism: Mechanism[..., Any] = with_shifts(certificate, part, folder)
        program = mechanism.program
        case = list(cases_of(program.privacy, program.inputs))[k]
        alignment = Alignment(annotated_shifts(program), "annotated")
        for found in watched(program, case, alignment, count, seed=11 + k):
            seen["runs"] += 1
            yield from found.broken
            yield from _too_dear(program, case, part, found, seen)
            for arrival in found.arrivals:
                yield from _unlike(program, case, part, found, arrival, seen)


def _too_dear(
    program: Program, case: Any, part: dict[str, Any], found: Watched, seen: Counter[str]
) -> Iterator[str]:
    """The run costs more than the bounds allow, or these together are above the claim."""
    read = Reader(program, case, found, None)
    try:
        most = sum((read(r) * read(b) for r, b in part.get("costs", {}).items()), Fraction(0))
        if any(read(r) < 0 for r in part.get("costs", {})):
            yield f"a rate is negative: {part['costs']}"
    except (Unclear, SyntaxError):
        seen["unclear bounds"] += 1
        return
    from shiftproof.dsl.privacy.definitions import DPrivacy
    from shiftproof.dsl.relations.pairs import allowed
    from shiftproof.dsl.terms.linear import number
    from shiftproof.dsl.terms.substitution import Substitution

    left, right = found.example.left, found.example.right
    scalars = {n: number(v) for n, v in left.items() if not isinstance(v, tuple)}
    claimed = allowed(program.privacy, program.inputs, program.budget, left, right)
    budget = Fraction(Substitution(scalars).linear(claimed).constant)
    if isinstance(program.privacy, DPrivacy):  # the bounds are shares of the distance
        apart = allowed(program.privacy, program.inputs, number(1), left, right)
        most *= Fraction(apart.constant)
    assert found.costs is not None
    seen["bounds"] += 1
    if sum(found.costs.values()) > most:
        yield f"{found.example}: {found.costs} is more than {part['costs']}"
    if most > budget:
        yield f"{found.example}: {part['costs']} is more than {budget}"


def _unlike(
    program: Program,
    case: Any,
    part: dict[str, Any],
    found: Watched,
    arrival: Arrival,
    seen: Counter[str],
) -> Iterator[str]:
    """What the head says that is not so."""
    read = Reader(program, case, found, arrival)
    nodes = [k for k, n in enumerate(program.flow.nodes) if isinstance(n, HeadNode)]
    nodes.sort(key=lambda k: (program.flow.nodes[k].span.line, program.flow.nodes[k].span.column))  # type: ignore[union-attr]
    for head in part.get("heads", ()):
        if nodes[head["loop"]] != arrival.node or not _fits(head, arrival):
            continue
        for label, holds in _sayings(head, arrival):
            try:
                seen["sayings"] += 1
                if not holds(read):
                    yield f"{found.example}: {label} at {arrival}"
            except (Unclear, SyntaxError, KeyError, TypeError):
                seen["unclear sayings"] += 1
        return
    seen["no head"] += 1


def held(text: str) -> str:
    """What a certificate calls a variable, as the product does."""
    return text.replace("·", "@")


def _fits(head: dict[str, Any], arrival: Arrival) -> bool:
    for text, v in head.get("variables", {}).items():
        name = held(text)
        for side, kind in ((arrival.left, v["kind"]), (arrival.right, v.get("other_kind"))):
            value = side.get(name)
            if value is not None and value[0] != (kind or v["kind"]):
                return False
    return True


def _sayings(head: dict[str, Any], arrival: Arrival) -> Iterator[tuple[str, Any]]:
    for text in head.get("invariants", ()):
        yield text, lambda read, text=text: read(text)
    for rate, said in head.get("costs", {}).items():
        if said != "?":
            yield (
                f"cost({rate}) = {said}",
                lambda read, r=rate, s=said: read(f"cost({r})") == read(s),
            )
    for text, v in head.get("variables", {}).items():
        if v.get("value"):
            yield f"{text} = {v}", lambda read, t=text, v=v: read(t) == read(v["value"])
        other = v.get("other", "")
        if other and other != "?":
            yield f"{text} = {v}", lambda read, t=text, o=other: read(f"other({t})") == read(o)
        elif not other and v.get("other_kind", v["kind"]) == v["kind"]:
            yield f"{text} = {v}", lambda read, t=text: read(t) == read(f"other({t})")
