"""Draws inside expressions are statements of their own right before, or they are refused."""

from __future__ import annotations

import pytest

from shiftproof import Unsupported, Verdict, verify
from shiftproof.dsl.normalise import core_text
from tests.dsl.making import body, made

L, G = "sample(Laplace(1 / eps))", "sample(TwoSidedGeometric(1 / eps))"
#: The text, and how one would write it with a name for each draw.
SAME = {
    f"return x + {L}": f"noise = {L}\nreturn x + noise",
    f"yield {L}": f"noise = {L}\nyield noise",
    f"yield {L} - 2 * {G}": f"noise = {L}\nnoise_2 = {G}\nyield noise - 2 * noise_2",
    f"noise = 1\nyield x + {L} + noise": f"noise = 1\nnoise_2 = {L}\nyield x + noise_2 + noise",
    f"y = x\ny += {L}\nyield y": f"y = x\nnoise = {L}\ny += noise\nyield y",
    f"y, z = {G}, x + {G}\nyield y": (
        f"noise = {G}\nnoise_2 = {G}\ny, z = noise, x + noise_2\nyield y"
    ),
    f"a = [0.0] * 2\na[1] = x + {L}\nyield a[1]": (
        f"a = [0.0] * 2\nnoise = {L}\na[1] = x + noise\nyield a[1]"
    ),
    f"a = []\na.append(x + {L})\nyield a[0]": (
        f"a = []\nnoise = {L}\na.append(x + noise)\nyield a[0]"
    ),
    f"for v in f:\n    yield v + {L}": f"for v in f:\n    noise = {L}\n    yield v + noise",
    f"if x + {L} > 3 and x > 1:\n    yield 1": (
        f"noise = {L}\nif x + noise > 3 and x > 1:\n    yield 1"
    ),
    f"if 0 <= x + {L} < 3:\n    yield 1": f"noise = {L}\nif 0 <= x + noise < 3:\n    yield 1",
    f"y = {L} if c > 1 else {G}\nyield y": (f"if c > 1:\n    y = {L}\nelse:\n    y = {G}\nyield y"),
    f"yield x + {L} if c > 1 else None": (
        f"if c > 1:\n    noise = {L}\n    yield x + noise\nelse:\n    yield None"
    ),
    f"yield 2 * (x + {L} if c > 1 else 0.0)": (
        f"if c > 1:\n    noise_2 = {L}\n    noise = x + noise_2\nelse:\n    noise = 0.0\n"
        "yield 2 * noise"
    ),
    f"def h(y):\n    return 2 * y\nyield h({G})": (
        f"def h(y):\n    return 2 * y\nnoise = {G}\nyield h(noise)"
    ),
    f"ensure(x < 3)\nyield x + {L}": f"noise = {L}\nensure(x < 3)\nyield x + noise",
    f"return sum(f) + {L}": f"noise = {L}\nreturn sum(f) + noise",
}
#: What Python may not come to, or comes to more than once.
REFUSED = [
    f"yield 1 if x > 1 and {L} > 2 else 0",
    f"yield 1 if 0 <= x <= {L} else 0",
    f"while {L} > 1:\n    yield 1",
    f"for i in range({G}):\n    yield 1",
    f"a = [0.0]\na[{G}] = 1.0\nyield 1",
    f"def h(y):\n    return y + {L}\nyield h(x)",
    f"y = {L}\nalign(y, {L})\nyield y",
    f"ensure({L} < 3)\nyield x",
    "y = Laplace(1)\nyield x",
]
#: Names around the function, and one of its variables, beside a draw without a name.
AROUND = ["noise = 3", "def noise():\n    return 3", "import math as noise"]


@pytest.mark.parametrize("text", SAME)
def test_a_draw_inside_is_a_draw_before(text: str) -> None:
    found, wanted = made(body(text)), made(body(SAME[text]))
    assert core_text(found.program) == core_text(wanted.program)


@pytest.mark.parametrize("text", REFUSED)
def test_a_draw_that_may_not_be_come_to_is_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="sample"):
        _ = made(body(text)).program


@pytest.mark.parametrize("around", AROUND)
def test_a_name_around_the_function_is_not_taken(around: str) -> None:
    used = {"noise = 3": "noise", "import math as noise": "noise.exp(0)"}.get(around, "noise()")
    text = f"{around}\n" + body(f"return x + {L} + {used}")
    with pytest.raises(Unsupported, match="give the draw a name"):
        _ = made(text).program
    unused = made(f"{around}\n" + body(f"return x + {L}"))
    assert verify(unused).verdict is Verdict.PROVED
    beside = made(f"{around}\n" + body(f"noise = 1\nreturn x + {L} + noise"))
    assert verify(beside).verdict is Verdict.PROVED


def test_it_is_proved_and_shown_where_it_stands() -> None:
    report = verify(made(body(f"return x + {L}")))
    assert report.verdict is Verdict.PROVED and not report.fault
    assert report.alignment == {"noise (line 4)": "x - other(x)"}
