"""The checker that is proved right in Rocq judges trees as the kernel does, also of what is wrong.

By default a fifth of the certificates and some of the changes; all of them with ``-m slow``.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from shiftproof.checkers.kernel.arithmetic import (
    Condition,
    Polynomial,
    add,
    both,
    constant,
    either,
    scaled,
    times,
    unknown,
)
from shiftproof.checkers.kernel.paired.powers import Registry
from shiftproof.checkers.trees import Refuter
from shiftproof.checkers.walking.certificate import Certificate, read_certificate
from shiftproof.showing.explaining.checks.owed import Asked, owed_of
from shiftproof.showing.theorems.trees import lines_of, main
from tests.places import ROOT
from tests.sampling import every
from tests.showing.accounts import FILES
from tests.showing.page_obligations import Part, change, problem

ROCQ = ROOT / "src/shiftproof/proofs/rocq/trees"
PROVED = [name for name, file in FILES.items() if b'"kind": "proof"' in file.read_bytes()]
#: What Coq's real numbers rest on.
OF_REALS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
#: The kernel has limits, of which the theorem knows nothing.
LIMIT = re.compile("more than|too deep")


class Checker:
    """The extracted program, and where it was made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for file in ("Arithmetic.v", "Trees.v", "extract.v", "driver.ml"):
            shutil.copy(ROCQ / file, folder)
        for name in ("Arithmetic.v", "Trees.v", "extract.v"):
            self.run("coqc", "-Q", ".", "Shiftproof", name)
        self.run("ocamlc", "checker.mli", "checker.ml", "driver.ml", "-o", "check")

    def run(self, *command: str, text: str = "") -> str:
        """What a command prints, which has to succeed."""
        done = subprocess.run(
            command, cwd=self.folder, input=text, text=True, capture_output=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, parts: Sequence[Part]) -> list[int]:
        """The numbers of the questions that it refuses."""
        lines = [line for part in parts for line in lines_of(part)]
        *refused, total = self.run("./check", text="\n".join(lines)).splitlines()
        found = [int(line.removeprefix("refused ")) for line in refused]
        count = sum(len(part["owed"]) for part in parts)
        assert total == f"accepted {count - len(found)} of {count}"
        return found

    def agrees(self, parts: Sequence[Part]) -> list[int]:
        """The numbers of the questions that are refused, here and by the kernel."""
        said = [problem(part, owed) for part in parts for owed in part["owed"]]
        here = self.refused(parts)
        kernel = [k for k, why in enumerate(said) if why]
        limited = {k for k in kernel if LIMIT.search(said[k])}
        assert set(here) ^ set(kernel) <= limited, parts
        return here


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    for tool in ("coqc", "ocamlc"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    return Checker(tmp_path_factory.mktemp("rocq"))


def parts_of(name: str) -> list[Part]:
    """The questions of a certificate, as JSON has them."""
    owed = owed_of(read_certificate(FILES[name].read_bytes(), Certificate))
    assert not owed.refused  # so the kernel accepted all trees
    found: list[Part] = json.loads(owed.written())
    return found


def test_the_theorem_rests_on_the_reals_only(checker: Checker) -> None:
    text = "From Shiftproof Require Import Trees.\nPrint Assumptions refuted.\n"
    (checker.folder / "Assumptions.v").write_text(text)
    said = checker.run("coqc", "-Q", ".", "Shiftproof", "Assumptions.v")
    axioms = set(re.findall(r"^([\w.]+)\s*:", said, re.MULTILINE)) - {"Axioms"}
    assert axioms and axioms <= OF_REALS


@pytest.mark.parametrize("name", every(5, PROVED))
def test_it_accepts_what_the_kernel_accepts(checker: Checker, name: str) -> None:
    assert not checker.agrees(parts_of(name))


def test_certificates_are_written_as_their_questions(
    checker: Checker, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["noisy_count", *(name for name in FILES if name not in PROVED)][:2]
    assert main([str(FILES[name]) for name in names]) == 0
    lines = [line for part in parts_of(names[0]) for line in lines_of(part)]
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("seed", every(50, range(200)))
def test_changes_have_one_verdict(checker: Checker, seed: int) -> None:
    chance, changed = random.Random(seed), []
    for name in chance.sample(PROVED, 4):
        if not any(part["owed"] for part in parts_of(name)):
            continue
        for alter in (change, _without_a_case, _another_word, _other_integers):
            parts = parts_of(name)
            alter(parts, chance)
            changed += parts
    assert checker.agrees(changed)


def _any_owed(parts: list[Part], chance: random.Random) -> list[object]:
    found: list[object] = chance.choice([owed for part in parts for owed in part["owed"]])
    return found


def _without_a_case(parts: list[Part], chance: random.Random) -> None:
    """A tree without one of its sums that are false, with which cases end."""
    owed = _any_owed(parts, chance)
    words = str(owed[2]).split()
    ends = [k for k, word in enumerate(words) if word == "f"]
    if ends:
        at = chance.choice(ends)
        del words[at : at + 2 + 2 * int(words[at + 1])]
    owed[2] = " ".join(words)


def _another_word(parts: list[Part], chance: random.Random) -> None:
    owed = _any_owed(parts, chance)
    owed[2] = damaged(str(owed[2]), chance)


def _other_integers(parts: list[Part], chance: random.Random) -> None:
    """An unknown that is an integer is said to be none, or the other way round."""
    part = chance.choice(parts)
    at = chance.randrange(len(part["whole"]))
    other = "10"[int(part["whole"][at])]
    part["whole"] = part["whole"][:at] + other + part["whole"][at + 1 :]


def damaged(tree: str, chance: random.Random) -> str:
    """A tree with a word that is another one, or is gone, or stands there twice."""
    words = tree.split()
    at = chance.randrange(len(words))
    others = [*words, "0", "1", "-1", "2", "1/2", "-2/3", *"xfdmeqsc"]
    words[at : at + 1] = chance.choice(([chance.choice(others)], [], [words[at]] * 2))
    return " ".join(words)


#: The unknowns of random questions, and whether they are integers.
WHOLE = {"i": True, "j": True, "a": False, "b": False, "/a": False, "/i": False}


def fresh(chance: random.Random) -> Registry:
    """Unknowns in an order of appearance that is none of their names."""
    unknowns = Registry()
    for name in chance.sample([*WHOLE, "p", "q"], len(WHOLE) + 2):
        unknowns.new(name, WHOLE.get(name, False))
    return unknowns


def a_polynomial(chance: random.Random, factors: int, names: Sequence[str]) -> Polynomial:
    total = constant(chance.randint(-4, 4))
    for _ in range(chance.randint(1, 3)):
        term = constant(chance.choice((-3, -2, -1, 1, 1, 2, Fraction(1, 2))))
        for _ in range(chance.randint(1, factors)):
            term = times(term, unknown(chance.choice(names)))
        total = add(total, term)
    return total


def a_condition(
    chance: random.Random, unknowns: Registry, factors: int, names: Sequence[str], deep: int = 2
) -> Condition:
    kind = chance.random()
    if deep and kind < 0.4:
        members = range(chance.randint(2, 3))
        parts = [a_condition(chance, unknowns, factors, names, deep - 1) for _ in members]
        return (either if kind < 0.3 else both)(parts)
    if kind < 0.45:
        return ("?", chance.choice("pq"), chance.random() < 0.5)
    p = a_polynomial(chance, factors, names)
    return unknowns.compare(chance.choice((">=", ">=", ">", "=")), p)


@pytest.mark.parametrize("seed", every(25, range(100)))
def test_random_questions_have_one_verdict(checker: Checker, seed: int) -> None:
    chance, parts = random.Random(seed), []
    for k in range(30):
        asked, factors = Asked(fresh(chance)), 1 + k % 2
        names = list(WHOLE) if k % 3 else ["i", "j"]
        facts = [
            a_condition(chance, asked.unknowns, factors, names) for _ in range(chance.randint(2, 8))
        ]
        tree = Refuter(asked.unknowns, polynomials=factors > 1).tree(facts)
        if tree is not None:
            for text in (tree, *(damaged(tree, chance) for _ in range(10))):
                asked.note(facts, text, "")
            parts.append(asked.plain())
    refused = checker.agrees(parts)
    assert refused and len(refused) < sum(len(part["owed"]) for part in parts)


@pytest.mark.parametrize("seed", every(4, range(40)))
def test_what_a_step_adds_is_the_same_fact(checker: Checker, seed: int) -> None:
    """What the kernel says that a step adds is denied by a further fact, which has to fit it."""
    chance, parts = random.Random(seed), []
    for k in range(100):
        asked, names = Asked(fresh(chance)), ["i", "j"] if k % 2 else list(WHOLE)
        facts: list[Condition] = [
            (chance.choice((">=", ">", "=")), a_polynomial(chance, 2, names)) for _ in range(3)
        ]
        step, added = _a_step(chance, asked.unknowns, facts, names)
        if any(f[0] in ("and", "or") for f in added):
            asked.note(facts, f"{step} f 1 3 1", "")  # decided: nothing more to deny
        else:
            denied: list[Condition] = [(">", scaled(f[1], -1)) for f in added]
            at = len(facts) + len(added)
            ends = [f"f 2 {at} 1 {len(facts) + n} 1" for n in range(len(added))]
            tree = " ".join([step, *ends])
            asked.note([*facts, *denied], tree, "fits")
            asked.note([*facts, *denied], damaged(tree, chance), "")
        parts.append(asked.plain())
    refused = checker.agrees(parts)
    names = [part["called"][owed[3]] for part in parts for owed in part["owed"]]
    fitting = {k for k, name in enumerate(names) if name == "fits"}
    assert len(fitting) > 50 and fitting.isdisjoint(refused)


def _a_step(
    chance: random.Random, unknowns: Registry, facts: list[Condition], names: Sequence[str]
) -> tuple[str, list[Condition]]:
    """A step, and the facts that it adds for each proof after it."""
    places = {name: place for place, name in enumerate(unknowns.whole)}

    def written(p: Polynomial) -> str:
        terms = (f"{k} {len(m)} {' '.join(str(places[x]) for x in m)}".strip() for m, k in p)
        return " ".join([str(len(p)), *terms])

    kind, (r, p), (s, q) = chance.choice("dmeqc"), facts[0], facts[1]
    other = a_polynomial(chance, 2, names)
    if kind == "d":
        ways = [chance.randint(-3 if f[0] == "=" else 0, 3) for f in facts]
        total = add(add(scaled(p, ways[0]), q, ways[1]), facts[2][1], ways[2])
        used = {f[0] for f, n in zip(facts, ways, strict=True) if n}
        relation = next((strict for strict in (">", ">=") if strict in used), "=")
        sums = " ".join(f"{n} {way}" for n, way in enumerate(ways))
        return f"d 3 {sums}", [unknowns.compare(relation, total)]
    if kind == "m":
        relation = "=" if "=" in (r, s) else ">" if r == s == ">" else ">="
        return "m 0 1", [unknowns.compare(relation, times(p, q))]
    if kind == "e":
        facts[0] = ("=", p)
        return f"e 0 {written(other)}", [unknowns.compare("=", times(p, other))]
    if kind == "q":
        return f"q {written(other)}", [unknowns.compare(">=", times(other, other))]
    whole = a_polynomial(chance, 2, ["i", "j"])
    whole = scaled(whole, 1 if unknowns.is_whole(whole) else 2)
    sides = scaled(whole, -1), add(whole, constant(1), -1)
    return f"c {written(whole)}", [unknowns.compare(">=", side) for side in sides]
