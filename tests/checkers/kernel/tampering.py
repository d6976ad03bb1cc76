"""Certificates that somebody changed: one to three fields, anywhere."""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from shiftproof import ShiftproofError
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import as_json, relation_of
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.walking.claims import (
    answer_claims,
    assumptions,
    claim_text,
    precondition_texts,
)
from shiftproof.dsl.normalise import core_text, normalised, read_normalised
from tests.checkers.walking.certificates import FILES, content, program_of, with_program

Json = Any
Certificate = dict[str, Any]
GALLERY = [content(path) | {"source": ""} for path in FILES]
#: No shift of a user's own says what is known before it, or given up: such proofs are not held
#: against runs here; ``test_forged_relaxed.py`` is about them.
PROOFS = [
    c
    for c in GALLERY
    if c["kind"] == "proof" and not re.search("ZCDP|zcdp|delta=", "".join(c["core"]))
]
REFUTATIONS = [c for c in GALLERY if c["kind"] == "refutation"]
#: These are checked in some hundredths of a second.
CHEAP = [c for c in PROOFS if len(str(c)) < 4000]

FLIPPED = {">=": ">", ">": ">=", "<=": "<", "<": "<=", "==": "!=", "!=": "=="}
TURNED = {">=": "<=", ">": "<", "<=": ">=", "<": ">", "==": ">=", "!=": "<"}


def shape(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a field is, wherever it stands: its names, without numbers and names of variables."""
    named = [str(p) for p in path]
    if "variables" in named:
        return ("variables", *named[named.index("variables") + 2 :])
    if "costs" in named:
        return ("costs",)
    return tuple(p for p in path if isinstance(p, str))


def fields(value: Json, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every field, inner ones too."""
    found: list[tuple[Any, ...]] = []
    if not isinstance(value, dict | list):
        return found
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((*path, key))
        found += fields(item, (*path, key))
    return found


def at(value: Json, path: tuple[Any, ...]) -> Json:
    for key in path:
        value = value[key]
    return value


POOL: dict[tuple[Any, ...], list[Json]] = {}
for _certificate in GALLERY:
    for _path in fields(_certificate):
        POOL.setdefault(shape(_path), []).append(at(_certificate, _path))


def put(certificate: Certificate, path: tuple[Any, ...], value: Json) -> None:
    at(certificate, path[:-1])[path[-1]] = value


def delete(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    del at(c, path[:-1])[path[-1]]


def duplicate(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    """An element once more; a named one under another name."""
    holder, value = at(c, path[:-1]), copy.deepcopy(at(c, path))
    if isinstance(holder, list):
        holder.insert(chance.randrange(len(holder) + 1), value)
    else:
        names = [p[-1] for p in map(tuple, fields(c)) if isinstance(p[-1], str)]
        holder[chance.choice(names)] = value


def swap(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    """Two fields of one kind."""
    same = [p for p in fields(c) if shape(p) == shape(path) and p[: len(path)] != path]
    apart = [p for p in same if path[: len(p)] != p]
    if apart:
        other = chance.choice(apart)
        one, two = at(c, path), at(c, other)
        put(c, path, two)
        put(c, other, one)


def from_another(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    put(c, path, copy.deepcopy(chance.choice(POOL.get(shape(path), ["?"]))))


def retold(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    """A text, number or truth value, a little different."""
    value = at(c, path)
    if isinstance(value, bool):
        put(c, path, not value)
    elif isinstance(value, int):
        put(c, path, value + chance.choice((-1, 1)))
    elif isinstance(value, str):
        put(c, path, chance.choice(TEXTUAL)(value, chance))
    elif isinstance(value, list):
        chance.shuffle(value)
    elif isinstance(value, dict) and value:
        at(c, path).pop(chance.choice(sorted(value)))


def another(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    """One more invariant: one that is there, weaker or stronger by one."""
    heads = [h for p in c.get("parts", ()) for h in p.get("heads", ()) if h.get("invariants")]
    if heads:
        said = chance.choice(heads)["invariants"]
        more = chance.choice(("1 + {}", "1 + {}", "{} - 1", "2*{}"))
        left, separator, right = chance.choice(said).partition(" >= ")
        plain = separator and not re.search(" (or|and) ", left + right)
        said.append(more.format(f"({left})") + separator + right if plain else f"not ({left})")


def number_by_one(text: str, chance: random.Random) -> str:
    numbers = list(re.finditer(r"(?<![\w·])\d+", text))
    if not numbers:
        return chance.choice((f"{text} + 1", f"{text} - 1", f"2*({text})"))
    found = chance.choice(numbers)
    value = max(0, int(found[0]) + chance.choice((-1, 1)))
    return text[: found.start()] + str(value) + text[found.end() :]


def comparison(text: str, chance: random.Random) -> str:
    found = list(re.finditer(r">=|<=|==|!=|>|<", text))
    if not found:
        return f"-({text})"
    one = chance.choice(found)
    other = chance.choice((FLIPPED, TURNED))[one[0]]
    return text[: one.start()] + other + text[one.end() :]


def negated(text: str, chance: random.Random) -> str:
    return f"not ({text})" if re.search("[<>=]", text) else f"-({text})"


def name(text: str, chance: random.Random) -> str:
    """One name in place of another one in the text, or a part of it left out."""
    names = list(re.finditer(r"[A-Za-z_][\w·]*", text))
    if not names:
        return "?"
    one, two = chance.choice(names), chance.choice(names)
    return text[: one.start()] + two[0] + text[one.end() :]


def respaced(text: str, chance: random.Random) -> str:
    return f"({text.replace(' + ', '+')})"


TEXTUAL: tuple[Callable[[str, random.Random], str], ...]
TEXTUAL = (number_by_one, number_by_one, comparison, comparison, negated, name, respaced)


def reprogrammed(c: Certificate, path: tuple[Any, ...], chance: random.Random) -> None:
    """Another program, in its normal form, its hash right; often its claims are told anew."""
    try:
        tree = ast.parse(program_of(c))
    except (SyntaxError, ValueError, TypeError):
        return  # an edit before this one
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.Compare | ast.BinOp)]
    nodes += [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in SIMILAR]  # type: ignore[misc]
    node: Any = chance.choice(nodes)
    match node:
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant(value=int() | float() as value):
            node.value = chance.choice((value + 1, value - 1, value * 2, value / 2))
        case ast.Constant(value=str()):
            node.value = chance.choice(("all", "one", "both", "decreasing", "increasing", "proved"))
        case ast.Compare(ops=[_]):
            node.ops = [chance.choice((ast.Lt, ast.LtE, ast.Gt, ast.GtE))()]
        case ast.BinOp():
            node.op = chance.choice((ast.Add, ast.Sub, ast.Mult, ast.Div))()
        case ast.Name():
            node.id = chance.choice(SIMILAR[node.id])
    text = ast.unparse(tree) + "\n"
    imports = ", ".join(sorted(n for n in SIMILAR if n not in ("min", "max")))
    try:
        mechanism = read_normalised(f"from shiftproof import {imports}\n{text}")
        text, program = normalised(mechanism), mechanism.program
    except (ShiftproofError, ValueError, ZeroDivisionError):
        c.update(with_program(c, text))
        return
    c.update(with_program(c, text))
    if chance.random() < 0.8:
        try:
            retell(c, program)
        except (ShiftproofError, Wrong, TypeError, KeyError, AttributeError):
            pass  # there is no such relation, or an edit before was in the way


def retell(c: Certificate, program: Any) -> None:
    """The claims of a certificate, as those of this program."""
    c["claim"] = claim_text(program)
    c["preconditions"] = list(precondition_texts(program))
    c["assumptions"] = list(assumptions(program))
    if c["kind"] == "refutation":
        c["counterexample"]["claim"] = c["claim"]
        return
    c["one_sided"] = [s for s in answer_claims(program) if c["one_sided"]]
    c["core"] = list(core_text(program, bodies="enumeration" in c))
    *cases, _ = relation_of(read("\n".join(c["core"])))[1]
    for part, case in zip(c["parts"], cases):
        part["case"], part["relation"] = case.name, as_json(case)
    c["parts"] = c["parts"][: len(cases)] if len(c["parts"]) > len(cases) + 1 else c["parts"]


SIMILAR = {
    name: group
    for group in (
        ("Laplace", "Exponential", "NegativeExponential"),
        ("TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric"),
        ("Counts", "Histogram"),
        ("Public", "Private"),
        ("DP", "ADP"),
        ("min", "max"),
    )
    for name in group
}

EDITS: tuple[Callable[[Certificate, tuple[Any, ...], random.Random], None], ...]
EDITS = (
    retold,
    retold,
    retold,
    retold,
    from_another,
    from_another,
    another,
    delete,
    duplicate,
    swap,
)


#: Maps whose names are the author's.
OPEN = tuple(
    (name,) for name in ("variables", "costs", "epsilon", "public", "left", "right", "records")
)


def tampered(chance: random.Random, proofs: bool = True) -> tuple[Certificate, Certificate]:
    """A certificate of the gallery, and the same with one to three fields changed."""
    if proofs:
        original = chance.choice(CHEAP if chance.random() < 0.6 else PROOFS)
    else:
        original = chance.choice(REFUTATIONS)
    changed = copy.deepcopy(original)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if chance.random() < 0.3 and "program" in changed:
            reprogrammed(changed, ("program",), chance)
            continue
        paths = fields(changed)
        inner = "parts" if proofs else "counterexample"
        if chance.random() < 0.92:  # where a proof is
            out = ("relation", "trees") if chance.random() < 0.8 else ("relation",)
            within = [p for p in paths if p[0] == inner and not set(out) & set(p)]
            paths = within or paths
        if chance.random() < 0.7:  # a leaf, not a whole part
            paths = [p for p in paths if not isinstance(at(changed, p), dict | list)] or paths
        edit = chance.choice(EDITS)
        if edit in (delete, duplicate) and chance.random() < 0.8:  # else the schema objects
            paths = [p for p in paths if isinstance(p[-1], int) or p[-2:-1] in OPEN]
        if paths:
            with suppress(AttributeError, KeyError, TypeError):  # an edit before was in the way
                edit(changed, chance.choice(paths), chance)
    return original, changed
