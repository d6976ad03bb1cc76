"""What newcomers write first and the language does not have: each message says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from shiftproof.workspace.targets import resolve

HEAD = "import numpy as np\nfrom shiftproof import *\n\n\n@mechanism(DP())\n"
#: A body with what the message has to say.
BODIES = {
    "print(f)": "print, which shows what it is given",
    "noise = sample(Laplace(0, 1 / eps))": "give scale only",
    "noise = np.random.laplace(0, 1 / eps)": "draw noise = sample(Laplace(scale))",
    "noise = np.random.uniform(0, 1)": "draw noise = sample(Uniform(low, high))",
    "return np.sum(f)": "use Python's own",
    "noise = sample(Normal(0, 1 / eps))": "use Gaussian, of which a ρ or a δ is claimed",
    "noise = sample(Laplce(1 / eps))": "did you mean 'Laplace'?",
    "noise = sample(Laplace(1 / eps))\n    return f + nose": "did you mean 'noise'?",
    "return float(f)": "leave it out: numbers are exact here",
    "out = {}\n    return 1.0": "a list that is made by itself",
    "out = [1.0]\n    return out": "for v in out: yield v",
    "return f if f > 1 and sample(Laplace(1 / eps)) > 0 else 0": "as a statement of its own",
}
#: Parameters, and what is said of them.
PARAMETERS = {
    "f: Count, *, eps: Epsilon": "'eps' is no plain parameter; leave out '*' and '/'",
    "f: Count, epsilon: float": "use Epsilon",
    "f: bool, eps: Epsilon": "IntegerValue(0, 1)",
    "f: int, eps: Epsilon": "use Count or IntegerValue(lo, hi)",
    "f: float, eps: Epsilon": "use Query(sensitivity=1)",
    "f: Cont, eps: Epsilon": "did you mean 'Count'?",
}


def reasons(file: Path, text: str) -> str:
    file.write_text(text)
    (mechanism,) = resolve(str(file))
    report = verify(mechanism, effort=0)
    assert report.verdict is Verdict.UNSUPPORTED
    return " ".join(report.reasons)


@pytest.mark.parametrize("body", BODIES)
def test_bodies(body: str, tmp_path: Path) -> None:
    text = f"{HEAD}def m(f: Count, eps: Epsilon) -> float:\n    {body}\n"
    assert BODIES[body] in reasons(tmp_path / "some.py", text)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_parameters(parameters: str, tmp_path: Path) -> None:
    text = f"{HEAD}def m({parameters}) -> float:\n    return 1.0\n"
    said = reasons(tmp_path / "some.py", text)
    assert PARAMETERS[parameters] in said and "some.py:" in said


def test_a_delta(tmp_path: Path) -> None:
    text = HEAD.replace("DP()", "DP(delta=2)")
    said = reasons(tmp_path / "some.py", f"{text}def m(f: Count, eps: Epsilon) -> float: ...\n")
    assert "got delta=2; it lies in [0, 1)" in said
