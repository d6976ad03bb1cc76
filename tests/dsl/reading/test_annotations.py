"""What a parameter is, is said once, and nothing that is said of it is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import BadInput
from shiftproof.dsl.static import read_text
from tests.loading import source

HEAD = """from collections.abc import Sequence
from typing import Annotated, Optional
from shiftproof import *
@mechanism(DP())
def m(x: {}, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return noise
"""
REFUSED = {
    'Annotated[Public[int], "private"]': "says several things: Public[…] and Private[…]",
    'Annotated[Private[int], "public"]': "says several things: Private[…] and Public[…]",
    "Public[Private[int]]": "says several things: Private[…] and Public[…]",
    "Annotated[int, IntegerValue(0, 1), CountingQuery()]": "IntegerValue(…) and CountingQuery(…)",
    "Annotated[int, IntegerValue(0, 1), IntegerValue(0, 1)]": "says several things",
    "Annotated[Annotated[int, IntegerValue(0, 3)], IntegerValue(0, 1)]": "says several things",
    "Annotated[Count, IntegerValue(0, 1)]": "CountingQuery(…) and IntegerValue(…)",
    "Annotated[int, IntegerValue(0, 1), Count]": "holds a type where a kind is needed",
    "Annotated[int, Count]": "holds a type where a kind is needed",
    "Annotated[Public[int], IntegerValue(0, 3)]": "IntegerValue(…) and Public[…]",
    "Public[Annotated[int, IntegerValue(0, 3)]]": "exclude each other",
    "Public[Counts]": "CountingQueries(…) and Public[…]",
    "Private[Nat]": "Nat and Private[…]",
    "Private[Epsilon]": "Epsilon and Private[…]",
    "Annotated[int, IntegerValue]": "names the class IntegerValue; write one of it",
    "Annotated[Counts, Queries]": "names the class Queries",
    "IntegerValue": "names the class IntegerValue",
    'Annotated[int, "Private"]': "holds the text 'Private', which says nothing",
    'Annotated[Counts, "a count of visitors"]': "holds the text 'a count of visitors'",
    "Annotated[int, 5]": "does not say what it is",
    "Annotated[Sequence[float], Query()]": "is of one number; write Queries(…)",
    "Annotated[list[int], IntegerValue(0, 1)]": "is of one number; write IntegerValues(…)",
    "Optional[Public[int]]": "does not say what it is",
    "Nat": "does not say what it is",
}
TAKEN = {
    "Public[Nat]": "PublicNat",
    "Public[Public[int]]": "PublicInt",
    "Private[Counts]": "CountingQueries",
    "Annotated[int, 5, IntegerValue(0, 1), range(3)]": "IntegerValue",
    "Annotated[Annotated[int, 5], IntegerValue(0, 1)]": "IntegerValue",
}


@pytest.mark.parametrize("annotation", REFUSED)
def test_refused(tmp_path: Path, annotation: str) -> None:
    """One error, which names the parameter and its place; executed and read alike."""
    for read in (lambda text: source(tmp_path, text), lambda text: dict(read_text(text))):
        with pytest.raises(BadInput) as raised:
            _ = [mechanism.program for mechanism in read(HEAD.format(annotation)).values()]
        assert "the annotation of 'x' " in raised.value.message
        assert REFUSED[annotation] in raised.value.message
        assert raised.value.location is not None and raised.value.location.line == 4


@pytest.mark.parametrize("annotation", TAKEN)
def test_taken(tmp_path: Path, annotation: str) -> None:
    """What is said twice alike, and objects of others, do no harm."""
    (mechanism,) = source(tmp_path, HEAD.format(annotation)).values()
    assert type(mechanism.inputs["x"]).__name__ == TAKEN[annotation]


def test_objects_of_others_are_not_even_compared(tmp_path: Path) -> None:
    strange = "class Strange:\n    def __eq__(self, other): raise RuntimeError\n"
    head = HEAD.replace("@mechanism", f"{strange}@mechanism")
    (mechanism,) = source(tmp_path, head.format("Annotated[Public[int], Strange()]")).values()
    assert mechanism.inputs["x"].public
