"""Rooms stand one above the other: imports go down, in every folder of the package."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import shiftproof

PACKAGE = Path(shiftproof.__file__).parent
#: From the top down; those of a line are next to each other and know nothing of one another.
ROOMS: tuple[set[str], ...] = (
    {"commands"},
    {"experiments"},
    {"showing"},
    {"workspace"},
    {"proofs"},
    {"estimators"},
    {"mechanisms"},
    {"checkers"},
    {"alignments"},
    {"libraries"},
    {"dsl"},
)
#: The rooms of the language and of the checkers, as those of the house.
LANGUAGE = (
    "simulation", "normalise", "static", "mechanism",
    "reading", "relations", "parsing", "language", "privacy", "noise", "terms",
)  # fmt: skip
CHECKERS = ("verify", "finite", "proving", "refuting", "exact")
#: What may stand in a folder besides: the gallery is flat, as its modules are named by users, and
#: so are the commands, of which each is a file.
FLAT = {"mechanisms", "commands"}
MOST_ENTRIES, LONGEST = 16, 405


@pytest.fixture(scope="module")
def house() -> grimp.ImportGraph:
    """All imports that run, lazy ones too, but those of the package itself, which offers all."""
    graph = grimp.build_graph("shiftproof", exclude_type_checking_imports=True, cache_dir=None)
    offered = [
        ("shiftproof", name) for name in graph.find_modules_directly_imported_by("shiftproof")
    ]
    asked = [(name, "shiftproof") for name in graph.find_modules_that_directly_import("shiftproof")]
    for importer, imported in (*offered, *asked):
        graph.remove_import(importer=importer, imported=imported)
    return graph


def test_every_room_is_listed() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == set().union(*ROOMS)


@pytest.mark.parametrize(
    ("container", "layers"),
    [
        ("shiftproof", ROOMS),
        ("shiftproof.dsl", LANGUAGE),
        ("shiftproof.checkers", CHECKERS),
    ],
)
def test_rooms_import_downwards(
    house: grimp.ImportGraph, container: str, layers: tuple[str | set[str], ...]
) -> None:
    illegal = house.find_illegal_dependencies_for_layers(layers, containers={container})
    assert not illegal, sorted(map(str, illegal))


def folders() -> list[Path]:
    return sorted({path.parent for path in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize("folder", folders(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_circle_among_what_stands_in_a_folder(house: grimp.ImportGraph, folder: Path) -> None:
    name = ".".join(("shiftproof", *folder.relative_to(PACKAGE).parts))
    inside = {child: {child} | house.find_descendants(child) for child in house.find_children(name)}
    below: dict[str, set[str]] = {
        child: {
            other
            for other, modules in inside.items()
            if other != child
            for module in inside[child]
            if house.find_modules_directly_imported_by(module) & modules
        }
        for child in inside
    }
    try:
        TopologicalSorter(below).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


@pytest.mark.parametrize("folder", folders(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_folder_is_a_drawer(folder: Path) -> None:
    entries = [p for p in folder.iterdir() if p.suffix != ".json" and p.name != "__pycache__"]
    assert len(entries) <= MOST_ENTRIES or folder.name in FLAT


def test_a_file_is_read_in_one_go() -> None:
    lines = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in PACKAGE.rglob("*.py")}
    long = {str(p.relative_to(PACKAGE)): n for p, n in lines.items() if n > LONGEST}
    assert not long


def test_a_planted_import_upwards_is_seen(house: grimp.ImportGraph) -> None:
    house.add_import(importer="shiftproof.dsl.errors", imported="shiftproof.commands.cli")
    try:
        assert house.find_illegal_dependencies_for_layers(ROOMS, containers={"shiftproof"})
    finally:
        house.remove_import(importer="shiftproof.dsl.errors", imported="shiftproof.commands.cli")


def test_a_module_says_what_it_is() -> None:
    silent = [p for p in PACKAGE.rglob("*.py") if not ast.get_docstring(ast.parse(p.read_text()))]
    assert not silent


def test_the_map_names_what_is_there() -> None:
    page = PACKAGE.parents[1] / "docs" / "overview.md"
    if not page.exists():
        pytest.skip("the packages hold no pages")
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+[\w.]*)`", text))
    inside = {name for name in named if not name.startswith(("docs/", "tests/", "src/"))}
    assert len(inside) > 40
    assert not [name for name in inside if not (PACKAGE / name).exists()]
    drawing = text.partition("```text")[2].partition("```")[0]
    assert set().union(*ROOMS, LANGUAGE, CHECKERS[1:]) <= set(re.findall(r"\w+", drawing))
    assert len(text.splitlines()) <= 150
