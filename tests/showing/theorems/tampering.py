"""Theorems that are wrong: something in a certificate, or in what is made of it, is changed."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from shiftproof.dsl.errors import ShiftproofError
from shiftproof.showing.theorems.export import Theorem, theorem_of
from shiftproof.workspace.files import gallery_certificates

Certificate: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Certificate], Certificate]

#: A handful that shows everything: no loop; integers; one answer; many answers; a list of sums;
#: an outcome that is foretold, with None and with a list; records; a list of marks; calls.
HANDFUL = (
    "asymmetric_laplace", "geometric", "first_above", "sparse_vector", "smart_sum",
    "asymmetric_noisy_max", "asymmetric_noisy_argmax", "table_of_values", "location_monitor",
    "count_in_rounds",
)  # fmt: skip


def certificates() -> dict[str, Certificate]:
    """The proofs of the gallery, by the names of their mechanisms."""
    read = (json.loads(path.read_bytes()) for path in sorted(gallery_certificates().glob("*.json")))
    return {c["mechanism"]: c for c in read if c["kind"] == "proof"}


def theorems(found: dict[str, Certificate]) -> Iterator[Theorem]:
    """The theorems of proofs, as far as there are any."""
    for certificate in found.values():
        try:
            yield theorem_of(certificate)
        except ShiftproofError:
            continue


def halved_budget(theorem: Theorem) -> Theorem:
    """The statement claims the half, in all cases, and the proof is as it was."""
    text, times = re.subn(
        r"(?s)(Definition beta\w*[^.]*?:\s+R\s+:=\s)(.*?)\.(?=\n)",
        r"\1(\2) / 2.",
        theorem.statement,
    )
    assert times == theorem.statement.count("Definition beta") > 0
    return Theorem(theorem.name, text, theorem.proof)


def _in_parts(change: Callable[[dict[str, Any]], None]) -> Change:
    def changed(certificate: Certificate) -> Certificate:
        found = copy.deepcopy(certificate)
        for part in found["parts"]:
            if "costs" in part:  # what is claimed of D alone has none
                change(part)
        return found

    return changed


def no_shift(k: int) -> Change:
    """A draw is not moved."""

    def change(part: dict[str, Any]) -> None:
        assert part["shifts"][k] != "0"
        part["shifts"][k] = "0"

    return _in_parts(change)


def without(*invariants: str) -> Change:
    """Invariants are left out."""

    def change(part: dict[str, Any]) -> None:
        assert {*invariants} <= {i for head in part["heads"] for i in head["invariants"]}
        for head in part["heads"]:
            head["invariants"] = [i for i in head["invariants"] if i not in invariants]

    return _in_parts(change)


def halved_cost(rate: str) -> Change:
    """Of a rate the half is allowed."""

    def change(part: dict[str, Any]) -> None:
        part["costs"][rate] = f"({part['costs'][rate]})/2"

    return _in_parts(change)


def written(old: str, new: str) -> Change:
    """The program is another one."""

    def changed(certificate: Certificate) -> Certificate:
        text = "\n".join(certificate["core"])
        assert old in text
        return {**certificate, "core": text.replace(old, new).split("\n")}

    return changed


def half_the_noise(certificate: Certificate) -> Certificate:
    """The first draw has half the scale."""
    text = "\n".join(certificate["core"])
    found, times = re.subn(r"= sample\((\w+)\((.*)\)\)", r"= sample(\1((\2) / 2))", text, count=1)
    assert times == 1
    return {**certificate, "core": found.split("\n")}


#: Of each of the handful what is changed, by what it is called.
CHANGES: dict[str, dict[str, Change]] = {
    "asymmetric_laplace": {
        "no shift": no_shift(0),
        "half the cost": halved_cost("eps"),
        "half the noise": half_the_noise,
        "no noise is added": written("return f + noise", "return f"),
    },
    "geometric": {
        "no shift": no_shift(0),
        "half the cost": halved_cost("eps"),
        "half the noise": half_the_noise,
        "the noise is added twice too rarely": written("return f + noise", "return 2 * f + noise"),
    },
    "first_above": {
        "the threshold is not moved": no_shift(0),
        "the answer is not moved": no_shift(1),
        "half the cost": halved_cost("eps"),
        "no bound of the cost": without("1 >= cost(eps)", "1/2 >= cost(eps)"),
        "below, not above": written("f[i] + noise >= T + lift", "f[i] + noise <= T + lift"),
        "goes on": written("return i\n", "i = 0\n"),
    },
    "sparse_vector": {
        "the threshold is not moved": no_shift(0),
        "the answer is not moved": no_shift(1),
        "half the cost": halved_cost("eps/c"),
        "no bound by the answers": without("answered >= 2*cost(eps/c)"),
        "below, not above": written(
            "f[i] + noise >= noisy_threshold", "f[i] + noise <= noisy_threshold"
        ),
        "no limit": written("answered >= c:", "answered >= c + 1:"),
        "prints the value": written("yield True", "yield f[i] + noise"),
    },
    "smart_sum": {
        "the block is not moved": no_shift(0),
        "half the cost": halved_cost("eps"),
        "no bound by the place": without("0 >= cost(eps) or i·1 > place1(q)"),
        "blocks without noise": written("block + q[i] + noise", "block + q[i]"),
    },
    "asymmetric_noisy_max": {
        "the winner is not moved": no_shift(0),
        "half the cost": halved_cost("eps"),
        "the winner is not the same": without(
            "other(best) >= best or not best == first_outcome(0)"
        ),
        "the least": written("q[i] + noise > top", "q[i] + noise < top"),
        "returns the value": written("return best\n", "return top\n"),
    },
    "asymmetric_noisy_argmax": {
        "the winner is not moved": no_shift(0),
        "half the cost": halved_cost("eps"),
        "the elements of others": without(
            "noisy[witness(1)] >= other(noisy[witness(1)])",
            "noisy[witness(2)] >= other(noisy[witness(2)])",
        ),
        "no noise": written("noisy[i] = q[i] + noise", "noisy[i] = q[i]"),
    },
    "table_of_values": {
        "no shift": no_shift(0),
        "half the cost": halved_cost("eps"),
        "half the noise": half_the_noise,
        "many values": written("record[0] == value·4", "record[0] >= value·4"),
    },
    "location_monitor": {
        "no shift": no_shift(0),
        "half the noise": half_the_noise,
        "nothing is marked": written("marked[here] = True", "marked[here] = False"),
    },
    "count_in_rounds": {
        "half the cost": halved_cost("eps/k"),
        "no bound by the round": without("_·1 >= cost(eps/k)"),
        "all of it in each round": written("noisy_count(q, eps / k)", "noisy_count(q, eps)"),
        "no neighbours of the callee": written("noisy_count(q, eps", "noisy_count(2 * q, eps"),
        "prints the count": written("yield x", "yield q"),
        "stops by the count": written("if x > 1000", "if q > 1000"),
    },
}


def wrong_theorem(name: str, change: Change, found: dict[str, Certificate]) -> Theorem | None:
    """The theorem of a changed certificate; ``None`` if the generator refuses it."""
    try:
        return theorem_of(change(found[name]))
    except ShiftproofError:
        return None


def half_the_noise_of(name: str, found: dict[str, Certificate]) -> Theorem | None:
    """The theorem if the first draw has half the scale; without one, those of what is called."""
    certificate = found[name]
    if any("= sample(" in line for line in certificate["core"]):
        return wrong_theorem(name, half_the_noise, found)
    return changed_callees(name, half_the_noise, found)


def changed_callees(name: str, change: Change, found: dict[str, Certificate]) -> Theorem | None:
    """The theorem if what is called is changed, and what calls it is not."""
    try:
        return theorem_of(found[name], [change(found[c]) for c in found[name]["leans_on"]])
    except ShiftproofError:
        return None


def lines(theorem: Theorem) -> list[str]:
    """The lines of a statement that are not blank."""
    return [line for line in theorem.statement.splitlines() if line.strip()]


def placed(theorem: Theorem, folder: Path, theory: Path) -> Path:
    """A folder with one theorem, and the theory that is built elsewhere."""
    folder.mkdir()
    (folder / "theory").symlink_to(theory, target_is_directory=True)
    (folder / f"{theorem.name}.v").write_text(theorem.statement, encoding="utf-8")
    (folder / f"{theorem.name}_proof.v").write_text(theorem.proof, encoding="utf-8")
    return folder
