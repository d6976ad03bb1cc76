"""The guard notices proofs that were made wrong on purpose, and nothing that is right."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from shiftproof.checkers.certify import Text, certificate_of
from shiftproof.checkers.guarding import recorded
from shiftproof.checkers.guarding.hold import Looked, alignments_of, guarded
from shiftproof.checkers.proving.attempts import Proof
from shiftproof.checkers.proving.one_sided import Answers
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.checkers.walking.certificate import (
    Certificate,
    kind_of_certificate,
    read_certificate,
)
from shiftproof.dsl.normalise import read_normalised
from tests.checkers.kernel.broken_provers import BROKEN, without_guards
from tests.checkers.kernel.test_broken_provers import WRONG, bug_of, found_by
from tests.places import ROOT
from tests.sampling import every

PROOFS = ROOT / "proofs"
#: The distributions with a scale.
SCALED = (
    "Laplace", "TwoSidedGeometric", "Exponential", "NegativeExponential", "OneSidedGeometric",
    "NegativeOneSidedGeometric", "Staircase",
)  # fmt: skip
#: Of the changed mechanisms, how many must be noticed at least.
NOTICED = 0.85


def proofs() -> Iterator[tuple[str, Certificate]]:
    """The gallery's proofs."""
    for file in sorted(PROOFS.glob("*.json")):
        if kind_of_certificate(file.read_bytes()) == "proof":
            yield file.stem, read_certificate(file.read_bytes(), Certificate)


CERTIFICATES = dict(proofs())


class Halved(ast.NodeTransformer):
    """Half of the noise, wherever it has a scale."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in SCALED:
            node.args[0] = ast.BinOp(node.args[0], ast.Div(), ast.Constant(2))
        return node


class Shrunk(ast.NodeTransformer):
    """Half of what is drawn is used, where it need not be an int: the shifts are too short."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        call, (target,) = node.value, node.targets
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "sample"):
            return node
        drawn = ast.unparse(call.args[0])
        if any(kind in drawn for kind in ("Geometric", "Bernoulli", "Uniform", "Categorical")):
            return node
        name = ast.unparse(target)
        return [node, ast.parse(f"{name} = {name} / 2").body[0]]


def changed(certificate: Certificate, change: ast.NodeTransformer) -> Looked | None:
    """What the guard says of a changed text with the old proof; nothing if it did not change."""
    tree = ast.parse(certificate.text)
    before = ast.unparse(tree)
    text = ast.unparse(ast.fix_missing_locations(change.visit(tree)))
    if text == before:
        return None
    mechanism = read_normalised(text + "\n")
    program = mechanism.program
    return guarded(program, text + "\n", list(alignments_of(program, certificate)))


@pytest.mark.parametrize("change", every(2, [Halved, Shrunk]), ids=lambda c: c.__name__)
def test_most_of_what_is_changed_is_noticed(change: type[ast.NodeTransformer]) -> None:
    """The proof of a caller says nothing of its callees' noise: they have their own guard."""
    own = {n: c for n, c in CERTIFICATES.items() if not c.leans_on and not c.is_summed}
    found = {n: looked for n, c in own.items() if (looked := changed(c, change()))}
    silent = sorted(n for n, looked in found.items() if not looked.alarm)
    share = 1 - len(silent) / len(found)
    print(f"{change.__name__}: {share:.0%} of {len(found)}; not {', '.join(silent)}")
    assert len(found) > 35
    assert share >= NOTICED, silent


@pytest.mark.parametrize("name", every(4, sorted(set(WRONG) - {"no_measure"})))
def test_a_broken_prover_is_noticed_without_the_kernel(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the measure of noise that is moved, single runs say nothing."""
    with pytest.MonkeyPatch.context() as patch:
        without_guards(patch)
        BROKEN[bug_of(name)](patch)
        parts = tuple(f.part for f in found_by(WRONG[name]) if f.part)
    text = Text.of(WRONG[name])
    monkeypatch.setattr(Confirming, "part", lambda self, part, claimed=(): part)
    certificate = certificate_of(text, Proof(parts), Answers(()))
    monkeypatch.setattr(recorded, "_broken", lambda run: None)  # the worker alone
    program = WRONG[name].program
    looked = guarded(program, text.text, list(alignments_of(program, certificate)))
    assert looked.alarm


@pytest.mark.parametrize("name", every(5, CERTIFICATES))
def test_the_gallery_gives_no_alarm(name: str) -> None:
    certificate = CERTIFICATES[name]
    program = read_normalised(certificate.text).program
    alignments = list(alignments_of(program, certificate))
    found = guarded(program, certificate.text, alignments, shown=certificate.shown)
    assert not found.alarm and not found.why
    assert found.runs or found.laws
