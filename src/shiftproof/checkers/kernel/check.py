"""Certificates: what is said in one is taken apart, and each part checked."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .arithmetic import Wrong, start_work
from .policies import Case, Kind, cases, kinds
from .relation import as_json
from .runs import Ask
from .text import Mechanism, read
from .walk import ONE_SIDED, Part

#: The version of the certificates that are read, and the largest file of one.
VERSION, LARGEST = 2, 4_000_000


class Proved(NamedTuple):
    """What a certificate proves: the statement, on what it leans, and how much was asked."""

    statement: tuple[str, ...]
    leans_on: dict[str, str]
    questions: int


def check_file(data: bytes) -> Proved:
    """Check the bytes of a certificate.

    Raises:
        Wrong: it does not prove what it says.
    """
    if len(data) > LARGEST:
        raise Wrong(f"{len(data)} bytes; a certificate has at most {LARGEST}")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Wrong("no certificate: the file is no JSON") from None
    return check(found)


def check(certificate: Any) -> Proved:
    """Check a certificate.

    Raises:
        Wrong: it does not prove what it says.
    """
    start_work()
    try:
        if certificate["kind"] != "proof" or certificate["version"] != VERSION:
            raise Wrong(f"no certificate of a proof in version {VERSION}")
        mechanism = read("\n".join(certificate["core"]))
        return _checked(mechanism, certificate)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, AssertionError) as error:
        raise Wrong(f"no certificate: {type(error).__name__}: {error}") from None
    except RecursionError:
        raise Wrong("something in it nests too deep") from None


def _checked(mechanism: Mechanism, certificate: Mapping[str, Any]) -> Proved:
    own, relation = kinds(mechanism.header), list(cases(mechanism))
    parts, asked = certificate["parts"], 0
    if parts and parts[-1]["case"] == ONE_SIDED:
        relation.append(same_case(own, relation[0]))
    if [part["case"] for part in parts] != [case.name for case in relation]:
        raise Wrong("the cases are not those of the neighbour relation")
    for part, case in zip(parts, relation, strict=True):
        if part["relation"] != as_json(case):
            raise Wrong(f"the relation is not the one of policy and inputs: {as_json(case)}")
        asked += check_part(mechanism, own, case, part)
    return Proved(statement(mechanism, own, relation, parts), certificate["leans_on"], asked)


def check_part(mechanism: Mechanism, own: dict[str, Kind], case: Case, part: dict[str, Any]) -> int:
    """Check the proof of one case; the number of questions.

    Raises:
        Wrong: a tree does not show what is owed, or one is left over.
    """
    trees: Iterator[str] = iter(part["trees"])

    def ask(*question: object) -> str:
        return next(trees, "-")

    asked = Part(mechanism, own, case, part, ask).check()
    if next(trees, None) is not None:
        raise Wrong("there are more trees than questions")
    return asked


def prove_part(
    mechanism: Mechanism, own: dict[str, Kind], case: Case, part: dict[str, Any], ask: Ask
) -> list[str]:
    """The trees of a part, which are checked as they are found by ``ask``.

    Raises:
        Wrong: something is owed of which none is found.
    """
    trees = []

    def asking(*question: Any) -> str:
        trees.append(ask(*question))
        return trees[-1]

    Part(mechanism, own, case, part, asking).check()
    return trees


def same_case(own: dict[str, Kind], case: Case) -> Case:
    """D′ is D: what a run knows then, it knows of D alone."""
    inputs = {}
    for name, texts in case.inputs.items():
        kind = own[name]
        first = "same" if kind.attributes else f"{name}[i]" if kind.array else name
        alone = [
            t for t in texts[1:] if not any(isinstance(n, ast.Call) for n in ast.walk(ast.parse(t)))
        ]
        inputs[name] = (first, *alone)
    return Case(ONE_SIDED, (), inputs, "", "")


def fingerprint(core: list[str]) -> str:
    """A name for a text, which no other text shares."""
    return "sha256:" + hashlib.sha256("\n".join(core).encode()).hexdigest()


def statement(
    mechanism: Mechanism, own: dict[str, Kind], relation: list[Case], parts: list[Any]
) -> tuple[str, ...]:
    """What is proved, in words, for whoever reads the text beside it."""
    return ()
