"""The table of neighbours has all pairs that records give, and says what the product says.

Both are asked of every kind of input under every definition: of small data sets, whose pairs are
written down without deriving anything (``guarding/records.py``), whether a case covers them; and of
the cases that the product derives with a solver, whether they are the same.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from shiftproof import ADP, DP, LDP, ContextAwareLDP, OneSidedDP, Policy, Related, other
from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.claim.policies import Case, cases, kinds, mechanism_budget
from shiftproof.checkers.kernel.language.text import read
from shiftproof.dsl.errors import BadInput, ShiftproofError
from shiftproof.dsl.normalise.claims import Claims
from shiftproof.dsl.parsing.rewriting import Names
from shiftproof.dsl.privacy.definitions import Blowfish, InputDiscriminativeLDP, Privacy
from shiftproof.dsl.privacy.inputs import (
    CountingQueries,
    CountingQuery,
    DataSet,
    EpsilonInput,
    InputKind,
    IntegerQueries,
    IntegerQuery,
    IntegerValue,
    IntegerValues,
    LocationCounts,
    PublicIntVector,
    Queries,
    Query,
    Secrets,
    Value,
    Values,
    WindowCounts,
)
from shiftproof.dsl.reading.rules import read_definition
from shiftproof.dsl.relations.cases import cases_of
from tests.checkers.guarding.relation_records import (
    PRIVACIES,
    Asked,
    Kinds,
    asked,
    asked_under,
    of_pair,
    of_value,
    upwards,
)
from tests.checkers.kernel.relation_agreement import differences, is_budget, says_the_same
from tests.checkers.kernel.relation_coverage import TextCoverage
from tests.checkers.kernel.relation_texts import core
from tests.loading import load
from tests.places import ROOT
from tests.sampling import every


@pytest.fixture(autouse=True)
def _start() -> None:
    """Each test has the work of one certificate."""
    start_work()


# Programs, and the product's relation of them.

FILES = [
    *sorted((ROOT / "src/shiftproof/mechanisms").glob("*.py")),
    *sorted((ROOT / "tests/programs").rglob("*.py")),
]


@pytest.mark.parametrize("path", every(4, FILES), ids=lambda path: path.stem)
def test_of_every_program_the_table_says_what_the_product_says(path: Path) -> None:
    try:
        mechanisms = load(path)
    except BadInput:
        return  # some files are about what cannot be declared
    for name, mechanism in mechanisms.items():
        try:
            program, _ = mechanism.program, mechanism.program.cases
        except ShiftproofError:
            continue
        try:
            said = ast.unparse(Claims(Names("m", set())).budget(mechanism))
        except ShiftproofError:
            said = ""
        given = said if mechanism.budget is not None else ""
        privacy = program.privacy.exactly  # whatever δ is, who are neighbours is the same
        assert not differences(privacy, program.inputs, given), name
        header = read(core(privacy, program.inputs, given)).header
        facts = [fact for kind in kinds(header).values() for fact in kind.facts]
        assert says_the_same(facts, program.parameter_facts(), kinds(header)), name
        of_pairs = isinstance(program.privacy, ContextAwareLDP | InputDiscriminativeLDP)
        if not of_pairs and (said or mechanism.budget is None):
            assert is_budget(mechanism_budget(header), program.one_step.budget, kinds(header)), name


# Definitions, kinds, policies, universes: all of them with each other.


def _policies() -> Iterator[Policy]:
    for universe in ((0, 1), (1,), (0, 1, 2), (0, 2, 5)):
        for size in range(len(universe) + 1):
            for sensitive in itertools.combinations(universe, size):
                yield Policy(sensitive, universe)


DEFINITIONS: list[Privacy] = [
    DP(),
    DP("add-remove"),
    LDP(),
    *(claim(policy) for policy in _policies() for claim in (ADP, OneSidedDP)),
]
COUNTED = [{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 1, 2}]
SINGLE: list[InputKind] = [
    *(
        kind(c, h)
        for c in COUNTED
        for h in (False, True)
        for kind in (CountingQuery, CountingQueries)
    ),
    *(LocationCounts(c, hot, by="place") for c in COUNTED for hot in (False, True)),
    *(WindowCounts(width) for width in (1, 3, "k")),
    *(DataSet(n) for n in (1, 2)),
    *(kind(*r) for r in ((0, 1), (0, 2), (2, 5), (0, 0)) for kind in (IntegerValue, IntegerValues)),
    *(IntegerValues(*r) for r in ((Fraction(1, 5), Fraction(4, 5)), (-1, Fraction(3, 2)))),
    *(kind(*r) for r in ((0, 1.5), (0, "k"), ("k", "s"), (-2, 0)) for kind in (Value, Values)),
    *(
        Queries(m, d, w)
        for m in (0, 0.5, "s")
        for d in ("both", "increasing")
        for w in ("all", "one")
    ),  # type: ignore[arg-type]
    Query("s", "decreasing"),
    IntegerQuery("s", "decreasing"),
    IntegerQueries(2.5, "both", "one"),
    Secrets(),
]
PUBLIC = {n: asked(DP(), {}).program.inputs[n] for n in ("eps", "place", "s", "k")}


def _same(privacy: Privacy, private: Kinds) -> None:
    """Both say the same, or refuse it."""
    inputs = {**private, **PUBLIC}
    try:
        cases_of(read_definition(privacy), inputs)
    except BadInput as error:
        # Of a range between two integers the product wants more of a universe than it has to.
        if "does not cover [0, 0]" not in str(error):
            with pytest.raises(Wrong):
                cases(read(core(privacy, inputs)))
    else:
        assert not differences(privacy, inputs), (privacy, private)


@pytest.mark.parametrize("privacy", every(28, DEFINITIONS), ids=str)
def test_under_every_definition_they_say_the_same(privacy: Privacy) -> None:
    for kind in SINGLE:
        _same(privacy, {"x": kind})
    beside = [k for k in SINGLE if not isinstance(k, CountingQueries) or k.counted == {1}][::2]
    for one, two in itertools.combinations_with_replacement(beside, 2):
        _same(privacy, {"x": one, "y": two})


@pytest.mark.parametrize("definition", every(3, PRIVACIES))
def test_under_definitions_with_functions_too(definition: str) -> None:
    for kinds_, one in asked_under(definition).items():
        assert not differences(one.privacy, one.program.inputs), kinds_


def ratio(x: float, s: float, k: int) -> bool:
    return x - other(x) <= s / k if k > 1 else (x <= 1 / s and other(x) != 1 / k) or x > s


def halves(x: float, y: float) -> bool:
    gap = (x - other(x)) / 2
    return abs(gap) <= y / 3 and max(gap, 0) <= min(y, 1, other(y))


def in_three(x: float, eps: float, s: float) -> float:
    near = abs(x - other(x))
    if near > 2:
        return eps + (eps if x > 5 else s) / 2
    return eps if near == 0 else 3 * eps - s


def in_one(x: float, eps: float) -> float:
    return eps if x == 0 else eps


@pytest.mark.parametrize(
    ("privacy", "private"),
    [
        (Related(ratio), {"x": Secrets()}),
        (Related(ratio), {"x": Value(0, "k")}),
        (Related(halves), {"x": Secrets(), "y": Values(0, 3)}),
        (Related(halves), {"x": CountingQuery(), "y": Values(0, 3)}),
        (Related(halves), {"x": CountingQuery(), "y": Value(0, "s")}),
        (Blowfish(halves), {"x": Values(0, 3), "y": Values(0, "s")}),
        (Blowfish(halves), {"x": Value(0, 3), "y": Value(0, 1)}),
        (ContextAwareLDP(in_three), {"x": Value(0, 3)}),
        (ContextAwareLDP(in_three), {"x": Values(0, 3)}),
        (ContextAwareLDP(in_one), {"x": Values(0, 3)}),
    ],
)  # fmt: skip
def test_functions_are_put_in_as_they_are(privacy: Privacy, private: Kinds) -> None:
    """Helpers, choices, divisors and sequences; a piece of a budget for each choice."""
    assert not differences(privacy, {**private, **PUBLIC})


# Pairs of neighbours by the definition alone.


@pytest.mark.parametrize("definition", every(3, PRIVACIES))
def test_every_pair_of_neighbours_is_covered(definition: str) -> None:
    for kinds_, one in asked_under(definition).items():
        assert not next(TextCoverage(one).uncovered(), None), kinds_


@pytest.mark.parametrize("privacy", every(28, DEFINITIONS), ids=str)
def test_under_every_policy_too(privacy: Privacy) -> None:
    for kind in SINGLE:
        one = asked(privacy, {"x": kind})
        try:
            one.cases()
        except BadInput:
            continue
        if not isinstance(kind, Queries):
            assert not next(TextCoverage(one).uncovered(), None), kind


def test_nobody_has_a_value_where_there_is_none() -> None:
    assert not next(TextCoverage(NOBODY).uncovered(), None)


# Mistakes that somebody could make.

COUNTS = asked(DP(), {"x": CountingQueries()})
FALLING = asked(ADP(Policy({1})), {"x": CountingQueries()})
HISTOGRAM = asked(DP(), {"x": CountingQueries(one_hot=True)})
ADDING = asked(DP("add-remove"), {"x": CountingQueries(), "y": CountingQuery()})
LOCATIONS = asked(DP(), {"x": LocationCounts(by="place")})
WINDOWS = asked(DP(), {"x": WindowCounts(2)})
USERS = asked(OneSidedDP(Policy({1})), {"x": IntegerValue(0, 1), "y": IntegerValue(0, 1)})
ROWS = asked(ADP(Policy({1}, (0, 1, 2))), {"x": IntegerValues(0, 2)})
EMPTY = asked(DP(), {"x": DataSet(1), "y": IntegerValue(0, 1)})
RECORDS = asked(ADP(Policy({1}, (0, 1, 2))), {"x": DataSet(2)})
EDGES = asked(Blowfish(upwards), {"x": IntegerValue(0, 2)})
PAIRS = asked(ContextAwareLDP(of_pair), {"x": IntegerValue(0, 2)})
SINGLES = asked(InputDiscriminativeLDP(of_value), {"x": IntegerValue(0, 1)})
NOBODY = Asked(
    DP(),
    {"x": IntegerValues(1, "k"), "y": IntegerValue(0, 1)},
    {"x": 0},
    1,
    {**asked(DP(), {}).public, "k": 0},
)


def said(old: str, new: str) -> Callable[[list[Case]], list[Case]]:
    """All texts with one piece of text in another's place."""

    def changed(found: list[Case]) -> list[Case]:
        assert any(old in str(case) for case in found)
        return [
            case._replace(
                facts=tuple(f.replace(old, new) for f in case.facts),
                inputs={n: tuple(t.replace(old, new) for t in ts) for n, ts in case.inputs.items()},
                budget=case.budget.replace(old, new),
            )
            for case in found
        ]

    return changed


def also(fact: str) -> Callable[[list[Case]], list[Case]]:
    """One fact more."""
    return lambda found: [case._replace(facts=(*case.facts, fact)) for case in found]


SECOND = " - (change2(x) if any == place2(x) else 0)"
MISTAKES = {
    "a smaller bound": (COUNTS, said("1 >= move(x)[any]", "0 >= move(x)[any]")),
    "never below": (COUNTS, said("move(x)[any] >= -1", "move(x)[any] >= 0")),
    "the other direction": (FALLING, said("x[any] - move(x)[any]", "x[any] + move(x)[any]")),
    "a case is missing": (ADDING, lambda found: found[:1]),
    "the other case is missing": (ADDING, lambda found: found[1:]),
    "one place for two": (HISTOGRAM, said(SECOND, "")),
    "both places fall": (HISTOGRAM, said("change2(x) >= -1", "change2(x) >= 0")),
    "places in order": (HISTOGRAM, also("place2(x) >= place1(x)")),
    "two locations are never one": (LOCATIONS, also("place1(x) != place2(x)")),
    "one location": (LOCATIONS, said("move2(x)[any] if", "0 if")),
    "locations from 0": (LOCATIONS, also("place1(x) >= 1")),
    "windows that are shorter": (WINDOWS, said("place1(x) + 2", "place1(x) + 1")),
    "windows at the same time": (WINDOWS, also("place1(x) == place2(x)")),
    "windows that move as one": (WINDOWS, also("place1(x) >= 1")),
    "only sensitive values of a record": (USERS, also("x == 1 or x == other(x)")),
    "another user": (ROWS, said("value1(x) == 1 or", "value1(x) == 0 or")),
    "values that stay": (ROWS, said("value1(x) == 1 or", "False or")),
    "no value above one": (ROWS, said("2 >= value1(x)", "1 >= value1(x)")),
    "no empty data sets": (EMPTY, lambda found: found[:1]),
    "data sets that are the same": (EMPTY, lambda found: found[1:]),
    "an attribute that stays": (RECORDS, also("before(x)[0] == after(x)[0]")),
    "records of ones": (RECORDS, said("before(x)[any] == 1 or", "before(x)[any] == 2 or")),
    "edges one way": (EDGES, said(" or x - other(x) == 1", "")),
    "a piece is missing": (PAIRS, lambda found: found[1:]),
    "another budget": (PAIRS, said("2 * eps", "eps")),
    "the larger budget": (SINGLES, said(" > ", " < ")),
    "there is somebody": (NOBODY, said("len(x) == 0 or ", "")),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_leaves_pairs_out(name: str) -> None:
    one, change = MISTAKES[name]
    assert not next(TextCoverage(one).uncovered(), None)
    assert next(TextCoverage(one, change).uncovered(), None)


@pytest.mark.parametrize(
    ("one", "old"),
    [
        (FALLING, "move(x)[any] >= 0"),
        (HISTOGRAM, "1 >= change1(x)"),
        (LOCATIONS, "move2(x)[any] >= -1"),
        (ROWS, "value1(x) == 1 or value1(x) == value1(x) - change1(x)"),
        (RECORDS, "before(x)[any] == 1 or before(x)[any] == after(x)[any]"),
        (EDGES, "other(x) - x == 1 or x - other(x) == 1"),
    ],
)
def test_a_condition_that_is_dropped_lets_others_in(one: Asked, old: str) -> None:
    """Of what is weaker nothing wrong follows, but perhaps nothing at all."""
    assert TextCoverage(one, said(old, "0 == 0")).covered() > TextCoverage(one).covered() > 0


# What is refused.

QUERY = "f: Annotated[float, Query(sensitivity='{}', direction='both', differing='all')]"
NAMED = "x: Annotated[int, IntegerValue(low=0, high='{0}')], {0}: {1}"
PLACED = "x: Annotated[Sequence[int], LocationCounts(counted={1}, one_hot=True, by='eps')]"
UNPLACED = PLACED.replace(", by='eps'", "")
DATA = "x: Annotated[Sequence[Sequence[int]], DataSet(attributes={})]"


@pytest.mark.parametrize(
    ("claim", "inputs", "message"),
    [
        ("LDP()", "f: Counts", "no neighbours under LDP"),
        ("ADP(Policy({1}))", "x: Private[int]", "no neighbours under ADP"),
        ("ADP(Policy({1}))", "x: Annotated[float, Value(low=0, high=1)]", "no neighbours"),
        ("ADP(Policy({1}))", "x: Annotated[int, IntegerValue(low=0, high=2)]", "the universe"),
        ("ADP(Policy({1}))", NAMED.format("k", "Public[int]"), "cannot be read|means nothing"),
        ("ADP(Policy({2}))", "f: Counts", "no privacy definition|means nothing"),
        ("ADP(Policy((), universe=()))", "f: Counts", "no privacy definition|means nothing"),
        ("ADP(Policy({0.5}, universe={0, 0.5}))", "f: Counts", "no constant"),
        ("ADP(Policy({0}, universe={0, 2}))", "f: Counts", "not in the universe"),
        ("DP('other')", "f: Counts", "no privacy definition|means nothing"),
        ("DP(neighbours='add-remove')", "f: Counts", "no privacy definition|means nothing"),
        ("Other()", "f: Counts", "no privacy definition|means nothing"),
        ("Related(missing)", "f: Counts", "cannot be read|means nothing"),
        ("Related(close)", "f: Counts", "stands for no number|cannot be read"),
        ("Related(close)", DATA.format(1), "no neighbours"),
        ("DP()", DATA.format(0), "attributes"),
        ("DP()", DATA.format("'k'"), "cannot be read|means nothing"),
        ("DP()", UNPLACED, "cannot be read|means nothing"),
        ("Related(counting)", "x: Private[int]", "in a function of the claim"),
        ("Blowfish(chained)", "x: Private[int]", "not all may be reached"),
        ("InputDiscriminativeLDP(close)", "x: Private[int]", "stands for no number"),
        ("ContextAwareLDP(private)", "x: Private[int]", "no choice among public ones"),
        ("Blowfish(close)", "x: Private[Sequence[float]]", "no neighbours"),
        ("DP()", "f: Strange", "cannot be read|means nothing"),
        ("DP()", "f: Annotated[int, Strange(low=0)]", "cannot be read|means nothing"),
        (
            "DP()",
            "f: Annotated[Sequence[int], CountingQueries(one_hot=True)]",
            "cannot be read|means nothing",
        ),
        ("DP()", QUERY.format("f"), "no public parameter"),
        ("DP()", QUERY.format("c"), "cannot be read|means nothing"),
        ("DP()", PLACED, "no public parameter"),
        ("DP()", NAMED.format("v", "Public[Vector]"), "no public parameter"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_refused(claim: str, inputs: str, message: str) -> None:
    functions = (
        "def close(x):\n    return abs(x - other(x)) <= 1\n"
        "def private(x):\n    return x if other(x) == 0 else 1\n"
        "def counting(x):\n    return move(x) >= 1\n"
        "def chained(x):\n    return 1 <= other(x) <= 1 / x\n"
    )
    text = f"{functions}@mechanism({claim})\ndef m({inputs}, eps: Epsilon):\n    return 0\n"
    with pytest.raises(Wrong, match=message):
        cases(read(text))


def test_names_that_are_put_into_names_cannot_grow_without_end() -> None:
    inner = "x"
    for _ in range(40):
        inner = f"(lambda a: a + a)({inner})"
    rule = f"def f(x):\n    return {inner} <= 1\n"
    text = f"{rule}@mechanism(Related(f))\ndef m(x: Private[int]):\n    return 0"
    with pytest.raises(Wrong, match="work"):
        cases(read(text))


def test_kinds_say_what_is_known_of_parameters() -> None:
    inputs = {"x": LocationCounts(by="place"), "place": PublicIntVector(), "eps": EpsilonInput()}
    found = kinds(read(core(DP(), inputs)).header)
    assert found["x"].facts == ("len(x) >= 0", "len(x) == len(place)")
    assert (found["eps"].public, found["eps"].facts) == (True, ("eps > 0",))
    assert kinds(read(core(DP(), {"d": DataSet(3)})).header)["d"].attributes == 3


def test_where_utility_is_optimised_any_two_values_are_neighbours() -> None:
    functions = "def f(x):\n    return x == 0\ndef g(y):\n    return y == 0\n"
    private = "x: Annotated[int, IntegerValue(low=0, high=3)], eps: Epsilon"
    found = [
        cases(read(f"{functions}@mechanism({claim})\ndef m({private}):\n    return 0"))
        for claim in ("UtilityOptimizedLDP(f, g)", "LDP()")
    ]
    assert found[0] == found[1]


def test_a_claim_that_nests_too_deep_is_refused() -> None:
    long = "+".join(["x"] * 3_000)
    rule = f"def f(x):\n    return {long} <= 1\n"
    text = f"{rule}@mechanism(Related(f))\ndef m(x: Private[int]):\n    return 0"
    with pytest.raises(Wrong, match=r"deep|read"):
        cases(read(text))
