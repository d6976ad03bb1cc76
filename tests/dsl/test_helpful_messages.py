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
    "noise = sample(Gaussian(1 / eps))": "claim ρ, as in ZCDP(), or a δ",
    "noise = sample(Normal(1 / eps))": "write Gaussian(sigma), or DiscreteGaussian(sigma)",
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


#: Options of claims that mean nothing, with what is said of them.
OPTIONS = {
    "DP(delta=1.5)": "it lies in [0, 1)",
    "DP(delta=-1e-6)": "it lies in [0, 1)",
    "DP(delta=True)": "a number, the name of a public parameter",
    "DP(delta='deltas')": "'deltas'",
    "DP(delta='f')": "'f'",
    "DP(delta=lambda f: f)": "'f'",
    "DP(zcdp=1)": "True or False is needed",
    "DP(zcdp=True, delta=0.1)": "ρ or δ is claimed, not both",
    "Group(DP(), 2, delta=0.1)": "delta is claimed of DP, ADP",
    "UtilityOptimizedLDP(abs, abs, zcdp=True)": "zcdp is claimed of DP, ADP",
    "ZCDP()": "Rho",
}


@pytest.mark.parametrize("claim", OPTIONS)
def test_options_of_claims(claim: str, tmp_path: Path) -> None:
    text = HEAD.replace("DP()", claim)
    body = "    return f + sample(Laplace(1 / eps))\n"
    file = tmp_path / "some.py"
    said = reasons(file, f"{text}def m(f: Count, eps: Epsilon) -> float:\n{body}")
    assert OPTIONS[claim] in said and "some.py:" in said
