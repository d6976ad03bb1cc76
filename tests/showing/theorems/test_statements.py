"""Theorems as texts: which proofs have one, how long its statement is, and the folder of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shiftproof import BadInput, ShiftproofError, verify, write_theorems
from shiftproof.showing.theorems.export import Theorem, theorem_of
from shiftproof.showing.theorems.folder import (
    Exported,
    check_own,
    exported,
    texts_of,
    theory,
    theory_files,
    write_folder,
)
from shiftproof.showing.theorems.words.terms import NoTheorem
from shiftproof.workspace.targets import resolve, resolve_text
from tests.places import ROOT
from tests.showing.theorems.tampering import (
    CHANGES,
    HANDFUL,
    certificates,
    halved_budget,
    lines,
    theorems,
    wrong_theorem,
)

PROOFS = certificates()
#: A statement is read by a person: this is how long it may be, and how wide, in characters.
MOST_LINES, LONGEST = 85, 100
PAGE = ROOT / "docs" / "theorems.md"


@pytest.mark.parametrize("name", PROOFS)
def test_a_theorem_or_a_reason(name: str) -> None:
    try:
        found = theorem_of(PROOFS[name])
    except NoTheorem as error:
        assert 3 < len(error.message) < 120 and "\n" not in error.message
        return
    assert found.name == name
    assert found == theorem_of(PROOFS[name])
    assert len(lines(found)) <= MOST_LINES and max(map(len, lines(found))) <= LONGEST
    assert "Axiom" not in found.statement + found.proof
    assert not re.search(r"\b(Admitted|admit|Abort)\b", found.proof)
    assert found.statement.count("Definition private : Prop") == 1
    assert found.proof.count("Theorem proved : private.") == 1


def test_most_proofs_by_alignment_are_theorems() -> None:
    found = list(theorems(PROOFS))
    assert len(found) >= 37
    assert {*HANDFUL} <= {theorem.name for theorem in found}
    assert len({theorem.name for theorem in found}) == len(found)


def test_names_are_those_of_rocq() -> None:
    for theorem in theorems(PROOFS):
        declared = re.findall(r"(?:\(|\| |fun )([^\W\d][\w']*)", theorem.statement)
        assert declared
        for name in declared:
            assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_']*", name), (theorem.name, name)


def test_what_is_tampered_with_says_something_else() -> None:
    right = {theorem.name: theorem for theorem in theorems(PROOFS)}
    for theorem in right.values():
        assert halved_budget(theorem).statement != theorem.statement
    for name in HANDFUL:
        for change in CHANGES[name].values():
            assert wrong_theorem(name, change, PROOFS) != right[name]


def written(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def one(name: str = "geometric") -> Exported:
    return Exported(name, "", 0, "", True, theorem_of(PROOFS[name]))


def test_the_folder(tmp_path: Path) -> None:
    statements = write_folder([one(), one("laplace")], tmp_path / "out" / "theorems")
    assert [path.name for path in statements] == ["geometric.v", "laplace.v"]
    folder = statements[0].parent
    own = {"geometric.v", "geometric_proof.v", "laplace.v", "laplace_proof.v", "Theorems.v"}
    files = {f"theory/{file}" for file in theory_files()}
    assert written(folder) == own | files | {"Makefile", "_CoqProject"}
    listed = (folder / "_CoqProject").read_text().splitlines()
    assert {*listed[2:]} == own | files and listed[1] == "-R . Shiftproof"
    assert len(list((tmp_path / "out").iterdir())) == 1
    write_folder([one()], folder)
    assert "laplace.v" not in written(folder) and len(list((tmp_path / "out").iterdir())) == 1


def test_the_theory_is_listed() -> None:
    there = {p.relative_to(theory()).as_posix() for p in theory().rglob("*.v")}
    assert {*theory_files()} <= there and len(theory_files()) >= 16
    assert all(len(list(p.iterdir())) <= 100 for p in theory().rglob("*") if p.is_dir())


@pytest.mark.parametrize("other", ["notes.txt", "theory/More.v", "thesis.vo", ".git/config"])
def test_what_is_not_ours_stays(other: str, tmp_path: Path) -> None:
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).write_text("mine")
    with pytest.raises(BadInput, match=f"holds {re.escape(other)}, which no export"):
        write_folder([one()], tmp_path)
    assert written(tmp_path) == {other}
    folder = tmp_path / "before"
    write_folder([one()], folder)
    before = written(folder)
    (folder / other).parent.mkdir(exist_ok=True)
    (folder / other).write_text("mine")
    with pytest.raises(BadInput, match="holds"):
        write_folder([one("laplace")], folder)
    assert written(folder) == before | {other}


def test_what_rocq_builds_is_ours(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_folder([one()], folder)
    for name in ("geometric.vo", ".geometric.aux", "theory/laws/Shifts.glob", ".lia.cache",
                 "Makefile.coq", "theory/.nra.cache"):  # fmt: skip
        (folder / name).write_text("")
    write_folder([one()], folder)
    assert "geometric.vo" not in written(folder)


def test_places_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is no folder"):
        check_own(tmp_path / "file")
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "below")
    for place in (tmp_path / "here", Path(".")):
        with pytest.raises(BadInput, match="is the current folder, or holds it"):
            check_own(place)
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_folder([one()], tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target" / "geometric.v").exists()
    (tmp_path / "target" / "elsewhere").symlink_to(tmp_path / "here")
    with pytest.raises(BadInput, match="holds elsewhere"):
        check_own(tmp_path / "link")


def test_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    write_folder([one()], folder)
    before = {name: (folder / name).read_bytes() for name in written(folder)}
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(BadInput, match="cannot be written: No space left"):
        write_folder([one("laplace")], folder)
    assert {name: (folder / name).read_bytes() for name in written(folder)} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_two_that_would_share_a_file() -> None:
    theorem = theorem_of(PROOFS["geometric"])
    for other in (theorem, Theorem("geometric_proof", "", "")):
        with pytest.raises(BadInput, match="two mechanisms would share this file"):
            texts_of([theorem, other])


def test_from_python(tmp_path: Path) -> None:
    reports = [verify(resolve(name)[0]) for name in ("laplace", "k_ary_response", "warner")]
    (statement,) = write_theorems(reports, tmp_path / "out")
    assert statement.read_text() == theorem_of(PROOFS["laplace"]).statement
    assert write_theorems(reports[1:], tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


NAMED = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def {name}(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("fun", "its name, which is none of Rocq"),
        ("größe", "its name, which is none of Rocq"),
        ("_x", "its name, which is none of Rocq"),
        ("Programs", "its name, which a file of the theory has"),
        ("Theorems", "its name, which a file of the theory has"),
        ("busy", ""),
    ],
)
def test_names_of_mechanisms(name: str, why: str) -> None:
    found = exported(verify(resolve_text(NAMED.format(name=name))[0]))
    assert found.proved and found.why == why and (found.theorem is None) == bool(why)


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
def test_the_call_of_the_page() -> None:
    """It stands in a statement, however that is broken into lines."""
    shown = PAGE.read_text(encoding="utf-8").partition("```coq\n")[2].partition("```")[0]
    (found,) = (t.statement for t in theorems(PROOFS) if t.name == "count_in_rounds")
    assert "Draw" in shown and " ".join(shown.split()) in " ".join(found.split())


def test_figures_of_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    row = re.search(r"\| here \| (\d+) of.*? \| (\d+) to (\d+), .*?\| (\d+) to (\d+), ", text)
    assert row, "the row of the table that is about us"
    many, least, most, shortest, longest = map(int, row.groups())
    found = list(theorems(PROOFS))
    assert many <= len(found)
    for theorem in found:
        assert least <= len(lines(theorem)) <= most
        assert shortest <= sum(1 for line in theorem.proof.splitlines() if line.strip()) <= longest
    theory_lines = sum(
        bool(line.strip())
        for file in theory_files()
        for line in (theory() / file).read_text(encoding="utf-8").splitlines()
    )
    said = re.search(r"The theory here has ([0-9,]+) lines", text)
    assert said and abs(int(said[1].replace(",", "")) - theory_lines) < 0.2 * theory_lines


def test_errors_are_of_the_toolkit() -> None:
    assert issubclass(NoTheorem, ShiftproofError)


def test_a_variable_that_is_a_label_is_no_number() -> None:
    """What it is compared with is not decided by its name."""
    text = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def labelled(f: Count, eps: Epsilon):
    noise = sample(Laplace(1 / eps))
    said = "low"
    if f + noise > 3:
        said = "high"
    return 1 if said == "high" else 0
"""
    found = exported(verify(resolve_text(text)[0]))
    assert found.proved and found.theorem is None
    assert "a label" in found.why
