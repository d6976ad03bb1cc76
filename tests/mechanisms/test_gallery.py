"""The gallery: every mechanism has the verdict that its author expects, and runs."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any

import pytest

import shiftproof.mechanisms
from shiftproof import Mechanism, Verdict, seeded, verify

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(
        shiftproof.mechanisms.__path__, f"{shiftproof.mechanisms.__name__}."
    )
]
GALLERY = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Mechanism)
}
CORRECT = {
    "asymmetric_laplace",
    "asymmetric_laplace_decreasing",
    "asymmetric_laplace_increasing",
    "asymmetric_sparse_vector",
    "gap_sparse_vector",
    "laplace",
    "numeric_sparse_vector",
    "sparse_vector",
    "sparse_vector_monotone",
}
INCORRECT = {
    "asymmetric_laplace_everything",
    "asymmetric_sparse_vector_typeset",
    "sparse_vector_half_noise",
    "sparse_vector_no_query_noise",
    "sparse_vector_noise_without_limit",
    "sparse_vector_prints_value",
}

#: An input for every parameter name of the gallery; ``f`` is one answer or several.
COUNTS = (0, 3, 12, 7, 1, 9)
PUBLIC = {"T": 6.0, "c": 2, "eps": 1.0}


def arguments(mechanism: Mechanism[..., Any]) -> dict[str, Any]:
    values: dict[str, Any] = {"f": COUNTS if mechanism.inputs["f"].array else 5, **PUBLIC}
    if "T" in mechanism.inputs and mechanism.inputs["T"].array:
        values["T"] = (6.0,) * len(COUNTS)
    return {name: values[name] for name in mechanism.inputs}


def each(names: set[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", sorted(names))


def test_nothing_is_forgotten() -> None:
    assert set(GALLERY) == CORRECT | INCORRECT
    assert {name for name, m in GALLERY.items() if m.expect == "proved"} == CORRECT
    assert {name for name, m in GALLERY.items() if m.expect == "refuted"} == INCORRECT


def test_names_are_unique() -> None:
    found = [
        v.function.__name__ for m in MODULES for v in vars(m).values() if v in GALLERY.values()
    ]
    assert len(found) == len(set(found)) == len(GALLERY)


def test_correct_and_incorrect_ones_are_in_files_of_their_own() -> None:
    for name, mechanism in GALLERY.items():
        module = mechanism.function.__module__.rpartition(".")[2]
        assert module.startswith("incorrect_") == (name in INCORRECT)


@each(CORRECT)
def test_correct_one_is_proved_for_all_sizes(name: str) -> None:
    report = verify(GALLERY[name])
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.epsilon_upper == "eps"
    assert report.as_expected
    assert len(report.alignment) == len(GALLERY[name].program.flow.sites)


@each(CORRECT)
def test_proof_survives_replays(name: str) -> None:
    report = verify(GALLERY[name], replays=20)
    assert report.verdict is Verdict.PROVED, report.reasons


@each(INCORRECT)
def test_incorrect_one_is_not_proved(name: str) -> None:
    report = verify(GALLERY[name], replays=20)
    assert report.verdict in (Verdict.UNKNOWN, Verdict.REFUTED)
    assert report.expected == "refuted"
    assert report.as_expected
    assert report.sizes == ""
    assert report.epsilon_upper is None
    assert report.reasons


@each(set(GALLERY))
def test_runs_and_repeats_under_a_seed(name: str) -> None:
    mechanism = GALLERY[name]
    given = arguments(mechanism)
    with seeded(3):
        first = mechanism(**given)
    with seeded(3):
        assert mechanism(**given) == first
    with seeded(4):
        assert mechanism(**given) != first or all(isinstance(v, bool) for v in first)
    assert isinstance(first, tuple)
    assert 1 <= len(first) <= len(COUNTS)


@each({name for name, m in GALLERY.items() if "c" in m.inputs})
def test_stops_after_c_answers(name: str) -> None:
    mechanism = GALLERY[name]
    given = arguments(mechanism) | {"c": 1}
    extra = 1 if name == "asymmetric_sparse_vector_typeset" else 0
    most = 0
    for seed in range(30):
        with seeded(seed):
            released = mechanism(**given)
        answers = sum(v is not None and v is not False for v in released)
        assert answers <= 1 + extra
        most = max(most, answers)
    assert most == 1 + extra


@each({name for name, m in GALLERY.items() if "c" in m.inputs})
def test_enforces_its_preconditions(name: str) -> None:
    mechanism = GALLERY[name]
    with pytest.raises(shiftproof.BadInput):
        mechanism(**arguments(mechanism) | {"c": 0})


@each(set(GALLERY))
def test_docstring_says_what_it_is(name: str) -> None:
    mechanism = GALLERY[name]
    text = mechanism.function.__doc__ or ""
    assert "Source: " in text
    assert "in nats" in text
    for parameter in mechanism.inputs:
        assert f"    {parameter}: " in text
    assert ("Wrong: " in text) == (name in INCORRECT)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_every_module_names_its_source(module: ModuleType) -> None:
    assert module.__doc__
    held = [m for m in GALLERY.values() if m.function.__module__ == module.__name__]
    assert held
    assert all("Source: " in (m.function.__doc__ or "") for m in held)


@pytest.mark.parametrize("name", sorted(GALLERY))
def test_has_no_annotated_alignment(name: str) -> None:
    assert "align" not in GALLERY[name].function.__code__.co_names
