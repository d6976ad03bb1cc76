"""Forged certificates of claims of ρ, and of claims with a δ: the kernel has to refuse them.

Each is one of the gallery with one thing changed, and gets trees of its own: so it is refused for
what it says, and not for trees that do not fit any more.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.check import as_json, check, check_of_part, find_trees, relation_of
from shiftproof.checkers.kernel.language.stated import stated
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.kernel.mutating import _Finder, proved_anew
from tests.checkers.walking.certificates import named

Certificate = dict[str, Any]
HONEST = (
    "gaussian_sum", "discrete_gaussian_count", "concentrated_noisy_max", "noisy_threshold",
    "propose_test_release", "gaussian_count", "clamped_laplace", "uniform_count",
    "exponential_count",
)  # fmt: skip


def of_privacy(name: str) -> Certificate:
    """A certificate of the gallery, without its one-sided claims."""
    found = copy.deepcopy(named(name))
    found["parts"] = [part for part in found["parts"] if "ensures" not in part]
    return found


def forged(name: str, *, text: tuple[str, str] = ("", ""), **said: Any) -> Certificate:
    """The certificate with a piece of its text, and what all its parts say, replaced."""
    found = of_privacy(name)
    old, new = text
    whole = "\n".join(found["core"])
    assert old in whole
    found["core"] = whole.replace(old, new).split("\n") if old else found["core"]
    for part in found["parts"]:
        part.update(copy.deepcopy(said))
    return found


@pytest.mark.parametrize("name", HONEST)
def test_what_is_forged_here_was_right(name: str) -> None:
    assert proved_anew(of_privacy(name))


#: The first draw of a noisy maximum whose shift is said to be known, and is foretold.
FORETOLD = "predictable(x - other(x) + 1 if len(noisy) == outcome() else 0, 2)"


@pytest.mark.parametrize(
    "certificate",
    [
        forged("gaussian_sum", shifts=["predictable(q - other(q), D / 2)"]),
        forged("gaussian_sum", shifts=["predictable(q - other(q), D)"], costs={"rho/D": "D / 2"}),
        forged("gaussian_sum", shifts=["predictable(q - other(q), D)"], costs={}),
        forged("gaussian_sum", shifts=["q - other(q)"]),
        forged("gaussian_sum", shifts=["predictable(q - other(q) if noise >= 0 else 0, D)"]),
        forged("gaussian_sum", shifts=["predictable(q - other(q), D + 0 * noise)"]),
        forged("gaussian_sum", shifts=["capped(q - other(q), D, D)"]),
        forged("gaussian_sum", shifts=["unless(noise > D, predictable(q - other(q), D))"]),
        forged("gaussian_sum", text=("2 * rho", "4 * rho")),
        forged("gaussian_sum", text=("def gaussian_sum", "def gaussian_sum"), pure="rho"),
        forged("discrete_gaussian_count", shifts=["predictable(q - other(q), 1 / 2)"]),
        forged("discrete_gaussian_count", shifts=["predictable((q - other(q)) / 2, 1)"]),
        forged("concentrated_noisy_max", pure="eps / 2"),
        forged("concentrated_noisy_max", pure="0"),
        forged("concentrated_noisy_max", pure="-eps"),
        forged("concentrated_noisy_max", pure=""),
        forged("concentrated_noisy_max", pure="", shifts=[FORETOLD]),
        forged("concentrated_noisy_max", text=("eps * eps / 2", "eps * eps / 4")),
        forged("concentrated_noisy_max", text=("ZCDP()", "ADP(Policy({1}), zcdp=True)")),
        forged("most_frequent", pure="eps"),
    ],
    ids=str,
)
def test_of_rho(certificate: Certificate) -> None:
    assert not proved_anew(certificate)


THRESHOLD = "unless((q > 0) != other(q > 0) and noise > T - 1, q - other(q))"
GIVEN_UP = "given_up(exp(eps)/(exp(T*eps)*2))"
GAUSSIAN = (
    "unless(q < other(q) and noise < 1 / (2 * sigma) * sigma - sigma * sigma * eps, "
    "unless(q > other(q) and noise > {end}, capped(q - other(q), {last}, {most})))"
)
LAST = "sigma * sigma * eps - 1 / 2"


@pytest.mark.parametrize(
    "certificate",
    [
        forged("noisy_threshold", costs={"eps": "1"}),
        forged("noisy_threshold", costs={"eps": "1", GIVEN_UP: "0"}),
        forged("noisy_threshold", costs={"eps": "1", GIVEN_UP: "1 / 2"}),
        forged("noisy_threshold", text=("/ 2)", "/ 3)")),
        forged("noisy_threshold", text=("(T - 1)", "T")),
        forged("noisy_threshold", text=("'add-remove'", "'add-remove'"), shifts=["q - other(q)"]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("T - 1", "T")]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("T - 1", "T - q")]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("T - 1", "T - other(q)")]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("noise > T", "2 * noise > T")]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("(q > 0)", "(noise > 0)")]),
        forged("noisy_threshold", shifts=[THRESHOLD.replace("(q > 0)", "(outcome() == 0)")]),
        forged("noisy_threshold", shifts=[f"predictable({THRESHOLD}, 1)"]),
        forged(
            "propose_test_release",
            shifts=["unless(noise > T and lift > T - 1, d - other(d))", "g - other(g)"],
        ),
        forged("propose_test_release", shifts=["d - other(d)", "unless(noise > lift, 0)"]),
        forged("gaussian_count", shifts=["q - other(q)"]),
        forged("gaussian_count", shifts=[f"capped(q - other(q), {LAST}, 1)"]),
        forged("gaussian_count", shifts=[GAUSSIAN.format(end=f"{LAST} + 1", last=LAST, most="1")]),
        forged(
            "gaussian_count",
            shifts=[GAUSSIAN.format(end=f"{LAST} + 1", last=f"{LAST} + 1", most="1")],
        ),
        forged("gaussian_count", shifts=[GAUSSIAN.format(end=LAST, last=LAST, most="1 / 2")]),
        forged("gaussian_count", text=("/ 2) / 2", "/ 2) / 3")),
        forged("gaussian_count", text=("2 * sigma * sigma * eps >= 1", "eps >= 1")),
        forged("clamped_laplace", text=("(1 + exp(eps)) / 2", "(1 + exp(eps)) / 3")),
        forged("uniform_count", text=("1 / (2 * delta)", "1 / (3 * delta)")),
        forged("exponential_count", text=("1 - exp(-eps)", "(1 - exp(-eps)) / 2")),
        forged("exponential_count", shifts=["unless(q < other(q) and noise < 0, q - other(q))"]),
        forged("noisy_threshold", cells=[]),
    ],
    ids=str,
)
def test_of_delta(certificate: Certificate) -> None:
    assert not proved_anew(certificate)


def test_the_caps_that_are_forged_here_were_right() -> None:
    assert proved_anew(
        forged("gaussian_count", shifts=[GAUSSIAN.format(end=LAST, last=LAST, most="1")])
    )


@pytest.mark.parametrize(
    ("certificate", "why"),
    [
        (forged("concentrated_noisy_max", pure="", shifts=[FORETOLD]), "foretold"),
        (forged("noisy_threshold", cells=[]), "no δ is known of what is summed"),
        (forged("gaussian_sum", shifts=["q - other(q)"]), "is not predictable"),
        (forged("gaussian_count", shifts=["q - other(q)"]), "no ε is known of Gaussian"),
        (forged("most_frequent", pure="eps"), "where none is claimed"),
        (
            forged("noisy_threshold", shifts=[THRESHOLD.replace("T - 1", "T - q")]),
            "is not made of public inputs",
        ),
        (
            forged("noisy_threshold", shifts=[THRESHOLD.replace("noise > T", "2 * noise > T")]),
            "no draws of noise are told by",
        ),
    ],
    ids=str,
)
def test_what_is_said_of_it(certificate: Certificate, why: str) -> None:
    start_work()
    mechanism = read("\n".join(certificate["core"]))
    kinds, relation = relation_of(mechanism)
    part = certificate["parts"][0]
    with pytest.raises(Wrong, match=why):
        find_trees(check_of_part(mechanism, kinds, relation[0], part), _Finder())


#: A count with noise of a law that the certificate states, and its ρ.
STATED = """\
@mechanism(ZCDP(){budget})
def m(f: Count, eps: Epsilon) -> (float,):
    noise = sample(Own(1 / eps))
    return f + noise
    return None"""
LAW = {
    "parameters": ["scale"],
    "lattice": "reals",
    "exists": "scale > 0",
    "support": "True",
    "cost": ["abs(d)", "1 / scale"],
}


def of_a_stated_law(shift: str, costs: dict[str, str], **said: Any) -> Certificate:
    start_work()
    laws = {"Own": {**LAW, **said}}
    core = STATED.format(budget=", budget=lambda eps: eps * eps / 2")
    mechanism = read(core, stated(laws))
    kinds, relation = relation_of(mechanism)
    parts = []
    for case in relation[:-1]:
        part = {"case": case.name, "relation": as_json(case), "shifts": [shift], "costs": costs}
        part["trees"] = find_trees(check_of_part(mechanism, kinds, case, part), _Finder())
        parts.append(part)
    return {
        "kind": "proof", "version": 2, "core": core.split("\n"), "laws": laws, "parts": parts
    }  # fmt: skip


COSTS = {"eps * eps / 2": "1"}


def test_a_stated_law_costs_the_half_of_the_square() -> None:
    # What a stated shift may cost, and not how far it goes, is said to be at most that.
    assert check(of_a_stated_law("predictable(f - other(f), 1)", COSTS)).questions > 0


@pytest.mark.parametrize(
    ("shift", "said"),
    [
        ("predictable(f - other(f), 1)", {"support": "x >= 0"}),
        ("predictable(f - other(f), 1)", {"cost": ["d", "1 / scale"]}),
        ("predictable(f - other(f), 1)", {"cost": ["2 * abs(d) - d", "1 / scale"]}),
        ("predictable(f - other(f), 1 / 2)", {}),
        ("predictable(f - other(f) if noise > 0 else 0, 1)", {}),
        ("f - other(f)", {}),
    ],
)
def test_but_not_where_it_has_an_end_or_is_told_of_one_way(shift: str, said: Any) -> None:
    with pytest.raises(Wrong):
        check(of_a_stated_law(shift, COSTS, **said))


def test_all_cases_say_the_same_epsilon() -> None:
    core = """\
@mechanism(ZCDP('add-remove'), budget=lambda eps: eps * eps / 2)
def m(f: Count, eps: Epsilon) -> (float,):
    noise = sample(Laplace(1 / eps))
    return f + noise
    return None"""

    def certificate(*epsilons: str) -> Certificate:
        start_work()
        _, relation = relation_of(read(core))
        cases = zip(relation[:-1], epsilons, strict=True)
        parts = [
            {
                "case": c.name, "relation": as_json(c), "shifts": ["f - other(f)"],
                "costs": {"eps": "1"}, "pure": e,
            }
            for c, e in cases
        ]  # fmt: skip
        return {"kind": "proof", "version": 2, "core": core.split("\n"), "parts": parts}

    assert proved_anew(certificate("eps", "eps"))
    assert not proved_anew(certificate("eps", "eps * 1"))
    assert not proved_anew(certificate("eps", "eps / 2"))
    assert not proved_anew(certificate("eps", ""))


#: A bit that is summed, of which one value is e times less probable on D, and what follows it.
SUMMED = """\
def rule(x):
    return x == 1 and other(x) == 0

@mechanism(Related(rule, zcdp=True), budget={rho})
def m(x: Private[int]):
    y = sample(Bernoulli(exp(1) / (1 + exp(1)) if x == 1 else 1 / (1 + exp(1))))
    yield y
    if not y:
        n = sample(Gaussian(1 / 2))
        yield (x + n)"""


@pytest.mark.parametrize(("rho", "right"), [("1", False), ("19 / 10", False), ("2", True)])
def test_what_a_sum_saves_is_not_spent_again(rho: str, right: bool) -> None:
    """Of ρ = 1 the moment of order 3 is 5929, where e^6 = 403 is allowed."""
    start_work()
    core = SUMMED.format(rho=rho)
    (case, _) = relation_of(read(core))[1]
    part = {
        "case": case.name, "relation": as_json(case), "prices": ["-1", "1"],
        "shifts": ["summed(y)", "predictable(x - other(x), 1)"], "costs": {"1": rho},
    }  # fmt: skip
    found = {"kind": "proof", "version": 2, "core": core.split("\n"), "parts": [part]}
    assert proved_anew(found) is right
