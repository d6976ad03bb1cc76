"""The checks of a page in a real browser: they agree with the kernel, on what is wrong too."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import every
from tests.showing.accounts import FILES
from tests.showing.browsing import Opened
from tests.showing.page_obligations import Part, change, page_of, parts_of, problem, with_parts

PROVED = [name for name, file in FILES.items() if b'"kind": "proof"' in file.read_bytes()]
#: Their pages are changed: an alignment, lists, bits, sums, sums of draws.
CHANGED = (
    "asymmetric_sparse_vector", "noisy_top_k", "rappor", "k_ary_response",
    "private_binary_search", "optimised_unary_encoding", "count_in_rounds",
)  # fmt: skip
PROBLEMS = """(parts) => parts.map((part) => {
  const unknowns = new checking.Unknowns(part);
  return part.owed.map((owed) => checking.problem(unknowns, part, owed));
})"""


def status(opened: Opened) -> tuple[str, str]:
    found = opened.page.locator("#account-1 .checked")
    return found.get_attribute("class"), found.inner_text()


def failing(found: list[list[str]]) -> list[int]:
    """The numbers of those that fail, as a page counts them."""
    flat = [one for part in found for one in part]
    return [k for k, problem in enumerate(flat, 1) if problem]


@pytest.mark.parametrize("name", every(10, PROVED))
def test_all_obligations_of_the_gallery_are_checked(
    browser: Any, tmp_path: Path, name: str
) -> None:
    page = page_of(name)
    opened = Opened(browser, tmp_path, page)
    kind, said = status(opened)
    opened.close()
    if "application/json" not in page:
        assert (kind, said) == ("checked open", "No part of this proof is checked in this browser.")
        return
    count = sum(len(part["owed"]) for part in parts_of(page))
    assert kind == "checked good"
    assert re.fullmatch(rf"{count} obligations? checked in this browser, \d+ ms", said)


@pytest.mark.parametrize("seed", every(8, range(200)))
def test_a_changed_number_is_found_or_does_no_harm(browser: Any, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    page = page_of(CHANGED[seed % len(CHANGED)])
    parts = parts_of(page)
    change(parts, chance)
    opened = Opened(browser, tmp_path, with_parts(page, parts))
    found = failing(opened.page.evaluate(PROBLEMS, parts))
    kind, said = status(opened)
    opened.close()
    assert found == failing([[problem(part, one) for one in part["owed"]] for part in parts])
    assert kind == ("checked bad" if found else "checked good")
    if found:
        assert said.startswith(f"{len(found)} of ")
        flat = [part["called"][one[3]] for part in parts for one in part["owed"]]
        assert f"obligation {found[0]} ({flat[found[0] - 1]}): " in said


def test_more_changes_have_one_verdict(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, page_of(CHANGED[0]))
    chance, seen = random.Random(1), set()
    for name in CHANGED:
        for _ in range(10):
            parts = parts_of(page_of(name))
            for _ in range(chance.randrange(1, 4)):
                change(parts, chance)
            found = failing(opened.page.evaluate(PROBLEMS, parts))
            assert found == failing([[problem(part, o) for o in part["owed"]] for part in parts])
            seen.add(bool(found))
    opened.close()
    assert seen == {True, False}


NAMES = ["n", "x", "/x", "b", "m"]


def part(*facts: str, tree: str, known: int = len(NAMES)) -> Part:
    """One obligation, of n and m, which are whole, of x and its inverse, and of the Boolean b."""
    owed = [known, list(range(len(facts))), tree]
    return {"names": NAMES, "whole": "10001", "facts": list(facts), "owed": [owed]}


N_ABOVE, N_BELOW = ">= 2 -1 0 1 1 0", ">= 1 -1 1 0"  # n >= 1, n <= 0
X_POSITIVE, X_NEGATIVE = "> 1 1 1 1", "> 1 -1 1 1"
X_OR = "or 2 > 1 1 1 1 > 1 -1 1 1"
#: By what is right or wrong with it, an obligation of each rule, and whether it holds.
BY_HAND = {
    "opposites": (part("? 3 1", "? 3 0", tree="x 0 1"), True),
    "opposites: the same twice": (part("? 3 1", "? 3 1", tree="x 0 1"), False),
    "opposites: two Booleans": (part("? 3 1", "? 0 0", tree="x 0 1"), False),
    "opposites: comparisons": (part(N_ABOVE, N_BELOW, tree="x 0 1"), False),
    "sum": (part(N_ABOVE, N_BELOW, tree="f 2 0 1 1 1"), True),
    "sum: a negative coefficient": (part(N_ABOVE, ">= 1 1 1 0", tree="f 2 0 1 1 -1"), False),
    "sum: an equation taken negatively": (
        part("> 1 1 1 1", "= 1 1 1 1", tree="f 2 0 1 1 -1"), True,
    ),
    "sum: not false": (part(N_ABOVE, N_BELOW, tree="f 2 0 1 1 2"), False),
    "sum: zero is not above zero": (part(X_POSITIVE, X_NEGATIVE, tree="f 2 0 1 1 1"), True),
    "sum: zero is at least zero": (part(">= 1 1 1 1", ">= 1 -1 1 1", tree="f 2 0 1 1 1"), False),
    "sum: a strict fact taken no times": (
        part(">= 1 1 1 1", ">= 1 -1 1 1", X_POSITIVE, tree="f 3 0 1 1 1 2 0"), False,
    ),
    "sum: of a Boolean": (part("? 3 1", tree="f 1 0 1"), False),
    "sum: of nothing": (part(N_ABOVE, tree="f 0"), False),
    "sum: a fact that is not there": (part(N_ABOVE, N_BELOW, tree="f 2 0 1 2 1"), False),
    "sum: a fraction for a coefficient": (part(N_ABOVE, N_BELOW, tree="f 2 0 1/2 1 1/2"), False),
    "sum: of integers, 2n = 1": (part("= 2 -1 0 2 1 0", tree="f 1 0 1"), True),
    "sum: of reals, 2x = 1": (part("= 2 -1 0 2 1 1", tree="f 1 0 1"), False),
    "sum: of integers, rounded": (
        part(">= 2 -1 0 2 1 0", ">= 1 -1 1 0", tree="d 1 0 1 f 2 2 1 1 1"), True,
    ),
    "sum: of reals, not rounded": (
        part(">= 2 -1 0 2 1 1", ">= 2 1 0 -2 1 1", tree="d 1 0 1 f 2 2 1 1 1"), False,
    ),
    "split": (part(X_OR, "= 1 1 1 1", tree="s 0 f 2 1 -1 2 1 f 2 1 1 2 1"), True),
    "split: a case left out": (part(X_OR, "= 1 1 1 1", tree="s 0 f 2 1 -1 2 1"), False),
    "split: one case too many": (
        part(X_OR, "= 1 1 1 1", tree="s 0 f 2 1 -1 2 1 f 2 1 1 2 1 f 0"), False,
    ),
    "split: of a comparison": (part(X_POSITIVE, "= 1 1 1 1", tree="s 0 f 2 1 -1 0 1"), False),
    "split: of nothing": (part("or 0", tree="s 0"), True),
    "split: a fact that is gone": (
        part(X_OR, "= 1 1 1 1", tree="s 0 f 2 1 -1 2 1 f 2 1 1 3 1"), False,
    ),
    "split: members of a conjunction": (
        part("or 1 and 2 > 1 1 1 1 > 1 -1 1 1", tree="s 0 f 2 1 1 2 1"), True,
    ),
    "product": (part(X_POSITIVE, X_POSITIVE, "= 1 1 2 1 1", tree="m 0 1 f 2 2 -1 3 1"), True),
    "product: one strict": (
        part(X_POSITIVE, ">= 1 1 1 0", "> 1 -1 2 0 1", tree="m 0 1 f 2 2 1 3 1"), True,
    ),
    "product: of wrong signs": (
        part(X_POSITIVE, ">= 1 -1 1 0", "> 1 -1 2 0 1", tree="m 0 1 f 2 2 1 3 1"), False,
    ),
    "product: is not strict": (
        part(X_POSITIVE, ">= 1 1 1 0", ">= 1 -1 2 0 1", tree="m 0 1 f 2 2 1 3 1"), False,
    ),
    "product: with an equation is one": (
        part(X_NEGATIVE, "= 1 1 1 0", "> 1 1 2 0 1", tree="m 0 1 f 2 2 1 3 -1"), True,
    ),
    "product: x and its inverse": (part(X_POSITIVE, "= 1 1 1 2", tree="m 0 1 s 2"), True),
    "product: x and another": (part(X_POSITIVE, "= 1 1 1 4", tree="m 0 1 s 2"), False),
    "product: of a Boolean": (part("? 3 1", X_POSITIVE, tree="m 0 1 f 0"), False),
    "multiple": (
        part("= 2 -2 0 1 1 1", "= 2 -3 0 1 2 1 1", tree="e 0 1 1 1 1 f 3 1 1 2 1 0 -2"), True,
    ),
    "multiple: the sign of an equation": (
        part("= 2 -2 0 1 1 1", "= 2 -3 0 1 2 1 1", tree="e 0 1 1 1 1 f 3 1 1 2 -1 0 -2"), False,
    ),
    "multiple: of an inequality": (
        part(">= 2 -2 0 1 1 1", "= 1 1 1 1", tree="e 0 1 1 1 1 f 2 1 1 0 1"), False,
    ),
    "multiple: by the inverse": (
        part("= 2 -2 0 1 1 1", "= 1 1 1 2", tree="e 0 1 1 1 2 f 2 2 1 1 -1"), True,
    ),
    "square": (part("> 1 -1 2 1 1", tree="q 1 1 1 1 f 2 0 1 1 1"), True),
    "square: is not above zero": (part(">= 1 -1 2 1 1", tree="q 1 1 1 1 f 2 0 1 1 1"), False),
    "square: of an unknown that is not there": (part("> 1 -1 2 1 1", tree="q 1 1 1 9 f 0"), False),
    "square: of an unknown that was not there yet": (
        part("> 1 -1 2 0 0", tree="q 1 1 1 1 f 0", known=1), False,
    ),
    "cut": (
        part("> 1 1 1 0", "> 2 1 0 -1 1 0", tree="c 1 1 1 0 f 2 0 1 2 1 f 2 1 1 2 1"), True,
    ),
    "cut: without integrality": (
        part("> 1 1 1 1", "> 2 1 0 -1 1 1", tree="c 1 1 1 1 f 2 0 1 2 1 f 2 1 1 2 1"), False,
    ),
    "cut: half of an integer": (
        part("> 1 1 1 0", "> 2 1 0 -1 1 0", tree="c 1 1/2 1 0 f 2 0 1 2 1 f 2 1 1 2 1"), False,
    ),
    "cut: one side left out": (
        part("> 1 1 1 0", "> 2 1 0 -1 1 0", tree="c 1 1 1 0 f 2 0 1 2 1"), False,
    ),
    "text: no tree": (part(N_ABOVE, N_BELOW, tree=""), False),
    "text: a missing leaf": (part(N_ABOVE, N_BELOW, tree="d 2 0 1 1 1"), False),
    "text: goes on": (part(N_ABOVE, N_BELOW, tree="f 2 0 1 1 1 f"), False),
    "text: another step": (part(N_ABOVE, N_BELOW, tree="z 2 0 1 1 1"), False),
    "text: over zero": (part("> 1 -1 2 1 1", tree="q 1 1/0 1 1 f 2 0 1 1 1"), False),
    "text: too deep": (part(N_ABOVE, tree="d 1 0 1 " * 20_000 + "f 0"), False),
    "text: too long a number": (
        part(N_ABOVE, N_BELOW, tree=f"q 2 1 1 1 1{'0' * 1000} 0 f 2 0 1 1 1"), False,
    ),
    "text: too long a product": (
        part(N_ABOVE, N_BELOW, tree=f"q 1 1 201{' 1' * 201} f 2 0 1 1 1"), False,
    ),
}  # fmt: skip


def test_every_rule_is_the_kernels(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path, page_of(CHANGED[0]))
    found = opened.page.evaluate(PROBLEMS, [one for one, _ in BY_HAND.values()])
    opened.close()
    for (what, (one, holds)), (said,) in zip(BY_HAND.items(), found, strict=True):
        assert (problem(one, one["owed"][0]) == "") is holds, what
        assert (said == "") is holds, f"{what}: {said}"


def test_unknowns_are_in_pythons_order(browser: Any, tmp_path: Path) -> None:
    # U+1D4D0 is before U+FA0E in JavaScript, and after it in Python: the sign of an equation
    # goes by the first of them.
    one = part("= 2 1 1 0 -1 1 1", "> 2 1 1 1 -1 1 0", tree="d 1 0 1 f 2 1 1 2 -1")
    one |= {"names": ["\U0001d4d0", "\ufa0e"], "whole": "00"}
    opened = Opened(browser, tmp_path, page_of(CHANGED[0]))
    ((said,),) = opened.page.evaluate(PROBLEMS, [one])
    opened.close()
    assert (said == "") is (problem(one, [2, *one["owed"][0][1:]]) == "")


def test_a_page_that_is_not_whole_is_loud(browser: Any, tmp_path: Path) -> None:
    page = page_of("noisy_count")
    parts = parts_of(page)
    parts[0]["owed"].pop()
    for text, wanted in {
        with_parts(page, parts): "The check is not complete: 2 of 3 obligations are in this page.",
        page.replace('data">[{', 'data">[}'): "The check failed: the obligations cannot be read",
        page.replace('"names"', '"unknowns"'): "The check failed: the obligations cannot be read",
    }.items():
        assert text != page
        opened = Opened(browser, tmp_path, text)
        kind, said = status(opened)
        assert kind == "checked bad" and said.startswith(wanted)
        red = opened.page.evaluate("getComputedStyle(document.querySelector('.checked')).color")
        assert red != opened.page.evaluate("getComputedStyle(document.body).color")
        opened.close()


def test_without_the_checks_the_page_reads_as_before(browser: Any, tmp_path: Path) -> None:
    page = page_of("noisy_count")
    still = Opened(browser, tmp_path, page, java_script_enabled=False)
    assert status(still)[0] == "checked open"
    assert "are not checked here" in status(still)[1]
    assert not still.page.locator(".obligations").is_visible()
    still.close()
    broken = Opened(browser, tmp_path, page.replace("const checking = ", "const checking == "))
    assert "are not checked here" in status(broken)[1]
    assert broken.page.locator("#account-1-play .badge").inner_text().startswith("The same output")
    assert len(broken.heard) == 1  # the error in the script
    broken.heard.clear()
    broken.close()


def test_obligations_are_written_out(browser: Any, tmp_path: Path) -> None:
    page = page_of("noisy_count")
    parts = parts_of(page)
    parts[0]["owed"][1][2] = "f 0"
    opened = Opened(browser, tmp_path, with_parts(page, parts))
    opened.page.locator(".obligations summary").click()
    entries = opened.page.locator(".obligations > ol > li")
    assert entries.count() == 3
    told = "cost: eps is not negative holds: these facts contradict each other."
    assert entries.nth(0).inner_text().startswith(told)
    assert "eps > 0" in entries.nth(0).inner_text()
    assert re.match(
        r"line \d+, a case that cannot be fails: a sum of facts is not false\.",
        entries.nth(1).inner_text(),
    )
    assert "obligation 2 (line " in status(opened)[1]
    assert entries.nth(1).get_attribute("class") == "failed"
    opened.close()
