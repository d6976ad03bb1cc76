"""Certificates that somebody tampered with: whatever of them the kernel accepts must be true.

The text of the mechanism, what a proof says of it, and its trees are changed at random.  Where an
accepted text is another one, an exact search for counterexamples has to find none.

  python -m shiftproof verify --gallery --certificates FOLDER
  python -m tests.checkers.kernel.mutating --from FOLDER --certificates 100000 --seed 1
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import z3

from shiftproof.checkers.kernel.arithmetic import Condition, Polynomial, Wrong, start_work
from shiftproof.checkers.kernel.check import (
    as_json,
    check,
    check_file,
    check_of_part,
    find_trees,
    relation_of,
)
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.kernel.paired.powers import Registry
from shiftproof.checkers.kernel.paired.walk import ONE_SIDED
from shiftproof.checkers.kernel.trees import learn, refute
from shiftproof.checkers.refuting.refute import refutation
from shiftproof.checkers.trees import Refuter
from tests.loading import source

Certificate = dict[str, Any]

#: What a text of the core language needs to be a source again.
IMPORTS = """\
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import Annotated
from shiftproof import *
"""
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
LAWS = (
    ("Laplace", "Exponential", "NegativeExponential"),
    ("TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric"),
)
KINDS = (
    ("Counts", "Histogram", "Public[IntVector]", "Public[Vector]"),
    ("Count", "Private[int]", "Public[int]"),
    ("Public[float]", "Public[int]", "Public[Nat]", "Epsilon"),
)  # fmt: skip
WORDS = ("0", "1", "-1", "2", "x", "f", "d", "m", "e", "s", "c", "1/0", "1e3", "99", "1_0", "nan")


class Mutator:
    """Changes certificates, each in one to three places."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def certificate(self, good: Certificate) -> Certificate:
        """A certificate like this one."""
        found = copy.deepcopy(good)
        found.pop("source", None)
        ways = [self.core, self.core, self.core, self.part, self.part, self.trees]
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            self.random.choice(ways)(found)
        return found

    # The text of the mechanism.

    def core(self, found: Certificate) -> None:
        """Another text."""
        try:
            module = ast.parse("\n".join(found["core"]))
        except SyntaxError:
            return
        self._tree(module)
        found["core"] = ast.unparse(ast.fix_missing_locations(module)).split("\n")

    def _tree(self, tree: ast.AST) -> None:
        places = [n for n in ast.walk(tree) if self._changes(n)]
        if places:
            self._change(self.random.choice(places))

    def _changes(self, n: ast.AST) -> bool:
        kinds = (ast.BinOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.UnaryOp, ast.Call, ast.arg)
        if isinstance(n, ast.Constant):
            return isinstance(n.value, int | float)
        return isinstance(n, kinds) or bool(self._blocks(n))

    def _blocks(self, n: ast.AST) -> list[list[ast.stmt]]:
        if isinstance(n, ast.Module):
            return []
        return [b for w in ("body", "orelse") if isinstance(b := getattr(n, w, None), list) and b]

    def _change(self, n: ast.AST) -> None:
        pick = self.random.choice
        match n:
            case ast.Constant():
                n.value = pick((0, 1, 2, 3, n.value + 1, n.value - 1, n.value * 2))  # type: ignore[operator]
            case ast.BinOp():
                if self.random.random() < 0.3:
                    n.left, n.right = n.right, n.left
                else:
                    n.op = pick(ARITHMETIC)()
            case ast.Compare():
                n.ops = [pick(COMPARISONS)() for _ in n.ops]
            case ast.BoolOp():
                n.op = pick((ast.And, ast.Or))()
            case ast.IfExp():
                n.body, n.orelse = n.orelse, pick((n.body, n.orelse))
            case ast.UnaryOp():
                n.operand = ast.UnaryOp(ast.USub(), n.operand)
            case ast.Call(func=ast.Name(id=word)):
                for laws in LAWS:
                    if word in laws:
                        n.func = ast.Name(pick(laws), ast.Load())
                if word in ("min", "max", "abs"):
                    n.func = ast.Name(
                        {"min": "max", "max": "min", "abs": "round"}[word], ast.Load()
                    )
                elif len(n.args) > 1:
                    n.args[0], n.args[1] = n.args[1], n.args[0]
            case ast.arg():
                said = ast.unparse(n.annotation) if n.annotation else ""
                for kinds in KINDS:
                    if said in kinds:
                        n.annotation = ast.parse(pick(kinds), mode="eval").body
            case _ if self._blocks(n):
                self._statements(pick(self._blocks(n)))

    def _statements(self, block: list[ast.stmt]) -> None:
        k = self.random.randrange(len(block))
        way = self.random.randrange(4)
        if way == 0 and k + 1 < len(block):
            block[k], block[k + 1] = block[k + 1], block[k]
        elif way == 1 and len(block) > 1:
            del block[k]
        elif way == 2:
            block.insert(k, copy.deepcopy(self.random.choice(block)))
        else:
            block[k] = self.random.choice(
                (ast.Break(), ast.Continue(), ast.Pass(), ast.Return(None))
            )

    def text(self, text: str) -> str:
        """An expression like this one."""
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError):
            return "0"
        way = self.random.randrange(8)
        if way == 0:
            return self.random.choice(("0", "1", "-1", "True", f"-({text})", f"2*({text})"))
        if way == 1:
            return f"({text}) {self.random.choice('+-*/')} 1"
        if way == 2 and (names := [n for n in ast.walk(tree) if isinstance(n, ast.Name)]):
            self.random.choice(names).id = self.random.choice(names).id
        else:
            self._tree(tree)
        return ast.unparse(ast.fix_missing_locations(tree))

    # What is said beside it.

    def part(self, found: Certificate) -> None:
        """Another proof of one case."""
        if not found["parts"]:
            return
        part = self.random.choice(found["parts"])
        ways = [self._shifts, self._costs, self._relation, self._head, self._head, self._head]
        self.random.choice(ways)(part)

    def _shifts(self, part: dict[str, Any]) -> None:
        shifts = part.get("shifts")
        if shifts:
            k = self.random.randrange(len(shifts))
            shifts[k] = self.random.choice((self.text(shifts[k]), self.random.choice(shifts), "0"))

    def _costs(self, part: dict[str, Any]) -> None:
        costs = part.get("costs")
        if costs:
            rate = self.random.choice(sorted(costs))
            if self.random.random() < 0.3:
                costs[self.text(rate)] = costs.pop(rate)
            else:
                costs[rate] = self.text(costs[rate])

    def _relation(self, part: dict[str, Any]) -> None:
        said = part["relation"]
        texts = self.random.choice(
            [said.get("facts", []), *said.get("inputs", {}).values()] or [[]]
        )
        if texts:
            k = self.random.randrange(len(texts))
            texts[k] = self.text(texts[k])

    def _head(self, part: dict[str, Any]) -> None:
        if not part.get("heads"):
            return
        heads = part["heads"]
        head, way = self.random.choice(heads), self.random.randrange(8)
        variables, invariants = head.get("variables", {}), head.get("invariants", [])
        if way == 0:
            heads.remove(head)
        elif way == 1:
            heads.append(copy.deepcopy(head))
        elif way in (2, 3) and variables:
            name = self.random.choice(sorted(variables))
            if self.random.random() < 0.4:
                del variables[name]
            else:
                field = self.random.choice(("kind", "other_kind", "value", "other"))
                old = variables[name].get(field, name)
                new = ("int", "float", "either", "bool", "None", "?", "", self.text(str(old)))
                variables[name][field] = self.random.choice(new)
        elif way == 4 and head.get("costs"):
            rate = self.random.choice(sorted(head["costs"]))
            head["costs"][rate] = self.random.choice(("?", "0", self.text(head["costs"][rate])))
        elif invariants:
            k = self.random.randrange(len(invariants))
            if way == 5:
                del invariants[k]
            else:
                invariants[k] = self.text(invariants[k])

    def trees(self, found: Certificate) -> None:
        """Other trees."""
        trees = [part["trees"] for part in found["parts"] if part.get("trees")]
        if trees:
            some = self.random.choice(trees)
            k, way = self.random.randrange(len(some)), self.random.randrange(5)
            if way == 0:
                some[k] = self.random.choice(some)
            elif way == 1:
                del some[k]
            elif way == 2:
                some.insert(k, "-")
            else:
                some[k] = self.tree(some[k])

    def tree(self, tree: str) -> str:
        """A tree like this one."""
        words = tree.split() or ["-"]
        for _ in range(self.random.choice((1, 1, 2))):
            k, way = self.random.randrange(len(words)), self.random.randrange(4)
            if way == 0 and len(words) > 1:
                del words[k]
            elif way == 1:
                words.insert(k, self.random.choice(WORDS))
            elif way == 2:
                words[k] = self.random.choice((*WORDS, *words))
            else:
                words = words[: k + 1]
        return " ".join(words)

    # Files that are none.

    def file(self, good: Certificate) -> bytes:
        """Something that is hardly a certificate."""
        way = self.random.randrange(3)
        if way == 0:
            return self.random.randbytes(self.random.randrange(200))
        if way == 1:
            data = json.dumps(good).encode()
            return data[: self.random.randrange(len(data))]
        found = copy.deepcopy(good)
        at: Any = found
        while True:
            inner = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not inner:
                break
            key = self.random.choice(inner)
            if not isinstance(at[key], dict | list) or not at[key] or self.random.random() < 0.2:
                at[key] = self.random.choice(
                    (None, True, 0, -1, 1.5, 10**30, "", "0", "(", "None", "x", "a\0", [], {}, [[]],
                     [None], {"": None}, "1/0", "é·", "\ud800", "x[0]", "other(x)", "-" * 3000)
                )  # fmt: skip
                break
            at = at[key]
        return json.dumps(found).encode()


def proved_anew(found: Certificate) -> bool:
    """Whether the kernel accepts what is said, with trees that are found for it."""
    start_work()
    try:
        mechanism = read("\n".join(found["core"]))
        kinds, relation = relation_of(mechanism)
        parts = [p for p in found["parts"] if p["case"] != ONE_SIDED]
        if len(parts) != len(relation) - 1:
            return False
        for part, case in zip(parts, relation):
            part.update(case=case.name, relation=as_json(case))
            part["trees"] = find_trees(check_of_part(mechanism, kinds, case, part), _Finder())
        found["parts"] = parts
        check(found)
    except (Wrong, KeyError, TypeError, AttributeError, IndexError, ValueError):
        return False
    return True


class _Finder:
    """Finds the trees of one walk."""

    def __init__(self) -> None:
        self.refuter: Refuter | None = None

    def __call__(self, unknowns: Registry, conditions: Sequence[Condition]) -> str:
        self.refuter = self.refuter or Refuter(unknowns)
        return self.refuter.tree(conditions) or "-"


# What is true.


def same_text(one: Certificate, other: Certificate) -> bool:
    """Whether two certificates are about the same mechanism."""
    return _plain(one["core"]) == _plain(other["core"])


def _plain(lines: Sequence[str]) -> str:
    return ast.unparse(ast.parse("\n".join(lines)))


def counterexample(lines: Sequence[str], effort: int = 1_000) -> str:
    """An exact counterexample to what a text claims, or why there is none."""
    text = IMPORTS + "\n".join(lines)
    for name in ("k", "n", "L"):
        text = text.replace(f"index({name})", name)
    with tempfile.TemporaryDirectory() as folder:
        try:
            mechanism = list(source(Path(folder), text).values())[-1]
            found = refutation(mechanism.program, effort=effort).comparison
        except Exception as error:
            return f"unread: {type(error).__name__}"
    return "none" if found is None else f"refuted: {found}"


class Meaning:
    """Conditions of the kernel in words of Z3."""

    def __init__(self, unknowns: Registry) -> None:
        self.unknowns = unknowns
        self.inverses: list[Any] = []

    def number(self, p: Polynomial) -> Any:
        """A polynomial."""
        total: Any = z3.RealVal(0)
        for monomial, k in p:
            one: Any = z3.RealVal(str(Fraction(k)))
            for name in monomial:
                one = one * self._unknown(name)
            total = total + one
        return total

    def _unknown(self, name: str) -> Any:
        if name[0] == "/":
            self.inverses.append(z3.Real(name) * self._unknown(name[1:]) == 1)
            return z3.Real(name)
        return z3.ToReal(z3.Int(name)) if self.unknowns.whole[name] else z3.Real(name)

    def condition(self, f: Condition) -> Any:
        """A condition."""
        if f[0] in ("and", "or"):
            return (z3.And if f[0] == "and" else z3.Or)(*map(self.condition, f[1]))
        if f[0] == "?":
            return z3.Bool(f"?{f[1]}") == f[2]
        value = self.number(f[1])
        return {">=": value >= 0, ">": value > 0, "=": value == 0}[f[0]]

    def impossible(self, conditions: Sequence[Condition]) -> bool | None:
        """Whether conditions cannot hold together, if Z3 knows."""
        solver = z3.Solver()
        solver.set("timeout", 1_000)
        solver.add(*map(self.condition, conditions), *self.inverses)
        answer = solver.check()
        return True if answer == z3.unsat else False if answer == z3.sat else None


def weakened(
    mutator: Mutator, unknowns: Registry, question: Sequence[Condition]
) -> list[Condition]:
    """A question of which a fact is gone, or says less."""
    flat: list[Condition] = []
    for condition in question:
        learn(flat, condition)
    k, way = mutator.random.randrange(len(flat)), mutator.random.randrange(3)
    fact = flat[k]
    if way and fact[0] in (">=", ">", "="):
        one: Polynomial = (((), mutator.random.choice((1, Fraction(1, 3), 7))),)
        kind = ">=" if way == 1 else fact[0]
        total = {(): 0} | dict(fact[1])
        total[()] = total[()] + one[0][1]
        flat[k] = unknowns.compare(kind, tuple(sorted((m, c) for m, c in total.items() if c)))
    else:
        flat[k] = ("and", ())
        flat = [f for f in flat if f != ("and", ())]
    return flat


class _Asked:
    """Answers with the trees of a part, and keeps what was asked."""

    def __init__(self, trees: Sequence[str]) -> None:
        self.trees = iter(trees)
        self.asked: list[tuple[Registry, list[Condition], str]] = []

    def __call__(self, unknowns: Registry, conditions: Sequence[Condition]) -> str:
        tree = next(self.trees, "-")
        self.asked.append((unknowns, list(conditions), tree))
        return tree


def questions(good: Certificate) -> Iterator[tuple[Registry, list[Condition], str]]:
    """What is asked on the way through a certificate, with the trees that answer."""
    start_work()
    mechanism = read("\n".join(good["core"]))
    kinds, relation = relation_of(mechanism)
    for part, case in zip(good["parts"], relation):
        asked = _Asked(part.get("trees", ()))
        check_of_part(mechanism, kinds, case, part)(asked)
        yield from (q for q in asked.asked if q[2] != "-")


# The campaign.


class Campaign:
    """Counts what comes of many changes, and keeps whatever should not be."""

    def __init__(self, good: Sequence[Certificate], seed: int) -> None:
        self.good, self.mutator = list(good), Mutator(seed)
        self.figures: Counter[str] = Counter()
        self.texts = {_plain(c["core"]) for c in self.good}
        self.decided: dict[str, str] = {}
        self.finds: list[tuple[str, Any]] = []

    def certificates(self, number: int, anew: float, seconds: float = 1e9) -> None:
        """Changed certificates; for a share of them trees are found anew."""
        begun = time.monotonic()
        for _ in range(number):
            if time.monotonic() - begun > seconds:
                break
            good = self.mutator.random.choice(self.good)
            found = self.mutator.certificate(good)
            again = self.mutator.random.random() < anew
            self.figures["proved anew" if again else "checked"] += 1
            self._one(good, found, proved_anew if again else _accepted)

    def _one(
        self, good: Certificate, found: Certificate, accepts: Callable[[Certificate], bool]
    ) -> None:
        try:
            accepted = accepts(found)
        except Exception as error:
            self.finds.append((f"crash: {type(error).__name__}: {error}", found))
            return
        if not accepted:
            return
        if same_text(good, found):
            self.figures["accepted, the same text"] += 1
            return
        text = _plain(found["core"])
        if text not in self.decided:
            self.decided[text] = counterexample(found["core"])
            if self.decided[text].startswith("refuted"):
                self.finds.append((self.decided[text], found))
        self.figures[f"accepted, another text: {self.decided[text].split(':')[0]}"] += 1

    def files(self, number: int) -> None:
        """Files that are no certificates."""
        for _ in range(number):
            data = self.mutator.file(self.mutator.random.choice(self.good))
            self.figures["files"] += 1
            try:
                proved = check_file(data)
                self.figures["files accepted"] += 1
                if _plain(json.loads(data)["core"]) not in self.texts:
                    self.finds.append((f"another text: {proved.statement}", data.decode("latin1")))
            except Wrong:
                pass
            except Exception as error:
                self.finds.append(
                    (f"crash: {type(error).__name__}: {error}", data.decode("latin1"))
                )

    def trees(self, number: int, certificates: int) -> None:
        """Trees for questions that say less, and changed trees: accepted if Z3 says so too."""
        for good in self.mutator.random.sample(self.good, min(certificates, len(self.good))):
            asked = list(questions(good))
            for _ in range(number if asked else 0):
                unknowns, question, tree = self.mutator.random.choice(asked)
                if self.mutator.random.random() < 0.5:
                    tree = self.mutator.tree(tree)
                conditions = weakened(self.mutator, unknowns, question)
                self.figures["weakened questions"] += 1
                start_work()
                try:
                    refute(unknowns, conditions, tree)
                except Wrong:
                    continue
                except Exception as error:
                    self.finds.append((f"crash: {type(error).__name__}", [str(conditions), tree]))
                    continue
                sure = Meaning(unknowns).impossible(conditions)
                self.figures[f"weakened and accepted, impossible: {sure}"] += 1
                if sure is False:
                    self.finds.append(("a tree for what is possible", [str(conditions), tree]))


def _accepted(found: Certificate) -> bool:
    try:
        check_file(json.dumps(found).encode())
    except Wrong:
        return False
    return True


def read_folder(folder: Path) -> list[Certificate]:
    """The certificates in a folder that are proofs by alignment."""
    found = [json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    return [c for c in found if c.get("parts") and _accepted(c)]


def main(arguments: Sequence[str]) -> int:
    """Run a campaign from the command line; 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="folder", type=Path, required=True)
    parser.add_argument("--certificates", type=int, default=1_000)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=200, help="for each certificate")
    parser.add_argument("--anew", type=float, default=0.03, help="share with trees found anew")
    parser.add_argument("--seconds", type=float, default=1e9, help="for changed certificates")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file for what was found")
    said = parser.parse_args(arguments)
    campaign = Campaign(read_folder(said.folder), said.seed)
    print(f"{len(campaign.good)} certificates to start from", flush=True)
    campaign.files(said.files)
    campaign.trees(said.questions, len(campaign.good))
    campaign.certificates(said.certificates, said.anew, said.seconds)
    for name, number in sorted(campaign.figures.items()):
        print(f"{number:8} {name}")
    for why, found in campaign.finds:
        print(f"FOUND: {why}")
        if said.keep:
            with said.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps([why, found]) + "\n")
    return 1 if campaign.finds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
