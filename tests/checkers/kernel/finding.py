"""Certificates that are made by hand: trees are looked for, as a forger would."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from shiftproof.checkers.kernel.arithmetic import Condition, Wrong, start_work
from shiftproof.checkers.kernel.check import (
    VERSION,
    as_json,
    check,
    check_of_part,
    find_trees,
    relation_of,
)
from shiftproof.checkers.kernel.claim.policies import mechanism_budget
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.kernel.paired.powers import Registry
from shiftproof.checkers.kernel.paired.runs import Ask
from shiftproof.checkers.trees import Refuter
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.checkers.walking import certificate as structs
from shiftproof.dsl.normalise import core_text
from shiftproof.dsl.relations.program import Program

Part = dict[str, Any]


def finder(*, polynomials: bool = False) -> Ask:
    """Finds trees, with one refuter for all questions of a walk."""
    made: dict[int, Refuter] = {}

    def find(unknowns: Registry, conditions: Sequence[Condition]) -> str:
        if id(unknowns) not in made:
            made[id(unknowns)] = Refuter(unknowns, polynomials=polynomials)
        return made[id(unknowns)].tree(conditions) or "-"

    return find


def lines_of(text: str) -> list[str]:
    return textwrap.dedent(text).strip("\n").split("\n")


def certificate(core: Sequence[str], parts: Sequence[Part]) -> dict[str, Any]:
    """A certificate of a core text with these parts, in the order of the cases.

    Raises:
        Wrong: of something that is owed no tree is found.
    """
    start_work()
    mechanism = read("\n".join(core))
    kinds, relation = relation_of(mechanism)
    found = []
    for part, case in zip(parts, relation, strict=False):
        full = {"case": case.name, "relation": as_json(case), **part}
        found.append(
            full | {"trees": find_trees(check_of_part(mechanism, kinds, case, full), finder())}
        )
    return {"kind": "proof", "version": VERSION, "core": list(core), "parts": found}


def objection(text: str, part: Part | None = None, alone: Part | None = None) -> str:
    """What the kernel has against a mechanism, each case of which has this proof; else nothing.

    With ``alone`` there is a part about one-sided claims besides.
    """
    core = lines_of(text)
    try:
        start_work()
        _, relation = relation_of(read("\n".join(core)))
        parts = [part or {"costs": {"eps": "1"}}] * (len(relation) - 1)
        made = certificate(core, [*parts, *([] if alone is None else [alone])])
        check(made)
    except Wrong as error:
        return str(error) or "wrong"
    return ""


def checked(certificate: Any) -> str:
    """What the kernel has against a certificate as it is; nothing if it is right."""
    try:
        check(certificate)
    except Wrong as error:
        return str(error) or "wrong"
    return ""


def found_anew(certificate: Any) -> Any:
    """The certificate with trees that are looked for, as they would be if it were right.

    Raises:
        Wrong: there are none.
    """
    start_work()
    mechanism = read("\n".join(certificate["core"]))
    kinds, relation = relation_of(mechanism)
    cases = {case.name: case for case in relation}
    parts = [
        part
        | {
            "trees": find_trees(
                check_of_part(mechanism, kinds, cases[part["case"]], part), finder()
            )
        }
        for part in certificate["parts"]
    ]
    return certificate | {"parts": parts}


def problems(program: Program, parts: Sequence[structs.Part], budget: str = "{}") -> list[str]:
    """What the kernel has against the parts of a proof, for which trees are looked for.

    ``budget`` says what is claimed in the place of the program's own budget, which stands in it.
    """
    core = core_text(program)
    try:
        claimed = mechanism_budget(read("\n".join(core)).header) if budget != "{}" else ""
        kernel = Confirming(core, budget.format(f"({claimed})") if claimed else "")
        if [part.case for part in parts] != [case.name for case in kernel.cases[: len(parts)]]:
            return ["the cases are not those of the neighbour relation"]
    except Wrong as error:
        return [str(error)]
    found = []
    for part in parts:
        try:
            kernel.part(part)
        except Wrong as error:
            found.append(f"{part.case}: {error}")
    return found
