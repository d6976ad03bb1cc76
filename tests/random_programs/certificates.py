"""Random certificates about random programs: the kernel alone decides, and the truth judges it.

Some are written from nothing, their heads in the shapes that the kernel itself meets; some are
proofs that were found, changed, also the program beneath them.  The prover's own scruples do
not stand between them and the kernel.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from shiftproof import ShiftproofError
from shiftproof.checkers.certify import Text
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.paired import walk
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.checkers.walking.certificate import Certificate, Head, Part, Variable
from shiftproof.checkers.walking.runs import heads
from shiftproof.dsl.normalise import core_text, read_normalised
from shiftproof.dsl.relations.program import Program
from tests.checkers.kernel.finding import problems

from .trials import Trial, proof_of
from .truth import truth
from .twists import Body, twisted
from .writing import program

#: A shape of a loop head: which loop, and the types of its variables in both runs.
Shape = tuple[int, tuple[tuple[str, str, str], ...]]
#: How often shapes that the kernel met are added, and how many heads a part has then.
ROUNDS, HEADS = 4, 8
#: Of how many programs a proof is looked for first.
PROVED = 0.4
HIDDEN = re.compile(r"([\w\[\]]+) \+ \w+")
CONSTANTS = re.compile(r"\b(\w+) = (-?\d+(?:\.\d+)?)\n")


def certificate_trial(seed: int) -> Trial:
    """Ask the kernel about a random certificate of a random program; test what it accepts."""
    rng = random.Random(seed)
    text = readable(rng)
    try:
        proof = proof_of(text) if rng.random() < PROVED else None
        if proof is not None and rng.random() < 0.7:
            text = beneath(text, rng)
        elif rng.random() < 0.4:
            text = reassigned(text, rng)
        mechanism = read_normalised(text)
        made = Text.of(mechanism)
        parts = (
            written(made, rng)
            if proof is None or is_finite(proof)
            else tuple(changed(part, made, rng) for part in proof.parts)
        )
        verdict, parts = judged(made, parts, proof, rng)
    except ShiftproofError:
        return Trial(seed, "refused", text=text)
    except Exception as error:  # the find that is looked for
        return Trial(seed, "crash", problem=f"crash: {error!r}", text=text)
    if verdict != "accepted":
        return Trial(seed, verdict, text=text)
    if made.called:  # then it holds if their claims do, of which nothing is asked here
        return Trial(seed, "leaning", text=text)
    found = truth(text, mechanism.program, seed)
    problem = f"accepted, and false: {found.problem}\n{parts}" if found.problem else ""
    return Trial(seed, verdict, found.pairs, problem, text, found.unknowable)


def readable(rng: random.Random) -> str:
    """A program of which something can be said; of several the first."""
    for _ in range(8):
        text = program(rng.randrange(2**40))
        try:
            _ = read_normalised(text).program
        except ShiftproofError:
            continue
        except Exception:  # a find of the other run
            continue
        break
    return text


def reassigned(text: str, rng: random.Random) -> str:
    """The program with a public parameter that takes another value before its first loop."""
    tree = ast.parse(text)
    main = tree.body[-1]
    assert isinstance(main, ast.FunctionDef)
    public = Body(tree, main, rng).public
    first = next((k for k, s in enumerate(main.body) if isinstance(s, ast.For | ast.While)), None)
    if first is None:
        return text
    if not public:
        public = ["bound"]
        main.args.args.append(ast.arg("bound", ast.parse("Public[float]", mode="eval").body))
        tree.body[0:0] = ast.parse("from shiftproof import Public").body
    name = rng.choice(public)
    given, value = rng.choice((("> 0", "-1"), (">= 1", "0"), ("<= 10", "100"), (">= 0", "1")))
    main.body.insert(first, ast.parse(f"{name} = {value}").body[0])
    docstring = isinstance(main.body[0], ast.Expr)
    main.body.insert(docstring, ast.parse(f"assert {name} {given}").body[0])
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def beneath(text: str, rng: random.Random) -> str:
    """Another program a little like this one."""
    tree = ast.parse(text)
    main = tree.body[-1]
    assert isinstance(main, ast.FunctionDef)
    twisted(tree, main, rng, rng.choice((1, 1, 2)))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def judged(
    made: Text, parts: Sequence[Part], proof: Certificate | None, rng: random.Random
) -> tuple[str, Sequence[Part]]:
    """What the kernel says; heads are added in shapes that it meets and the certificate lacks."""
    if proof is not None and is_finite(proof):
        return "accepted" if confirmed(made.program, proof) else "rejected", parts
    for _ in range(ROUNDS):
        met: dict[str, list[Shape]] = {}
        if not watched(made.program, parts, met):
            return "accepted", parts
        if not met:
            break
        parts = [
            replace(p, heads=(*p.heads, *(head(made, s, rng) for s in met.get(p.case, ())))[:HEADS])
            for p in parts
        ]
    return "rejected", parts


def is_finite(proof: Certificate) -> bool:
    """Whether it is about probabilities: by sums or by enumeration."""
    return proof.is_summed or proof.enumeration is not None


def confirmed(read: Program, proof: Certificate) -> bool:
    """Whether the kernel takes a proof of this kind of the program."""
    try:
        kernel = Confirming(core_text(read))
        if proof.enumeration is not None:
            kernel.enumerated(proof.enumeration)
        else:
            for case in kernel.cases[:-1]:
                kernel.summed(case.name)
    except Wrong:
        return False
    return True


def watched(read: Program, parts: Sequence[Part], met: dict[str, list[Shape]]) -> Sequence[str]:
    """What the kernel has against parts, and the shapes of heads that it met and were not there."""
    arrive = walk.Part._arrive

    def arriving(self: walk.Part, state: Any, node: Any) -> None:
        if not any(head.fits(state) for head in self.heads):
            shape = (
                self.mechanism.loops.index(state.at),
                tuple(
                    (n, walk.kind_of(state.left[n]), walk.kind_of(state.right[n]))
                    for n in sorted(state.left.keys() & state.right.keys())
                ),
            )
            known = met.setdefault(self.case.name, [])
            if shape not in known:
                known.append(shape)
        arrive(self, state, node)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk.Part, "_arrive", arriving)
        return problems(read, parts)


def written(made: Text, rng: random.Random) -> tuple[Part, ...]:
    """A proof that says little, part by part, without heads."""
    read, words = made.program, Words(made, rng)
    shifts = tuple(words.shift(site.step) for site in read.flow.sites)
    costs = words.costs()
    return tuple(Part(case.name, shifts=shifts, costs=costs) for case in read.cases)


def head(made: Text, shape: Shape, rng: random.Random) -> Head:
    """A head in this shape; what it says of its variables may be so."""
    loop, found = shape
    read, words = made.program, Words(made, rng)
    words.names += [n for n, kind, _ in found if kind in ("int", "float")]
    lengths = [f"len({n})" for n, k in read.inputs.items() if k.array]
    variables = {}
    for name, left, right in found:
        kind = right if right != left else ""
        if "·" in name:  # a counter, or the end of a range
            value = rng.choice(lengths) if "stop" in name and lengths else ""
            variables[name] = Variable(left, kind, value)
            continue
        others = ("", "", "?", "?", f"{name} + 1" if left in ("int", "float") else "?")
        variables[name] = Variable(left, kind, "", "" if kind else rng.choice(others))
    invariants = [words.invariant() for _ in range(rng.choice((0, 1, 1, 2)))]
    invariants += [f"{n} >= 0" for n, *_ in found if "·" in n and "stop" not in n]
    costs = {rate: rng.choice(("?", "?", "?", "0", said)) for rate, said in words.costs().items()}
    for rate, said in words.costs().items():
        if costs.get(rate) == "?" and rng.random() < 0.7:
            invariants.append(f"cost({rate}) <= {said}")
    return Head(loop, heads.loop_lines(read)[loop], variables, costs, tuple(invariants))


class Words:
    """Terms and conditions over the names of a program, such as certificates have."""

    def __init__(self, made: Text, rng: random.Random) -> None:
        self.read, self.rng = made.program, rng
        body = made.text[made.text.rfind("@mechanism") :]
        #: What draws are added to, and constants that names take.
        self.hidden = sorted(set(HIDDEN.findall(body)))
        self.constants = [(n, v.removesuffix(".0")) for n, v in CONSTANTS.findall(body)]
        inputs = self.read.inputs.items()
        self.private = [n for n, k in inputs if not k.public and not k.array]
        self.private += [f"{n}[{i}]" for n, k in inputs if k.array and not k.public for i in "01"]
        self.names = [n for n, k in inputs if not k.array]

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def number(self) -> str:
        return self.any("0", "1", "-1", "2", *self.names, *self.names)

    def shift(self, step: Any) -> str:
        """How a draw may move."""
        if step.distribution.lattice == "booleans":
            return self.any("False", "True")
        if self.hidden and self.rng.random() < 0.7:
            read = self.any(*self.hidden)
        else:
            read = self.any(*(self.private or ["0"]))
        d = f"{read} - other({read})"
        return self.any(
            d, d, d, f"other({read}) - {read}", f"-({d})", "0", "0", "1", "-1", f"1 + {d}",
            f"{d} if {read} >= 1 else 0",
        )  # fmt: skip

    def costs(self) -> dict[str, str]:
        return (
            {"eps": self.any("1", "1", "1", "1/2", "0", "2")} if "eps" in self.read.inputs else {}
        )

    def invariant(self) -> str:
        if self.constants and self.rng.random() < 0.4:
            name, value = self.rng.choice(self.constants)
            return f"{name} == {value}"
        one, two = self.number(), self.number()
        told = f"other({one})" if one in self.names and self.rng.random() < 0.3 else one
        return f"{told} {self.any('<', '<=', '>=', '>', '==')} {two}"


def changed(part: Part, made: Text, rng: random.Random) -> Part:
    """A part of a proof for this program, with some of what it says changed."""
    read, words = made.program, Words(made, rng)
    sites = read.flow.sites
    shifts = list(part.shifts[: len(sites)])
    for site in sites[len(shifts) :]:
        shifts.append(words.shift(site.step))
    shifts = [
        words.shift(site.step) if rng.random() < 0.15 else shift
        for site, shift in zip(sites, shifts, strict=True)
    ]
    lines = heads.loop_lines(read)
    kept = tuple(
        changed_head(replace(h, line=lines[h.loop]), words, rng)
        for h in part.heads
        if h.loop < len(lines)
    )
    costs = words.costs() if rng.random() < 0.2 else part.costs
    return replace(part, shifts=tuple(shifts), heads=kept, costs=costs)


def changed_head(old: Head, words: Words, rng: random.Random) -> Head:
    """A head with other invariants, costs or variables."""
    invariants = list(old.invariants)
    words.names += [n for n, v in old.variables.items() if v.kind in ("int", "float")]
    variables = dict(old.variables)
    if rng.random() < 0.3:
        invariants.append(words.invariant())
    if invariants and rng.random() < 0.2:
        invariants.pop(rng.randrange(len(invariants)))
    if variables and rng.random() < 0.2:
        name = rng.choice(sorted(variables))
        told = variables[name]
        variables[name] = replace(told, other=rng.choice(("", "?", told.other)))
    costs: Mapping[str, str] = old.costs
    if costs and rng.random() < 0.15:
        costs = {**costs, rng.choice(sorted(costs)): rng.choice(("?", "0", "1/2", "1"))}
    return replace(old, variables=variables, invariants=tuple(invariants), costs=dict(costs))
