"""One small fault in a correct mechanism: never proved, unless it is shown here to be private.

By default a sample of the mutants with a fixed seed; SHIFTPROOF_FULL=1 takes all of them.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import shiftproof.mechanisms
from shiftproof import BadInput, Mechanism, Report, Unsupported, Verdict, verify
from tests.checkers.mutation import OPERATORS, Mutant, mutants
from tests.loading import source

GALLERY = Path(str(shiftproof.mechanisms.__file__)).parent
LAP, DEC, INC = ("asymmetric_laplace" + s for s in ("", "_decreasing", "_increasing"))
PLAIN, ASV, GAP, NUM, SVT, MONO = (
    "laplace", "asymmetric_sparse_vector", "gap_sparse_vector", "numeric_sparse_vector",
    "sparse_vector", "sparse_vector_monotone",
)  # fmt: skip
ONE = (PLAIN, LAP, DEC, INC)
NOISY = (GAP, NUM, SVT, MONO)  # those with a noisy threshold
TESTS = (NUM, SVT, MONO)  # those that compare with it directly
MANY = (ASV, *NOISY)
TEST, ASV_TEST = "f[i] + noise >= noisy_threshold", "f[i] + noise >= T[i]"
SUM = "gap = f[i] + noise - noisy_threshold"
ALL = [
    mutant
    for path in sorted(GALLERY.glob("*.py"))
    if not path.name.startswith("incorrect_")
    for mutant in mutants(path)
    if mutant.mechanism in (*ONE, *MANY)
]
CONTROL = "scale doubled"
#: How many mutants of each operator the sample takes.
SAMPLED = 4

#: Why some mutants are private nevertheless: argument → operator, place, mechanisms.
PRIVATE: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "noise has a density: a tie has probability 0, and the shifts allow it on either side": [
        ("strictness", f"{TEST} → {TEST.replace('>=', '>')}", TESTS),
        ("strictness", f"{ASV_TEST} → {ASV_TEST.replace('>=', '>')}", (ASV,)),
        ("strictness", "gap >= 0 → gap > 0", (GAP,)),
    ],
    "a stronger precondition: the claim is made for fewer inputs": [
        ("strictness", "c >= 1 → c > 1", MANY),
    ],
    "what is below counts and what reaches is free: two-sided noise pays the same for both": [
        ("flipped", f"{TEST} → {TEST.replace('>=', '<')}", TESTS),
        ("flipped", "gap >= 0 → gap < 0", (GAP,)),
        ("mirrored", f"{TEST} → {TEST.replace('>=', '<=')}", TESTS),
        ("mirrored", "gap >= 0 → gap <= 0", (GAP,)),
    ],
    "it stops after one answer, and one was paid for because c >= 1": [
        ("mirrored", "answered >= c → answered <= c", MANY),
    ],
    "it stops sooner, and by a public count: never after more than c answers": [
        ("other step", "answered += 1 → 2", MANY),
        ("other start", "answered = 0 → 1", MANY),
        ("other end", "answered >= c → answered >= c - 1", MANY),
    ],
    "nothing private is released": [
        ("no return", "return f + noise", ONE),
        ("operand alone", "f + noise → noise in return f + noise", ONE),
        ("other release", "return f + noise → noise", ONE),
        ("other release", "return f + noise → None", ONE),
        ("branch emptied", "body of for i in range(len(f))", MANY),
        ("operand alone", f"{TEST[:12]} → noise in if {TEST}", (SVT, MONO)),
        ("operand alone", f"{TEST[:12]} → noise in {SUM}", (GAP,)),
        ("operand alone", f"{SUM[6:]} → noisy_threshold in {SUM}", (GAP,)),
    ],
    "the test sees noise only, and what is released has noise of its own scale, c times": [
        ("operand alone", f"{TEST[:12]} → noise in if {TEST}", (NUM,)),
        ("operand alone", f"{TEST[:12]} → noise in if {ASV_TEST}", (ASV,)),
    ],
    "post-processing: less is released, or what the other releases tell already": [
        ("branch emptied", f"orelse of if {TEST}", TESTS),
        ("branch emptied", f"orelse of if {ASV_TEST}", (ASV,)),
        ("branch emptied", "orelse of if gap >= 0", (GAP,)),
        ("other release", "yield (f[i] + noise) → None", (ASV,)),
        ("other release", "yield (f[i] + noise) → answered", (ASV,)),
        ("other release", "yield (f[i] + fresh) → None", (NUM,)),
        ("other release", "yield (f[i] + fresh) → answered", (NUM,)),
        ("other release", "yield gap → None", (GAP,)),
        ("other release", "yield gap → answered", (GAP,)),
        ("other release", "yield None → answered", (ASV, GAP, NUM)),
        ("other release", "yield True → None", (SVT, MONO)),
        ("other release", "yield True → answered", (SVT, MONO)),
        ("other release", "yield False → None", (SVT, MONO)),
        ("other release", "yield False → answered", (SVT, MONO)),
        ("said twice", "yield (f[i] + noise)", (ASV,)),
        ("said twice", "yield (f[i] + fresh)", (NUM,)),
        ("said twice", "yield gap", (GAP,)),
        ("said twice", "yield None", (ASV, GAP, NUM)),
        ("said twice", "yield True", (SVT, MONO)),
        ("said twice", "yield False", (SVT, MONO)),
    ],
    "the noise of what is below is not shifted: it is the same in both runs": [
        ("other release", "yield None → noise", (ASV, GAP, NUM)),
        ("other release", "yield False → noise", (SVT, MONO)),
    ],
    "fresh noise alone is released after the test, which is paid for": [
        ("operand alone", "f[i] + fresh → fresh in yield (f[i] + fresh)", (NUM,)),
        ("other release", "yield (f[i] + fresh) → fresh", (NUM,)),
    ],
    "a threshold of 0 instead of T": [
        ("operand alone", "T + threshold_noise → threshold_noise in "
         "noisy_threshold = T + threshold_noise", NOISY),
        ("other name", f"noisy_threshold → threshold_noise in if {TEST}", TESTS),
        ("other name", f"noisy_threshold → threshold_noise in {SUM}", (GAP,)),
    ],
    "the same public threshold for all": [
        ("other index", f"T[i] → T[0] in if {ASV_TEST}", (ASV,)),
    ],
    "the proof holds for any list of counts, so also for the first one again and again": [
        ("other index", f"f[i] → f[0] in if {TEST}", TESTS),
        ("other index", f"f[i] → f[0] in {SUM}", (GAP,)),
        ("other index", "f[i] → f[0] in yield (f[i] + fresh)", (NUM,)),
    ],
    "every shift goes up, which one-sided noise allows and charges as two-sided noise does": [
        ("other noise", "Laplace(2 / eps) → Exponential", (GAP, SVT, MONO)),
        ("other noise", "Laplace(3 / eps) → Exponential", (NUM,)),
        ("other noise", "Laplace(2 * c / eps) → Exponential", (MONO,)),
        ("other noise", "Laplace(4 * c / eps) → Exponential", (GAP, SVT)),
        ("other noise", "Laplace(6 * c / eps) → Exponential", (NUM,)),
    ],
    "counts differ by integers: noise on the integers can be shifted by them at the same cost": [
        ("other noise", f"{noise} → {side}Geometric", names)
        for noise, sides, names in (
            ("Exponential(1 / eps)", ("TwoSided", "OneSided"), (DEC,)),
            ("NegativeExponential(1 / eps)", ("TwoSided", "NegativeOneSided"), (INC,)),
            ("Exponential(c / eps)", ("TwoSided", "OneSided"), (ASV,)),
            ("Laplace(2 / eps)", ("TwoSided", "OneSided"), (GAP, SVT, MONO)),
            ("Laplace(3 / eps)", ("TwoSided", "OneSided"), (NUM,)),
            ("Laplace(2 * c / eps)", ("TwoSided", "OneSided"), (MONO,)),
            ("Laplace(4 * c / eps)", ("TwoSided", "OneSided"), (GAP, SVT)),
            ("Laplace(6 * c / eps)", ("TwoSided", "OneSided"), (NUM,)),
            ("Laplace(3 * c / eps)", ("TwoSided",), (NUM,)),
        )
        for side in sides
    ],
    "two-sided noise allows what one-sided noise allows, and charges it the same": [
        ("other noise", "Exponential(1 / eps) → Laplace", (DEC,)),
        ("other noise", "NegativeExponential(1 / eps) → Laplace", (INC,)),
        ("other noise", "Exponential(c / eps) → Laplace", (ASV,)),
    ],
    "sensitivity 1 is promised under whichever relation, and two-sided noise is paid for": [
        ("other privacy", "DP() → ADP(Policy.everything())", (PLAIN,)),
        ("other privacy", "DP() → DP('add-remove')", (PLAIN,)),
        *(("other privacy", f"DP() → ADP(Policy({{{v}}}))", (PLAIN,)) for v in (0, 1)),
        ("other privacy", "ADP(visited) → ADP(Policy.everything())", (LAP,)),
        ("other privacy", "ADP(visited) → ADP(Policy({0}))", (LAP,)),
        ("other privacy", "ADP(visited) → DP()", (LAP,)),
        ("other privacy", "ADP(visited) → DP('add-remove')", (LAP,)),
    ],
    "the same relation, or one under which counts move less freely than under replacement": [
        ("other privacy", "DP() → ADP(Policy.everything())", (GAP, NUM, SVT)),
        ("other privacy", "DP() → DP('add-remove')", (GAP, NUM, SVT)),
        *(("other privacy", f"DP() → ADP(Policy({{{v}}}))", (GAP, NUM, SVT)) for v in (0, 1)),
    ],
    "only falling, or only rising counts: one half of adding and removing a record": [
        ("other privacy", f"DP('add-remove') → ADP(Policy({{{v}}}))", (MONO,)) for v in (0, 1)
    ],
    "a second value that replaces one that nobody saw": [
        ("said twice", "answered = 0", MANY),
        ("said twice", "noisy_threshold = T + threshold_noise", NOISY),
        ("said twice", SUM, (GAP,)),
        ("said twice", "threshold_noise = sample(Laplace(2 / eps))", (GAP, SVT, MONO)),
        ("said twice", "threshold_noise = sample(Laplace(3 / eps))", (NUM,)),
        ("said twice", "fresh = sample(Laplace(3 * c / eps))", (NUM,)),
        ("said twice", "noise = sample(Exponential(1 / eps))", (DEC,)),
        ("said twice", "noise = sample(NegativeExponential(1 / eps))", (INC,)),
        ("said twice", "noise = sample(Laplace(1 / eps))", (PLAIN, LAP)),
        ("said twice", "noise = sample(Exponential(c / eps))", (ASV,)),
        ("said twice", "noise = sample(Laplace(2 * c / eps))", (MONO,)),
        ("said twice", "noise = sample(Laplace(4 * c / eps))", (GAP, SVT)),
        ("said twice", "noise = sample(Laplace(6 * c / eps))", (NUM,)),
    ],
    "more counts, asked again with noise of their own; the count of answers goes on": [
        ("said twice", "for i in range(len(f))", MANY),
    ],
    "the same answer to the same comparison, counted twice": [
        ("said twice", f"if {TEST}", (SVT, MONO)),
        ("said twice", f"if {ASV_TEST}", (ASV,)),
        ("said twice", "if gap >= 0", (GAP,)),
    ],
    "the same comparison counted twice, and each release has fresh noise and is counted": [
        ("said twice", f"if {TEST}", (NUM,)),
    ],
    "the first of two equal tests decides": [("said twice", "if answered >= c", MANY)],
    "one fresh sample for each count, of which those below are not used": [
        ("sample moved out", f"fresh = sample(Laplace(3 * c / eps)) before if {TEST}", (NUM,)),
    ],
    "more noise": [(m.operator, m.place, (m.mechanism,)) for m in ALL if m.operator == CONTROL],
}  # fmt: skip
ARGUMENTS = {
    (name, operator, place): argument
    for argument, rows in PRIVATE.items()
    for operator, place, names in rows
    for name in names
}


def chosen() -> list[Mutant]:
    """All mutants, or some of every operator, the same ones each time."""
    if os.environ.get("SHIFTPROOF_FULL"):
        return ALL
    groups = [[m for m in ALL if m.operator == operator] for operator in OPERATORS]
    draw = random.Random(3)
    return [m for group in groups for m in draw.sample(group, min(SAMPLED, len(group)))]


def verified(mutant: Mutant, folder: Path, replays: int = 0) -> Report | None:
    """The verdict; nothing if the file is refused before."""
    try:
        mechanism: Mechanism = source(folder, mutant.source)[mutant.mechanism]
    except (BadInput, Unsupported, SyntaxError):
        return None
    return verify(mechanism, replays=replays)


@pytest.mark.parametrize("mutant", chosen(), ids=lambda m: "; ".join(m.key).replace("→", "->"))
def test_a_mutant_is_proved_only_if_it_is_private(mutant: Mutant, tmp_path: Path) -> None:
    """No crash either: what ``verify`` raises fails the test."""
    report = verified(mutant, tmp_path)
    verdict = report.verdict if report else Verdict.UNSUPPORTED
    if verdict in (Verdict.PROVED, Verdict.BOUNDED):
        assert mutant.key in ARGUMENTS, (report.alignment, mutant.source)
        replayed = verified(mutant, tmp_path, replays=5)
        assert replayed.verdict is verdict, replayed.reasons
    if mutant.operator == CONTROL:
        assert verdict is Verdict.PROVED, report


def test_there_are_many_mutants_and_all_differ() -> None:
    assert len(ALL) >= 500
    assert len({m.key for m in ALL}) == len(ALL)
    assert len({m.source for m in ALL}) > len(ALL) * 9 // 10
    assert {m.operator for m in ALL} == set(OPERATORS)


def test_every_argument_is_about_a_mutant() -> None:
    """One argument each, none left over from a mechanism that has changed."""
    assert ARGUMENTS.keys() <= {m.key for m in ALL}
    assert len(ARGUMENTS) == sum(len(names) for rows in PRIVATE.values() for *_, names in rows)
