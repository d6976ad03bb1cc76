"""A certificate as two files for Rocq: its statement, and the proof of it."""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...checkers.kernel.arithmetic import start_work
from ...checkers.kernel.check import relation_of
from ...checkers.kernel.claim.declared import declared_delta, is_zcdp, output_rules, steps
from ...checkers.kernel.language.steps import (
    Draw,
    Header,
    Mechanism,
    Node,
    Pick,
    Release,
    assigned,
)
from ...checkers.kernel.language.syntax import expression, is_call
from ...workspace.files import gallery_certificates
from .replaying.part import Part
from .replaying.proof import proof_text
from .stating.calls import Callee, returned_first
from .stating.machine import Machine
from .stating.statement import Statement
from .words.names import Names
from .words.terms import NoTheorem


@dataclass(frozen=True, slots=True)
class Theorem:
    """The two files of a theorem, by their names without ``.v``."""

    name: str
    statement: str
    proof: str


def theorem_of(certificate: Mapping[str, Any], beside: Sequence[Mapping[str, Any]] = ()) -> Theorem:
    """The theorem of a certificate that has been checked.

    Args:
        certificate: of the mechanism.
        beside: where those of the mechanisms that it calls are found, or else in the gallery.

    Raises:
        NoTheorem: it proves otherwise than by an alignment, or of what the theory has no words for.
    """
    start_work()  # it is read once more, by what the kernel reads it with
    name = str(certificate["mechanism"])
    statement, parts = _stated(certificate, beside)
    cases = [Part(statement, k, part) for k, part in enumerate(parts)]
    return Theorem(name, statement.text(), proof_text(name, cases))


def _stated(
    certificate: Mapping[str, Any], beside: Sequence[Mapping[str, Any]]
) -> tuple[Statement, list[Mapping[str, Any]]]:
    """The statement of a certificate, and what it says of each case."""
    name = str(certificate["mechanism"])
    if "enumeration" in certificate:
        raise NoTheorem("a proof by enumeration")
    if certificate.get("laws"):
        raise NoTheorem("noise of a law that is the user's own")
    mechanism = returned_first(certificate["core"])
    _check_claim(mechanism)
    inputs, relation = relation_of(mechanism)
    parts = certificate["parts"][: len(relation) - 1]
    if any(part.keys() & {"cells", "prices", "pure"} for part in parts):
        raise NoTheorem("a proof by sums")
    named = certificate.get("leans_on", {})
    callees = {
        called: _callee(stub, str(named[called]), beside)
        for called, stub in mechanism.called.items()
    }
    foretold = _foretold(mechanism, parts)
    if foretold and callees:
        raise NoTheorem("calls, where an outcome is foretold")
    machine = Machine(mechanism, inputs, _kept(mechanism, parts), callees)
    title = f"{name}: {certificate['claim'].split(';')[0]}.  The proof is in {name}_proof.v."
    return Statement(title, machine, relation[:-1], foretold), parts


def _callee(stub: Header, fingerprint: str, beside: Sequence[Mapping[str, Any]]) -> Callee:
    """What is called, with what its own certificate says."""
    for certificate in itertools.chain(beside, _of_gallery(stub.name)):
        if certificate.get("fingerprint") == fingerprint and certificate["kind"] == "proof":
            module = Names().of(stub.name)
            found = Callee(module, fingerprint, stub, *_stated(certificate, beside))
            found.check()
            return found
    raise NoTheorem(f"a call of {stub.name}, whose certificate is not at hand")


def _of_gallery(name: str) -> Iterator[Mapping[str, Any]]:
    for path in sorted(gallery_certificates().glob(f"*.{name}.json")):
        yield json.loads(path.read_bytes())


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
