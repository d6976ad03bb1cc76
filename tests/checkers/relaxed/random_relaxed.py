"""Random mechanisms with discrete noise that claim a δ or a ρ: right ones, tight ones, wrong ones.

What they claim is drawn from what a paper would write beside such a mechanism, times some factor;
some have numbers for all that is public, and a δ at, below or above what the judge says is needed.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tests.checkers.relaxed.judging import D, Judged, NotAdmitted, TooMany, judged, precisely

PREAMBLE = """\
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import Annotated

from shiftproof import (
    ADP, DP, LDP, ZCDP, Bernoulli, Categorical, Count, Counts, Delta, DiscreteGaussian,
    DiscreteLaplace, DiscreteUniform, Epsilon, Exponential, Histogram, IntegerQuery, IntegerValue,
    Laplace, Nat, NegativeOneSidedGeometric, OneSidedGeometric, Policy, Public, Rho,
    TwoSidedGeometric, mechanism, sample,
)


"""
#: How the private input is declared, and its name.
DECLARED = {
    "count": "q: Count",
    "counts": "f: Counts",
    "histogram": "f: Histogram",
    "query": "q: Annotated[int, IntegerQuery(sensitivity=1)]",
    "query2": "q: Annotated[int, IntegerQuery(sensitivity=2)]",
    "value": "q: Annotated[int, IntegerValue(0, 2)]",
}
TWO, ONE, DOWN = "TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric"
#: By how many draws without an end a run may make: how far they are followed, and at which ε.
FOLLOWED = {
    0: ("1e-16", ("0.7", "2.3", "1.1")),
    1: ("1e-16", ("0.7", "2.3", "1.1")),
    2: ("1e-10", ("1.4", "2.3")),
    3: ("1e-5", ("2.3",)),
}


@dataclass(frozen=True)
class Program:
    """A text, and where it is judged.

    Attributes:
        text: without its imports; its last function is the mechanism ``m``.
        kind: of the private input.
        notion: ``delta`` or ``rho``.
        shape: what it is like.
        parameters: values of all that is public.
        sizes: of sequences.
        tail: what may be left of the probability of a draw.
    """

    text: str
    kind: str
    notion: str
    shape: str
    parameters: tuple[Mapping[str, Any], ...]
    sizes: tuple[int, ...]
    tail: Decimal

    @property
    def private(self) -> tuple[str, str]:
        """The private input's name and kind."""
        return DECLARED[self.kind][0], self.kind


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.kind = ""
        self.claim = ""
        self.lines: list[str] = []
        self.before = ""
        self.public: dict[str, tuple[str, tuple[Any, ...]]] = {}
        self.asserted: list[str] = []
        self.endless = 0
        self.budget = ""
        self.delta = ""
        self.e = "eps"

    # -- small choices

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def begin(self, *kinds: str) -> None:
        self.kind = self.any(*kinds)
        if self.kind == "value":
            self.claim = "LDP"
        elif self.kind.startswith("query"):
            self.claim = "DP"
        else:
            self.claim = self.any("DP", "add-remove", "ADP", "ADP")
        self.e = self.any("eps", "eps", "eps", "eps", "1", "2", "(1 / 2)")

    def size(self) -> int:
        """How far one number moves."""
        return 2 if self.kind in ("query2", "value") else 1

    def threshold(self) -> str:
        if self.e != "eps" or self.chance(0.25):
            return self.any("2", "3", "4")
        self.public["T"] = (self.any("Public[int]", "Public[Nat]"), (0, 1, 3))
        return "T"

    def bound(self) -> str:
        if self.e != "eps" or self.chance(0.25):
            return self.any("1", "2", "3")
        self.public["A"] = ("Public[Nat]", (1, 2, 4))
        self.asserted.append("A >= 1")
        return "A"

    def law(self) -> str:
        if self.claim == "ADP":
            return self.any(*[ONE] * 6, TWO, DOWN)
        return self.any(*[TWO] * 8, "DiscreteLaplace", ONE)

    def draw(self, name: str, law: str, rate: str) -> str:
        self.endless += 1
        return f"{name} = sample({law}({self.inverse(rate)}))"

    def inverse(self, rate: str) -> str:
        return f"1 / ({rate})" if " " in rate else f"1 / {rate}"

    def rate(self, share: int) -> str:
        return self.e if share == 1 else f"{self.e} / {share}"

    def tail(self, law: str, rate: str, beyond: str) -> str:
        """How likely noise is to be this or more: as it is written in a claim."""
        up = f"exp(-({rate}) * ({beyond}))"
        return up if law in (ONE, DOWN) else f"{up} / (1 + exp(-({rate})))"

    def off(self, delta: str) -> str:
        """A δ that is right, or not quite, or not at all."""
        how = self.rng.random()
        if how < 0.5:
            return delta
        if how < 0.65:
            return f"{self.any('2', '3', '3 / 2')} * ({delta})"
        if how < 0.92:
            return f"({delta}) {self.any('/ 2', '* 9 / 10', '* 99 / 100', '/ 4', '* 999 / 1000')}"
        return self.any("1 / 20", "1 / 5", "1 / 2", "1 / 100")

    def spent(self, share: str) -> str:
        """A budget that is right, mostly."""
        if self.chance(0.88):
            return share
        return self.any(f"2 * ({share})", f"({share}) / 2", "0", f"({share}) * 9 / 10")

    def guard(self) -> str:
        return self.any(*["{} > 0 and "] * 7, "{} >= 1 and ", "", "{} > 1 and ")

    def released(self, value: str, noise: str, above: str) -> str:
        return self.any(
            f"{value} + {noise}", f"{value} + {noise}", f"{value} + {noise}", "True", "1",
            f"{value} + {noise} - {above}", f"min({value} + {noise}, {above} + 2)",
        )  # fmt: skip

    # -- shapes of a δ

    def clamped(self) -> None:
        self.begin("count", "count", "query", "query2", "value")
        law, a, rate = self.law(), self.bound(), self.rate(self.rng.choice((1, 1, self.size())))
        clamp = self.any(f"min({a}, noise)", f"max(-{a}, min({a}, noise))", f"max(-{a}, noise)")
        if law == ONE:
            clamp = self.any(f"min({a}, noise)", f"min({a}, noise)", f"min({a} + 1, noise)")
        self.lines = [self.draw("noise", law, rate), f"return q + {clamp}"]
        tail = self.tail(law, rate, a if self.size() == 1 else f"{a} - 1")
        if law == TWO and self.chance(0.5):
            tail += " + " + self.tail(law, rate, f"{a} + 1")
        if law == ONE and self.claim not in ("ADP",):
            tail += f" + (1 - exp(-({rate})))"
        self.budget = self.spent(self.e)
        self.delta = self.off(tail)

    def thresholded(self) -> None:
        self.begin("count", "count", "query")
        law, t, rate = self.law(), self.threshold(), self.rate(self.rng.choice((1, 1, 1, 1, 1, 2)))
        test = self.any(">", ">", ">=")
        guard = self.guard().format("q")
        noise = self.any("noise", "noise", "noise", "max(-5, noise)", "min(6, noise)")
        value = f"q + {noise}"
        self.lines = [
            self.draw("noise", law, rate),
            f"if {guard}{value} {test} {t}:",
            f"    return {self.released('q', noise, t)}",
            "return None",
        ]
        if self.chance(0.15):
            flip = "<=" if test == ">" else "<"
            self.lines[1:] = [
                f"if {value} {flip} {t}:", "    return None", f"return {value}",
            ]  # fmt: skip
        beyond = f"{t}" if test == ">" else f"{t} - 1"
        self.budget = self.spent(self.e)
        self.delta = self.off(self.tail(law, rate, beyond))

    def loop(self) -> None:
        self.begin("counts", "histogram", "histogram")
        both = self.claim == "DP" and self.kind == "histogram" and self.chance(0.7)
        law, t, rate = self.law(), self.threshold(), self.rate(2 if both else 1)
        test = self.any(">", ">", ">=")
        guard = self.guard().format("x")
        early = self.any("", "", "return", "break")
        lines = ["answered = 0"] if early else []
        lines += [
            "for x in f:",
            f"    {self.draw('noise', law, rate)}",
            f"    if {guard}x + noise {test} {t}:",
            f"        yield {self.released('x', 'noise', t)}",
        ]
        if early:
            lines += [
                "        answered += 1",
                f"        if answered >= {self.any('1', '1', '2')}:",
                f"            {early}",
            ]
        self.lines = [
            *lines,
            "    else:",
            f"        yield {self.any('None', 'None', '-1', 'False')}",
        ]
        self.endless = 2
        beyond = f"{t}" if test == ">" else f"{t} - 1"
        tail = self.tail(law, rate, beyond)
        if self.kind == "counts":
            self.budget = self.spent(f"len(f) * {self.e}")
            self.delta = self.off(f"len(f) * {tail}")
        else:
            self.budget = self.spent(self.e)
            self.delta = self.off(tail)

    def uniform(self) -> None:
        self.begin("count", "query", "query2", "value")
        self.e = "eps"
        a = self.bound()
        low = self.any(f"-{a}", "0", "0")
        self.lines = [f"noise = sample(DiscreteUniform({low}, {a}))"]
        kind = self.rng.random()
        if kind < 0.6:
            self.lines.append("return q + noise")
        elif kind < 0.8:
            self.lines += ["if q + noise > 1:", "    return q + noise", "return None"]
        else:
            self.lines.append(f"return min({a}, q + noise)")
        wide = f"2 * {a} + 1" if low != "0" else f"{a} + 1"
        self.budget = self.any("0", "0", "0", "1")
        self.delta = self.off(f"{self.size()} / ({wide})")

    def coin(self) -> None:
        self.begin("count", "query", "value", "value")
        odds, share = self.rng.choice(
            [("1 / 10", "1 / 10"), ("1 / 4", "1 / 4"), ("exp(-eps)", "exp(-eps)"),
             ("1 / (1 + exp(eps))", "1 / (1 + exp(eps))")]
        )  # fmt: skip
        self.e = "eps"
        self.lines = [f"shown = sample(Bernoulli({odds}))"]
        self.delta = self.off(share)
        self.budget = self.any("0", "0", "eps")
        if self.chance(0.4):
            self.lines += [
                self.draw("noise", self.law(), self.e),
                self.any("return q if shown else q + noise", "return q + noise if shown else None"),
            ]
            self.budget = self.any("eps", "eps", "2 * eps", "0")
        elif self.kind == "value" and self.chance(0.5):
            rest = self.any(
                "sample(DiscreteUniform(0, 2))", "sample(Categorical([1, 2, 1]))",
                "sample(Categorical([1, 1, 1]))",
            )  # fmt: skip
            self.lines += [f"other_one = {rest}", "return q if shown else other_one"]
        else:
            self.lines.append("return q if shown else None")

    def gated(self) -> None:
        """Noise decides whether an answer with other noise is released."""
        self.begin("count", "query")
        law, other, t = self.law(), self.law(), self.threshold()
        test = self.any(">", ">=")
        guard = self.guard().format("q")
        self.lines = [
            self.draw("lift", law, self.e),
            f"if {guard}q + lift {test} {t}:",
            f"    {self.draw('noise', other, self.e)}",
            f"    return {self.any('q + noise', 'q + noise', 'q + min(4, noise)', 'q + lift')}",
            "return None",
        ]
        beyond = f"{t}" if test == ">" else f"{t} - 1"
        self.budget = self.spent(self.any(f"2 * {self.e}", f"2 * {self.e}", self.e))
        self.delta = self.off(self.tail(law, self.e, beyond))

    def called(self) -> None:
        """Two calls of a mechanism, or a call beside a draw."""
        self.thresholded()
        self.e = self.e if self.e == "eps" else "eps"
        if "eps" not in self.budget or "eps" not in " ".join(self.lines):
            return
        self.before = self.function("inner", self.delta, self.budget)
        given = ", ".join(["q", *(n for n in self.public), "eps"])
        rest = self.any(
            f"yield from inner({given})", "yield q + noise", f"yield from inner({given})"
        )
        self.lines = [f"yield from inner({given})"]
        if "noise" in rest:
            self.lines.append(self.draw("noise", self.law(), "eps"))
            self.budget = self.any(f"({self.budget}) + eps", f"({self.budget}) + eps", self.budget)
        else:
            self.budget = f"2 * ({self.budget})"
            self.delta = self.any(f"2 * ({self.delta})", f"2 * ({self.delta})", self.delta)
        self.lines.append(rest)
        self.endless = 2

    def free(self) -> None:
        """Anything."""
        self.begin("count", "query", "value")
        t = self.threshold()
        lines = [self.draw("noise", self.law(), self.rate(self.rng.choice((1, 1, 2))))]
        value = self.any("q + noise", "q - noise", "2 * q + noise", "noise", "q + noise")
        if self.chance(0.4):
            what = self.any("draw", "coin", "uniform")
            if what == "draw":
                lines.append(self.draw("more", self.law(), self.e))
            elif what == "coin":
                odds = self.any("1 / 2", "1 / 3")
                lines.append(f"c = sample(Bernoulli({odds}))")
                lines.append("more = 1 if c else 0")
            else:
                lines.append("more = sample(DiscreteUniform(0, 2))")
            value = self.any(f"{value} + more", f"min({value}, q + more)", f"max({value}, more)")
        lines.append(f"v = {value}")
        if self.chance(0.4):
            lines.append(f"v = {self.any(f'min(v, {t})', 'max(v, 0)', f'max(-1, min(v, {t}))')}")
        ending = self.rng.random()
        if ending < 0.4:
            lines.append("return v")
        elif ending < 0.7:
            test = self.any(f"v > {t}", f"v >= {t}", f"v == {t}", f"q > 0 and v > {t}", "v < q")
            lines += [f"if {test}:", f"    return {self.any('v', 'v', 'True')}", "return None"]
        else:
            lines += [
                f"if q > 0 and noise > {t}:",
                f"    return {self.any('v', 'None')}",
                "return v",
            ]
        self.lines = lines
        self.budget = self.spent(self.any(self.e, f"2 * {self.e}"))
        self.delta = self.off(self.tail(TWO, self.e, self.any(t, f"{t} - 1", f"{t} + 1", "1")))

    def logarithmic(self) -> None:
        """The threshold is found for a given δ."""
        self.begin("count", "histogram")
        self.e = "eps"
        law = ONE if self.claim == "ADP" and self.chance(0.8) else TWO
        lift = self.any("1 +", "1 +", "")
        inside = self.any("1 / delta", "1 / (2 * delta)", "1 / (3 * delta)")
        self.public["delta"] = ("Delta", (D("0.05"), D("0.001")))
        name = "q" if self.kind == "count" else "x"
        guard = self.guard().format(name)
        first = f"T = {lift} log({inside}) / eps".replace("=  ", "= ")
        told = [
            self.draw("noise", law, "eps"),
            f"if {guard}{name} + noise {self.any('>', '>', '>=')} T:",
            f"    yield {name} + noise",
            "else:",
            "    yield None",
        ]
        if name == "x":
            told = ["for x in f:", *(f"    {line}" for line in told)]
            self.endless = 2
        self.lines = [first, *told]
        self.budget, self.delta = self.spent("eps"), "delta"

    # -- shapes of a ρ

    def concentrated(self) -> None:
        """A number and noise of one kind or two."""
        self.begin("count", "count", "query", "query2", "value")
        size = self.size()
        form = self.rng.random()
        if self.claim == "ADP" and form < 0.6:
            law = self.any(ONE, ONE, ONE, DOWN)
            self.lines = [self.draw("noise", law, self.e)]
            self.budget = self.any(self.e, self.e, f"{self.e} * {self.e} / 2", f"9 * {self.e} / 10")
        elif form < 0.7:
            self.normal(size)
        else:
            self.lines = [self.draw("noise", self.any(TWO, TWO, "DiscreteLaplace"), self.e)]
            square = f"{size * size} * {self.e} * {self.e}"
            self.budget = f"{square} / {self.any('2', '2', '2', '3', '4', '8', '1')}"
        value = self.any("q + noise", "q + noise", "q - noise", "2 * q + noise")
        self.lines.append(f"v = {value}")
        self.ended()

    def normal(self, size: int) -> None:
        """Normal noise: for a ρ, or of a width that is given or a number."""
        how = self.any("rho", "sigma", "number")
        square = size * size
        self.endless += 1
        if how == "rho":
            self.e = "rho"
            share = self.any("2", "2", "3", "1")
            over = "" if share == "1" else f"{share} * "
            self.lines = [f"noise = sample(DiscreteGaussian({size} / sqrt({over}rho)))"]
            self.budget = self.any("rho", "rho", "rho", "rho / 2", "99 * rho / 100")
        elif how == "sigma":
            self.e = "sigma"
            self.public["sigma"] = ("Public[float]", (D(1), D("0.6"), D(2)))
            self.asserted.append("sigma > 0")
            self.lines = ["noise = sample(DiscreteGaussian(sigma))"]
            over = self.any("2", "2", "3", "1", "201 / 100")
            self.budget = f"{square} / ({over} * sigma * sigma)"
        else:
            self.e = "1"
            told, width = self.rng.choice((("1", D(1)), ("2", D(2)), ("1 / 2", D("0.5"))))
            self.lines = [f"noise = sample(DiscreteGaussian({told}))"]
            exact = square / (2 * width * width)
            factor = self.rng.choice((D(1), D(1), D("1.5"), D("0.999"), D("0.9"), D("0.5")))
            self.budget = str(exact * factor)

    def ended(self) -> None:
        ending = self.rng.random()
        if ending < 0.6:
            self.lines.append("return v")
        elif ending < 0.75:
            self.lines.append(f"return {self.any('min(v, 3)', 'max(v, 0)', 'max(0, min(v, 3))')}")
        elif ending < 0.9:
            test = self.any("v > 2", "v >= 1", "q > 0 and v > 2")
            self.lines += [f"if {test}:", f"    return {self.any('v', 'True')}", "return None"]
        else:
            self.lines += [f"if {self.any('v > 2', 'v > 0')}:", "    return v", "return q + noise"]

    def concentrated_loop(self) -> None:
        """Counts with noise, each or till one is above."""
        self.begin("counts", "histogram")
        self.endless = 2
        kind = self.rng.random()
        if kind < 0.5:
            self.e = "rho"
            each = self.any("sqrt(len(f)) / sqrt(2 * rho)", "1 / sqrt(2 * rho)", "1 / sqrt(rho)")
            self.asserted.append("len(f) >= 1")
            draw = f"noise = sample(DiscreteGaussian({each}))"
            self.budget = self.any("rho", "rho", "2 * rho", "rho / 2", "len(f) * rho")
        else:
            draw = self.draw("noise", self.any(ONE, TWO) if self.claim == "ADP" else TWO, self.e)
            self.endless = 2
            square = f"{self.e} * {self.e}"
            self.budget = self.any(
                f"len(f) * {square} / 2", f"len(f) * {square} / 2", f"{square} / 2", f"{square}",
                f"{square} / 8", f"len(f) * {self.e}", self.e,
            )  # fmt: skip
        self.lines = ["for x in f:", f"    {draw}"]
        if self.chance(0.6):
            self.lines.append("    yield x + noise")
        else:
            self.lines += [
                f"    if {self.any('x + noise > 2', 'x > 0 and x + noise > 2')}:",
                f"        yield {self.any('x + noise', 'True')}",
                *([f"        {self.any('return', 'break')}"] if self.chance(0.5) else []),
                "    else:", "        yield None",
            ]  # fmt: skip

    def concentrated_coin(self) -> None:
        """A coin or a choice, whose moments are few."""
        self.kind, self.claim = "value", "LDP"
        self.e = "eps"
        kind = self.rng.random()
        if kind < 0.35:
            self.lines = [
                "c = sample(Bernoulli(exp(eps) / (1 + exp(eps))))",
                "b = 1 if q > 0 else 0",
                "return b if c else 1 - b",
            ]
            self.budget = f"eps * eps / {self.any('2', '2', '3', '8', '16', '1')}"
        elif kind < 0.75:
            self.lines = [
                "k = sample(Categorical([1, 1, exp(eps) if q > 1 else 1]))",
                "return k",
            ]
            self.budget = f"eps * eps / {self.any('2', '4', '8', '16')}"
        else:
            self.lines = ["noise = sample(DiscreteUniform(0, 3))", "return q + noise"]
            self.budget = self.any("1", "eps")

    def concentrated_pair(self) -> None:
        """Two answers; or a callee's and one more."""
        self.begin("count", "query")
        law = self.any(TWO, TWO, "DiscreteLaplace") if self.claim != "ADP" else self.any(ONE, TWO)
        self.e = "eps"
        first = [self.draw("noise", law, "eps"), "return q + noise"]
        square = "eps" if law == ONE else "eps * eps / 2"
        if self.chance(0.5):
            self.lines, self.budget = first, "eps" if self.chance(0.5) else square
            self.before = self.function("inner", "", self.budget, rho=self.budget == square)
            self.lines = ["yield from inner(q, eps)", "yield from inner(q, eps)"]
        else:
            self.lines = [
                first[0], self.draw("more", law, "eps"), "yield q + noise",
                self.any("yield q + more", "yield q + noise + more", "yield noise - more"),
            ]  # fmt: skip
        self.budget = self.any(
            f"2 * {square}", f"2 * {square}", square, f"4 * {square}", f"{square} / 4"
        )
        self.endless = 2

    # -- the text

    def parameters(self) -> list[str]:
        named = [f"{n}: {kind}" for n, (kind, _) in self.public.items()]
        if self.e == "rho":
            named.append("rho: Rho")
        elif "eps" in self.used():
            named.append("eps: Epsilon")
        return [DECLARED[self.kind], *named]

    def used(self) -> str:
        return " ".join([*self.lines, self.budget, self.delta])

    def function(self, name: str, delta: str, budget: str, rho: bool = False) -> str:
        options = f"delta={self.spoken(delta)}" if delta else "zcdp=True" if rho else ""
        claims = {
            "DP": "DP({})", "add-remove": 'DP("add-remove", {})', "LDP": "LDP({})",
            "ADP": "ADP(Policy(sensitive={{1}}), {})",
        }  # fmt: skip
        claim = claims[self.claim].format(options).replace(", )", ")")
        own = "rho" if rho else "eps"
        said = "" if budget == own else f", budget={self.spoken(budget)}"
        body = [f"assert {a}" for a in dict.fromkeys(self.asserted)] + self.lines
        head = f"@mechanism({claim}{said})\ndef {name}({', '.join(self.parameters())}):\n"
        return head + "".join(f"    {line}\n" for line in body)

    def spoken(self, formula: str) -> str:
        """What stands for a budget or a δ: a number, a name, or a function."""
        names = [n for n in (*self.public, "eps", "rho") if n in _words(formula)]
        names += ["f"] if "len(f)" in formula else []
        if formula == "delta":
            return '"delta"'
        if not names and not {"exp", "log"} & set(_words(formula)):
            return formula
        return f"lambda {', '.join(names)}: {formula}" if names else f"lambda: {formula}"


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


DELTAS = ("clamped", "clamped", "thresholded", "thresholded", "thresholded", "loop", "loop",
          "uniform", "coin", "coin", "gated", "called", "free", "free", "logarithmic")  # fmt: skip
RHOS = ("concentrated", "concentrated", "concentrated_loop", "concentrated_coin",
        "concentrated_pair")  # fmt: skip


@precisely()
def program(seed: int) -> Program:
    """The program of a seed."""
    rng = random.Random(f"relaxed {seed}")
    while True:
        writer = Writer(rng)
        notion = "delta" if rng.random() < 0.65 else "rho"
        shape = rng.choice(DELTAS if notion == "delta" else RHOS)
        getattr(writer, shape)()
        tail, epsilons = FOLLOWED[min(writer.endless, 3)]
        if notion == "rho" and writer.endless:
            tail = "1e-150" if writer.endless == 1 else "1e-7"
        named = {n: values for n, (_, values) in writer.public.items()}
        if any("eps:" in p for p in writer.parameters()):
            named["eps"] = tuple(map(D, epsilons))
        if writer.e == "rho":
            named["rho"] = (D("0.5"), D("2"))
        parameters = [dict(zip(named, v)) for v in itertools.product(*named.values())]
        rng.shuffle(parameters)
        looped = writer.kind in ("counts", "histogram")
        made = Program(
            writer.before + ("\n\n" if writer.before else "")
            + writer.function("m", writer.delta, writer.budget, notion == "rho"),
            writer.kind, notion, shape, tuple(parameters[:4]), (1, 2) if looped else (1,), D(tail),
        )  # fmt: skip
        if notion == "delta" and not named and rng.random() < 0.4:
            made = numbered(made, writer, rng)
        return made


def numbered(made: Program, writer: Writer, rng: random.Random) -> Program:
    """The program with a number as its δ: near the one that it needs on small inputs."""
    least = least_delta(made, writer)
    if least is None or not 0 < least < D("0.6"):
        return made
    factor = rng.choice((D("0.5"), D("0.9"), D("0.999"), D("1.001"), D("1.2"), D(2)))
    delta = f"{min(least * factor, D('0.99')):.12f}"
    text = writer.before + writer.function("m", delta, writer.budget)
    return Program(
        text, made.kind, made.notion, "number " + made.shape, made.parameters, made.sizes, made.tail
    )


def least_delta(made: Program, writer: Writer) -> Decimal | None:
    """The least δ that is enough for small inputs, from below; every public value is a number."""
    read = Judged(writer.before + writer.function("m", "0.5", writer.budget))
    try:
        found = judged(read, made.private, [{}], made.sizes, made.tail, stops=False)
    except (NotAdmitted, TooMany):
        return None
    return D("0.5") * D(repr(found.closest))
