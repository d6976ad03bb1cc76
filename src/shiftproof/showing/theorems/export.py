"""A certificate as two files for Rocq: its statement, and the proof of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...checkers.kernel.arithmetic import start_work
from ...checkers.kernel.check import relation_of
from ...checkers.kernel.claim.declared import declared_delta, is_zcdp, output_rules, steps
from ...checkers.kernel.language.steps import Draw, Mechanism, Node, Pick, Release, assigned
from ...checkers.kernel.language.syntax import expression, is_call
from ...checkers.kernel.language.text import read
from .replaying.part import Part
from .replaying.proof import proof_text
from .stating.machine import Machine
from .stating.statement import Statement
from .words.terms import NoTheorem


@dataclass(frozen=True, slots=True)
class Theorem:
    """The two files of a theorem, by their names without ``.v``."""

    name: str
    statement: str
    proof: str


def theorem_of(certificate: Mapping[str, Any]) -> Theorem:
    """The theorem of a certificate that has been checked.

    Raises:
        NoTheorem: it proves otherwise than by an alignment, or of what the theory has no words for.
    """
    start_work()  # it is read once more, by what the kernel reads it with
    name = str(certificate["mechanism"])
    if "enumeration" in certificate:
        raise NoTheorem("a proof by enumeration")
    if certificate.get("laws"):
        raise NoTheorem("noise of a law that is the user's own")
    mechanism = read("\n".join(certificate["core"]))
    _check_claim(mechanism)
    inputs, relation = relation_of(mechanism)
    parts = certificate["parts"][: len(relation) - 1]
    if any(part.keys() & {"cells", "prices", "pure"} for part in parts):
        raise NoTheorem("a proof by sums")
    machine = Machine(mechanism, inputs, _kept(mechanism, parts))
    title = f"{name}: {certificate['claim'].split(';')[0]}.  The proof is in {name}_proof.v."
    foretold = _foretold(mechanism, parts)
    statement = Statement(title, machine, relation[:-1], foretold)
    cases = [Part(statement, k, part) for k, part in enumerate(parts)]
    return Theorem(name, statement.text(), proof_text(name, cases))


def _check_claim(mechanism: Mechanism) -> None:
    header = mechanism.header
    if is_zcdp(header):
        raise NoTheorem("a claim of ρ")
    if declared_delta(header):
        raise NoTheorem("a claim with a δ")
    if output_rules(header):
        raise NoTheorem("a claim about some outputs only")
    if steps(header) > 1:
        raise NoTheorem("a claim about chains of neighbours")


def _foretold(mechanism: Mechanism, parts: list[Mapping[str, Any]]) -> bool:
    """Whether a proof speaks of the whole numbers that will come out."""
    texts = [s for part in parts for s in part.get("shifts", ())]
    texts += [n for part in parts for head in part.get("heads", ()) for n in head["variables"]]
    nodes = [n for text in texts for n in ast.walk(expression(text))]
    if any(isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.In) for n in nodes):
        raise NoTheorem("a shift that reads which set of indices is picked")
    found = any(is_call(n, "outcome") for n in nodes)
    # The kernel counts what is picked among what is foretold; here it is what is released.
    if found and not all(_released_next(mechanism, n) for n in mechanism.nodes):
        raise NoTheorem("a pick that is foretold, and not released at once")
    return found


def _released_next(mechanism: Mechanism, node: Node) -> bool:
    """Whether what a step picks, if it does, is all that the next one releases."""
    if not isinstance(node, Pick):
        return True
    match mechanism.nodes[node.after]:
        case Release(values=(ast.Name(id=name),)):
            return name == node.target
    return False


def _kept(mechanism: Mechanism, parts: list[Mapping[str, Any]]) -> dict[int, set[str]]:
    """The variables that the proof speaks of: in shifts, where they draw, and at loop heads."""
    found: dict[int, set[str]] = {}
    variables = {n for node in mechanism.nodes for n in assigned(node)}
    for part in parts:
        for k, node in enumerate(mechanism.nodes):
            if isinstance(node, Draw):
                read_there = _read(part.get("shifts", [])[node.site]) - {node.target}
                found.setdefault(k, set()).update(read_there & variables)
        for head in part.get("heads", ()):
            at = mechanism.loops[head["loop"]]
            found.setdefault(at, set()).update({*head.get("variables", {})} & variables)
    return found


def _read(text: str) -> set[str]:
    return {n.id for n in ast.walk(expression(text)) if isinstance(n, ast.Name)}
