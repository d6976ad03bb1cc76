"""Claims of ρ that are false fall by an exact divergence, and their right siblings do not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shiftproof import (
    BadInput,
    Mechanism,
    Verdict,
    comparison_from_json,
    describe,
    recompute,
    refute,
    verify,
)
from tests.dsl.making import made
from tests.sampling import every

COUNT = """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> float:
    noise = sample({})
    return x + noise
"""
RIGHT = "Gaussian(1 / math.sqrt(2 * rho))"
COUNT_BY_INTEGERS = COUNT.replace("float", "int")
EPSILON = """
@mechanism(ZCDP(), budget=lambda eps: {})
def m(x: Count, eps: Rho) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
SEVERAL = """
@mechanism(ZCDP())
def m(f: Annotated[Sequence[float], Queries(sensitivity=1)], rho: Rho) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Gaussian({}))
        yield f[i] + noise
"""

#: What is claimed, with a gap, what is right in it, and what is wrong.
CASES = {
    "a factor of two": (COUNT, RIGHT, "Gaussian(1 / math.sqrt(4 * rho))"),
    "a variance for a deviation": (
        COUNT, "Gaussian(math.sqrt(1 / (2 * rho)))", "Gaussian(1 / (2 * rho))",
    ),
    "on the integers": (
        COUNT_BY_INTEGERS,
        "DiscreteGaussian(1 / math.sqrt(2 * rho))",
        "DiscreteGaussian(1 / math.sqrt(3 * rho))",
    ),
    "the square forgotten": (
        """
@mechanism(ZCDP(), budget=lambda sigma: {})
def m(x: Count, sigma: Public[float]) -> float:
    assert sigma > 0
    noise = sample(Gaussian(sigma))
    return x + noise
""",
        "1 / (2 * sigma * sigma)", "1 / (2 * sigma)",
    ),
    "one for all": (SEVERAL, "math.sqrt(len(f) / (2 * rho))", "1 / math.sqrt(2 * rho)"),
    "a sensitivity of three": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian({} / math.sqrt(2 * rho)))
    return 3 * x + noise
""",
        "3", "1",
    ),
    "noise multiplied": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / math.sqrt(2 * rho)))
    return x + {} * noise
""",
        "1", "0.5",
    ),
    "a histogram of replaced records": (
        """
@mechanism(ZCDP())
def m(f: Histogram, rho: Rho) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Gaussian(1 / math.sqrt({} * rho)))
        yield f[i] + noise
""",
        "1", "2",
    ),
    "Laplace noise": (EPSILON, "eps * eps / 2", "eps * eps / 4"),
    "geometric noise": (
        """
@mechanism(ZCDP(), budget=lambda eps: {})
def m(x: Count, eps: Rho) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise
""",
        "eps * eps / 2", "eps * eps / 4",
    ),
    "one-sided noise": (COUNT, "Laplace(1 / rho)", "Exponential(1 / rho)"),
    "noise on an interval": (COUNT, RIGHT, "Uniform(-1 / rho, 1 / rho)"),
    "a one-sided policy": (
        """
@mechanism(ADP(Policy(sensitive={{1}}), zcdp=True))
def m(x: Annotated[int, CountingQuery([1])], rho: Rho) -> float:
    noise = sample(Exponential({}))
    return x + noise
""",
        "1 / rho", "1 / math.sqrt(2 * rho)",
    ),
    "a randomised response": (
        """
@mechanism(LDP(zcdp=True), budget=lambda eps: {})
def m(x: Annotated[int, IntegerValue(0, 1)], eps: Rho) -> int:
    honest = sample(Bernoulli(math.exp(eps) / (1 + math.exp(eps))))
    return x if honest else 1 - x
""",
        "eps * eps / 2", "eps * eps / 4",
    ),
    "a sum": (
        """
@mechanism(ZCDP())
def m(f: Counts, rho: Rho) -> float:
    assert len(f) > 0
    total = 0
    for i in range(len(f)):
        total = total + f[i]
    noise = sample(Gaussian({} / math.sqrt(2 * rho)))
    return total + noise
""",
        "len(f)", "math.sqrt(len(f))",
    ),
    "two releases": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> Iterator[float]:
    one = sample(Gaussian(1 / math.sqrt({} * rho)))
    yield x + one
    two = sample(Gaussian(1 / math.sqrt({} * rho)))
    yield x + two
""",
        "1", "2",
    ),
    "two draws in one release": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> float:
    one = sample(Gaussian(1 / math.sqrt({} * rho)))
    two = sample(Gaussian(1 / math.sqrt({} * rho)))
    return x + one + two
""",
        "4", "5",
    ),
    "calls": (
        """
@mechanism(ZCDP())
def inner(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / math.sqrt(2 * rho)))
    return x + noise

@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> Iterator[float]:
    one, = inner(x, {})
    yield one
    two, = inner(x, {})
    yield two
""",
        "rho / 2", "rho",
    ),
    "the same noise twice": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> Iterator[float]:
    noise = sample(Gaussian(1 / math.sqrt(2 * rho)))
    yield x + noise
    yield {} * x + 2 * noise
""",
        "2", "3",
    ),
    "a clipped integer": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> int:
    noise = sample(DiscreteGaussian(1 / math.sqrt({} * rho)))
    return max(0, x + noise)
""",
        "2", "4",
    ),
    "a clipped float": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> float:
    noise = sample(Gaussian(1 / math.sqrt({} * rho)))
    return max(0.0, x + noise)
""",
        "2", "6",
    ),
    "a rounded number": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> int:
    noise = sample(Gaussian(1 / math.sqrt({} * rho)))
    return round(x + noise)
""",
        "2", "6",
    ),
    "a noisy threshold": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> bool:
    one = sample(Gaussian(1 / math.sqrt({} * rho)))
    two = sample(Gaussian(1 / math.sqrt({} * rho)))
    return x + one >= 1 + two
""",
        "4", "20",
    ),
    "a sparse vector": (
        """
@mechanism(ZCDP())
def m(f: Annotated[Sequence[float], Queries(sensitivity=1)], rho: Rho) -> Iterator[bool]:
    threshold = sample(Gaussian({}))
    for i in range(len(f)):
        noise = sample(Gaussian({}))
        if f[i] + noise >= 1 + threshold:
            yield True
            break
        else:
            yield False
""",
        "math.sqrt(len(f) / (2 * rho))", "1 / math.sqrt(12 * rho)",
    ),
    "a noisy maximum": (
        """
@mechanism(ZCDP())
def m(f: Annotated[Sequence[float], Queries(sensitivity=1)], rho: Rho) -> int:
    assert len(f) > 0
    noisy = []
    for i in range(len(f)):
        noise = sample(Gaussian({}))
        noisy.append(f[i] + noise)
    return argmax(noisy)
""",
        "math.sqrt(len(f) / (2 * rho))", "1 / math.sqrt(6 * rho)",
    ),
    "no noise": (
        """
@mechanism(ZCDP())
def m(x: Count, rho: Rho) -> Iterator[float]:
    noise = sample(Gaussian(1 / math.sqrt(2 * rho)))
    yield x + noise
    yield {} * x
""",
        "0.0", "1.0",
    ),
}  # fmt: skip


def of(name: str, right: bool) -> Mechanism:
    source, good, bad = CASES[name]
    hole = good if right else bad
    return made(source.format(*[hole] * source.count("{}")))


@pytest.mark.parametrize("name", every(3, CASES))
def test_what_is_wrong_falls_for_certain(name: str) -> None:
    mechanism = of(name, right=False)
    report = verify(mechanism)
    c = report.refutation
    assert report.verdict is Verdict.REFUTED and c is not None and c.breaks and c.left != c.right
    assert c.measure == "divergence" and not c.outcome
    order, budget = Fraction(c.order), c.budget.enclosure
    if c.log_ratio is None:
        assert c.infinite and report.epsilon_lower == "infinite" and "= ∞" in describe(c)
    else:
        low = c.log_ratio.enclosure.low
        assert low > budget.high > 0 and not c.infinite
        assert float(Fraction(report.epsilon_lower or "")) == pytest.approx(float(low / order))
        assert f"so: ρ ≥ {report.epsilon_lower} there" in describe(c)
    # It is what is saved, read back and computed again; and gone where the bug is.
    assert comparison_from_json(c.as_json()) == c == recompute(c, mechanism)
    assert not recompute(c, of(name, right=True)).breaks


@pytest.mark.parametrize("name", CASES)
def test_what_is_right_does_not_fall(name: str) -> None:
    assert refute(of(name, right=True), effort=1500) is None


def test_the_words() -> None:
    found = refute(of("a factor of two", right=False))
    assert found is not None
    assert describe(found).splitlines() == [
        "m: ZCDP with ρ = rho; x − x′ ∈ [-1, 1]",
        "at rho = 1",
        "D: x = 1",
        "D′: x = 0",
        "one record: (1) → (0); besides no other record",
        "divergence: D₂(M(D) ‖ M(D′)) = 4 > 2ρ = 2",
        "so: ρ ≥ 2 there",
    ]


def test_a_given_rho() -> None:
    found = refute(of("a factor of two", right=False), {"rho": "1/3"})
    assert found is not None and found.epsilon == {"rho": "1/3"}
    with pytest.raises(BadInput, match="no multiple of ln 2"):
        refute(of("a factor of two", right=False), {"rho": "ln 2"})


def test_a_counterexample_is_of_its_kind_of_claim() -> None:
    found = refute(of("Laplace noise", right=False))
    assert found is not None
    other = made(
        CASES["Laplace noise"][0].format("eps").replace("ZCDP", "DP").replace("Rho", "Epsilon")
    )
    with pytest.raises(BadInput, match="a claim of ρ, which m does not make"):
        recompute(found, other)


def test_how_far_it_came() -> None:
    report = verify(of("two draws in one release", right=True))
    if report.verdict is Verdict.UNKNOWN:
        (why,) = (r for r in report.reasons if r.startswith("no counterexample found"))
        assert "the largest divergence of any order tried was 1 times what is claimed" in why
