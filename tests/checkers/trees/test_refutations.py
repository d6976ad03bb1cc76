"""Trees that are found are accepted by the kernel; of what can hold, it accepts none."""

import itertools
import os
import random
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shiftproof.checkers.kernel.arithmetic import (
    FALSE,
    MOST_WORK,
    Unknowns,
    Wrong,
    add,
    both,
    constant,
    either,
    scaled,
    start_work,
    times,
    unknown,
)
from shiftproof.checkers.kernel.trees import refute
from shiftproof.checkers.trees import Refuter

#: The unknowns of random systems, and whether they are whole.
WHOLE = {"i": True, "j": True, "a": False, "b": False}
#: Where we look for models.
POINTS = [
    dict(zip([*WHOLE, "p", "q"], values))
    for values in itertools.product(
        (-1, 0, 2), (0, 1, 3), (Fraction(-1, 2), 0, 1), (0, Fraction(1, 3), 2), *2 * [(True, False)]
    )
]


def fresh(*names: str, **whole: bool) -> Unknowns:
    """Unknowns, by name; those that are not said to be whole are real."""
    unknowns = Unknowns()
    for name in names:
        unknowns.new(name, whole.get(name, WHOLE.get(name, False)))
    return unknowns


def polynomial(random: random.Random, factors: int):
    total = constant(random.randint(-4, 4))
    for _ in range(random.randint(1, 3)):
        term = unknown(random.choice(list(WHOLE)))
        for _ in range(random.randint(1, factors) - 1):
            term = times(term, unknown(random.choice(list(WHOLE))))
        total = add(total, term, random.choice((-3, -2, -1, 1, 1, 2, Fraction(1, 2))))
    return total


def condition(random: random.Random, unknowns: Unknowns, factors: int, depth: int = 2):
    kind = random.random()
    if depth and kind < 0.4:
        join = either if kind < 0.3 else both
        parts = range(random.randint(2, 3))
        return join([condition(random, unknowns, factors, depth - 1) for _ in parts])
    if kind < 0.45:
        return ("?", random.choice("pq"), random.random() < 0.5)
    relation = random.choice((">=", ">=", ">", "="))
    return unknowns.compare(relation, polynomial(random, factors))


def holds(condition, point) -> bool:
    kind = condition[0]
    if kind in ("and", "or"):
        return (all if kind == "and" else any)(holds(m, point) for m in condition[1])
    if kind == "?":
        return point[condition[1]] is condition[2]
    total = 0
    for monomial, k in condition[1]:
        for x in monomial:
            k = k * point[x]
        total += k
    return {"=": total == 0, ">": total > 0, ">=": total >= 0}[kind]


def can_hold(conditions) -> bool:
    return any(all(holds(c, point) for c in conditions) for point in POINTS)


def accepted(unknowns, conditions, tree, most=MOST_WORK) -> bool:
    start_work(most)
    try:
        refute(unknowns, conditions, tree)
    except Wrong:
        return False
    return True


def damaged(random: random.Random, tree: str) -> str:
    """A tree with a few words that are others."""
    words = tree.split()
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(words))
        kind = random.random()
        if kind < 0.6:
            words[at] = random.choice([*words, "0", "1", "-1", "2", *"xfdmesc"])
        elif kind < 0.8:
            del words[at : at + random.randint(1, 2)]
            words = words or ["f"]
        else:
            words[at:at] = random.choices(words, k=random.randint(1, 2))
    return " ".join(words)


#: How many questions are asked by default, and with SHIFTPROOF_FULL=1.
EXAMPLES = 100 if os.environ.get("SHIFTPROOF_FULL") else 40
many = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(st.randoms(use_true_random=False), st.sampled_from((1, 1, 1, 2)))
def test_random_systems(random, factors):
    unknowns = fresh(*WHOLE)
    refuter = Refuter(unknowns)
    facts = [condition(random, unknowns, factors) for _ in range(random.randint(2, 7))]
    for end in range(1, len(facts) + 1):
        tree = refuter.tree(facts[:end])
        assert tree is None or accepted(unknowns, facts[:end], tree)
        assert tree is None or not can_hold(facts[:end])


@many
@given(st.randoms(use_true_random=False), st.sampled_from((1, 2)))
def test_what_can_hold_has_no_tree_however_one_is_damaged(random, factors):
    unknowns = fresh(*WHOLE)
    facts = [condition(random, unknowns, factors) for _ in range(9)]
    tree = Refuter(unknowns).tree(facts)
    if tree is None:
        return
    for at in range(len(facts)):
        weaker = [*facts[:at], condition(random, unknowns, factors), *facts[at + 1 :]]
        if can_hold(weaker):
            for text in (tree, *(damaged(random, tree) for _ in range(10))):
                # A damaged tree can be much work: to be refused for that is to be refused.
                assert not accepted(unknowns, weaker, text, MOST_WORK // 100), text


@many
@given(st.randoms(use_true_random=False))
def test_the_same_question_has_the_same_tree_from_another_refuter(random):
    unknowns = fresh(*WHOLE)
    facts = [condition(random, unknowns, 1) for _ in range(6)]
    questions = [facts[: random.randint(1, 6)] for _ in range(4)]
    one, two = Refuter(unknowns), Refuter(unknowns)
    assert [one.tree(q) for q in questions] == [two.tree(q) for q in questions]


def asked(unknowns, *conditions) -> str:
    """The tree of a question, which the kernel accepts."""
    tree = Refuter(unknowns).tree(conditions)
    assert tree is not None
    refute(unknowns, conditions, tree)
    return tree


I, J, A, B, C = map(unknown, "ijabc")  # noqa: E741
ONE = constant(1)


def test_opposites():
    assert asked(fresh(), ("?", "p", True), ("?", "p", False)) == "x 0 1"


def test_a_sum():
    u = fresh("a", "b")
    facts = u.at_least(A, scaled(B, 3)), u.at_least(B, ONE), u.above(scaled(B, 2), A)
    assert asked(u, *facts) == "f 3 0 1 1 1 2 1"


def test_each_case_of_a_disjunction():
    u = fresh("a")
    apart = either((u.at_least(A, ONE), u.at_least(scaled(A, -1), ONE)))
    tree = asked(u, apart, u.equal(A, constant(0)))
    assert tree == "s 0 f 2 1 -1 2 1 f 2 1 1 2 1"


def test_a_disjunction_of_nothing():
    assert asked(fresh(), FALSE) == "s 0"


def test_a_sum_that_is_rounded():
    u = fresh("i", "j")
    lines = ((2, 2, -5), (-2, 3, 2), (1, -4, 1))
    facts = [u.at_least(add(scaled(I, k), scaled(J, m)), constant(-n)) for k, m, n in lines]
    assert asked(u, *facts).startswith("d ")


def test_a_case_of_an_integer():
    # That i * i is no less than i holds of integers only.
    u = fresh("i")
    tree = asked(u, u.above(I, times(I, I)))
    assert "c" in tree.split()


def test_equations_without_solutions_in_integers():
    u = fresh("i", "j", "a")
    equations = u.equal(add(I, J), A), u.equal(add(I, J, -1), add(A, ONE))
    assert asked(u, *equations, u.at_least(A, ONE)).startswith("f 2 ")


def test_an_equation_times_an_unknown():
    u = fresh("a", "b", "c")
    equations = u.equal(A, B), u.above(times(A, C), times(B, C))
    assert asked(u, *equations).startswith("e 0 1 1 1 2 f")


def test_a_product_of_two_facts():
    u = fresh("a", "b")
    positive = u.above(A, ONE), u.above(B, ONE)
    assert asked(u, *positive, u.above(add(A, B), add(times(A, B), ONE))).split()[0] == "m"


def test_a_bound_with_a_quotient():
    # k * eps / (k + 1) <= eps, if eps > 0 and k >= 1
    u = fresh("eps", "k", "n", "/n", k=True, n=True)
    eps, k, n = map(unknown, ("eps", "k", "n"))
    facts = (
        u.above(eps, constant(0)),
        u.at_least(k, ONE),
        u.equal(n, add(k, ONE)),
        u.above(unknown("/n"), constant(0)),
        u.above(times(times(k, eps), unknown("/n")), eps),
    )
    assert {"m", "f"} <= set(asked(u, *facts).split())


def test_products_within_cases():
    u = fresh("a", "b")
    zero = constant(0)
    signs = either(
        (both((u.above(A, zero), u.above(B, zero))), both((u.above(zero, A), u.above(zero, B))))
    )
    assert {"s", "m"} <= set(asked(u, signs, u.above(zero, times(A, B))).split())


def test_cuts_without_end_are_given_up():
    # 1 < 3i - 3j + 3k < 3 has no integers, but real numbers however far one goes.
    u = fresh("i", "j", "k", "a", k=True)
    total = add(add(scaled(I, 3), J, -3), unknown("k"), 3)
    between = u.at_least(total, add(A, ONE)), u.at_least(add(A, constant(2)), total)
    facts = *between, u.above(A, constant(0)), u.above(ONE, A)
    tree = Refuter(u).tree(facts)
    assert tree is None or accepted(u, facts, tree)


def test_too_many_products_are_given_up():
    names = [f"x{n}" for n in range(12)]
    u = fresh(*names)
    xs = [unknown(x) for x in names]
    facts = [u.above(times(a, b), add(c, ONE)) for a, b, c in zip(xs, xs[1:], xs[2:])]
    assert Refuter(u).tree([*facts, u.above(constant(0), times(xs[0], xs[1]))]) is None


def test_a_square_is_not_negative():
    u = fresh("a", "b")
    assert asked(u, u.above(constant(0), times(A, A))).split()[0] == "q"
    twice = add(add(times(A, A), times(B, B)), ONE)  # a*a + b*b + 1 <= 2ab
    assert "q" in asked(u, u.at_least(scaled(times(A, B), 2), twice)).split()


def test_a_square_is_no_more_than_that():
    u = fresh("a")
    assert accepted(u, (u.above(constant(0), times(A, A)),), "q 1 1 1 0 f 2 0 1 1 1")
    assert not accepted(u, (u.at_least(constant(0), times(A, A)),), "q 1 1 1 0 f 2 0 1 1 1")
    assert not accepted(u, (u.above(constant(0), A),), "q 1 1 1 0 f 2 0 1 1 1")


def test_facts_of_the_question_before_are_forgotten():
    u = fresh("a", "b")
    refuter = Refuter(u)
    apart = either((u.above(A, ONE), u.above(B, ONE)))
    small, less, large = u.above(ONE, A), u.above(ONE, B), u.above(A, ONE)
    for _ in range(2):
        assert refuter.tree([apart, small]) is None
        assert refuter.tree([apart, small, less]) is not None
        assert refuter.tree([apart, small, large]) is not None
        assert refuter.tree([apart, less]) is None
        assert refuter.tree([less, apart]) is None
        assert refuter.tree([less, apart, small]) is not None


@pytest.mark.parametrize("count", [0, 1])
def test_few_conditions(count):
    u = fresh("a")
    assert Refuter(u).tree([u.at_least(A, ONE)][:count]) is None
