"""The words for lists, picks, counts, claims and streams: what they do when a mechanism runs,
and what is refused when it is read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, argmax, count, ensure, outcome, recorded, seeded, top_k, verify
from shiftproof.dsl.terms.values import from_python
from tests.dsl.language.test_rejections import marked
from tests.dsl.making import Given, body, interpret, made
from tests.sampling import every

SMALL = [values for n in range(1, 5) for values in itertools.product((0, 1, 2), repeat=n)]
STREAM = "s: Annotated[Iterable[float], Stream()], f: Counts, e: Public[int]"
DATA = "d: Annotated[Sequence[Sequence[int]], DataSet(2)], e: Public[int]"
#: What the statements about streams and data sets need around them; bodies start at line 18.
PREDICATES = """\
from collections.abc import Iterable
def first(r):
    return r[0] == 1
def is_value(r, v):
    return r[0] == v
def whole(r):
    return r == 1
def value(r):
    return r[0]
def nested(r):
    return count(first, r) > 1
def noisy(r):
    n = sample(Laplace(1))
    return r[0] == 1
"""


class TestPicks:
    def test_argmax_is_the_first_of_the_largest(self) -> None:
        for values in SMALL:
            assert argmax(values) == values.index(max(values))
        assert argmax([Fraction(1, 3), 0.3, 0.25]) == 0
        assert argmax(np.array([1.0, 5.0, 5.0])) == 1

    def test_top_k_is_largest_first_and_then_by_index(self) -> None:
        for values in SMALL:
            order = sorted(range(len(values)), key=lambda i: -values[i])  # sorting is stable
            for k in range(len(values) + 1):
                assert top_k(values, k) == tuple(order[:k])
            assert top_k(values, 1) == (argmax(values),)

    def test_nothing_to_pick(self) -> None:
        with pytest.raises(BadInput, match="argmax of an empty sequence"):
            argmax([])
        assert top_k([], 0) == ()

    @pytest.mark.parametrize("k", [-1, 3])
    def test_too_many_to_pick(self, k: int) -> None:
        with pytest.raises(BadInput, match=f"got k = {k} and 2 values; 0 to 2 is needed"):
            top_k([1, 2], k)

    def test_in_a_mechanism(self) -> None:
        text = (
            "a = [0.0] * len(f)\nfor i in range(len(f)):\n    n = sample(Laplace(1))\n"
            "    a[i] = f[i] + n\nyield argmax(a)\norder = top_k(a, 2)\nfor j in order:\n"
            "    yield j\n    yield a[j]"
        )
        with recorded([Fraction(1, 2), Fraction(5, 2), -1]):
            released = made(body(text, "f: Counts"))([3, 1, 4], 1.0)
        assert released == (0, 0, Fraction(7, 2), 1, Fraction(7, 2))


#: Statements about lists, with what they release on f = (3, 1, 3), c = 2.
READ: dict[str, list[Any]] = {
    "a = [1, 2]\na = [a[1], a[0]]\na[0] += 5\nyield a[0]\nyield a[1]\nyield len(a)": [7, 1, 2],
    "a = [0] * c\nb = [a[0], 4]\na[0] = 9\nyield b[0]\nyield a[c - 1]": [0, 0],
    "a = 2 * [c]\nfor v in a:\n    yield v": [2, 2],
    "a = [0.0] * len(f)\nfor i, v in enumerate(f):\n    a[len(f) - 1 - i] = v / 2\nyield a[1]": [
        Fraction(1, 2)
    ],
    "a = [False] * 3\na[c] = True\nyield a[c]\nyield a[0]": [True, False],
    "a = [1] * 3\na[0] = a[1] + a[2]\na[a[0]] = 7\nyield a[2]\nyield a[0]": [7, 2],
    "a = [1, 2, 3]\nfor v in a:\n    a[2] = 8\n    yield v": [1, 2, 8],
    "yield argmax(f)\ni = argmax(f)\nyield i + 1": [0, 1],
    "a = top_k(f, c)\nyield a[0]\nyield a[1]\nyield len(a)": [0, 2, 2],
    "a = top_k(f, 3)\nfor j in a:\n    yield f[j]": [3, 3, 1],
    "a = top_k(f, 0)\nyield len(a)": [0],
    "a = [5, 7, 7]\na[0] = 9\norder = top_k(a, 2)\na[0] = 0\nyield order[0]\nyield order[1]": [
        0,
        1,
    ],
    "a = [0] * 0\nyield len(a)": [0],
}


@pytest.mark.parametrize("text", READ, ids=lambda text: text.replace("\n", "; "))
def test_lists_are_read_as_they_run(text: str) -> None:
    values = {"f": (3, 1, 3), "c": 2, "eps": Fraction(1)}
    program = made(body(text, "f: Counts, c: Public[Nat]"))
    assert list(program.run(values)) == READ[text]
    seen = interpret(program.program, Given(values, []))
    assert seen.ended and not seen.failed
    assert seen.outputs == [from_python(v) for v in READ[text]]


class TestWords:
    def test_count(self) -> None:
        records = [(1, 0), (1, 1), (0, 1)]
        assert count(lambda r: r[0] == 1, records) == 2
        assert count(lambda r, i, v: r[i] == v, records, 1, 0) == 1
        assert count(lambda r: r[0] == 1, []) == 0

    def test_a_claim_does_nothing(self) -> None:
        assert ensure(False) is ensure(True) is None
        assert made(body("ensure(x > 5)\nyield x", "x: Count"))(3, 1.0) == (3,)

    def test_a_prophecy_says_nothing(self) -> None:
        for told in (outcome(), outcome(1)):
            assert told == 0 and isinstance(told, int)
            assert 0 not in told and 1 not in told
        text = "n = sample(Laplace(1))\nalign(n, 2 if c == outcome() or c in outcome() else 0)\n"
        with recorded([4]):
            assert made(body(f"{text}yield c + n", "c: Public[Nat]"))(1, 1.0) == (5,)


class TestStreams:
    COPY = PREDICATES + body("for x in s:\n    yield x\nyield e", STREAM)

    def test_any_iterable(self) -> None:
        copy = made(self.COPY)
        for answers in ([1, 2.5], (1, 2.5), iter([1, 2.5]), np.array([1, 2.5]), {1: 0, 2.5: 0}):
            released = copy(answers, [], 7, 1.0)
            assert released == (1, 2.5, 7)
            assert all(type(v) is float for v in released[:2])

    @pytest.mark.parametrize("answers", ["12", b"12", 3, None])
    def test_nothing_else(self, answers: object) -> None:
        with pytest.raises(BadInput, match=r"s: got .*; an iterable of numbers is needed"):
            made(self.COPY)(answers, [], 7, 1.0)

    def test_answers_are_looked_at_when_they_are_taken(self) -> None:
        running = made(self.COPY).releases([1, 2, "three"], [], 7, 1.0)
        assert [next(running), next(running)] == [1, 2]
        with pytest.raises(BadInput, match=r"s\[2\]: got str 'three'; a finite number is needed"):
            next(running)

    def test_other_inputs_are_looked_at_at_once(self) -> None:
        copy = made(self.COPY)
        with pytest.raises(BadInput, match=r"eps: got float 0\.0; it must be positive"):
            copy.releases([1], [], 7, 0.0)
        with pytest.raises(BadInput, match=r"f\[0\]: got int -1; it must be at least 0"):
            copy.releases([1], [-1], 7, 1.0)
        with pytest.raises(BadInput, match="m: missing a required argument: 'eps'"):
            copy.releases([1], [], 7)

    def test_the_next_query_may_depend_on_the_last_release(self) -> None:
        """An answer is taken when the release after it is asked for, and not before."""
        seen: list[float] = []

        def answers() -> Iterator[float]:
            yield 1.0
            while True:
                yield 10 * seen[-1]

        for released in itertools.islice(made(self.COPY).releases(answers(), [], 7, 1.0), 4):
            seen.append(released)
        assert seen == [1, 10, 100, 1000]

    def test_nothing_is_drawn_before_it_is_asked_for(self) -> None:
        text = "for x in s:\n    n = sample(Laplace(1))\n    yield x + n"
        noisy = made(PREDICATES + body(text, STREAM))
        with recorded([1]):
            running = noisy.releases([1, 2], [], 0, 1.0)
            assert next(running) == 2
            with pytest.raises(BadInput, match="the recorded noise is used up"):
                next(running)
        with seeded(3):
            whole = noisy([1, 2], [], 0, 1.0)
        with seeded(3):
            assert tuple(noisy.releases([1, 2], [], 0, 1.0)) == whole

    def test_other_mechanisms_release_one_by_one_too(self) -> None:
        assert list(made(body("return x, None, 'a'", "x: Count")).releases(3, 1.0)) == [
            3,
            None,
            "a",
        ]
        assert list(made(body("return x", "x: Count")).releases(3, 1.0)) == [3]
        running = made(body("yield x\nyield [x]", "x: Count")).releases(3, 1.0)
        assert next(running) == 3
        with pytest.raises(BadInput, match="released a list"):
            next(running)


class TestDataSets:
    COUNTED = PREDICATES + body("yield count(first, d)\nyield count(is_value, d, e)", DATA)

    @pytest.mark.parametrize(
        "records", [[[1, 0], [0, 0]], ((1, 0), (0, 0)), np.array([[1, 0], [0, 0]], dtype=np.uint8)]
    )
    def test_any_sequence_of_sequences(self, records: Any) -> None:
        counted = made(self.COUNTED)
        assert counted(records, 0, 1.0) == (1, 1)
        assert counted.convert(records, 0, 1.0)["d"] == ((1, 0), (0, 0))
        assert all(type(v) is int for r in counted.convert(records, 0, 1.0)["d"] for v in r)

    def test_no_record_at_all(self) -> None:
        assert made(self.COUNTED)([], 0, 1.0) == (0, 0)

    @pytest.mark.parametrize(
        ("records", "message"),
        [
            (3, "d: got int 3; a sequence of records is needed"),
            ("ab", "d: got str 'ab'; a sequence of records is needed"),
            (iter([(1, 0)]), "d: got .*; a sequence of records is needed"),
            ([1, 0], r"d\[0\]: got int 1; "),
            ([(1, 0), (1,)], r"d\[1\]: got tuple \(1,\); 2 attributes are needed"),
            ([(1, 0, 0)], r"d\[0\]: got tuple \(1, 0, 0\); 2 attributes are needed"),
            ([(1, 0.5)], r"d\[0\]\[1\]: got float 0.5; an int is needed"),
            ([(1, True)], r"d\[0\]\[1\]: got bool True; an int is needed"),
        ],
    )
    def test_anything_else(self, records: Any, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            made(self.COUNTED)(records, 0, 1.0)


#: What is refused: outlook, snippet, message, advice.
Refused = tuple[str, str, str, str]
NOT_YET, NEVER = "not yet", "never"
SEQUENCE = "the sequence 'a' as a value", "use its elements, as in a[i]"
ASSIGNED = "the sequence 'a' is assigned", "use a new name"
OWN = "a store into something that is no list of its own", "make a list first"
LATE = "'a' may be used before it has a value", "assign 'a' on every path first"
NO_SEQUENCE = "argmax of something that is no sequence", "store the values in a list first"
INSIDE = "argmax inside an expression", "write x = argmax(…) as a statement of its own"
ABOUT = (
    "ensure without what it is about",
    "write ensure(condition) right before the yield or return that it speaks of",
)
ENSURED = "ensure inside an expression", "write it right before a yield or return"
TOLD = "outcome(…) outside an alignment", "use it inside align(…)"
WHICH = "outcome of something", "write outcome(), outcome(1), …"
LOOKING = "looking into the stream 's'", "write for x in s"
AGAIN = "reading the stream 's' again", "read it in one loop that is inside no other"
COUNTED = "count of something", "write count(predicate, data, …) with a DataSet"
WHOLE_DATA = "the data set 'd' as a value", "use count(predicate, d)"
LISTS: list[Refused] = [
    (NOT_YET, "«a = [1, 2] * 3»\nyield 1", "a list of several values", "write [value] * length"),
    (NOT_YET, "a = [«[1]»] * 3\nyield 1", "a collection as a value", "use one variable per value"),
    (NOT_YET, "a = [0] * 3\nb = «a»\nyield 1", *SEQUENCE),
    (NOT_YET, "a = [0] * 3\nyield «a»", *SEQUENCE),
    (NOT_YET, "a = [0] * 3\nreturn «a»", *SEQUENCE),
    (NOT_YET, "a = [0] * 3\nyield min(«a»)", *SEQUENCE),
    (NOT_YET, "def h(b):\n    return b\na = [0] * 3\nyield h(«a»)", *SEQUENCE),
    (NOT_YET, "a = [0] * 3\n«a» = 1\nyield 1", *ASSIGNED),
    (NOT_YET, "a = [0] * 3\n«a» += [1]\nyield 1", *ASSIGNED),
    (NOT_YET, "a = [0] * 3\nfor «a» in range(3):\n    yield 1", *ASSIGNED),
    (NOT_YET, "«a» = 1\na = [0] * 3\nyield a[0]", *ASSIGNED),
    (NOT_YET, "«f» = [0] * 3\nyield 1", "the sequence 'f' is assigned", "use a new name"),
    (NOT_YET, "«f[0]» = 1\nyield 1", *OWN),
    (NOT_YET, "a = [0] * 3\n«a[0][1]» = 1\nyield 1", *OWN),
    (NOT_YET, "«a»[0] = 1\na = [0] * 3\nyield 1", *LATE),
    (NOT_YET, "if c > 1:\n    a = [0] * 3\nyield «a»[0]", *LATE),
    (NOT_YET, "for i in range(c):\n    a = [0] * 3\nfor v in «a»:\n    yield 1", *LATE),
    (NOT_YET, "a = [0] * 3\nyield «a[0:1]»", "a slice", "loop over the indices"),
    (
        *(NOT_YET, "a = [0] * 3\n«a[0] **= 2»\nyield 1"),
        *("this assignment operator", "use += -= *= /= //= %="),
    ),
    (
        *(NOT_YET, "a = [0] * 3\n«a.pop()»\nyield 1"),
        *("'pop' of a list", "a list of the language can be indexed, stored into and appended to"),
    ),
    (
        *(NOT_YET, "a = [0]\nfor v in a:\n    «a.append(v)»\nyield 1"),
        *(
            "appending to 'a' in a loop over it",
            "append to another list, or loop over range(len(…))",
        ),
    ),
]
PICKS: list[Refused] = [
    (NOT_YET, "yield «argmax(f)» + 1", *INSIDE),
    (NOT_YET, "return «argmax(f)», 1", *INSIDE),
    (NOT_YET, "if «argmax(f)» > 1:\n    yield 1", *INSIDE),
    (NOT_YET, "a = «argmax([1, 2])»\nyield a", *NO_SEQUENCE),
    (NOT_YET, "yield «argmax(x)»", *NO_SEQUENCE),
    (NOT_YET, "return «argmax(f[0])»", *NO_SEQUENCE),
    (NEVER, "a = «argmax(f, T)»\nyield a", "argmax of 2 arguments", "write argmax(values)"),
    (NEVER, "a = «argmax()»\nyield a", "argmax of 0 arguments", "write argmax(values)"),
    (NEVER, "a = «top_k(f)»\nyield 1", "top_k of 1 arguments", "write top_k(values, k)"),
    (NEVER, "a = «top_k(f, k=1)»\nyield 1", "top_k of 1 arguments", "write top_k(values, k)"),
    (
        *(NOT_YET, "yield «top_k(f, 1)»"),
        *("top_k inside an expression", "write x = top_k(…) as a statement of its own"),
    ),
    (
        *(NOT_YET, "«a, b» = top_k(f, 2)\nyield a"),
        *("a list inside something else", "give the list a name"),
    ),
    (NOT_YET, "«argmax(f)»\nyield 1", "a statement that does nothing here", "remove it"),
]
CLAIMS: list[Refused] = [
    (NEVER, "«ensure(x > 1)»\ny = 1\nyield y", *ABOUT),
    (NEVER, "«ensure(x > 1)»", *ABOUT),
    (NEVER, "yield 1\n«ensure(x > 1)»", *ABOUT),
    (NEVER, "«ensure(x > 1)»\nif x > 2:\n    yield 1", *ABOUT),
    (NEVER, "ensure_it = 1\n«ensure()»\nyield 1", *ABOUT),
    (NEVER, "«ensure(x > 1, 'why')»\nyield 1", *ABOUT),
    (NEVER, "«ensure(claim=x > 1)»\nyield 1", *ABOUT),
    (NOT_YET, "y = «ensure(x > 1)»\nyield y", *ENSURED),
    (NOT_YET, "yield «ensure(x > 1)»", *ENSURED),
    (NEVER, "ensure(«other(x)» > 1)\nyield 1", "other(…) outside an alignment", TOLD[1]),
    (NEVER, "ensure(«outcome()» > 1)\nyield 1", *TOLD),
    (
        *(NEVER, "ensure(«y» > 1)\nyield 1"),
        *("'y' is not defined", "define or import it, or check its spelling"),
    ),
    (
        *(NOT_YET, "def h(a):\n    «ensure(a > 1)»\n    return a\nyield h(x)"),
        *("this statement in the helper 'h'", "a helper assigns, branches and returns"),
    ),
]
TELLING: list[Refused] = [
    (NEVER, "yield «outcome()»", *TOLD),
    (NEVER, "y = «outcome(1)»\nyield y", *TOLD),
    (NEVER, "if x == «outcome()»:\n    yield 1", *TOLD),
    (NEVER, "def h():\n    return «outcome()»\nn = sample(Laplace(1))\nalign(n, h())", *TOLD),
    *(
        (NOT_YET, f"n = sample(Laplace(1))\nalign(n, «outcome({text})»)\nyield n", *WHICH)
        for text in ("c", "1, 2", "-1", "True", "0.5")
    ),
    (
        *(NOT_YET, "n = sample(Laplace(1))\nalign(n, «outcome(which=1)»)\nyield n"),
        *("a keyword in the call of outcome", "give the arguments by position"),
    ),
    (
        *(NOT_YET, "n = sample(Laplace(1))\nalign(n, 1 if «2 in outcome(1)» else 0)\nyield n"),
        *("this use of outcome()", "write i in outcome()"),
    ),
    (
        *(NOT_YET, "n = sample(Laplace(1))\nalign(n, 1 if «2 not in outcome()» else 0)\nyield n"),
        *("membership ('in')", "write out the comparisons"),
    ),
]
STREAMS: list[Refused] = [
    (NEVER, "yield «s[0]»", *LOOKING),
    (NEVER, "yield «len(s)»", *LOOKING),
    (NEVER, "assert «len(s)» > 0\nyield 1", *LOOKING),
    (NEVER, "y = argmax(«s»)\nyield y", *LOOKING),
    (NEVER, "y = top_k(«s», 1)\nyield 1", *LOOKING),
    (NEVER, "for x in s:\n    yield 1\nfor x in «s»:\n    yield 2", *AGAIN),
    (NEVER, "for i in range(3):\n    for x in «s»:\n        yield 1", *AGAIN),
    (NEVER, "while True:\n    for x in «s»:\n        yield 1", *AGAIN),
    (NEVER, "for x, y in zip(s, «s»):\n    yield 1", *AGAIN),
    (NOT_YET, "y = «s»\nyield 1", "the sequence 's' as a value", "use its elements, as in s[i]"),
    (NOT_YET, "«s» = 1\nyield 1", "the sequence 's' is assigned", "use a new name"),
]
COUNTS: list[Refused] = [
    (NEVER, "yield «count(first)»", *COUNTED),
    (NEVER, "yield «count(d, first)»", *COUNTED),
    (NEVER, "yield «count(first, e)»", *COUNTED),
    (NEVER, "yield «count(first, data=d)»", *COUNTED),
    (NEVER, "yield «count(lambda r: r[0] == 1, d)»", *COUNTED),
    (
        NEVER,
        "yield «count(is_value, d)»",
        "is_value takes 2 arguments, got 1",
        "match its parameters",
    ),
    (NEVER, "yield «count(first, d, e)»", "first takes 1 arguments, got 2", "match its parameters"),
    (NOT_YET, "yield count(«abs», d)", "'abs' as a predicate", "define it with def"),
    (NOT_YET, "yield count(first, d, «d»)", *WHOLE_DATA),
    (NOT_YET, "y = «d»\nyield 1", *WHOLE_DATA),
    (NOT_YET, "yield «d»", *WHOLE_DATA),
    (
        *(NOT_YET, "yield «len(d)»"),
        *("len of something that is no sequence", "use len of a parameter or list"),
    ),
    (
        *(NOT_YET, "yield «d[0]»"),
        *("indexing something that is no sequence", "index a parameter or a list"),
    ),
    (
        *(NOT_YET, "for r in «d»:\n    yield 1"),
        "a loop over something that is neither range nor a sequence parameter",
        "loop over range(…), a sequence parameter, enumerate(xs) or zip(xs, ys)",
    ),
    (
        *(NOT_YET, "def h(r):\n    return «r» == 1\nyield count(h, d)"),
        *("a record as a value", "use its attributes, as in r[0]"),
    ),
    (NEVER, "def h(r):\n    return «count(first, r)» > 1\nyield count(h, d)", *COUNTED),
]
#: Refused for what the values are, when the program is verified.
MEANINGS: list[Refused] = [
    (NOT_YET, "ensure(«x»)\nyield 1", "an int is used as a condition", "compare it, as in "),
    (NOT_YET, "a = [0.0] * «1.5»\nyield 1", "a float stands where an int is needed", "use an int"),
    (NOT_YET, "a = top_k(f, «T[0]»)\nyield 1", "a float stands where an int is needed", "use an"),
    (NOT_YET, "a = [0.0] * 3\n«a[0] = None»\nyield 1", "None in a list of which the", "keep one"),
    (NOT_YET, "a = [0.0] * 3\n«a[0] = c»\nyield 1", "an int in a list of which the", "keep one"),
    (NOT_YET, "a = top_k(f, 2)\n«a[0] = 1»\nyield 1", "a store into 'a', which top_k", "make a"),
]


def shown(case: Refused) -> str:
    return case[1].replace("\n", "; ")


def check(case: Refused, parameters: str | None = None, before: str = "") -> None:
    """The report's one reason: the place that is marked, what is wrong, and what to write."""
    outlook, snippet, message, advice = case
    source = before + (body(snippet) if parameters is None else body(snippet, parameters))
    clean, place = marked(source)
    report = verify(made(clean))
    assert report.verdict.value == "unsupported"
    (reason,) = report.reasons
    head, text, caret, instead = reason.splitlines()
    assert f":{place.line}:{place.column}: unsupported ({outlook}): {message}" in head
    assert (text, caret) == (f"    {place.text}", " " * (3 + place.column) + "^" * place.width)
    assert instead.startswith(f"    instead: {advice}")


class TestRefused:
    @pytest.mark.parametrize("case", LISTS + PICKS + CLAIMS + TELLING, ids=shown)
    def test_lists_picks_claims_and_prophecies(self, case: Refused) -> None:
        check(case)

    @pytest.mark.parametrize("case", STREAMS, ids=shown)
    def test_streams(self, case: Refused) -> None:
        check(case, STREAM, PREDICATES)

    @pytest.mark.parametrize("case", COUNTS, ids=shown)
    def test_counts(self, case: Refused) -> None:
        check(case, DATA, PREDICATES)

    @pytest.mark.parametrize("case", MEANINGS, ids=shown)
    def test_meanings(self, case: Refused) -> None:
        check(case)

    @pytest.mark.parametrize(
        ("name", "message"),
        [("value", "an int is used as a condition"), ("noisy", "'sample' inside an expression")],
    )
    def test_predicates(self, name: str, message: str) -> None:
        """The place is in the predicate, where it goes wrong."""
        report = verify(made(PREDICATES + body(f"yield count({name}, d)", DATA)))
        (reason,) = report.reasons
        assert message in reason and "yield" not in reason

    @pytest.mark.parametrize("text", every(3, ["a[3]", "a[x]", "a[c]"]))
    def test_an_index_beyond_a_list_is_never_proved(self, text: str) -> None:
        made_one = made(body(f"a = [0] * 3\ny = {text}\nyield 1"))
        raising = verify(made_one)
        refuted = text == "a[x]"  # whether it raises depends on the data
        assert raising.verdict.value == ("refuted" if refuted else "unsupported")
        assert refuted or "it raises an exception with positive probability" in raising.reasons[0]
        report = verify(made_one, effort=0)
        assert report.verdict.value == "unknown"
        assert "the index of a is below its length" in report.reasons[0]

    @pytest.mark.parametrize(
        ("text", "enough"),
        every(
            6,
            [
                ("argmax(T)", "len(T) > 0"),
                ("top_k(T, c)", "c <= len(T)"),
                ("top_k(T, c - 1)", "0 < c <= len(T)"),
                ("[0] * (c - 1)", "c >= 1"),  # Python makes it empty; here a length is a length
            ],
        ),
    )
    def test_what_may_raise_is_proved_only_if_it_does_not(self, text: str, enough: str) -> None:
        may_raise = made(body(f"a = {text}\nyield 1"))
        found = verify(may_raise).verdict.value
        assert found == ("unknown" if text == "[0] * (c - 1)" else "unsupported")
        open_one = verify(may_raise, effort=0)
        assert open_one.verdict.value == "unknown"
        assert "definedness" in open_one.reasons[0]
        closed = verify(made(body(f"assert {enough}\na = {text}\nyield 1")))
        assert closed.verdict.value == "proved", closed.reasons
