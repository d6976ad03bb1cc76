"""Functions of libraries: what is read of them does what they do, or they are refused."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, Simulation, Unsupported, Verdict, verify
from shiftproof.dsl.static import read_text
from shiftproof.libraries.mechanisms import mechanism_of
from shiftproof.libraries.reading import Reading
from shiftproof.libraries.terms.decide import Said
from shiftproof.libraries.whole import written
from tests.places import ROOT

FILE = ROOT / "tests" / "programs" / "libraries" / "written.py"
INPUTS = {"x": "Annotated[int, IntegerValue(0, 2)]", "m": "Public[Nat]", "eps": "Epsilon"}
RUNS = 3_000
#: Functions that are read; and those that are not, with words of the reason.
READ = (
    "chain", "aliased", "list_alias", "whole_array", "swapped", "loop_variable", "grows", "filled",
    "masked", "chosen", "without", "several", "counted", "trials", "ends", "rejected", "waited",
    "luck", "short", "either", "closed", "selected", "late", "fallen", "clipped", "rounded",
    "scores", "tossed", "nothing", "two_of_one", "kept_in_a_tuple", "Child.report",
    "Child.report_or_raise",
)  # fmt: skip
REFUSED = {
    "twice": "compared twice", "seeded": "a seed", "normal": "not read", "tried": "statement",
    "endless": "without end", "kept_in_a_range": "may be negative",
}  # fmt: skip


def reading(function: str, **said: Any) -> Reading:
    given = {
        "source": f"{FILE}::{function}", "privacy": "LDP()", "inputs": INPUTS,
        "assume": ("m >= 2",), **said,
    }  # fmt: skip
    if "." in function:
        given.setdefault("init", {"epsilon": "eps", "size": "m + 1"})
    return Reading(**given)


def library() -> Any:
    spec = importlib.util.spec_from_file_location("written_library", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(part for one in value for part in flat(one))
    value = value.item() if isinstance(value, np.generic) else value
    # A number is the same number as an int and as a float.
    return (int(value) if isinstance(value, float) and value.is_integer() else value,)


def executed(function: str, x: int, m: int) -> Counter[tuple[Any, ...]]:
    """How often each outcome comes when the library runs."""
    random.seed(x)
    np.random.seed(x)
    module = library()
    call = getattr(module, function.rpartition(".")[0] or function)
    found: Counter[tuple[Any, ...]] = Counter()
    for _ in range(RUNS):
        try:
            if "." in function:
                output = getattr(call(1.0, m + 1), function.rpartition(".")[2])(x)
            else:
                output = call(x, m)
            found[flat(output)] += 1
        except (ValueError, RuntimeError):
            found[("raises",)] += 1
    return found


@pytest.mark.parametrize("function", READ)
def test_what_is_read_does_the_same(function: str) -> None:
    text = written(reading(function), Path()).text
    ((_, mechanism),) = read_text(text)
    for x in (0, 1, 2):
        theirs = executed(function, x, 2)
        ours: Counter[tuple[Any, ...]] = Counter()
        outcomes = Simulation(mechanism, x=x, m=2, eps=1.0).outcomes(RUNS, seed=x)
        for output, count in outcomes.counts():
            ours[flat(list(output))] += count
        for outcome in theirs.keys() | ours.keys():
            p, q = theirs[outcome] / RUNS, ours[outcome] / RUNS
            # Six standard errors.
            assert abs(p - q) <= 6 * np.sqrt(max(p + q, 1 / RUNS) / RUNS), (outcome, p, q, text)


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_not_read_says_where_and_why(function: str) -> None:
    with pytest.raises(Unsupported, match=REFUSED[function]) as caught:
        written(reading(function), Path())
    where = caught.value.location
    assert where is not None and where.file == str(FILE) and where.line > 1


def test_verdicts_of_what_is_read() -> None:
    right = {"privacy": "LDP()", "budget": "log(3)"}
    text = written(reading("filled", **right), Path()).text.replace("log(3)", "2.2")
    ((_, mechanism),) = read_text(text)
    assert verify(mechanism).verdict is Verdict.BOUNDED
    ((_, broken),) = read_text(text.replace("2.2", "1.5"))
    assert verify(broken).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"source": f"{FILE}::nowhere"}, "no function is called 'nowhere'"),
        ({"source": f"{FILE}::Nobody.report"}, "no class is called 'Nobody'"),
        ({"source": "nothing.here::f"}, "no file and no module"),
        ({"source": f"{FILE.parent}/none.py::f"}, "no such file"),
        ({"sha256": "0" * 64}, "another version"),
        ({"inputs": {"x": INPUTS["x"]}, "assume": ()}, "no argument for 'm'"),
        ({"given": {"m": "1 +"}}, "no expression"),
        ({"given": {"x +": 1}}, "no expression"),
        ({"assume": ("m >",)}, "no expression"),
        ({"inputs": {"x": "Annotated[", "m": "Public[Nat]"}}, "no expression"),
        ({"inputs": {**INPUTS, "x": "Annotated[int]"}}, "want Annotated"),
        ({"laws": {"random.random": "Laplace(1"}}, "want a law"),
        ({"laws": {"np.random.random": "Laplace(b)"}}, "'b' is no input"),
        ({"given": {"x": "y + 1"}}, "'y' where a number"),
        ({"given": {"x": float("nan")}}, "no finite number"),
        ({"given": {"x": {"a": 1}}}, "no finite number"),
        ({"assume": ("k >= 1",)}, "'k' is no input"),
        ({"name": "sample"}, "stands for something else"),
        ({"name": "x"}, "has the name of the mechanism"),
        ({"inputs": {**INPUTS, "len": "Public[Nat]"}}, "stands for something else"),
        ({"init": {"epsilon": 1}}, "is for methods of objects"),
        ({"source": f"{FILE}::Child.report", "init": {}}, "__init__: no argument for 'epsilon'"),
        ({"source": f"{FILE}::Child.report", "init": {"none": 1}}, "no parameter 'none'"),
    ],
)
def test_wrong_readings(said: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        written(reading("chain", **said), Path())


def test_a_division_that_may_be_by_zero_is_refused_though_nobody_uses_it() -> None:
    with pytest.raises(Unsupported, match="a division that may be by zero"):
        written(reading("divides"), Path())


def test_opposite_coins_are_so_as_numbers_not_as_texts() -> None:
    said = Said({"a": "Public[float]", "b": "Public[float]"}, ())
    assert said.opposite("1 - (a + b)", "a + b") and said.opposite("a", "1 - a")
    assert not said.opposite("1 - a + b", "a + b")


def test_what_is_known_in_a_loop_ends_with_it() -> None:
    text = written(reading("knows_too_much", assume=()), Path()).text
    assert "if m == 0:" in text


def library_of(folder: Path, **files: str) -> Reading:
    package = folder / "package"
    package.mkdir()
    for name, text in {"__init__": "", **files}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    inputs = {"x": INPUTS["x"], "eps": "Epsilon"}
    return Reading(f"{package}/noise.py::f", "LDP()", inputs)


NOISE = "import numpy as np\nfrom . import config\ndef f(x, eps):\n    return x + {}\n"


@pytest.mark.parametrize(
    ("config", "value"),
    [
        ("import numpy as np\nnp.random.seed(0)\n", "np.random.laplace(0, 1 / eps)"),
        ("from numpy.random import seed as s\ns(0)\n", "np.random.laplace(0, 1 / eps)"),
        ("import random\ndef go():\n    random.seed(0)\ngo()\n", "np.random.laplace(0, 1)"),
        ("import numpy as np\nnp.random.laplace = lambda a, b: 0\n", "np.random.laplace(0, 1)"),
        ("from . import noise\nnoise.N = 3\n", "N\nN = 2"),
    ],
)
def test_other_modules_of_a_library_may_change_what_is_read(
    config: str, value: str, tmp_path: Path
) -> None:
    reading = library_of(tmp_path, config=config, noise=NOISE.format(value))
    with pytest.raises(Unsupported, match=r"seed|may set"):
        written(reading, tmp_path)


def test_what_a_script_or_nobody_does_changes_nothing(tmp_path: Path) -> None:
    config = "import random\ndef go():\n    random.seed(0)\nif __name__ == '__main__':\n    go()\n"
    noise = NOISE.format("np.random.laplace(0, 1 / eps)")
    assert (
        "Laplace(1 / eps)"
        in written(library_of(tmp_path, config=config, noise=noise), tmp_path).text
    )


def test_what_the_language_refuses_is_said_of_the_librarys_line(tmp_path: Path) -> None:
    (tmp_path / "case.py").write_text(
        "import random\ndef f(x):\n    u = random.random()\n    if x > 0:\n        y = u\n"
        "    else:\n        y = 2.0\n    return y, u\n",
        encoding="utf-8",
    )
    reading = Reading("case.py::f", "LDP()", {"x": INPUTS["x"], "eps": "Epsilon"})
    with pytest.raises(Unsupported) as caught:
        mechanism_of(reading, tmp_path / "case.toml")
    assert caught.value.location is not None and caught.value.location.line == 8
