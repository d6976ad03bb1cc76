"""Lists that a certificate says to be alike: what is put there is owed to be the same."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import pytest

from shiftproof import verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.paired import lists
from shiftproof.checkers.walking.certificate import certificate_text
from tests.checkers.kernel.finding import checked, found_anew, objection
from tests.programs.checkers import alike_mechanisms as alike

HEAD = """\
@mechanism(DP())
def leak(f: Count, g: Counts, eps: Epsilon):
    a = [0] * 3
    b = [0] * 3
"""


def against(*lines: str, alike: Any = ("a", "b")) -> str:
    """What the kernel has against a program whose lists are said to be alike."""
    text = HEAD + textwrap.indent("\n".join(lines), "    ")
    return objection(text, {"costs": {"eps": "1"}, "alike": alike})


@pytest.mark.parametrize(
    "lines",
    [
        ("a[0] = f", "return a[1]"),
        ("a[2] = f", "a[2] = 0", "return a[2]"),
        ("b[1] = f", "a[1] = b[1]", "return a[1]"),
        ("a.append(f)", "return len(a)"),
        ("a = [f] * 2", "return a[0]"),
        ("if f > 3:", "    a[0] = 1", "return a[0]"),
        ("a[0] = 1 if f > 3 else 0", "return a[0]"),
        ("a[0] = g[0] if len(g) > 0 else 0", "return a[1]"),
        ("k = 1 if f > 3 else 0", "a[k] = 7", "return a[0]"),
        ("k = 1 if f > 3 else 0", "return a[k]"),
        ("return a[0] + f",),
    ],
)
def test_what_differs_is_not_alike(lines: tuple[str, ...]) -> None:
    assert "there is no proof of it" in against(*lines)


def test_one_that_differs_spoils_no_other() -> None:
    assert against("b[1] = f", "a[1] = 7", "return a[1] + a[2]", alike=("a",)) == ""
    assert "there is no proof of it" in against("b[1] = f", "return b[1]", alike=("a",))
    assert "there is no proof of it" in against(
        "b[1] = f", "a[1] = b[2]", "return a[1]", alike=["a"]
    )


def test_elements_are_the_same_and_nothing_else_is_known_of_them() -> None:
    assert against("a[0] = 3", "return a[0] - a[1]") == ""
    assert "there is no proof of it" in against("if a[0] > 0:", "    return f", "return 0")


@pytest.fixture(scope="module")
def proof() -> Any:
    """The proof of noisy counts that a second loop adds up."""
    return json.loads(certificate_text(verify(alike.added_up).certificate))


def test_the_proof_rests_on_it(proof: Any) -> None:
    assert checked(proof) == ""
    assert any("alike" in part for part in proof["parts"])
    bare = {
        **proof,
        "parts": [{k: v for k, v in p.items() if k != "alike"} for p in proof["parts"]],
    }
    with pytest.raises(Wrong):
        found_anew(bare)


def without_noise(proof: Any) -> Any:
    """The same where a count is kept as it is."""
    core = [line.replace("h[i] + noise", "h[i] + 0.0") for line in proof["core"]]
    assert core != proof["core"]
    return {**proof, "core": core}


def test_what_is_put_there_is_owed(proof: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Wrong, match="the same elements in both runs"):
        found_anew(without_noise(proof))
    monkeypatch.setattr(lists, "same_value", lambda *_: ("and", ()))
    assert checked(found_anew(without_noise(proof))) == ""


@pytest.mark.parametrize("names", ["a", [], [3], [None], [["a"]], 7, {"b": 1}, None])
def test_what_are_not_its_names_is_refused(proof: Any, names: Any) -> None:
    tampered = [part | {"alike": names} for part in proof["parts"]]
    assert checked(proof | {"parts": tampered})
