"""Rocq asked: it accepts theorems, and none that is wrong.

By default it is asked about a handful; with ``-m slow`` or SHIFTPROOF_FULL=1 about all.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof import BadInput, verify
from shiftproof.commands.cli import main
from shiftproof.showing.theorems import folder as folders
from shiftproof.showing.theorems import rocq
from shiftproof.showing.theorems.export import Theorem
from shiftproof.showing.theorems.folder import Exported, write_folder
from shiftproof.showing.theorems.rocq import axioms_of, build_theory, checked, compiled
from shiftproof.workspace.targets import resolve_text
from tests.sampling import slow
from tests.showing.theorems.integers import PROGRAMS, WORDS
from tests.showing.theorems.tampering import (
    CHANGES,
    HANDFUL,
    certificates,
    changed_callees,
    half_the_noise,
    half_the_noise_of,
    halved_budget,
    no_shift,
    placed,
    theorems,
    written,
    wrong_theorem,
)

PROOFS = certificates()
THEOREMS = {theorem.name: theorem for theorem in theorems(PROOFS)}


def all_but_the_handful_slow(names: Iterable[Any]) -> list[Any]:
    return [name if name in HANDFUL[::3] else slow(name) for name in names]


def exported(theorem: Theorem) -> Exported:
    return Exported(theorem.name, "", 0, "", True, theorem)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all theorems, in which the theory is built: once, by whoever comes first."""
    if shutil.which("coqc") is None:
        pytest.skip("there is no coqc, which checks theorems")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    place, done = shared / "theorems", shared / "theorems.built"
    with (shared / "theorems.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            write_folder([exported(theorem) for theorem in THEOREMS.values()], place)
            try:
                build_theory(place)
            except BadInput as error:
                if "Coquelicot" not in error.message:
                    raise
            done.write_text("")
    if not (place / "theory" / "Replay.vo").exists():
        pytest.skip("there is no Coquelicot, which the theory uses")
    return place


#: Coins, and an input ``x`` beside what is put in at loop heads.
A_FEW = (*HANDFUL[::2], "private_binary_search")


@pytest.mark.parametrize("name", [n if n in A_FEW else slow(n) for n in THEOREMS])
def test_it_is_accepted(name: str, folder: Path) -> None:
    ((_, found),) = checked(folder, [name], 1)
    assert found.accepted, (found.trouble, found.axioms)


@pytest.mark.parametrize("name", [n if n == "counts_above" else slow(n) for n in PROGRAMS])
def test_noise_on_the_integers(name: str, tmp_path: Path, folder: Path) -> None:
    """The asymmetric algorithms, which the gallery has with noise on the reals."""
    found = folders.exported(verify(resolve_text(WORDS + PROGRAMS[name])[0]))
    assert found.theorem is not None, found.why
    assert "Draw (one_sided_geometric" in found.theorem.statement
    place = placed(found.theorem, tmp_path / "own", folder / "theory")
    ((_, said),) = checked(place, [found.theorem.name], 1)
    assert said.accepted, (said.trouble, said.axioms)


def refused(theorem: Theorem | None, tmp_path: Path, folder: Path) -> bool:
    """Whether there is no theorem, or its proof is not accepted; the statement always is."""
    if theorem is None:
        return True
    place = placed(theorem, tmp_path / "wrong", folder / "theory")
    _, trouble, _ = compiled(place, f"{theorem.name}.v")
    assert not trouble
    _, trouble, _ = compiled(place, f"{theorem.name}_proof.v")
    return bool(trouble)


@pytest.fixture
def not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong may take long to fail."""
    monkeypatch.setattr(rocq, "LONGEST", 240)


CHANGED = [(name, what) for name in HANDFUL for what in CHANGES[name]]


@pytest.mark.usefixtures("not_long")
@pytest.mark.parametrize(
    ("name", "what"),
    [case if case[0] in HANDFUL[:1] else slow(case) for case in CHANGED],
)
def test_what_is_changed_falls(name: str, what: str, tmp_path: Path, folder: Path) -> None:
    assert refused(wrong_theorem(name, CHANGES[name][what], PROOFS), tmp_path, folder)


@pytest.mark.usefixtures("not_long")
@pytest.mark.parametrize("name", all_but_the_handful_slow(THEOREMS))
def test_half_the_budget_falls(name: str, tmp_path: Path, folder: Path) -> None:
    assert refused(halved_budget(THEOREMS[name]), tmp_path, folder)


@pytest.mark.usefixtures("not_long")
@pytest.mark.parametrize("name", [slow(name) for name in THEOREMS])
def test_half_the_noise_falls(name: str, tmp_path: Path, folder: Path) -> None:
    assert refused(half_the_noise_of(name, PROOFS), tmp_path, folder)


CALLEE = {
    "not moved": no_shift(0),
    "half the noise": half_the_noise,
    "no noise is added": written("return q + noise", "return q + 0.0"),
}


@pytest.mark.usefixtures("not_long")
@pytest.mark.parametrize("what", ["not moved", slow("half the noise"), slow("no noise is added")])
def test_a_callee_that_is_changed_falls(what: str, tmp_path: Path, folder: Path) -> None:
    assert refused(changed_callees("count_in_rounds", CALLEE[what], PROOFS), tmp_path, folder)


def test_axioms_are_seen(tmp_path: Path, folder: Path) -> None:
    found = THEOREMS["geometric"]
    cheating = found.proof[: found.proof.index("Module Case1")]
    for end, seen in (
        (
            "Axiom wished : private.\nTheorem proved : private.\nProof. exact wished. Qed.\n",
            "wished",
        ),
        ("Theorem proved : private.\nAdmitted.\n", "proved"),
    ):
        theorem = Theorem(found.name, found.statement, cheating + end)
        place = placed(theorem, tmp_path / seen, folder / "theory")
        ((_, said),) = checked(place, [found.name], 1)
        assert not said.accepted and len(said.axioms) == 1 and said.axioms[0].endswith(seen)


def test_a_proof_of_something_else_is_seen(tmp_path: Path, folder: Path) -> None:
    found = THEOREMS["geometric"]
    other = "Definition private := True.\nTheorem proved : private.\nProof. exact I. Qed.\n"
    theorem = Theorem(found.name, found.statement, other)
    place = placed(theorem, tmp_path / "other", folder / "theory")
    ((_, said),) = checked(place, [found.name], 1)
    assert "geometric.private" in said.trouble


PRINTED = """Closed under the global context
Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop,
    (forall n : nat, {P n} + {~ P n}) ->
wished : False
Foo.nested is assumed to be guarded.
Axioms:
c_proof.proved : c.private
"""


def test_what_rocq_prints_of_axioms() -> None:
    of_reals = ("ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec")
    more = ("wished", "Foo.nested is assumed to be guarded.")
    assert axioms_of(PRINTED) == [(), of_reals + more, ("c_proof.proved",)]


class TestCommand:
    """``shiftproof export``; ``--check`` builds the theory anew, so it is asked for once."""

    def run(self, *arguments: object) -> Any:
        return CliRunner(env={"COLUMNS": "100"}).invoke(main, ["export", *map(str, arguments)])

    def test_the_gallery(self, tmp_path: Path) -> None:
        done = self.run("--gallery", "--rocq", tmp_path / "out", "--json")
        found = {row["mechanism"]: row for row in json.loads(done.stdout)}
        assert done.exit_code == 0
        written = {name for name, row in found.items() if row["theorem"] == "written"}
        # What is wrong with the others is a claim of another kind.
        private = {name for name in THEOREMS if "incorrect" not in PROOFS[name]["source"]}
        assert written == private and len(found) >= 110
        assert all(row["reason"] for name, row in found.items() if name not in written)
        assert (tmp_path / "out" / "sparse_vector.v").exists()

    def test_what_is_named_and_has_none(self, tmp_path: Path) -> None:
        done = self.run("warner", "noisy_max_value", "--rocq", tmp_path / "out")
        assert done.exit_code == 2 and not (tmp_path / "out").exists()
        assert "not proved: refuted" in done.stdout and "Nothing is written." in done.stdout
        assert "a proof by sums" in done.stdout

    def test_users_own(self, tmp_path: Path) -> None:
        file = tmp_path / "visits.py"
        file.write_text(
            "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n\n"
            "@mechanism(DP())\ndef visits(x: Count, eps: Epsilon) -> float:\n"
            "    noise = sample(Laplace(1 / eps))\n    return x + noise\n"
        )
        done = self.run(file, "--rocq", tmp_path / "out")
        assert done.exit_code == 0 and "1 written; all as it should be" in done.stdout
        assert "Draw (laplace (1 / eps)" in (tmp_path / "out" / "visits.v").read_text()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--rocq", "out"), "nothing is named"),
            (("laplace",), "Missing option '--rocq'"),
            (("laplace", "--rocq", "."), "is the current folder"),
        ],
    )
    def test_bad_input(self, arguments: tuple[str, ...], message: str) -> None:
        done = self.run(*arguments)
        assert done.exit_code == 3 and message in done.stderr, done.stderr

    def test_without_rocq(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        done = self.run("laplace", "--rocq", tmp_path / "out", "--check")
        assert done.exit_code == 3 and not (tmp_path / "out").exists()
        assert "coqc is not found" in done.stderr and "apt-get install" in done.stderr

    @pytest.mark.slow
    def test_checked(self, folder: Path, tmp_path: Path) -> None:
        done = self.run("laplace", "--rocq", tmp_path / "out", "--check", "-j", 1, "--json")
        (row,) = json.loads(done.stdout)
        assert done.exit_code == 0 and row["theorem"] == "accepted" and row["axioms"] == []

    def test_rejected(self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        wrong = halved_budget(THEOREMS["laplace"])
        monkeypatch.setattr("shiftproof.showing.theorems.folder.theorem_of", lambda *_: wrong)
        monkeypatch.setattr("shiftproof.showing.theorems.rocq.build_theory", lambda *_: None)
        out = tmp_path / "out"
        real = checked

        def with_theory(place: Path, names: list[str], processes: int) -> Any:
            shutil.rmtree(place / "theory")
            (place / "theory").symlink_to(folder / "theory", target_is_directory=True)
            return real(place, names, processes)

        monkeypatch.setattr("shiftproof.showing.theorems.rocq.checked", with_theory)
        done = self.run("laplace", "--rocq", out, "--check")
        assert done.exit_code == 1 and "rejected" in done.stdout
        assert "laplace_proof.v, line" in done.stdout
