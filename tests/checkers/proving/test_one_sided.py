"""One-sided claims: proved for every input and noise, or broken by a run that can be run again."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof import Mechanism, Report, Verdict, recorded, seeded, verify
from shiftproof.checkers.verdicts import OneSided
from shiftproof.commands.cli import main
from shiftproof.showing.report import exit_status
from tests.programs.checkers import one_sided_mechanisms as known
from tests.sampling import every

KNOWN = {n: m for n, m in vars(known).items() if isinstance(m, Mechanism)}
RIGHT, WRONG, UNSEEN, RAW = (
    sorted(n for n in KNOWN if n.startswith(start)) for start in ("right", "wrong", "unseen", "raw")
)
FILE = Path(str(known.__file__))
LN2 = math.log(2)
RUNS = 3000


def report_of(name: str) -> Report:
    return verify(KNOWN[name])


def line_of(name: str, text: str) -> int:
    """The line of a statement in a mechanism of the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    first = lines.index(next(line for line in lines if line.startswith(f"def {name}(")))
    return next(k for k in range(first, len(lines)) if lines[k].strip() == text) + 1


def false_claims(name: str, witness: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many claims are false when the function itself runs on a witness."""
    inputs, _, noise = witness.partition("; noise ")
    values = inputs_of(name, inputs)
    draws = [] if noise == "none" else [read(text) for text in noise.split(", ")]
    found: list[bool] = []
    monkeypatch.setattr(known, "ensure", found.append)
    with recorded(draws):
        KNOWN[name].run(values)
    return found.count(False)


def inputs_of(name: str, text: str) -> dict[str, Any]:
    """The inputs of a mechanism as a witness shows them."""
    names = list(KNOWN[name].inputs)
    pattern = rf"({'|'.join(names)}) = (.*?)(?=, (?:{'|'.join(names)}) = |$)"
    values = {key: read(value) for key, value in re.findall(pattern, text)}
    assert values.keys() == set(names)
    return values


def read(text: str) -> Any:
    """A number, or a sequence of them, as a witness shows it."""
    return eval(re.sub(r"(\d+)/(\d+)", r"Fraction(\1, \2)", text), {"Fraction": Fraction})


@pytest.mark.parametrize("name", RIGHT)
def test_right_claims_are_proved(name: str) -> None:
    report = report_of(name)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.one_sided
    assert all((c.outcome, c.witness) == ("proved", "") for c in report.one_sided), report.one_sided
    assert report.holds and report.as_expected and exit_status([report]) == 0


@pytest.mark.parametrize("name", every(2, WRONG))
def test_wrong_claims_are_broken_by_a_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_of(name)
    assert report.verdict is Verdict.PROVED, report.reasons
    (claim,) = report.one_sided
    assert claim.outcome == "broken"
    assert false_claims(name, claim.witness, monkeypatch) >= 1
    assert claim.refuted and report.falls
    assert not report.holds and not report.as_expected and exit_status([report]) == 1


def amount(text: str) -> tuple[float, float]:
    """A probability and the ε at which it is meant."""
    likely, _, eps = text.partition(" at eps = ")
    factor, ln2, _ = eps.partition("ln 2")
    return float(Fraction(likely)), float(Fraction(factor.strip() or 1)) * (LN2 if ln2 else 1)


@pytest.mark.parametrize("name", every(2, WRONG))
def test_they_are_as_likely_wrong_as_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the inputs of the witness, in runs of the function itself."""
    (claim,) = report_of(name).one_sided
    p, eps = amount(claim.probability)
    values = inputs_of(name, claim.witness.partition("; noise ")[0]) | {"eps": eps}
    found: list[bool] = []
    monkeypatch.setattr(known, "ensure", found.append)
    wrong = 0
    with seeded(3):
        for _ in range(RUNS):
            KNOWN[name].run(values)
            wrong += not all(found)
            found.clear()
    assert 0 < p <= 1 and abs(wrong - RUNS * p) <= 5 * math.sqrt(RUNS * p * (1 - p)), (wrong, p)


def test_a_run_of_probability_zero_breaks_a_claim_and_refutes_nothing() -> None:
    (claim,) = report_of("broken_by_no_noise_at_all").one_sided
    assert (claim.outcome, claim.probability) == ("broken", "0")
    assert not claim.refuted and not report_of("broken_by_no_noise_at_all").falls


@pytest.mark.parametrize("name", UNSEEN)
def test_a_wrong_claim_is_not_proved_though_no_run_breaks_it(name: str) -> None:
    report = report_of(name)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.one_sided == (OneSided(report.one_sided[0].claim, "unknown"),)
    assert not report.holds and not report.as_expected and exit_status([report]) == 2


def test_elements_at_other_places_are_others() -> None:
    assert report_of("right_same_place").one_sided[0].outcome == "proved"
    assert report_of("at_another_place").one_sided[0].outcome != "proved"


def test_what_no_run_answers_is_not_proved_to_be_true() -> None:
    report = report_of("undefined_without_scale")
    assert report.verdict is Verdict.UNSUPPORTED
    assert report.one_sided == (OneSided(report.one_sided[0].claim, "unknown"),)
    assert not [reason for reason in report.reasons if "alarm" in reason]


@pytest.mark.parametrize("name", RAW)
def test_claims_do_not_make_private(name: str) -> None:
    """Neither what they say, nor that they were evaluated."""
    report = report_of(name)
    assert report.verdict is Verdict.REFUTED and report.epsilon_lower == "infinite"
    assert not report.holds and report.falls and exit_status([report]) == 1


def test_each_claim_is_decided_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = report_of("two_of_three").one_sided
    assert [c.outcome for c in claims] == ["proved", "broken", "proved"]
    assert [c.claim.partition(": ")[2] for c in claims] == ["f < T", "f < T - 1", "f < T + 1"]
    assert false_claims("two_of_three", claims[1].witness, monkeypatch) == 1


def test_a_claim_is_no_premise_of_the_next_one() -> None:
    first, second = report_of("first_of_two_wrong").one_sided
    assert first.outcome == "broken"
    assert second.outcome != "proved"


def test_a_claim_says_where_and_about_what() -> None:
    safe, alarm = report_of("right_at_every_place").one_sided
    line = line_of("right_at_every_place", 'yield "safe"')
    assert safe.claim.startswith(f"whenever line {line} says 'safe': ") and "T[i]" in safe.claim
    line = line_of("right_at_every_place", 'yield "alarm"')
    assert alarm.claim == f"whenever line {line} says 'alarm': answered < c"
    (two,) = {c.claim.partition(": ")[0] for c in report_of("two_of_three").one_sided}
    line = line_of("two_of_three", 'return "safe", f + noise')
    assert two == f"whenever line {line} says 'safe', f + noise"


def test_what_is_known_to_be_wrong_must_not_hold() -> None:
    """A broken claim is enough to be wrong, though the privacy is proved."""
    wrong, right = report_of("expected_to_be_wrong"), report_of("expected_to_be_wrong_and_right")
    assert wrong.verdict is right.verdict is Verdict.PROVED
    assert not wrong.holds and wrong.as_expected and exit_status([wrong]) == 0
    assert right.holds and not right.as_expected and exit_status([right]) == 1
    assert exit_status([wrong, right, report_of("unseen_one_in_many")]) == 1


def test_json_has_every_claim() -> None:
    report = report_of("two_of_three")
    shown = json.loads(json.dumps(report.as_json()))
    assert shown["verdict"] == "proved"
    assert [c["outcome"] for c in shown["one_sided"]] == ["proved", "broken", "proved"]
    assert shown["one_sided"][1] == {
        "claim": report.one_sided[1].claim,
        "outcome": "broken",
        "witness": report.one_sided[1].witness,
        "probability": report.one_sided[1].probability,
    }
    assert re.fullmatch(r"\d+/\d+ at eps = (\S+ )?ln 2", report.one_sided[1].probability)
    assert report_of("unseen_one_in_many").as_json()["one_sided"][0]["witness"] == ""


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("right_safe", 0, "all as expected"),
        ("wrong_safe_at_the_threshold", 1, "for instance T = "),
        ("unseen_one_in_many", 2, "1 not as expected"),
        ("expected_to_be_wrong", 0, "all as expected"),
        ("expected_to_be_wrong_and_right", 1, "1 not as expected"),
    ],
)
def test_the_command_says_so(name: str, status: int, said: str) -> None:
    run = CliRunner().invoke(main, ["verify", f"{FILE}::{name}"])
    assert run.exit_code == status, run.output
    assert said in " ".join(run.output.split())
