"""Trajectories: who is where at a time, files that are read or refused, towns that are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput
from shiftproof.experiments.trajectories import (
    LONGEST_LINE,
    NOWHERE,
    Trajectories,
    clock,
    read_trajectories,
    write_trajectories,
)
from shiftproof.experiments.trajectories_town import generate_trajectories
from tests.experiments.trajectory_files import HEADER, SMALL, run, written


@pytest.fixture(scope="module")
def town() -> Trajectories:
    return generate_trajectories(people=3_000, places=2_000, seed=4)


def same(one: Trajectories, other: Trajectories) -> bool:
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in Trajectories.__slots__)


class TestTimes:
    @pytest.mark.parametrize(
        ("time", "places"),
        [
            (0, ["", "", ""]),
            (59.9, ["", "", ""]),
            (60, ["cafe", "", ""]),
            (85, ["cafe", "cafe", ""]),
            (90, ["", "cafe", ""]),
            (1e9, ["park", "cafe", ""]),
        ],
    )
    def test_the_last_row_tells(self, tmp_path: Path, time: float, places: list[str]) -> None:
        found = read_trajectories(written(tmp_path, SMALL))
        assert found.people == ("ada", "bob", "cy")
        there = [*found.places, ""]
        assert [there[k] for k in found.at(time)] == places  # NOWHERE is -1, the last one

    def test_before_the_first_row_nobody_is_anywhere(self, tmp_path: Path) -> None:
        found = read_trajectories(written(tmp_path, f"{HEADER}ada,5,0,0,cafe\n"))
        assert found.at(4.9).tolist() == [NOWHERE]

    def test_busiest(self, tmp_path: Path) -> None:
        assert read_trajectories(written(tmp_path, SMALL)).busiest() == 80

    def test_busiest_is_the_most(self, town: Trajectories) -> None:
        there = {t: (town.at(t) != NOWHERE).sum() for t in np.unique(town.time)}
        most = max(there.values())
        assert town.busiest() == min(t for t, count in there.items() if count == most)

    @pytest.mark.parametrize(
        ("time", "text"), [(1085, "18:05"), (0.9, "00:00"), (1500, "1 d 01:00")]
    )
    def test_clock(self, time: float, text: str) -> None:
        assert clock(time) == text


class TestReading:
    def test_places_are_where_people_were(self, tmp_path: Path) -> None:
        found = read_trajectories(written(tmp_path, SMALL))
        assert (found.places, found.listed) == (("cafe", "park"), False)
        assert (found.place_x.tolist(), found.place_y.tolist()) == ([1.25, 5], [2.25, 5])

    def test_listed_places(self, tmp_path: Path) -> None:
        listed = ",,7,8,zoo\n,,1,1,cafe\n,,2,2,park\n"
        found = read_trajectories(written(tmp_path, SMALL + listed))
        assert found.listed and set(found.places) == {"cafe", "park", "zoo"}
        where = dict(zip(found.places, zip(found.place_x, found.place_y)))
        assert where == {"zoo": (7, 8), "cafe": (1, 1), "park": (2, 2)}

    def test_columns_in_any_order(self, tmp_path: Path) -> None:
        text = 'mode,place,y,x,time,person\r\nfoot,"cafe, old",2,1,6e1, ada \r\n'
        found = read_trajectories(written(tmp_path, b"\xef\xbb\xbf" + text.encode()))
        assert (found.people, found.places) == (("ada",), ("cafe, old",))
        assert (found.time[0], found.x[0], found.y[0]) == (60, 1, 2)

    def test_what_is_written_is_read(self, tmp_path: Path, town: Trajectories) -> None:
        write_trajectories(town, str(tmp_path / "a.csv"))  # text will do
        found = read_trajectories(str(tmp_path / "a.csv"))
        assert same(found, town)
        write_trajectories(found, tmp_path / "b.csv")
        assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()

    @pytest.mark.parametrize(
        ("text", "line", "column", "message"),
        [
            ("", 1, 1, "no column 'person'"),
            ("person,time,x,y\n", 1, 1, "no column 'place'"),
            ("person,time,x,x,y,place\n", 1, 1, "more than one column 'x'"),
            (HEADER, 1, 1, "no person in the file"),
            (HEADER + ",,1,2,cafe\n", 1, 1, "no person in the file"),
            (HEADER + "ada,0,1,2,\n", 1, 1, "no place in the file"),
            (HEADER + "ada,0,1,2,c\nbob,0,1\n", 3, 1, "3 fields: want 5"),
            (HEADER + "ada,0,1,2,c\n\n", 3, 1, "0 fields: want 5"),
            (HEADER + "ada,0,1,2,c,d\n", 2, 1, "6 fields: want 5"),
            (HEADER + "ada,noon,1,2,c\n", 2, 5, "'noon' is no number"),
            (HEADER + "ada,,1,2,c\n", 2, 5, "'' is no number"),
            (HEADER + "ada,0,1_0,2,c\n", 2, 7, "'1_0' is no number"),
            (HEADER + "ada,0,1,inf,c\n", 2, 9, "'inf' is no number"),
            (HEADER + "ada,0,1,1e999,c\n", 2, 9, "'1e999' is too large: want at most 1e+15"),
            (HEADER + "ada,0,-1e16,1,c\n", 2, 7, "'-1e16' is too large"),
            (HEADER + '"a,da",0,x,2,c\n', 2, 10, "'x' is no number"),
            (HEADER + "ada,-1,1,2,c\n", 2, 5, "time '-1' is negative"),
            (HEADER + ",5,1,2,c\n", 2, 2, "a time but no person"),
            (HEADER + ",,1,2,\n", 2, 7, "neither person nor place"),
            (HEADER + ",,1,2,c\n,,1,3,c\n", 3, 7, "listed at another position"),
            (HEADER + "ada,0,1,2,d\n,,1,2,c\n", 2, 1, "'d' is not among those that are listed"),
            (
                HEADER + "ada,0,1,2,c\nbob,0,1,2,c\nada,0.0,3,4,\n",
                4,
                1,
                "time 0 already, in line 2",
            ),
            (HEADER + "ada,0,1,2,c\nbob,0,1,2,c\nbob,0,1,2,c\nada,0,3,4,\n", 4, 1, "person 'bob'"),
            (HEADER + 'ada,0,1,2,"c\nd"\n', 2, 1, "a quote that is not closed"),
            (HEADER + 'ada,0,1,2,"c\n', 2, 1, "a quote that is not closed"),
            (HEADER + 'ada,0,1,2,"c"d\n', 2, 1, "no CSV"),
            (HEADER + "ada,0,1,2," + "c" * LONGEST_LINE + "\n", 2, 1, "a line of more than"),
            (HEADER.encode() + b"ada,0,1,2,\xff\n", 1, 1, "UTF-8"),
        ],
    )
    def test_refused(
        self, tmp_path: Path, text: str | bytes, line: int, column: int, message: str
    ) -> None:
        path = written(tmp_path, text)
        with pytest.raises(BadInput) as caught:
            read_trajectories(path)
        where = caught.value.location
        assert where is not None and message in caught.value.message
        assert (where.file, where.line, where.column) == (str(path), line, column)

    def test_no_file(self, tmp_path: Path) -> None:
        for path, message in ((tmp_path / "none.csv", "no such file"), (tmp_path, "a directory")):
            with pytest.raises(BadInput, match=message):
                read_trajectories(path)


class TestGenerating:
    def test_people_are_at_one_place_at_a_time(self, town: Trajectories) -> None:
        steps = np.diff(town.time)[np.diff(town.person) == 0]
        assert (steps > 0).all() and (np.diff(town.person) >= 0).all()
        assert (town.time >= 0).all()

    def test_most_places_are_empty_and_a_few_are_full(self) -> None:
        for seed in range(3):
            full = generate_trajectories(seed=seed)
            there = full.at(full.busiest())
            for people, empty, most in ((500, 0.95, 5), (2_500, 0.88, 20)):
                some = there[:people]
                counts = np.bincount(some[some != NOWHERE], minlength=len(full.places))
                assert len(counts) == 5_835
                assert (counts == 0).mean() > empty and counts.max() >= most

    def test_at_a_place_people_are_where_it_is(self, town: Trajectories) -> None:
        there = town.place != NOWHERE
        assert there.sum() > 5_000
        assert (town.x[there] == town.place_x[town.place[there]]).all()
        assert (town.y[there] == town.place_y[town.place[there]]).all()

    def test_seeds(self, town: Trajectories) -> None:
        assert same(generate_trajectories(3_000, 2_000, 4), town)
        assert not np.array_equal(generate_trajectories(3_000, 2_000, 5).place_x, town.place_x)

    @pytest.mark.parametrize("places", [6, 7, 100])
    def test_small(self, places: int) -> None:
        found = generate_trajectories(1, places, 1)
        assert len(found.places) == len(set(found.places)) == places
        assert found.people == ("person-1",)

    @pytest.mark.parametrize(
        "sizes",
        [
            (0, 10, 0),
            (10, 5, 0),
            (10, 10, -1),
            (2.5, 10, 0),
            ("9", 10, 0),
            (9, 10.0, 0),
            (9, 9, ""),
        ],
    )
    def test_out_of_range(self, sizes: tuple[Any, Any, Any]) -> None:
        with pytest.raises(BadInput, match=r"got .*; want"):
            generate_trajectories(*sizes)


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "town.csv"
    result = run("trajectories", path, "--people", 50, "--places", 40, "--seed", 3)
    assert result.exit_code == 0, result.output
    assert "50 people, 40 places" in result.stdout
    assert same(read_trajectories(path), generate_trajectories(50, 40, 3))
    assert run("trajectories", tmp_path / "no" / "town.csv").exit_code == 3
