"""Elements at two variables are the same where the variables are equal, and only there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shiftproof import verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.paired.sides import Side
from shiftproof.checkers.walking.certificate import certificate_text
from tests.checkers.kernel.finding import checked, found_anew
from tests.programs.checkers import measured_mechanisms as measured


@pytest.fixture(scope="module")
def proof() -> Any:
    """The proof of an index that a loop finds, told with the answer there."""
    return json.loads(certificate_text(verify(measured.told_together).certificate))


def test_the_proof_rests_on_it(proof: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checked(proof) == ""
    monkeypatch.setattr(Side, "_compare", lambda *_: None)
    with pytest.raises(Wrong, match="there is no proof of it"):
        found_anew(proof)


def untold(proof: Any) -> Any:
    """The same without the index, which is then not known to be the same in both runs."""
    core = [line.replace("return (best, ", "return (0, ") for line in proof["core"]]
    assert core != proof["core"]
    return proof | {"core": core}


def test_it_holds_of_equal_variables_only(proof: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Wrong, match="there is no proof of it"):
        found_anew(untold(proof))

    def of_any(side: Side, array: str, index: Any, pair: Any) -> None:
        for (name, _), known in side.state.pairs.items():
            for one, another in zip(pair[:2], known[:2], strict=True):
                if name == array:
                    side.define(side.unknowns.equal(one.term, another.term))

    monkeypatch.setattr(Side, "_compare", of_any)
    assert checked(found_anew(untold(proof))) == ""
