"""Python functions as mechanisms: how they are called, what they do wrong, what is said of it."""

from __future__ import annotations

import functools
import itertools
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from shiftproof.checkers.auditing.boxes.boxes import Key, checked
from shiftproof.checkers.auditing.boxes.callables import BATCHED, SINGLY, CallableBox
from shiftproof.checkers.auditing.boxes.packing import packed
from shiftproof.checkers.auditing.samples import Sample
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.simulation.outcomes import Ending

KEY: Key = (1, 2, 3)


def drawn(function: Callable[..., Any], data: Any, size: int = 4, **settings: Any) -> Sample:
    return CallableBox(function, **settings).on(data)(size, KEY)


def shown(function: Callable[..., Any], data: Any, size: int = 4, **settings: Any) -> list[str]:
    sample = drawn(function, data, size, **settings)
    return [sample.shown(k) for k in range(len(sample))]


def same(one: Sample, other: Sample) -> bool:
    return one.bits.tolist() == other.bits.tolist() and one.kinds.tolist() == other.kinds.tolist()


def laplace(x: float, eps: float, rng: np.random.Generator) -> float:
    return x + float(rng.laplace(scale=1 / eps))


def many(x: float, eps: float, size: int, rng: np.random.Generator) -> Any:
    return x + rng.laplace(scale=1 / eps, size=size)


def by_seed(x: float, seed: int) -> float:
    assert 0 <= seed < 2**31
    return x + float(np.random.default_rng(seed).laplace())


# How a function is called.


@pytest.mark.parametrize("function", [laplace, many])
def test_a_key_gives_the_same_runs_again(function: Callable[..., Any]) -> None:
    box = CallableBox(function)
    data = {"x": 3, "eps": 1.0}
    first = box.on(data)(100, KEY)
    assert box.seeded
    assert same(first, pickle.loads(pickle.dumps(box)).on(data)(100, KEY))
    assert not same(first, box.on(data)(100, (1, 2, 4)))
    assert not same(first, box.on(data)(100, (2, 2, 3)))
    assert len({*first.bits[:, 0].tolist()}) == 100


def test_a_seed_for_each_run() -> None:
    first = drawn(by_seed, 3.0, 100)
    assert len({*first.bits[:, 0].tolist()}) == 100
    assert same(first, drawn(by_seed, 3.0, 100))


def test_one_seed_for_a_batch() -> None:
    def function(x: float, seed: int, n_samples: int) -> list[int]:
        return [seed] * n_samples

    assert len({*shown(function, 3.0)}) == 1


def test_rng_and_seed_are_not_the_same_noise() -> None:
    def function(x: float, rng: np.random.Generator, seed: int) -> tuple[int, int]:
        return int(rng.integers(2**31)), seed

    assert all(a != b for a, b in drawn(function, 0, 50).bits.tolist())


def test_how_many_at_a_time() -> None:
    assert CallableBox(laplace).block == SINGLY
    assert CallableBox(many).block == BATCHED
    assert CallableBox(many, batched=False).block == SINGLY
    for name in ("size", "n", "samples", "n_samples"):
        function = eval(f"lambda x, *, {name}: [x] * {name}")
        assert CallableBox(function).block == BATCHED
        assert shown(function, 7, 3) == ["7"] * 3


def test_size_comes_before_the_others() -> None:
    assert shown(lambda data, n, size: [n] * size, {"data": 1, "n": 5}, 2) == ["5", "5"]


def test_the_input_may_be_called_like_a_size() -> None:
    assert shown(lambda n, rng: n, 7, 2) == ["7", "7"]
    assert shown(lambda samples: samples, [1, 2], 1) == ["(1, 2)"]
    assert shown(lambda rng, size: size, 7, 2) == ["7", "7"]


@pytest.mark.parametrize(
    ("function", "data", "output"),
    [
        (lambda x, eps: (x, eps), {"x": 3, "eps": 1}, "(3, 1)"),
        (lambda x, eps=2: (x, eps), {"x": 3}, "(3, 2)"),
        (lambda x, /, eps: (x, eps), {"x": 3, "eps": 1}, "(3, 1)"),
        (lambda *, x, rng: x, {"x": 3}, "3"),
        (lambda rng, /, x: x, {"x": 3}, "3"),
        (lambda data, eps: (data, eps), {"data": 3, "eps": 1}, "(3, 1)"),
        (lambda rng: 5, {}, "5"),
        # As a whole: the keys are not what the parameters are called.
        (lambda data: sorted(data), {"a": 3, "b": 1}, "('a', 'b')"),
        (lambda data, eps=1: len(data), {"data": 3, "b": 1}, "2"),
        (lambda data: len(data), {}, "0"),
        (lambda data: len(data), {1: 2}, "1"),
        (lambda data, **more: len(data) + len(more), {"a": 3}, "1"),
        # No mapping at all.
        (lambda x, eps=2: (x, eps), 3, "(3, 2)"),
        (lambda rng, x: x, 3, "3"),
        (functools.partial(lambda x, eps, rng: (x, eps), eps=4), 3, "(3, 4)"),
        (functools.partial(lambda x, eps, rng: (x, eps), eps=4), {"x": 3}, "(3, 4)"),
        (functools.partial(lambda x, eps, rng: (x, eps), eps=4), {"x": 3, "eps": 5}, "(3, 5)"),
        (len, [1, 2], "2"),
        (str, 12, "'12'"),
    ],
)
def test_the_input(function: Callable[..., Any], data: Any, output: str) -> None:
    assert shown(function, data, 1) == [output]


def test_any_mapping_is_taken_apart() -> None:
    class Named(Mapping[str, Any]):
        def __getitem__(self, name: str) -> int:
            return {"x": 3, "eps": 1}[name]

        def __iter__(self) -> Iterator[str]:
            return iter(("x", "eps"))

        def __len__(self) -> int:
            return 2

    assert shown(lambda x, eps: (x, eps), Named(), 1) == ["(3, 1)"]


@pytest.mark.parametrize(
    ("function", "data", "message"),
    [
        (lambda x, eps: x, 3, r"<lambda>\(x, eps\): got the input 3; wanted a mapping with x, eps"),
        (lambda x, eps: x, {"x": 3, "e": 1}, "wanted a mapping with x, eps"),
        (lambda *, x: x, 3, "wanted a mapping with x"),
        (lambda rng: 5, 3, "wanted an empty mapping"),
        (lambda x, n: x, {"x": 3, "n": 1}, "the input has 'n'.*rename it, or say batched=False"),
        (lambda x, rng: x, {"x": 3, "rng": 1}, "the input has 'rng'.*not for inputs; rename it$"),
    ],
)
def test_no_way_to_call_it(function: Callable[..., Any], data: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        CallableBox(function).on(data)


def test_sizes_mean_nothing_to_what_is_not_batched() -> None:
    assert shown(lambda x, n: (x, n), {"x": 3, "n": 1}, 2, batched=False) == ["(3, 1)"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "got 3; a function is needed"),
        ((laplace, True), "laplace: cannot give many outputs at a time, it takes no 'size'"),
        ((laplace, None, 0), "want seconds, above 0"),
        ((laplace, None, float("nan")), "want seconds, above 0"),
        ((laplace, None, float("inf")), "want seconds, above 0"),
    ],
)
def test_what_no_box_can_be(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        CallableBox(*arguments)


def test_what_is_written_into_again() -> None:
    """Outputs are what they were when they were returned."""
    count, row, words = itertools.count(), np.zeros(1), [""]

    def arrays(x: float) -> Any:
        row[0] = next(count)
        return row

    def lists(x: float) -> list[str]:
        words[0] += "a"
        return words

    assert shown(arrays, 0, 3) == ["0", "1", "2"]
    assert shown(lists, 0, 2) == ["'a'", "'aa'"]


# What goes wrong.


def failing(x: float, rng: np.random.Generator) -> float:
    if rng.random() < x:
        raise ArithmeticError("too small")
    return 1.5


def failing_many(x: float, size: int) -> Any:
    raise ArithmeticError("too small")


def test_a_run_that_raises_is_an_output() -> None:
    sample = drawn(failing, 0.5, 50)
    assert {*sample.endings.tolist()} == {Ending.END, Ending.RAISED}
    raised = int(np.argmax(sample.endings))
    assert sample.shown(raised) == "'ArithmeticError', then it raises"


def test_a_batch_that_raises() -> None:
    with pytest.raises(BadInput) as caught:
        drawn(failing_many, 3)
    error = caught.value
    assert "failing_many: raises ArithmeticError: too small; outputs that are made" in str(error)
    assert error.location is not None
    assert error.location.file == __file__
    assert 'raise ArithmeticError("too small")' in str(error)


def test_a_mechanism_must_not_end_the_program() -> None:
    for function in (lambda x: sys.exit("enough"), lambda x, size: sys.exit("enough")):
        with pytest.raises(BadInput, match="raises SystemExit: enough"):
            drawn(function, 3)


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, GeneratorExit, type("Stop", (BaseException,), {})]
)
def test_what_a_mechanism_must_not_raise(error: type[BaseException]) -> None:
    """None of these is an output, and none is taken for a wish of the user, or for a verdict."""

    def raising(x: float) -> None:
        raise error

    for function in (raising, lambda x, size: raising(x)):
        with pytest.raises(BadInput, match=f"raises {error.__name__}; what a run raises"):
            drawn(function, 3)


def test_ctrl_c_is_the_users() -> None:
    def pressing(x: float) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        drawn(pressing, 3)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_exception_that_cannot_be_said() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise ValueError

    def raising(x: float, size: int) -> None:
        raise Silent

    with pytest.raises(BadInput, match=r"raising: raises Silent; outputs"):
        drawn(raising, 3)


def test_noise_is_no_number_of_outputs() -> None:
    with pytest.raises(BadInput, match="'rng' gets the noise"):
        CallableBox(lambda x, rng: 0, batched="rng")


def test_a_parameter_may_be_how_many_are_wanted() -> None:
    with pytest.raises(
        BadInput, match=r"mapping with x, m; or, if 'm' .*batched='m' \(--batch m\)"
    ):
        drawn(lambda x, rng, m: 0, 3)
    with pytest.raises(BadInput, match=r"wanted a mapping with x, m$"):
        drawn(lambda x, m, size: 0, 3)


@pytest.mark.parametrize(
    ("batch", "got"),
    [
        ([1, 2, 3], "a list of length 3"),
        (np.zeros((3, 4)), r"an array of shape \(3, 4\)"),
        (np.zeros(()), r"an array of shape \(\)"),
        (np.float64(2.5), r"of type float64|an array of shape \(\)"),
        (2.5, "2.5 of type float"),
        (None, "None of type NoneType"),
        ("four", "'four' of type str"),
        ({1, 2, 3, 4}, "of type set"),
        ({1: 1, 2: 2, 3: 3, 4: 4}, "of type dict"),
        (iter([1, 2, 3, 4]), "of type list_iterator"),
        ([[1], [1, 2], [1], [1]], "outputs of different lengths"),
        ([[], np.zeros(1), [], []], "outputs of different lengths"),
    ],
)
def test_a_wrong_batch(batch: Any, got: str) -> None:
    def function(x: int, size: int) -> Any:
        return batch

    with pytest.raises(BadInput, match=f"function: returned .*{got}.*; wanted an array .*of 4 out"):
        drawn(function, 3, 4)


def test_right_batches() -> None:
    class Column:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([1, 2])

    for batch in ([1, 2], (1, 2), range(1, 3), np.array([1, 2]), np.array([[1], [2]]), Column()):
        assert shown(lambda x, size, batch=batch: batch, 0, 2) == ["1", "2"]
    assert shown(lambda x, size: [(1, "a"), (2, None)], 0, 2) == ["(1, 'a')", "(2, None)"]
    assert shown(lambda x, size: [[None, 1.5], [2, 3]], 0, 2) == ["(None, 1.5)", "(2, 3)"]


def test_no_output_at_all() -> None:
    with pytest.raises(BadInput, match="of type object; an output is made of"):
        drawn(lambda x: object(), 3)


# Functions that do not return.

unix = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGALRM")


def waits() -> None:
    while True:
        time.sleep(0.01)


def waits_for_all(x: int) -> int:
    while True:
        try:
            waits()
        except Exception:
            return 1


def waits_once(x: int) -> Any:
    try:
        waits()
    except:  # noqa: E722
        return 1


@unix
@pytest.mark.parametrize("function", [waits_for_all, waits_once, lambda x, size: waits()])
def test_it_hangs(function: Callable[..., Any]) -> None:
    with pytest.raises(BadInput, match=r"no answer within 0.3 s on the input 7.*; does it hang\?"):
        drawn(function, 7, timeout=0.3)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@unix
def test_it_hangs_after_some_runs() -> None:
    runs = itertools.count()
    with pytest.raises(BadInput, match="after 3 of 10 runs; does it hang"):
        drawn(lambda x: 1 if next(runs) < 3 else waits(), 7, 10, timeout=0.3)


@unix
def test_all_is_left_as_it_was_after_an_exception() -> None:
    with pytest.raises(BadInput):
        drawn(failing_many, 3)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@unix
def test_no_limit_where_others_use_the_signal() -> None:
    def function(x: int) -> str:
        return str(signal.getsignal(signal.SIGALRM))

    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        assert shown(function, 1, 1) == [repr(str(signal.SIG_IGN))]
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_no_limit_in_other_threads() -> None:
    found: list[Sample] = []
    thread = threading.Thread(target=lambda: found.append(drawn(laplace, {"x": 1, "eps": 1})))
    thread.start()
    thread.join()
    assert len(found[0]) == 4


# Checks before an audit.


class Remembers:
    """It has a generator of its own, which every worker gets in the same state."""

    def __init__(self) -> None:
        self.own = np.random.default_rng(7)

    def __call__(self, x: float) -> float:
        return x + self.own.normal()


def fixed(x: float, size: int) -> Any:
    return x + np.random.default_rng(7).normal(size=size)


def unseeded(x: float) -> float:
    return x + np.random.default_rng().normal()


def ignoring(x: float, rng: np.random.Generator) -> float:
    return unseeded(x)


def in_place(x: Any, rng: np.random.Generator) -> Any:
    x[0] += rng.normal()
    return x


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (laplace, [{"x": 3, "eps": 1.0}, {"x": 4, "eps": 1.0}]),
        (by_seed, [3.0]),
        (lambda x, rng: bool(rng.random() < 0.9), [3.0]),
        (lambda x, rng: (x + rng.normal(size=2)).tolist(), [np.zeros(2)]),
        (laplace, []),
    ],
)
def test_nothing_to_say(function: Callable[..., Any], inputs: list[Any]) -> None:
    assert checked(CallableBox(function), inputs, 5) == []


@pytest.mark.parametrize(
    ("function", "inputs", "note"),
    [
        (unseeded, [3.0], "unseeded takes neither rng nor seed: the audit cannot be repeated."),
        (
            ignoring,
            [3.0],
            "ignoring does not give the same runs for the same rng or seed, so they cannot be "
            "repeated: it has other noise, or keeps something. If that is noise, its runs are not "
            "independent, and nothing that is said of them holds.",
        ),
        (
            lambda x, rng: x,
            [3.0, 4.0],
            "The output was the same in all 256 runs on 3.0 (and all on 1 other input): it does "
            "not depend on noise there, or hardly.",
        ),
        (
            lambda x, rng: rng.choice([1.5, np.nan]) if x else rng.normal(),
            [0, 1],
            "NaN in {} of 256 runs on 1.",
        ),
        (
            failing,
            [0.0, 0.5, 1.0],
            "{} of 256 runs on 0.5 (and some on 1 other input) raised ArithmeticError, which "
            "counts as an output.",
        ),
    ],
)
def test_notes(function: Callable[..., Any], inputs: list[Any], note: str) -> None:
    notes = checked(CallableBox(function), inputs, 5)
    counts = [k for k in range(1, 256) if note.format(k) in notes]
    assert len(counts) == (1 if "{}" in note else 255)


def test_runs_that_are_not_independent() -> None:
    with pytest.raises(BadInput, match="draws the same noise in every batch of runs"):
        checked(CallableBox(fixed), [3.0], 5)


def test_noise_of_its_own_goes_on() -> None:
    """What takes no seed is never copied to a worker."""
    assert "takes neither rng nor seed" in checked(CallableBox(Remembers()), [3.0], 5)[0]


def test_what_differs_seldom_is_not_taken_for_the_same() -> None:
    box = CallableBox(lambda x, rng: bool(rng.random() < 0.995))
    for seed in range(100):
        checked(box, [3.0], seed)


@pytest.mark.parametrize("data", [np.zeros(3), [0.0] * 3, {"x": [0.0] * 3}])
def test_it_changes_its_input(data: Any) -> None:
    with pytest.raises(BadInput, match="in_place: changes its input, which is now"):
        checked(CallableBox(in_place), [data], 5)


def test_every_run_raises() -> None:
    with pytest.raises(BadInput) as caught:
        checked(CallableBox(failing), [1.0, 2.0], 5)
    assert "failing: raises ArithmeticError: too small" in str(caught.value)
    assert "so does every run on every input" in str(caught.value)
    assert 'raise ArithmeticError("too small")' in str(caught.value)


def test_a_box_that_tells_nothing_of_itself() -> None:
    class Plain:
        block = 100

        def on(self, data: Any) -> Any:
            def draw(size: int, key: Key) -> Sample:
                return Sample.of_array(np.full(size, data)) if data else packed([Ending] * size)

            return draw

    assert len(checked(Plain(), [3.0], 5)) == 1
    with pytest.raises(BadInput, match="of type EnumType"):
        checked(Plain(), [0], 5)
