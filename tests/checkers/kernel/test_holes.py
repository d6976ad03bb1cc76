"""What the kernel must not accept, each as small as it was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.check import VERSION, as_json, check, relation_of
from shiftproof.checkers.kernel.language.text import read
from shiftproof.checkers.kernel.paired.sides import Rate, Said
from shiftproof.checkers.recheck import Standing
from shiftproof.checkers.trees.cells import cells_and_trees
from tests.checkers.kernel.finding import certificate, checked, finder, lines_of, objection
from tests.checkers.walking.certificates import named, rechecked

#: One-sided claims of the gallery, whose certificates have a part that proves them.
ENSURED = ("threshold_decision", "location_monitor", "adaptive_stream_vector")


def test_a_list_that_one_run_replaces() -> None:
    """D has a list of three, D′ a number that has no length: what is released tells them apart."""
    text = """
        def moved(x):
            return other(x) == x + 1 and x == 0
        @mechanism(Related(moved))
        def leak(x: Private[float], eps: Epsilon):
            a = [0] * 3
            if x > 0:
                a = 1
            return len(a)
        """
    assert objection(text)


def test_a_counter_that_did_not_count() -> None:
    """Python leaves the name as it was where a range is empty: here it is the private count."""
    text = """
        @mechanism(DP())
        def leak(f: Count, eps: Epsilon):
            i = f
            for i in range(0, 0, 1):
                pass
            return i
        """
    head = {"loop": 0, "variables": {"i": {"kind": "int"}}, "invariants": ["i >= 0"]}
    assert objection(text, {"costs": {"eps": "1"}, "heads": [head]})


def test_a_range_whose_end_is_a_float_in_one_run() -> None:
    """Python's ``range`` raises on D′, and counts on D."""
    text = """
        @mechanism(DP())
        def leak(f: Count, eps: Epsilon):
            stop = 2 if f > 0 else 2.0
            for i in range(0, stop, 1):
                pass
            return 1
        """
    variables = {"i": {"kind": "int"}, "stop": {"kind": "either", "value": "2"}}
    head = {"loop": 0, "variables": variables, "invariants": ["i >= 0"]}
    assert objection(text, {"costs": {"eps": "1"}, "heads": [head]})


def test_a_list_of_other_sorts_on_the_two_sides() -> None:
    """Of elements that are not tracked the kernel knew by those on D that they are integers.

    D has four zeros, D′ four fifths: the sum is 4/5 on D′ only.
    """
    text = """
        def rule(q):
            return q == 1 and other(q) == 0
        @mechanism(Related(rule))
        def m(q: Private[int], eps: Epsilon):
            if q == 1:
                x = 0
            else:
                x = 0.2
            a = [x] * 4
            if 5 * (a[0] + a[1] + a[2] + a[3]) == 4:
                yield 1
            else:
                yield 2
        """
    assert objection(text)


@pytest.mark.parametrize("name", ["exp", "value"])
def test_an_input_that_is_called_like_a_word(name: str) -> None:
    """``exp(1) > 0`` is true, and says nothing of the input ``exp`` at index 1."""
    text = f"""
        @mechanism(DP())
        def m(q: Count, {name}: Public[Vector], eps: Epsilon):
            assert len({name}) == 2
            noise = sample(Laplace(1 / eps))
            if {name}[1] > 0:
                yield q + noise
            else:
                yield q
        """
    shift = "other(0) + q - other(q) if exp(1) > 0 else q - other(q)"
    assert objection(text, {"costs": {"eps": "1"}, "shifts": [shift]})


def test_a_private_input_that_is_called_like_a_word() -> None:
    """Each rate in a certificate is evaluated, and what defines ``exp(1)`` is then known."""
    queries = (
        "Annotated[Sequence[float], Queries(sensitivity=1, direction='both', differing='all')]"
    )
    text = f"""
        @mechanism(DP())
        def m(exp: {queries}, eps: Epsilon):
            assert len(exp) == 2
            if exp[1] > 0:
                yield 1
            else:
                yield 2
        """
    assert objection(text, {"costs": {"(exp(1) - exp(1)) + eps": "1"}})


@pytest.mark.parametrize("swapped", [False, True])
def test_a_call_that_swaps_parameters_called_like_words(swapped: bool) -> None:
    """The callee's text ``removed`` is how a record differs, and not its parameter.

    Where a record goes from D to D′, the caller's count c = max(k - q, 0) rises: the callee's
    count minus c moves by two.
    """
    one, two = ("added", "removed") if swapped else ("removed", "added")
    data = "Annotated[Sequence[Sequence[int]], DataSet(attributes=1)]"
    words = "removed: Public[float], added: Public[float], eps: Epsilon"
    text = f"""
        @mechanism(DP('add-remove'))
        def callee(d: {data}, c: Count, {words}) -> (float,):
            ...
        @mechanism(DP('add-remove'))
        def caller(d: {data}, q: Count, k: Public[int], {words}) -> (float,):
            x, = callee(d, max(k - q, 0), {one}, {two}, eps)
            return x
        """
    assert objection(text)
    # The same call with the count as it is is right, whatever the parameters are called.
    assert not objection(text.replace("max(k - q, 0)", "q"))


def test_what_is_said_where_utility_is_optimized() -> None:
    """The inequality is about protected outputs; 3 is released on x = 3 only."""
    said = check(named("utility_optimized_response")).statement
    assert "any other output is released on one value only, of which sensitive is false" in said
    assert "first n in S" not in said and "all S of outputs that are protected" in said


@pytest.mark.parametrize("body", ["return 1", "y, = below(x, s, k, eps)\n            return 1"])
def test_an_alignment_proves_nothing_where_utility_is_optimized(body: str) -> None:
    """It does not say which values an output comes from; nor would what it calls keep the bound."""
    inputs = "x: Annotated[int, IntegerValue(low=1, high='k')], s: Public[Nat], k: Public[Nat]"
    text = f"""
        def low(x, s):
            return x <= s
        @mechanism(UtilityOptimizedLDP(low, low))
        def below({inputs}, eps: Epsilon) -> (int,):
            ...
        @mechanism(UtilityOptimizedLDP(low, low))
        def m({inputs}, eps: Epsilon) -> (int,):
            {body}
        """
    assert "not protected" in objection(text)


@pytest.mark.parametrize("claim", ["1 / q > 0", "v[q] >= 0"])
def test_what_is_ensured_may_not_raise(claim: str) -> None:
    """Python evaluates it, and a run that raises there releases nothing."""
    text = f"""
        @mechanism(DP())
        def m(q: Count, v: Public[Vector], eps: Epsilon):
            noise = sample(Laplace(1 / eps))
            ensure({claim})
            yield q + noise
        """
    part = {"costs": {"eps": "1"}, "shifts": ["q - other(q)"]}
    assert objection(text, part)
    assert objection(text, part, {"ensures": [4]})
    assert not objection(text.replace(claim, "noise <= noise"), part, {"ensures": [4]})


def test_integers_are_declared_as_such() -> None:
    """0.5 is a float, and would be in the range."""
    text = """
        @mechanism(LDP())
        def m(q: Annotated[{0}, IntegerValue(low=0, high=1)], eps: Epsilon):
            if q == 0.5:
                yield 1
            else:
                yield 2
        """
    assert objection(text.format("float"))
    assert not objection(text.format("int"))


@pytest.mark.parametrize("given", ["yield 1\n                yield 2", "yield from below(x, eps)"])
def test_what_a_generator_returns_is_no_output(given: str) -> None:
    """x = 1 releases 1 and 2; for x = 0 nobody is given what is returned."""
    text = f"""
        @mechanism(LDP())
        def below(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):
            ...
        @mechanism(LDP())
        def m(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):
            if x == 1:
                {given}
                return
            return 1, 2
        """
    with pytest.raises(Wrong, match="nobody is given"):
        read("\n".join(lines_of(text)))


def test_it_is_said_that_sequences_are_as_long_on_both_sides() -> None:
    """What is said of elements does not say so, and a length may be released."""
    text = """
        @mechanism(DP())
        def m(f: Annotated[Sequence[int], IntegerValues(low=0, high=1)], eps: Epsilon):
            return len(f)
        """
    assert not objection(text)
    found = certificate(lines_of(text), [{"costs": {"eps": "1"}}])
    assert "Sequences are as long in D as in D′." in check(found).statement


#: A draw for each answer, and the proof of it: where there is none, its rate divides by zero.
EACH = """
    @mechanism(DP())
    def m(f: Counts, eps: Epsilon):
        for i in range(0, len(f), 1):
            noise = sample(Laplace(len(f) / eps))
            yield f[i] + noise
    """
HEAD = {
    "loop": 0,
    "variables": {"i": {"kind": "int"}},
    "costs": {"eps / len(f)": "?"},
    "invariants": ["i >= 0", "len(f) >= cost(eps / len(f))", "i >= cost(eps / len(f))"],
}
EACH_PAID = {"shifts": ["f[i] - other(f[i])"], "costs": {"eps / len(f)": "len(f)"}, "heads": [HEAD]}


def test_a_rate_is_nothing_where_it_divides_by_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that there would be no proof that it is not negative."""
    assert not objection(EACH, EACH_PAID)
    monkeypatch.setattr(Rate, "inverse", Said.inverse)
    assert "is not negative" in objection(EACH, EACH_PAID)


@pytest.mark.parametrize(("least", "right"), [(0, False), (1, True)])
def test_such_a_rate_pays_for_no_draw(least: int, right: bool) -> None:
    """What is drawn owes that its scale is positive, and so that its price has a value."""
    text = f"""
        @mechanism(DP())
        def m(f: Count, T: Public[Nat], eps: Epsilon):
            assert T >= {least}
            noise = sample(Laplace(T / eps))
            return f + noise
        """
    said = objection(text, {"shifts": ["f - other(f)"], "costs": {"eps / T": "1"}})
    assert (not said) == right
    assert right or "the parameters of Laplace" in said


def test_a_budget_still_has_a_value() -> None:
    """Only rates are nothing where they divide by zero; what is claimed is owed."""
    claimed = EACH.replace("DP()", "DP(), budget=lambda eps, f: eps / len(f)")
    assert "a divisor is not zero" in objection(claimed, EACH_PAID)


@pytest.mark.parametrize("variables", [{"/x": {"kind": "int"}}, {"len(a)": {"kind": "None"}}])
def test_a_head_where_nobody_comes_is_no_fault(variables: dict[str, Any]) -> None:
    """It is walked all the same."""
    text = """
        @mechanism(DP())
        def m(f: Count, eps: Epsilon):
            a = [0] * 3
            for i in range(0, 3, 1):
                a[i] = 1
            return 1
        """
    element = {"kind": "int"}
    held = {"i": element, "len(a)": element} | {f"a[witness({k})]": element for k in (1, 2)}
    used = {"loop": 0, "variables": held, "invariants": ["i >= 0", "len(a) == 3"]}
    part = {"costs": {"eps": "1"}, "heads": [used]}
    assert not objection(text, part)
    objection(text, part | {"heads": [used, used | {"variables": held | variables}]})


def ensuring(name: str) -> tuple[dict[str, Any], list[int]]:
    """A certificate of the gallery, and the lines that its last part ensures."""
    found = named(name)
    return found, found["parts"][-1]["ensures"]


@pytest.mark.parametrize("name", ENSURED)
def test_what_no_part_proves_is_not_ensured(name: str) -> None:
    """The part about one-sided claims is gone; another one says that it ensures them."""
    found, lines = ensuring(name)
    assert checked(found) == ""
    first, *rest = found["parts"][:-1]
    assert checked(found | {"parts": [first | {"ensures": lines}, *rest]})


@pytest.mark.parametrize("name", ENSURED)
@pytest.mark.parametrize("more", [[1], [999], [-1], ["x"]])
def test_a_line_without_a_claim_is_not_ensured(name: str, more: list[Any]) -> None:
    found, lines = ensuring(name)
    *parts, last = found["parts"]
    assert checked(found | {"parts": [*parts, last | {"ensures": [*lines, *more]}]})


def test_a_claim_that_is_named_twice_is_one() -> None:
    """``check`` counts what is ensured, and compares that with how many claims there are."""
    found, lines = ensuring(ENSURED[0])
    *parts, last = found["parts"]
    assert checked(found | {"parts": [*parts, last | {"ensures": [*lines, *lines]}]})


@pytest.mark.parametrize(
    "line",
    [
        "    # \x1b[2J\x1b[Hkernel: proved",
        "    # \u202e desrever",
        "    # a remark\u2028    return 0",
        "    x = '\x9b2J'",
    ],
)
def test_a_statement_is_printed_as_it_is_read(line: str) -> None:
    """Characters that move what a terminal shows, and lines that Python does not end."""
    found = named("laplace")
    core = [*found["core"]]
    core.insert(2, line)
    assert checked(found | {"core": core})


def test_parts_beside_probabilities_are_checked(tmp_path: Path) -> None:
    """``check`` says that such a certificate is valid, whatever its parts say."""
    found = named("k_ary_response")
    (part,) = found["parts"]
    assert rechecked(found, tmp_path).standing is Standing.VALID
    beside = part | {"case": "one-sided claims", "ensures": [], "trees": ["q"]}
    wrong = found | {"parts": [part, beside]}
    assert rechecked(wrong, tmp_path).standing is Standing.INVALID


def test_sums_ensure_nothing() -> None:
    """The probabilities of D and of D are the same, whatever the text ensures."""
    core = """
@mechanism(LDP())
def m(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):
    keep = sample(Bernoulli(1 / 2))
    ensure(keep)
    yield 0"""
    start_work()
    lines = lines_of(core)
    mechanism = read("\n".join(lines))
    kinds, relation = relation_of(mechanism)
    parts = []
    for case, ensures in zip(relation, ([], [4]), strict=True):
        found = cells_and_trees(mechanism, kinds, case, finder(polynomials=True))
        said = {"ensures": ensures} if ensures else {}
        parts.append({"case": case.name, "relation": as_json(case), **found, **said})
    whole = {"kind": "proof", "version": VERSION, "core": lines, "parts": parts}
    assert not checked(whole | {"parts": parts[:1]})
    assert checked(whole)
