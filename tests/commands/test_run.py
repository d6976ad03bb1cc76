"""``shiftproof run``: a mechanism on the item counts of a basket file."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.cli import main

TINY = "eps=1000000"  # so little noise that it cannot change what happens
ASV = "shiftproof.mechanisms.asymmetric_sparse_vector::asymmetric_sparse_vector"
MECHANISMS = """
from typing import Annotated
from collections.abc import Iterator, Sequence
from shiftproof import *
@mechanism(DP(), expect="refuted")
def each(f: Counts, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise
@mechanism(DP(), expect="refuted")
def first(f: Counts, T: Public[Vector], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    print("not an answer")
    return f[0] + T[0] + noise
@mechanism(DP(), expect="refuted")
def histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        yield f[i] + noise
@mechanism(DP(), expect="refuted")
def whole(f: Counts, T: Public[Vector], eps: Epsilon) -> Iterator[float]:
    assert len(T) == len(f)
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield f[i] + noise - T[i]
@mechanism(DP())
def fails(f: Counts, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (eps - eps)))
    return f[0] + noise
@mechanism(DP())
def no_private(eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return noise
@mechanism(DP())
def number(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise
@mechanism(DP())
def two(f: Counts, g: Counts, eps: Epsilon) -> float:
    return 0
@mechanism(DP())
def window(f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon) -> float:
    return 0
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["run", *map(str, arguments)])


def answer(*arguments: object) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def fault(*arguments: object) -> str:
    """The one error; nothing else is printed."""
    result = run(*arguments)
    assert result.exit_code == 3, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    lines = re.split("^Error: ", result.stderr, flags=re.MULTILINE)
    assert len(lines) == 2
    return lines[1]


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    """Item 7 is in four baskets, 10 in one, 30 in two."""
    path = tmp_path / "baskets.dat"
    path.write_text("7 10\n7 30\n7 30\n7\n")
    return path


@pytest.fixture
def mechanisms(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(MECHANISMS)
    return path


class TestReleases:
    def test_each_value_with_its_item(self, baskets: Path) -> None:
        found = answer(ASV, "--data", baskets, "--set", TINY, "--set", "c=2", "--set", "T=1.5")
        assert [entry["item"] for entry in found["released"]] == [7, 30]
        assert [round(entry["value"]) for entry in found["released"]] == [4, 2]
        assert found["counted"] == {"None": 1}
        assert found["left_out"] == 0
        assert (found["baskets"], found["items"]) == (4, 3)
        assert found["settings"] == {"eps": 1000000, "c": 2, "T": 1.5}

    def test_table(self, baskets: Path) -> None:
        result = run(ASV, "--data", baskets, "--set", TINY, "--set", "c=2", "--set", "T=1.5")
        assert result.exit_code == 0
        head, names, seven, thirty, total = result.stdout.splitlines()
        assert head == f"asymmetric_sparse_vector on {baskets} (4 baskets, 3 items)"
        assert names.split() == ["item", "value"]
        assert seven.split()[0] == "7"
        assert thirty.split()[0] == "30"
        assert total == "values released: 3 (not listed: 1 × None)"

    def test_gallery_name_and_a_vector_in_full(self, baskets: Path) -> None:
        settings = ["--set", TINY, "--set", "c=3", "--set", "T=9,0.5,9", "--data", baskets]
        found = answer("asymmetric_sparse_vector", *settings)
        assert [entry["item"] for entry in found["released"]] == [10]

    def test_stops_early(self, baskets: Path) -> None:
        found = answer(ASV, "--data", baskets, "--set", TINY, "--set", "c=1", "--set", "T=0")
        assert [entry["item"] for entry in found["released"]] == [7]
        assert found["counted"] == {}

    def test_limit(self, baskets: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::each"
        found = answer(own, "--data", baskets, "--set", TINY, "--limit", 1)
        assert [entry["item"] for entry in found["released"]] == [7]
        assert found["left_out"] == 2
        result = run(own, "--data", baskets, "--set", TINY, "--limit", 0)
        assert result.stdout.splitlines()[1:] == ["values released: 3 (not listed: 3 more)"]

    def test_one_value_that_is_of_no_item(self, baskets: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::first"
        found = answer(own, "--data", baskets, "--set", TINY, "--set", "T=100")
        (entry,) = found["released"]
        assert entry["position"] == 0
        assert round(entry["value"]) == 104

    def test_what_the_mechanism_prints_is_kept_apart(self, baskets: Path, mechanisms: Path) -> None:
        result = run(f"{mechanisms}::first", "--data", baskets, "--set", TINY, "--set", "T=1")
        assert "not an answer" in result.stderr
        assert "not an answer" not in result.stdout

    def test_seed_repeats(self, baskets: Path, mechanisms: Path) -> None:
        arguments = (f"{mechanisms}::each", "--data", baskets, "--set", "eps=1")
        assert answer(*arguments, "--seed", 3) == answer(*arguments, "--seed", 3)
        assert answer(*arguments, "--seed", 3) != answer(*arguments, "--seed", 4)
        assert answer(*arguments)["released"] != answer(*arguments)["released"]


class TestColumns:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Path:
        path = tmp_path / "visits.csv"
        path.write_text('\ufeffplace,age\n"b, c",9\na,10\na,9\n', encoding="utf-8")
        return path

    def test_the_values_of_a_column_are_counted(self, table: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::histogram"
        found = answer(own, "--data", table, "--column", "place", "--set", TINY)
        assert [(e["place"], round(e["value"])) for e in found["released"]] == [
            ("a", 2),
            ("b, c", 1),
        ]
        assert (found["rows"], found["items"], found["column"]) == (3, 2, "place")
        result = run(own, "--data", table, "--column", "age", "--set", TINY)
        head, names, nine, ten, _ = result.stdout.splitlines()
        assert head == f"histogram on {table} (3 rows, 2 values of age)"
        assert (names.split()[0], nine.split()[0], ten.split()[0]) == ("age", "9", "10")
        assert "a record is taken to be a row" in result.stderr

    def test_a_value_may_hold_what_ends_lines_elsewhere(
        self, table: Path, mechanisms: Path
    ) -> None:
        table.write_text("place\na\u2028b\na\u2028b\n", encoding="utf-8")
        found = answer(
            f"{mechanisms}::histogram", "--data", table, "--column", "place", "--set", TINY
        )
        assert (found["rows"], found["items"]) == (2, 1)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"place,age\na,1\nb\n", "visits.csv:3:1: 1 cells in a row; want 2"),
            (b"places\na\n", "visits.csv:1:1: no column 'place'; did you mean 'places'?"),
            (b"", "no column 'place'; want one of none"),
            (b"place\n", "no row below the header"),
            (b"place\na\n\xff\n", "visits.csv:3:1: not a text file in UTF-8: byte 0xff"),
            (b'place\n"a\n', "visits.csv:2:1: no CSV"),
        ],
    )
    def test_what_is_no_table(self, table: Path, content: bytes, message: str) -> None:
        table.write_bytes(content)
        said = fault("histogram", "--data", table, "--column", "place", "--set", TINY)
        assert message in said


class TestWarnings:
    def test_of_floats(self, baskets: Path) -> None:
        result = run(ASV, "--data", baskets, "--set", TINY, "--set", "c=2", "--set", "T=1")
        floating, counting = result.stderr.splitlines()
        assert floating.startswith("Warning: this run is only idealised: ")
        assert "sparse_vector.py:44:9: Exponential noise is drawn in floating point." in floating
        assert "do not use this for real releases" in floating
        assert "counting query over the baskets" in counting
        assert "treated as public" in counting

    @pytest.mark.parametrize("eps", ["1", "0.1", "1/3"])
    def test_none_of_floats_if_there_are_none(
        self, baskets: Path, mechanisms: Path, eps: str
    ) -> None:
        own = f"{mechanisms}::whole"
        arguments = (own, "--data", baskets, "--set", f"eps={eps}", "--set", "T=1,1/2,0.25")
        result = run(*arguments)
        assert result.exit_code == 0 and "idealised" not in result.stderr
        found = answer(*arguments)
        assert found["settings"] == {
            "eps": eps if "/" in eps else json.loads(eps),
            "T": [1, "1/2", 0.25],
        }
        values = [Fraction(entry["value"]) for entry in found["released"]]
        assert [v.denominator for v in values] == [1, 2, 4]

    def test_where_nothing_is_known(self, baskets: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::first"
        result = run(own, "--data", baskets, "--set", TINY, "--set", "T=1")
        assert "idealised: what it does is outside the language" in result.stderr

    def test_of_a_seed_and_of_a_known_bad_example(self, baskets: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::each"
        result = run(own, "--data", baskets, "--set", TINY, "--seed", 1)
        assert "a seeded run is not private" in result.stderr
        assert "each is a known-bad example" in result.stderr
        found = answer(own, "--data", baskets, "--set", TINY, "--seed", 1)
        assert found["warnings"] == result.stderr.splitlines()


class TestData:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("1 2\n3 x\n", ":2:3: 'x' is no item id"),
            ("1 2\n\n3\n", ":2:1: "),
            ("", ":1:1: no basket in the file"),
        ],
    )
    def test_broken(self, tmp_path: Path, content: str, message: str) -> None:
        path = tmp_path / "broken.dat"
        path.write_text(content)
        text = fault(ASV, "--data", path, "--set", TINY, "--set", "c=1", "--set", "T=1")
        assert text.startswith(f"{path}{message}")

    def test_missing(self, tmp_path: Path) -> None:
        settings = ["--set", TINY, "--set", "c=1", "--set", "T=1"]
        assert "no such file" in fault(ASV, "--data", tmp_path / "nosuch.dat", *settings)
        assert "is a directory" in fault(ASV, "--data", tmp_path, *settings)
        assert "Missing option '--data'" in fault(ASV)

    def test_baskets_make_no_histogram(self, tmp_path: Path, mechanisms: Path) -> None:
        own = f"{mechanisms}::histogram"
        path = tmp_path / "single.dat"
        path.write_text("1\n2\n2\n")
        assert len(answer(own, "--data", path, "--set", TINY)["released"]) == 2
        path.write_text("1\n2 3\n2\n")
        assert "counts once at most" in fault(own, "--data", path, "--set", TINY)


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            (["eps=1"], "asymmetric_sparse_vector: values are missing; give --set T=… --set c=…"),
            (
                [],
                "asymmetric_sparse_vector: values are missing; give --set T=… --set c=… --set eps",
            ),
            (["epsilon=1"], "--set 'epsilon=1': unknown name 'epsilon': did you mean 'eps'?"),
            (["f=1"], "--set 'f=1': unknown name 'f': want one of T, c, eps"),
            (["eps=1", "eps=2"], "--set 'eps=2': 'eps' is set already"),
            (["eps"], "--set 'eps': no '='"),
            (["eps=0", "c=1", "T=1"], "eps: got int 0; it must be positive"),
            (["eps=1", "c=1.5", "T=1"], "c: got float 1.5; an int is needed"),
            (["eps=1", "c=-1", "T=1"], "c: got int -1; it must be at least 0"),
            (["eps=true", "c=1", "T=1"], "eps: got bool True; a finite number is needed"),
            (["eps=1", "c=1", "T=x"], "--set 'T=x': 'x' is no finite number"),
        ],
    )
    def test_wrong(self, baskets: Path, settings: list[str], message: str) -> None:
        options = [part for setting in settings for part in ("--set", setting)]
        assert fault(ASV, "--data", baskets, *options).startswith(message)

    @pytest.mark.parametrize(
        ("settings", "precondition"),
        [(["c=0", "T=1"], "c >= 1"), (["c=1", "T=1,2"], "len(T) == len(f)")],
    )
    def test_precondition(self, baskets: Path, settings: list[str], precondition: str) -> None:
        options = [part for setting in settings for part in ("--set", setting)]
        text = fault(ASV, "--data", baskets, "--set", TINY, *options)
        assert f"the precondition '{precondition}' does not hold" in text


class TestMechanism:
    @pytest.mark.parametrize("name", ["no_private", "number", "two", "window"])
    def test_with_other_private_inputs(self, baskets: Path, mechanisms: Path, name: str) -> None:
        text = fault(f"{mechanisms}::{name}", "--data", baskets, "--set", TINY)
        assert "exactly one private input, a sequence" in text

    def test_that_fails(self, baskets: Path, mechanisms: Path) -> None:
        text = fault(f"{mechanisms}::fails", "--data", baskets, "--set", TINY)
        line = 1 + MECHANISMS[: MECHANISMS.index("(eps - eps)")].count("\n")
        assert text.startswith(f"{mechanisms}:{line}:")
        assert "cannot be run: ZeroDivisionError" in text

    def test_must_be_one(self, baskets: Path, mechanisms: Path) -> None:
        text = fault(mechanisms, "--data", baskets, "--set", TINY)
        assert "holds several mechanisms; choose one with '::' (each, first, " in text

    def test_must_exist(self, baskets: Path, mechanisms: Path) -> None:
        text = fault(f"{mechanisms}::frist", "--data", baskets, "--set", TINY)
        assert "did you mean 'first'?" in text
