"""Certificates: what one says is taken apart, each part checked, and the statement printed."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from .arithmetic import Condition, Wrong, start_work
from .claim.declared import declared_delta, is_zcdp, output_rules, steps
from .claim.policies import (
    Case,
    Kind,
    cases,
    claimed_delta,
    kinds,
    mechanism_budget,
    whole_budget,
)
from .language.stated import assumed, stated
from .language.steps import Ensure, Mechanism
from .language.syntax import parsed
from .language.text import read
from .paired.powers import Registry
from .paired.runs import Ask
from .paired.walk import ONE_SIDED, Part

#: The version of the certificates that are read, and the largest file of one.
VERSION, LARGEST_FILE = 2, 4_000_000
#: What Python raises where a certificate is not made as one is.
_UNREADABLE = (
    LookupError, TypeError, AttributeError, ValueError, ArithmeticError, AssertionError,
)  # fmt: skip


#: Checks a part of a proof, asking for trees; the number of questions.
Check = Callable[[Ask], int]


class Checked(NamedTuple):
    """What a certificate proves: the statement, and how many questions were answered."""

    statement: str
    questions: int


def check_file(data: bytes) -> Checked:
    """Check the bytes of a certificate.

    Raises:
        Wrong: it does not prove what it says.
    """
    if len(data) > LARGEST_FILE:
        raise Wrong(f"{len(data)} bytes; a certificate has at most {LARGEST_FILE}")
    try:
        return check(json.loads(data))
    except (ValueError, RecursionError):
        raise Wrong("no certificate: the file is no JSON") from None


def check(certificate: Any) -> Checked:
    """Check a certificate as JSON has it.

    Raises:
        Wrong: it does not prove what it says.
    """
    start_work()
    try:
        if certificate["kind"] != "proof" or certificate["version"] != VERSION:
            raise Wrong(f"no certificate of a proof in version {VERSION}")
        lines = certificate["core"]
        if not all(line.isprintable() for line in lines):
            raise Wrong("a text with what cannot be printed")
        text = "\n".join(lines)
        # What is printed is what was read, and not how it was written.
        laws = stated(certificate.get("laws", {}))
        return _checked(read(text, laws), ast.unparse(parsed(text, "exec")), certificate)
    except _UNREADABLE as error:
        raise Wrong(f"no certificate: {type(error).__name__}: {error}") from None
    except RecursionError:
        raise Wrong("something in it nests too deep") from None


def _checked(mechanism: Mechanism, text: str, certificate: Mapping[str, Any]) -> Checked:
    own, relation = relation_of(mechanism)
    parts, finite, asked = certificate.get("parts", []), "", 0
    owed = relation[:-1]
    if "enumeration" in certificate:
        part, owed = certificate["enumeration"], []
        asked += replay(part, check_of_laws(mechanism, own, relation[:-1], part))
        finite = "" if part["complete"] else f"at most {part['largest']}"
    proved = [*owed, relation[-1]] if len(parts) > len(owed) else owed
    if [part["case"] for part in parts] != [case.name for case in proved]:
        raise Wrong("the cases are not those of the neighbour relation")
    if len({part.get("pure", "") for part in parts[: len(owed)]}) > 1:
        raise Wrong("ρ follows from one ε, both ways")
    for part, case in zip(parts, proved, strict=True):
        if part["relation"] != as_json(case):
            raise Wrong(f"the relation is not the one of policy and inputs: {as_json(case)}")
        asked += replay(part, check_of_part(mechanism, own, case, part))
    if any("ensures" in part for part in parts[: len(owed)]):
        raise Wrong("a part that is not about one-sided claims ensures something")
    ensured = parts[-1].get("ensures", []) if len(proved) > len(owed) else []
    claims = {n.line: n.claim for n in mechanism.nodes if isinstance(n, Ensure)}
    if not set(ensured) <= claims.keys() or len(set(ensured)) < len(ensured):
        raise Wrong("in one of the lines that are said to be ensured, nothing is")
    said = [ast.unparse(claims[line]) for line in ensured]
    return Checked(_statement(mechanism, text, own, relation[:-1], said, finite), asked)


def relation_of(mechanism: Mechanism) -> tuple[dict[str, Kind], list[Case]]:
    """The kinds of the inputs, and the cases; in the last one, of one-sided claims, D′ is D."""
    own, relation = kinds(mechanism.header), list(cases(mechanism))
    same = {}
    for name, kind in own.items():
        if not kind.public:
            first = "same" if kind.attributes else f"{name}[any]" if kind.array else name
            same[name] = (first, *kind.alone)
    return own, [*relation, Case(ONE_SIDED, (), same, "", "")]


def check_of_part(mechanism: Mechanism, own: dict[str, Kind], case: Case, part: Any) -> Check:
    """The check of one case, by an alignment or by sums, which are loaded for such proofs only."""
    if case.name == ONE_SIDED or not part.keys() & {"cells", "prices"}:
        # Sums say nothing of what is ensured.
        return lambda ask: Part(mechanism, own, case, part, ask).check()
    if declared_delta(mechanism.header):
        raise Wrong("no δ is known of what is summed")
    if "prices" in part:
        from .sums.blocks import BlockPart

        return lambda ask: BlockPart(mechanism, own, case, part, ask).check()
    from .sums.comparison import check_sums

    return lambda ask: check_sums(mechanism, own, case, part["cells"], ask)


def check_of_laws(
    mechanism: Mechanism, own: dict[str, Kind], relation: list[Case], part: Any
) -> Check:
    """The check of a proof by enumeration, of all cases."""
    if declared_delta(mechanism.header):
        raise Wrong("no δ is known of what is enumerated")
    from .enumeration.counting import check_enumeration

    return lambda ask: check_enumeration(mechanism, own, relation, part, ask)


def replay(part: Mapping[str, Any], check: Check) -> int:
    """Check a part with the trees that stand in it; the number of questions.

    Raises:
        Wrong: a tree does not show what is owed, or one is left over.
    """
    trees: Iterator[str] = iter(part.get("trees", ()))
    asked = check(lambda *question: next(trees, "-"))
    if next(trees, None) is not None:
        raise Wrong("there are more trees than questions")
    return asked


def find_trees(check: Check, ask: Ask) -> list[str]:
    """The trees of a part, which are checked as they are found by ``ask``.

    Raises:
        Wrong: something is owed of which none is found.
    """
    trees = []

    def asking(unknowns: Registry, conditions: Sequence[Condition]) -> str:
        trees.append(ask(unknowns, conditions))
        return trees[-1]

    check(asking)
    while trees and trees[-1] == "-":
        trees.pop()
    return trees


def as_json(case: Case) -> dict[str, Any]:
    """The relation of a case as a certificate writes it down."""
    found: dict[str, Any] = {
        "facts": list(case.facts),
        "inputs": {name: list(texts) for name, texts in case.inputs.items()},
        "budget": case.budget,
        "distance": case.distance,
    }
    return {name: said for name, said in found.items() if said}


_OF_PROTECTED = """\
  P[M(D) ends, with an output in S] ≤ exp(β) · P[M(D′) ends, with an output in S]
      for all S of outputs that are protected by {1};
  any other output is released on one value only, of which {0} is false."""
_INEQUALITIES = """\
  1. P[M(D) ends, with output in S] ≤ exp(β) · P[M(D′) ends, with output in S]
  2. P[M(D) releases n values or more, the first n in S] ≤ exp(β) · P[M(D′) does]"""
_APPROXIMATE = """\
  1. P[M(D) ends, with output in S] ≤ exp(β) · P[M(D′) ends, with output in S] + δ
  2. P[M(D) releases n values or more, the first n in S] ≤ exp(β) · P[M(D′) does] + δ"""
_DIVERGENCES = """\
  1. ∫ p^α q^(1 − α) ≤ exp(α (α − 1) β) for all α > 1, where p and q are the densities of
     the outputs in S with which M(D) and M(D′) end, with respect to any measure
  2. the same of the first n values, where they are in S, of runs that release as many"""


def _statement(
    mechanism: Mechanism,
    text: str,
    own: dict[str, Kind],
    relation: Sequence[Case],
    ensured: Sequence[str],
    finite: str,
) -> str:
    """What is proved, in words, for whoever reads the text that stands in it."""
    public = [text for kind in own.values() for text in kind.facts]
    whole = ", ".join(name for name, kind in own.items() if kind.whole or kind.attributes)
    said = ["The mechanism M is", "", *(f"    {line}" for line in text.split("\n")), ""]
    if whole:
        said += [f"where integers are in {whole}.", ""]
    said += ["For all public inputs that meet its asserts and", f"    {', '.join(public)},", ""]
    if finite:
        said += [f"and are of these sizes: {finite},", ""]
    said += [
        "all inputs D and D′ (any: every index; other(…): on D′) that meet the facts of a case"
    ]
    for case in relation:
        said.append(
            f"  case {case.name!r}, β = {_budget(mechanism, case)}:"
            if case.name
            else f"  β = {_budget(mechanism, case)}:"
        )
        for name, (first, *facts) in case.inputs.items():
            shown = f"{name}[any]" if own[name].array else name
            said.append("    " + "; ".join([f"other({shown}) == {first}", *facts]))
        said += [f"    {fact}" for fact in case.facts]
    rules = output_rules(mechanism.header)
    inequalities = _OF_PROTECTED.format(*rules) if rules else _INEQUALITIES
    if is_zcdp(mechanism.header):
        inequalities = _DIVERGENCES
    if declared_delta(mechanism.header):
        inequalities = f"with δ = {claimed_delta(mechanism.header)},\n\n{_APPROXIMATE}"
    if any(kind.array and not kind.public for kind in own.values()):
        said += ["Sequences are as long in D as in D′."]
    said += ["", "and all measurable S and all n:", "", inequalities, ""]
    if (most := steps(mechanism.header)) > 1:
        total = whole_budget(mechanism.header)
        said += [
            f"So they hold, with β = {total}, of the ends of any chain of {most} such pairs.",
            "",
        ]
    if ensured:
        said += [f"Whenever a run comes to ensure({claim}), that is so." for claim in ensured] + [
            ""
        ]
    if mechanism.called:
        names = ", ".join(mechanism.called)
        said += [f"This holds of any {names} of which what the heads above claim is true.", ""]
    said += [assumed(name, law) for name, law in mechanism.laws.items()]
    said.append("Outputs are the values released, one by one; return of a tuple releases each.")
    said.append("Arithmetic is that of real numbers; noise is ideal, independent and fresh.")
    return "\n".join(said)


def _budget(mechanism: Mechanism, case: Case) -> str:
    plain = case.budget or mechanism_budget(mechanism.header)
    return f"({plain}) * ({case.distance})" if case.distance else plain


def main(arguments: Sequence[str]) -> int:
    """Check files from the command line, and print what each one proves; 1 if one does not."""
    worst = 0
    for name in arguments:
        try:
            found = check_file(Path(name).read_bytes())
        except (Wrong, OSError) as error:
            _print(f"{name}: not proved: {error}", sys.stderr)
            worst = 1
            continue
        said = f"{name}: proved, {found.questions} questions answered\n\n{found.statement}\n"
        _print(said, sys.stdout)
    if not arguments:
        _print("usage: kernel.py CERTIFICATE...", sys.stderr)
    return worst if arguments else 2


def _print(text: str, stream: TextIO) -> None:
    """Print; what a terminal has no letters for, as ε, in a way that it has."""
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)
