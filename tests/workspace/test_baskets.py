"""Reading FIMI files: what is counted, and one clear error for each wrong file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shiftproof.dsl.errors import BadInput, Location
from shiftproof.workspace.data import baskets
from shiftproof.workspace.data.baskets import LARGEST_ITEM, ItemCounts, read_item_counts

# The one file of a test is overwritten by each example: sharing tmp_path is harmless.
per_example = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def write(folder: Path, content: bytes) -> Path:
    path = folder / "baskets.dat"
    path.write_bytes(content)
    return path


def counted(folder: Path, content: bytes) -> ItemCounts:
    return read_item_counts(write(folder, content))


def fault(path: Path) -> tuple[str, Location]:
    """The message and place of the error that reading ``path`` gives."""
    with pytest.raises(BadInput) as caught:
        read_item_counts(path)
    assert caught.value.location is not None
    assert caught.value.location.file == str(path)
    return caught.value.message, caught.value.location


def test_counts_baskets_and_sorts_items_as_numbers(tmp_path: Path) -> None:
    assert counted(tmp_path, b"10 2\n2 3\n2\n") == ItemCounts(
        (2, 3, 10), (3, 1, 1), 3, {1: 1, 2: 2}
    )


@pytest.mark.parametrize(
    "content",
    [
        b"1 2\n2",
        b"1 2\r\n2\r\n",
        b"1\t2 \n 2\t\n",
        b"1  2\n2\n\n\n",
        b"1 2\n2\r\n \t\r\n",
        b"1 2 1 2\n2 02 002\n",
        b"\xef\xbb\xbf1 2\n2\n",
    ],
    ids=["no last LF", "CRLF", "tabs", "blank lines end", "blanks end", "repeats", "BOM"],
)
def test_spellings_of_the_same_baskets(tmp_path: Path, content: bytes) -> None:
    assert counted(tmp_path, content) == ItemCounts((1, 2), (1, 2), 2, {1: 1, 2: 1})


def test_zero_and_the_largest_item(tmp_path: Path) -> None:
    line = f"0 {LARGEST_ITEM} {'0' * 50}7\n".encode()
    assert counted(tmp_path, line) == ItemCounts((0, 7, LARGEST_ITEM), (1, 1, 1), 1, {3: 1})


def test_missing_file(tmp_path: Path) -> None:
    message, place = fault(tmp_path / "missing.dat")
    assert message == "no such file"
    assert (place.line, place.column) == (1, 1)


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in fault(tmp_path)[0]


def test_unreadable(tmp_path: Path) -> None:
    loop = tmp_path / "loop.dat"
    loop.symlink_to(loop)
    assert fault(loop)[0].startswith("cannot be read: ")


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n"])
def test_no_basket(tmp_path: Path, content: bytes) -> None:
    assert fault(write(tmp_path, content))[0].startswith("no basket")


@pytest.mark.parametrize(
    ("content", "line"), [(b"\n1\n", 1), (b"1\n\n2\n", 2), (b"1\n2\n \r\n\n3\n", 3)]
)
def test_blank_line_among_baskets(tmp_path: Path, content: bytes, line: int) -> None:
    message, place = fault(write(tmp_path, content))
    assert message.startswith("blank line")
    assert (place.line, place.column) == (line, 1)


@pytest.mark.parametrize(
    "token", ["-1", "+1", "1.5", "1_0", "1,2", "x", "é", "\u0663", "\ufeff1", "1\r2", "1\f2"]
)
def test_no_item_id(tmp_path: Path, token: str) -> None:
    message, place = fault(write(tmp_path, f"1\n5\t 6 {token} 7 z\n".encode()))
    assert message == f"{token!r} is no item id: want an integer from 0 on"
    assert (place.line, place.column, place.width) == (2, 6, len(token))
    assert place.text.startswith("5\t 6 ")
    assert place.text.endswith(" 7 z")


def test_the_caret_is_under_the_token(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        counted(tmp_path, b"1 2\n3\t44 abc 5\n")
    assert str(caught.value).splitlines()[1:] == ["    3   44 abc 5", "           ^^^"]


@pytest.mark.parametrize("digits", [str(LARGEST_ITEM + 1), "9" * 20, "1" * 10_000])
def test_absurdly_large_item(tmp_path: Path, digits: str) -> None:
    message, place = fault(write(tmp_path, f"1 {digits}\n".encode()))
    assert message.endswith(f"is too large: want at most {LARGEST_ITEM}")
    assert (place.line, place.column) == (1, 3)
    assert len(message) < 100


@pytest.mark.parametrize(
    ("content", "byte"),
    [(b"1\n2 \xff\xfe\n", "0xff"), (b"1\n2 3\x00\n", "0x00"), (b"1\n2 a\xe9\n", "0xe9")],
)
def test_binary_file(tmp_path: Path, content: bytes, byte: str) -> None:
    message, place = fault(write(tmp_path, content))
    assert message == f"not a text file: byte {byte}"
    assert (place.line, place.column) == (2, 3)


def test_errors_stay_short_and_printable(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as early:
        counted(tmp_path, b"\x1b[2J " + b"1 " * 100_000)
    with pytest.raises(BadInput) as late:
        counted(tmp_path, b"1 " * 100_000 + b"x")
    for caught in (early, late):
        assert all(len(line) < 400 and line.isprintable() for line in str(caught.value).split("\n"))
    assert late.value.location is not None
    assert late.value.location.column == 200_001


def test_overlong_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baskets, "LONGEST_LINE", 4)
    assert counted(tmp_path, b"1 2\n3 4\n").baskets == 2
    message, place = fault(write(tmp_path, b"1 2\n3 45\n"))
    assert message.startswith("line of more than 4 bytes")
    assert (place.line, place.column) == (2, 1)


@per_example
@given(st.lists(st.lists(st.integers(0, 20) | st.integers(0, LARGEST_ITEM), min_size=1)))
def test_roundtrip(tmp_path: Path, lines: list[list[int]]) -> None:
    path = write(tmp_path, "".join(" ".join(map(str, line)) + "\n" for line in lines).encode())
    if not lines:
        fault(path)
        return
    expected = Counter(item for line in lines for item in set(line))
    found = read_item_counts(path)
    assert found.items == tuple(sorted(expected))
    assert dict(zip(found.items, found.counts, strict=True)) == expected
    assert found.baskets == len(lines)


garbage = st.binary() | st.text("0123456789 \t\r\n-x\x00é", max_size=40).map(str.encode)


@per_example
@given(garbage)
def test_garbage_parses_or_is_bad_input(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path, content)
    try:
        found = read_item_counts(path)
    except BadInput as error:
        assert error.location is not None
        assert str(error).startswith(str(error.location))
    else:
        assert set(content) <= set(b"0123456789 \t\r\n")
        assert found.baskets == len([line for line in content.split(b"\n") if line.strip()])
        assert all(1 <= count <= found.baskets for count in found.counts)
