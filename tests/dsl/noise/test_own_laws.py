"""A distribution of a file's own: its class is read, and its cost decided or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism, Simulation, Verdict, verify
from shiftproof.checkers.kernel.check import check_file
from shiftproof.checkers.kernel.language.syntax import WORDS
from shiftproof.checkers.walking.certificate import certificate_text
from shiftproof.dsl.errors import BadInput, ShiftproofError, Unsupported
from shiftproof.dsl.noise.own import own_law
from shiftproof.dsl.normalise.text import normalised, read_normalised, same_program
from shiftproof.dsl.static import read_file, read_text

LAPLACE = {
    "lattice": "reals",
    "parameters": ("scale",),
    "cost": ("abs(d)", "1 / scale"),
    "log_density": "-abs(x) / scale - log(2 * scale)",
}
LOGISTIC = "-abs(x) / scale - log(scale) - 2 * log(1 + exp(-abs(x) / scale))"
CAUCHY = "-log(1 + x * x / (scale * scale)) - log(3.14159265358979 * scale)"
#: What differs from Laplace noise.
RIGHT: dict[str, dict[str, Any]] = {
    "Laplace noise": {},
    "more than it costs": {"cost": ("1.01 * abs(d)", "1 / scale")},
    "by a part": {"cost": ("2 * abs(d)", "1 / (2 * scale)")},
    "with a cost of no shift": {"cost": ("abs(d) + 1", "1 / scale")},
    "logistic": {"log_density": LOGISTIC},
    "logistic by other words": {"log_density": "-2 * log(exp(x / scale) + exp(-x / scale)) / 2"},
    "tanh": {"log_density": "-abs(x) / (2 * scale) - tanh(x / scale) / 2"},
    "Cauchy": {"log_density": CAUCHY},
    "askew": {
        "cost": ("(3 * abs(d) - d) / 4", "1 / scale"),
        "log_density": "-(3 * abs(x) - x) / (4 * scale)",
    },
    "three pieces": {"log_density": "-(abs(x - scale) + abs(x + scale) + 2 * abs(x)) / 4 / scale"},
    "on integers": {
        "lattice": "integers", "log_density": "-abs(x) / scale + log(tanh(1 / (2 * scale)))",
    },
    "one-sided": {"ends": ("0", ""), "cost": ("d", "1 / scale"), "log_density": "-x / scale"},
    "from the left": {"ends": ("", "0"), "cost": ("-d", "1 / scale"), "log_density": "x / scale"},
    "a part of a normal law": {
        "parameters": ("scale", "end"), "exists": "scale > 0 and end > 0", "ends": ("-end", "end"),
        "cost": ("abs(d)", "end / (scale * scale)"), "log_density": "-x * x / (2 * scale * scale)",
    },
    "flat": {
        "parameters": ("low", "high"), "exists": "low < high", "ends": ("low", "high"),
        "cost": ("0", "1"), "log_density": "-log(high - low)",
    },
    "stairs": {
        "parameters": ("scale", "step"),
        "cost": ("abs(d) + 1", "1 / scale"), "exists": "scale > 0 and step >= 1",
        "log_density": "-floor(abs(x) / step) / scale",
    },
}  # fmt: skip

TOO_SMALL: dict[str, dict[str, Any]] = {
    "a little": {"cost": ("0.99 * abs(d)", "1 / scale")},
    "in its rate": {"cost": ("abs(d)", "0.999 / scale")},
    "on one side": {"cost": ("d", "1 / scale")},
    "on the other": {"cost": ("-d", "1 / scale")},
    "a little on one side": {"cost": ("abs(d) + d / 1000", "1 / scale")},
    "less than no shift": {"cost": ("abs(d) - 1 / 1000", "1 / scale")},
    "for some scales": {"cost": ("abs(d)", "1")},
    "for negative scales": {
        "exists": "scale >= -1", "cost": ("abs(d)", "1"), "log_density": "-abs(x) * scale",
    },
    "by a negative rate": {"exists": "scale < 0", "log_density": "-abs(x) / scale"},
    "by an unbounded slope": {"log_density": "-x * x / scale"},
    "of a Gumbel law": {"log_density": "-x / scale - exp(-x / scale)"},
    "logistic": {
        "cost": ("abs(d)", "0.99 / scale"),
        "log_density": LOGISTIC,
    },
    "logistic on one side": {
        "cost": ("d", "1 / scale"),
        "log_density": LOGISTIC,
    },
    "one-sided, with a support that reaches further": {
        "ends": ("-1", ""), "cost": ("d", "1 / scale"), "log_density": "-abs(x) / scale",
    },
    "askew the other way": {
        "cost": ("(3 * abs(d) + d) / 4", "1 / scale"),
        "log_density": "-(3 * abs(x) - x) / (4 * scale)",
    },
    "steep at a far place": {"log_density": "-abs(x) / scale - abs(x - 1000 * scale) / scale"},
    "of a jump": {"log_density": "-floor(abs(x)) / scale"},
    "of stairs": {
        "cost": ("abs(d)", "1 / scale"), "log_density": "-floor(abs(x) + 1 / 2) / scale",
    },
}  # fmt: skip

#: With the reason.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "true, and not seen to be": (
        {"lattice": "integers", "log_density": "-floor(abs(x)) / scale"}, "it is not decided",
    ),
    "closer to it than is looked": (
        {"cost": ("abs(d)", "0.99999 / scale"), "log_density": CAUCHY},
        "it is not decided whether log g(x) - log g(x + d) is at most (abs(d)) * (0.99",
    ),
    "more digits than a float holds": (
        {"log_density": "-(9007199254740993.0 - 9007199254740991.0) * abs(x) / scale"},
        "more digits than a float holds",
    ),
    "a scale of zero": ({"exists": "scale >= 0"}, "never zero"),
    "a logarithm of nothing": ({"log_density": "log(x)"}, "never of zero or less"),
    "a pole": ({"log_density": "1 / x"}, "never zero"),
    "a cost that divides by zero": ({"cost": ("abs(d)", "1 / (scale - 1)")}, "never zero"),
    "ends that cross": ({"ends": ("scale", "-scale")}, "scale < -scale"),
    "no condition": ({"exists": ""}, "for which parameters"),
    "a condition of several": ({"exists": "0 < scale < 1"}, "is no condition"),
    "an amount that is no line": ({"cost": ("d * d", "1 / scale")}, "not linear"),
    "an amount with a parameter": ({"cost": ("scale * abs(d)", "1")}, "not linear"),
    "a true one with a parameter": (
        {"cost": ("scale * abs(d)", "1 / (scale * scale)")}, "not linear",
    ),
    "an amount over d": ({"cost": ("1 / d", "1")}, "not linear"),
    "abs of another": ({"cost": ("abs(2 * d)", "1 / scale")}, "not linear"),
    "a rate with x": ({"cost": ("abs(d)", "x / scale")}, "means nothing"),
    "a rate with d": ({"cost": ("abs(d)", "d / scale")}, "means nothing"),
    "a density with d": ({"log_density": "-abs(d) / scale"}, "means nothing"),
    "a name that is no parameter": ({"cost": ("abs(d)", "1 / b")}, "'b' means nothing"),
    "a power": ({"log_density": "-x ** 2"}, "means nothing"),
    "an attribute": ({"log_density": "x.__class__"}, "means nothing"),
    "another function": ({"log_density": "inverse(x * x + 1)"}, "means nothing"),
    "a function of two": ({"log_density": "-abs(x, scale)"}, "means nothing"),
    "infinity": ({"cost": ("abs(d)", "1e999")}, "means nothing"),
    "no number": ({"cost": ("abs(d)", "True")}, "means nothing"),
    "flat without an end": ({"log_density": "0 * x", "cost": ("0", "1")}, "towards minus inf"),
    "rising": ({"log_density": "x / scale", "cost": ("-d", "1 / scale")}, "fall towards infinity"),
    "falling like 1 / x": ({"log_density": "-log(scale + abs(x))"}, "not seen to fall towards"),
    "flat where nothing is tried": (
        {"log_density": "0 * x", "cost": ("0", "1"), "exists": "scale > 100"}, "no parameters are",
    ),
    "no density": ({"log_density": ""}, "states no log_density"),
    "a parameter x": ({"parameters": ("x",)}, "'x' is no name"),
    "a parameter d": ({"parameters": ("scale", "d")}, "'d' is no name"),
    "a parameter abs": ({"parameters": ("scale", "abs")}, "'abs' is no name"),
    "a parameter exp": ({"parameters": ("scale", "exp")}, "'exp' is no name"),
    "two of one name": ({"parameters": ("scale", "scale")}, "'scale' is no name"),
    "a keyword": ({"parameters": ("lambda",)}, "'lambda' is no name"),
    "bits": ({"lattice": "booleans"}, "neither 'reals' nor 'integers'"),
    "a row of the kernel": ({"tabled": "True"}, "'tabled' is nothing"),
    "a shape": ({"shape": "falling"}, "'shape' is nothing"),
    "one text for two": ({"cost": "ab"}, "a tuple of texts"),
    "numbers": ({"parameters": (1,)}, "a tuple of texts"),
    "marks of a page": ({"called": "<script>"}, "no plain text"),
}  # fmt: skip


@pytest.mark.parametrize("said", RIGHT.values(), ids=RIGHT)
def test_a_cost_that_is_true_is_shown(said: dict[str, Any]) -> None:
    stated = {**LAPLACE, **said}
    law = own_law("Mine", stated)
    assert law.cost == stated["cost"] and own_law("Mine", stated) is law


@pytest.mark.parametrize("said", TOO_SMALL.values(), ids=TOO_SMALL)
def test_a_cost_that_is_too_small_is_shown_by_numbers(said: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"cost is too small: at scale = .* and d = "):
        own_law("Mine", {**LAPLACE, **said})


@pytest.mark.parametrize(("said", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_decided_is_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput) as found:
        own_law("Mine", {**LAPLACE, **said})
    assert why in found.value.message


FILE = """
from shiftproof import DP, Count, Distribution, Epsilon, Laplace, mechanism, sample
import math

class Mine(Distribution):
    lattice = "reals"
    parameters = ("scale",)
    cost = ("abs(d)", "1 / scale")
    log_density = "-abs(x) / scale - log(2 * scale)"

    def draw(self, source):
        p = source.random() or 0.5
        return self.scale * (math.log(p) - math.log1p(-p))

@mechanism(DP())
def noisy(f: Count, eps: Epsilon) -> float:
    noise = sample(Mine(1 / eps))
    return f + noise
"""


def only(text: str) -> Mechanism[..., Any]:
    return read_text(text)[-1][1]


def test_a_mechanism_with_a_law_of_its_own_is_proved_and_the_law_is_printed() -> None:
    report = verify(only(FILE))
    assert report.verdict is Verdict.PROVED and report.epsilon_upper == "eps"
    (said,) = (a for a in report.assumptions if "Mine" in a)
    assert said.startswith("the law of Mine(scale) is the author's own: support the reals, cost ")
    assert "exp(-abs(x) / scale - log(2 * scale)), up to a constant, is assumed" in said
    assert not any("no run was held" in a for a in report.assumptions)
    certificate: Any = report.certificate
    assert {*certificate.laws} == {"Mine"}
    checked = check_file(certificate_text(certificate).encode())
    assert "Of Mine(scale) it is assumed, and not checked" in checked.statement


def stating(said: dict[str, Any]) -> str:
    """The file, with a law that differs."""
    lines = "".join(f"    {name} = {value!r}\n" for name, value in {**LAPLACE, **said}.items())
    start, _, end = FILE.partition("    lattice")
    return start + lines + end[end.index("\n    def draw") :]


@pytest.mark.parametrize("name", ["askew", "on integers", "logistic", "with a cost of no shift"])
def test_laws_of_other_shapes(name: str) -> None:
    """What costs more than the budget pays for is not proved."""
    report = verify(only(stating(RIGHT[name])))
    assert (report.verdict is Verdict.PROVED) == (name != "with a cost of no shift")


@pytest.mark.parametrize("ends", [("0", ""), ("", "0"), ("-1000", "1000"), ("-scale", "scale")])
def test_a_shift_has_to_stay_in_the_support(ends: tuple[str, str]) -> None:
    assert verify(only(stating({"ends": ends}))).verdict is not Verdict.PROVED


def test_too_little_of_it_is_not_proved() -> None:
    report = verify(only(FILE.replace("1 / eps", "1 / (2 * eps)")))
    assert report.verdict is Verdict.UNKNOWN
    assert "the density of Mine has no exact likelihoods" in " ".join(report.reasons)


def test_its_text_is_read_again_as_the_same() -> None:
    found = only(FILE)
    text = normalised(found)
    assert "class Mine(Distribution):" in text and "def draw" not in text
    again = read_normalised(text)
    assert normalised(again) == text and same_program(again.program, found.program)
    other = only(FILE.replace('"1 / scale"', '"2 / scale"'))
    assert not same_program(other.program, found.program)


def test_nothing_is_drawn_from_what_was_only_read() -> None:
    found = only(FILE)
    with pytest.raises(ShiftproofError, match="was read and not executed"):
        found(f=1, eps=1)
    with pytest.raises(ShiftproofError, match="Mine was read and not executed"):
        Simulation(found, f=1, eps=1).outcomes(9, seed=1)


TWO = """
from shiftproof import DP, Count, Epsilon, mechanism, sample
import one, two

@mechanism(DP())
def noisy(f: Count, g: Count, eps: Epsilon) -> tuple[float, float]:
    first = sample(one.Mine(4 / eps))
    second = sample(two.Mine(4 / eps))
    return f + first, g + second
"""


@pytest.mark.parametrize("same", [False, True])
def test_two_laws_of_one_name(tmp_path: Path, same: bool) -> None:
    law = FILE.partition("@mechanism")[0]
    other = law if same else law.replace('"1 / scale"', '"2 / scale"')
    for name, text in ("one", law), ("two", other), ("both", TWO):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    ((_, both),) = read_file(tmp_path / "both.py")
    report = verify(both)
    assert (report.verdict is Verdict.PROVED) == same, report
    if not same:
        assert "two things called 'Mine'" in " ".join(report.reasons)


def test_words_of_certificates_are_no_names_of_laws() -> None:
    for word in sorted(WORDS):
        if word[0].isupper() and word not in ("True", "False", "None", "Count", "DP", "Epsilon"):
            with pytest.raises(Unsupported, match=f"'{word}' is a"):
                _ = only(FILE.replace("Mine", word)).program


def replaced(old: str, new: str) -> str:
    assert FILE.count(old) == 1
    return FILE.replace(old, new)


FIRST = "        p = source.random() or 0.5\n"
LATTICE = '    lattice = "reals"\n'
DEF = "    def draw(self, source):"
CLASS = "class Mine(Distribution):"
MECHANISM = "@mechanism(DP())"
AFTER = "Mine.cost = ('abs(d)', '1 / (100 * scale)')\n"
#: Files in which the class is more than what it states, or not surely that class.
HOSTILE = {
    "a decorator": replaced(CLASS, f"def f(c): return c\n@f\n{CLASS}"),
    "a metaclass": replaced(CLASS, "class M(type): pass\nclass Mine(Distribution, metaclass=M):"),
    "an option": replaced(CLASS, "class Mine(Distribution, a=1):"),
    "two bases": replaced(CLASS, "class B: pass\nclass Mine(B, Distribution):"),
    "below a law of the package": replaced(CLASS, "class Mine(Laplace):"),
    "below another of the file": FILE.replace("Mine(1", "Own(1").replace(
        MECHANISM, "class Own(Mine):\n    pass\n\n" + MECHANISM
    ),
    "a shadowed Distribution": replaced(CLASS, f"class Distribution: pass\n{CLASS}"),
    "a shadowed Distribution of the same law": replaced(
        CLASS, f"class Distribution(Distribution): pass\n{CLASS}"
    ),
    "a Distribution that is a function": replaced(CLASS, f"def Distribution(): pass\n{CLASS}"),
    "charges": replaced(DEF, f"    def charges(self, shift): return ()\n{DEF}"),
    "support": replaced(DEF, f"    def support(self, draw): return True\n{DEF}"),
    "a start": replaced(DEF, f"    def __init__(self, *v): self.values = (0,)\n{DEF}"),
    "of": replaced(DEF, f"    def of(self): pass\n{DEF}"),
    "the scale": replaced(DEF, f"    def scale(self): return 1\n{DEF}"),
    "the values": replaced(DEF, f"    def values(self): return 1\n{DEF}"),
    "a property": replaced(DEF, f"    @property\n    def cost(self): return ()\n{DEF}"),
    "a method for a text": replaced(DEF, f"    def symbol(self): return 1\n{DEF}"),
    "subclasses": replaced(DEF, f"    def __init_subclass__(cls): pass\n{DEF}"),
    "what a class is made by": replaced(DEF, f"    def __class_getitem__(cls, k): pass\n{DEF}"),
    "its module": replaced(LATTICE, LATTICE + '    __module__ = "shiftproof.dsl.noise.base"\n'),
    "slots": replaced(LATTICE, LATTICE + '    __slots__ = ("a",)\n'),
    "a row": replaced(LATTICE, LATTICE + "    tabled = True\n"),
    "a shape": replaced(LATTICE, LATTICE + '    shape = "flat"\n'),
    "a list": replaced(LATTICE, LATTICE + "    listed = True\n"),
    "a computed text": replaced('"1 / scale"', '"1 / " + "scale"'),
    "a formatted text": replaced('"1 / scale"', 'f"1 / scale"'),
    "a text by name": replaced(LATTICE, '    a = "reals"\n    lattice = a\n'),
    "a list for a tuple": replaced('("scale",)', '["scale"]'),
    "stated twice": replaced(LATTICE, LATTICE * 2),
    "stated under a condition": replaced(LATTICE, f"    if True:\n    {LATTICE}"),
    "stated in a loop": replaced(LATTICE, LATTICE + "    for cost in (): pass\n"),
    "deleted": replaced(DEF, f"    del cost\n{DEF}"),
    "together": replaced(LATTICE, '    lattice = called = "reals"\n'),
    "added to": replaced(DEF, f"    cost += ()\n{DEF}"),
    "a class in it": replaced(DEF, f"    class cost: pass\n{DEF}"),
    "an import in it": replaced(DEF, f"    from math import cos as cost\n{DEF}"),
    "a draw with a decorator": replaced(DEF, f"    @staticmethod\n{DEF}"),
    **{
        f"a draw that does {line!r}": replaced(FIRST, f"        {line}\n{FIRST}")
        for line in (
            "globals()['noisy'] = 1",
            "globals()['K'] = 0.001",
            "sys.modules[__name__].K = 0.001",
            "import sys",
            "Distribution.__init__ = 3",
            "global math",
            "H.append(1)",
            "self.values = (0,)",
            "self.draw.__globals__.clear()",
            "math.log = 3",
            "g = (i for i in ()).gi_frame",
            "del noisy",
            "exec('1')",
            "f = lambda: 1",
        )
    },
    "a draw by another math": replaced("import math\n", "import random as math\n"),
    "a draw by a math that is bound again": FILE + "def math(): pass\n",
    "a draw by a function of the file": replaced("math.log(p)", "f(p)") + "def f(p): return p\n",
    "a draw by another abs": replaced("math.log(p)", "abs(p)") + "def abs(p): return p\n",
    "changed after": replaced(MECHANISM, AFTER + MECHANISM),
    "changed at the end": FILE + AFTER,
    "changed by setattr": FILE + "setattr(Mine, 'cost', ())\n",
    "changed by its own space": FILE + "vars(Mine)['cost'] = ()\n",
    "changed in a function that runs": FILE + f"def f(c):\n    c.{AFTER[5:]}f(Mine)\n",
    "changed by a function of the module": FILE + f"def f():\n    {AFTER}f()\n",
    "bound by a function": FILE + "def f():\n    global Mine\n    Mine = Laplace\n",
    "bound again to what is not known": FILE + "Mine = sorted([Mine])[0]\n",
    "deleted after": FILE + "del Mine\n",
    "under a condition": replaced(CLASS, CLASS).replace(
        FILE[FILE.index(CLASS) : FILE.index("    def draw")],
        "if input():\n    Mine = Laplace\nelse:\n    class Mine(Distribution):\n        pass\n"
        "class Other(Distribution):\n",
    ),
    "in a try": replaced(CLASS, f"try:\n    Mine = 1\nexcept Exception:\n    pass\n{CLASS}")
    + "try:\n    class Mine(Distribution):\n        pass\nexcept Exception:\n    pass\n",
    "another of that name after": FILE + f"{CLASS}\n    pass\n",
    "called like noise of the package": FILE.replace("Mine", "Staircase"),
    "called like what is not noise": FILE.replace("Mine", "Policy"),
    "called like a word of the kernel": FILE.replace("Mine", "Iterable"),
    "in small letters": FILE.replace("Mine", "mine"),
    "in other letters": FILE.replace("Mine", "Mïne"),
    "a parameter that the kernel calls something": FILE.replace("scale", "cost").replace(
        "self.cost", "1"
    ),
    "a name of what is read": FILE.replace("noise =", "Mine =").replace("+ noise", "+ Mine"),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_class_that_is_more_than_it_states_proves_nothing(text: str) -> None:
    compile(text, "<text>", "exec")
    try:
        report = verify(only(text))
    except (BadInput, Unsupported):
        return
    assert report.verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    "text",
    [
        replaced(LATTICE, '    lattice: (cost := ("0", "1")) = "reals"\n'),
        replaced(DEF, "    def draw(self, source: (cost := ())):"),
    ],
)
def test_an_annotation_binds_nothing(text: str) -> None:
    """Some versions of Python let one, so nothing of such a class is believed."""
    report = verify(only(text))
    assert report.verdict is Verdict.UNSUPPORTED
    assert "binds names in an expression" in " ".join(report.reasons)
