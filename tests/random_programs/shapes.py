"""Shapes of mechanisms that are often private: bodies with gaps that a writer fills in."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable

from .settings import Setting

CONTINUOUS = {"down": "Exponential", "up": "NegativeExponential", "both": "Laplace"}
DISCRETE = {
    "down": "OneSidedGeometric",
    "up": "NegativeOneSidedGeometric",
    "both": "TwoSidedGeometric",
}


class Writer:
    """Chooses what fits a setting, mostly; with luck as chosen at the start."""

    def __init__(self, rng: random.Random, setting: Setting) -> None:
        self.rng, self.setting = rng, setting
        self.luck = rng.choice((1, 1, 1, 0.9, 0.7))
        names = re.findall(r"\b([a-z]): ", setting.inputs)
        self.rows = [n for n in names if n in "fgz"]
        self.streams = [n for n in names if n == "s"]
        self.data = "d" in names
        self.scalars = [n for n in names if n in "xy"]
        self.discrete = setting.whole and rng.random() < 0.5
        self.bits = "IntegerValue(0, 1)" in setting.inputs and bool(self.scalars)
        self.claim = setting.privacy.split("(")[0]
        #: Mechanisms that the one being written calls.
        self.before = ""
        self.zero = "0" if self.discrete else "0.0"

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def good(self, right: str, *wrong: str) -> str:
        return right if self.rng.random() < self.luck else self.any(*wrong)

    def noise(self, share: str = "1", *, both: bool = False) -> str:
        """A sample whose scale fits so many uses."""
        kinds = DISCRETE if self.discrete else CONTINUOUS
        kind = kinds["both"] if both or self.chance(0.2) else kinds[self.setting.moves]
        kind = self.good(kind, *kinds.values())
        share = self.good(share, "1", "2", "1 / 2", "4")
        size = self.setting.size
        top = share if size == "1" else size if share == "1" else f"{size} * {share}"
        top = f"({top})" if "/" in top else top
        return f"sample({kind}({top} / eps))"

    def reads(self) -> list[str]:
        """Private numbers: the scalars, or answers at fixed places, or counts over records."""
        cells = [f"{a}[{i}]" for a in self.rows for i in range(2)]
        if self.data:
            cells = [
                "count(first, d)",
                "count(both, d)",
                "count(neither, d)",
                "count(is_value, d, 1)",
            ]
            self.rng.shuffle(cells)
        if not self.scalars or (cells and self.chance(0.3)):
            return cells[: self.rng.choice((1, 1, 2))]
        return self.scalars[: 1 if self.rows or self.chance(0.3) else 2]

    def threshold(self) -> str:
        return self.any("T", "T", "T", "1", "2")

    def loop(self) -> tuple[str, str, str]:
        """The head of a loop over answers, how to read one, and the threshold beside it."""
        if self.streams:
            return "for v in s:", "v", self.threshold()
        if not self.rows:
            read = self.reads()[0]
            return f"for i in range({self.any('c', '2', '3')}):", read, self.threshold()
        f, t = self.rng.choice(self.rows), self.threshold()
        return self.rng.choice(
            [
                (f"for i in range(len({f})):", f"{f}[i]", t),
                (f"for v in {f}:", "v", t),
                (f"for i, v in enumerate({f}):", "v", t),
                (f"for v, t in zip({f}, ts):", "v", "t"),
                (f"for i in range(len({f})):", f"{f}[i]", "ts[i]"),
            ]
        )

    def cells(self, loop: str) -> str:
        """By how much all answers of a loop move."""
        return "c" if "range(c)" in loop else self.setting.cells

    def test(self, left: str, right: str) -> str:
        operator = self.any(">=", ">=", ">", "<", "<=", "==", "!=")
        return f"{left} {operator} {right}"

    def release(self, noisy: str) -> str:
        """What one branch of a test releases."""
        simple = ("None", "True", "False", "'above'", "1", "0")
        return self.any(*simple, *simple, noisy, noisy, "T", f"{noisy} - T", f"-({noisy})")

    def post(self, noisy: str) -> str:
        """A function of what was noisy already."""
        if self.chance(0.5):
            return noisy
        zero = self.zero
        return self.any(
            f"max({zero}, {noisy})",
            f"min({noisy}, 2)" if self.discrete else f"min({noisy}, T)",
            f"abs({noisy})",
            f"{noisy} if {noisy} >= T else None",
            f"twice({noisy})",
            f"cut({noisy}, T)",
            f"({noisy}) / 2",
            f"{noisy} >= T",
            f"{noisy} < 1 or {noisy} > 2",
            f"'high' if {noisy} > 1 else 'low'",
        )


def indent(text: str) -> str:
    return textwrap.indent(text, "    ")


def additive(w: Writer) -> str:
    """Noise on each of some answers."""
    reads = w.reads()
    share = w.setting.cells if len(reads) > 1 else "1"
    lines, told = [], []
    for k, read in enumerate(reads):
        lines += [f"k{k} = {w.noise(share)}"]
        told.append(w.post(f"{read} + k{k}"))
    if w.chance(0.6):
        return "\n".join([*lines, f"return {', '.join(told)}"])
    return "\n".join([*lines, *(f"yield {t}" for t in told)])


def tested(w: Writer) -> str:
    """One noisy answer against a threshold."""
    noisy = f"{w.reads()[0]} + k"
    test = w.test(noisy, w.threshold())
    one, two = w.release(noisy), w.release(noisy)
    start = f"k = {w.noise()}\n"
    if w.chance(0.3):
        return f"{start}return {one} if {test} else {two}"
    if w.chance(0.3):
        return f"{start}answer = {two}\nif {test}:\n    answer = {one}\nreturn answer"
    return f"{start}if {test}:\n    return {one}\nelse:\n    return {two}"


def combined(w: Writer) -> str:
    """A combination of answers with noise."""
    first, *rest = w.reads()
    second = rest[0] if rest else w.any("T", "1", first)
    mixed = w.any(
        f"{first} + {second}",
        f"{first} - {second}",
        f"{first} - {second}",
        f"max({first}, {second})",
        f"min({first}, {second})",
        f"abs({first} - {second})",
        f"({first} if {second} >= T else {second})",
        f"2 * {first}",
    )
    return f"k = {w.noise(w.any('1', '2', '2'), both=True)}\ny = {mixed}\nreturn {w.post('y + k')}"


def coins(w: Writer) -> str:
    """A fair coin hides a bit, or decides whether to answer."""
    bit = w.test(w.reads()[0], w.any("1", "T"))
    mask = w.any(
        f"return b if {bit} else not b",
        f"return ({bit}) == b",
        f"return ({bit}) != b",
        f"return b {w.any('and', 'or')} {bit}",
        f"if {bit}:\n    return b\nreturn not b",
        f"if b:\n    return {bit}\nreturn {w.any('None', 'b', 'True')}",
        f"d0 = sample(Bernoulli(1 / 2))\nreturn b == d0, d0 if {bit} else not d0",
        "return b + 1",
    )
    return f"b = sample(Bernoulli({w.good('1 / 2', '1 / 3', '1 / 4')}))\n{mask}"


def honest(w: Writer) -> str:
    """Randomised response."""
    x = w.reads()[0]
    eps = w.any("fine", "eps") if "fine" in w.setting.public else "eps"
    p = w.good(f"exp({eps}) / (1 + exp({eps}))", f"exp({eps} / 2) / (1 + exp({eps} / 2))",
               "1 / 2", f"1 - exp(-{eps})", "3 / 4")  # fmt: skip
    if w.chance(0.2):
        p = w.any(f"1 - exp(-{eps})", f"exp({eps} / 2) / (1 + exp({eps} / 2))", "1 / 2")
    draw = f"b = sample(Bernoulli({p}))\n"
    told = w.any(
        f"return {x} if b else 1 - {x}",
        f"return ({x} >= 1) == b",
        f"if b:\n    return {x}\nreturn 1 - {x}",
        f"return 0 if {x} == 0 and b else 1",
        f"return None if {x} == 1 else {x} if b else None",
        f"return {x} if b else {w.any('None', '0', '1')}",
        f"if b:\n    return {x}\nu = sample(DiscreteUniform(0, {w.any('1', '2')}))\nreturn u",
        f"if {x} <= 1:\n    return {w.any('0', '1')}\nreturn {x} if b else {w.any('0', '1')}",
    )
    return draw + told


def weighed(w: Writer) -> str:
    """A choice among a few, by weights."""
    x = w.reads()[0]
    high, low = w.any("exp(eps)", "exp(eps)", "exp(eps / 2)", "2"), w.any("1", "1", "exp(-eps)")
    size = 3 if "(0, 2)" in w.setting.inputs else 2
    cells = [f"{high} if {x} == {i} else {low}" for i in range(size)]
    text = f"w = [{', '.join(cells)}]\nj = sample(Categorical(w))\n"
    return text + w.any("return j", "return j", "return j >= 1", f"return {x} if j == 0 else j")


def told_by_secret(w: Writer) -> str:
    """What is released depends on a test of what is private, with public values in it."""
    test = w.test(w.reads()[0], w.any("1", "2", "T"))
    given = w.any("", "assert T > 1 and U > 1\n", "assert T > 1 and U <= 1\n", "assert T < U\n")
    coin = "b = sample(Bernoulli(1 / 2))\n"
    return given + w.any(
        f"{coin}return T if {test} else {w.any('U', 'U', 'T', '1')}",
        f"if {test}:\n    return {w.any('T', 'U')}\n{coin}return {w.any('T', 'U')}",
        f"b = sample(Bernoulli(exp(eps) / (1 + exp(eps))))\nreturn T if ({test}) == b else U",
        f"{coin}return T if ({test}) == b else U",
    )


def secret(w: Writer) -> str:
    """A branch on what is private, with noise in it."""
    read = w.reads()[0]
    test = w.test(read, w.threshold())
    one, two = w.noise(), w.noise()
    return w.any(
        f"k = {one}\nif {test}:\n    return {read} + k\nelse:\n    return {w.release('k')}",
        f"if {test}:\n    k = {one}\nelse:\n    k = {two}\nreturn {read} + k",
        f"k = {one}\ny = 1 if {test} else 0\nreturn y + k",
        f"y = 0\nif {test}:\n    y = 1\nk = {one}\nif y + k >= 1:\n    return True\n"
        f"else:\n    return {w.release('y + k')}",
    )


def reading(w: Writer) -> str:
    """Noise on every answer."""
    head, read, t = w.loop()
    body = f"k = {w.noise(w.cells(head))}\nyield {w.post(f'{read} + k')}"
    if w.chance(0.3):
        body += f"\nif {w.test(f'{read} + k', t)}:\n    {w.any('break', 'return', 'continue')}"
    return f"{head}\n{indent(body)}"


def sparse(w: Writer) -> str:
    """The sparse vector with one-sided noise, or what becomes of it with other noise."""
    head, read, t = w.loop()
    noisy = f"{read} + k"
    stop, share, start = w.any("return", "break"), "1", ""
    if w.chance(0.5):
        stop = f"n += 1\nif n >= c:\n    {stop}"
        share, start = "c", "n = 0\n"
    yes = f"yield {w.release(noisy)}\n{stop}"
    no = w.any("yield None", "yield None", f"yield {w.release(noisy)}", "pass")
    operator = w.good("<=" if w.setting.moves == "up" else ">=", ">", "<")
    body = f"k = {w.noise(share)}\nif {noisy} {operator} {t}:\n{indent(yes)}\nelse:\n    {no}"
    return f"{start}{head}\n{indent(body)}"


def sparse_with_lift(w: Writer) -> str:
    """The sparse vector with a noisy threshold."""
    head, read, t = w.loop()
    once = w.chance(0.6)
    share = "4" if once else "4 * c"
    stop = "return" if once else "n += 1\nif n >= c:\n    break"
    gap = f"{read} + k - rho"
    yes = f"yield {w.good('True', 'None', 'k', gap)}\n{stop}"
    test = f"{read} + k {w.any('>=', '>=', '>', '<')} {t} + rho"
    body = f"k = {w.noise(share, both=True)}\nif {test}:\n{indent(yes)}\nelse:\n    yield False"
    start = "" if once else "n = 0\n"
    return f"rho = {w.noise('2', both=True)}\n{start}{head}\n{indent(body)}"


def numeric(w: Writer) -> str:
    """A test, and fresh noise for the answer."""
    head, read, t = w.loop()
    test = w.test(f"{read} + k", t)
    yes = f"h = {w.noise('2')}\nyield {read} + {w.good('h', 'k')}\n{w.any('break', 'return')}"
    body = f"k = {w.noise('2')}\nif {test}:\n{indent(yes)}\nyield {w.any('None', 'False')}"
    return f"{head}\n{indent(body)}"


def total(w: Writer) -> str:
    """Something added up over the answers, with noise at the end or on each."""
    head, read, t = w.loop()
    if w.chance(0.5):
        step = w.any(
            f"total += {read}",
            f"if {w.test(read, t)}:\n    total += 1",
            f"total = max(total, {read})",
        )
        tail = f"k = {w.noise(w.cells(head))}\nreturn {w.post('total + k')}"
        return f"total = {w.zero}\n{head}\n{indent(step)}\n{tail}"
    step = w.any(
        f"total += {read} + k",
        f"if {w.test(f'{read} + k', t)}:\n    total += 1\n    {w.any('break', 'pass')}",
    )
    body = f"k = {w.noise(w.cells(head))}\n{step}"
    return f"total = {w.zero}\n{head}\n{indent(body)}\nreturn {w.post('total')}"


def counting(w: Writer) -> str:
    """A loop that counts by itself."""
    f = w.rows[0] if w.rows else ""
    noisy = f"{f}[i] + k" if f else f"{w.reads()[0]} + k"
    size = f"len({f})" if f else "c"
    yes = f"yield {w.release(noisy)}\n{w.any('break', 'n += 1', 'return')}"
    body = (
        f"k = {w.noise(w.any('1', 'c'))}\nif {w.test(noisy, w.threshold())}:\n{indent(yes)}\n"
        f"else:\n    yield {w.any('None', 'n', 'i')}\ni += 1"
    )
    limit = w.any(f"i < {size}", f"i < {size} and n < c", f"n < 1 and i < {size}")
    return f"i = 0\nn = 0\nwhile {limit}:\n{indent(body)}"


def remembering(w: Writer) -> str:
    """A loop that remembers something: a flag, the last answer, whether to go on."""
    head, read, t = w.loop()
    noisy = f"{read} + k"
    test = w.test(noisy, t)
    share = w.any("1", "c")
    return w.any(
        f"seen = False\n{head}\n    k = {w.noise(share)}\n    if {test} and not seen:\n"
        f"        seen = True\n        yield {w.release(noisy)}\n    else:\n        yield None",
        f"last = {w.zero}\nk = {w.noise('1')}\n{head}\n    if {read} {w.any('>=', '>')} last:\n"
        f"        last = {read}\nyield {w.post('last + k')}",
        f"last = None\n{head}\n    k = {w.noise(share)}\n    if {test}:\n"
        f"        last = {w.release(noisy)}\n        {w.any('break', 'pass')}\nyield last",
        f"k = {w.noise('1')}\n{head}\n    if {test}:\n        yield True\n"
        f"        {w.any('break', 'return', 'continue')}\n    yield {w.release('k')}",
        f"n = 0\n{head}\n    if n >= c:\n        {w.any('break', 'continue')}\n"
        f"    k = {w.noise('c')}\n    if not {test}:\n        yield None\n"
        f"        continue\n    n += 1\n    yield {w.release(noisy)}",
        f"{head}\n    k = {w.noise(share)}\n    if {test}:\n        break\n"
        f"yield {w.any('k', 'i', 'v')}",
    )


def nested(w: Writer) -> str:
    """Loops within loops, and one after the other."""
    head, read, t = w.loop()
    noisy = f"{read} + k"
    tell = f"k = {w.noise(w.any('1', 'c'))}\nif {w.test(noisy, t)}:\n    yield {w.release(noisy)}"
    stop = w.any("break", "return", "pass")
    return w.any(
        f"for j in range({w.any('c', '2')}):\n    {head}\n{indent(indent(tell))}\n        {stop}",
        f"for j in range({w.any('c', '2')}):\n    k = {w.noise(w.any('c', '2', '1'))}\n"
        f"    {head}\n        yield {w.post(noisy)}\n        {stop}",
        f"{head}\n{indent(tell)}\n        {stop}\n{head}\n{indent(tell)}\n        {stop}",
    )


def largest(w: Writer) -> str:
    """Noisy max: with a loop, or with a list."""
    f = w.rows[0] if w.rows else ""
    head = f"for i in range(len({f})):" if f else "for i in range(c):"
    read = f"{f}[i]" if f else w.reads()[0]
    noise = w.noise(w.good("1" if w.setting.moves != "both" else "2", "1", "2"))
    if w.chance(0.4):
        return (
            f"best = None\nmost = 0.0\n{head}\n    k = {noise}\n"
            f"    if best is None or {read} + k {w.any('>', '>', '>=', '<')} most:\n"
            f"        best = i\n        most = {read} + k\n"
            f"return {w.good('best', 'most', 'i')}"
        )
    size = f"len({f})" if f else "c"
    hint = w.any("", "", f"\n    align(k, {w.any('1', '2')} if i == outcome() else 0)")
    fill = w.any(
        f"a = [{w.zero}] * {size}\n{head}\n    k = {noise}{hint}\n    a[i] = {read} + k\n",
        f"a = []\n{head}\n    k = {noise}{hint}\n    a.append({read} + k)\n",
    )
    tell = w.any(
        "return argmax(a)",
        "return argmax(a)",
        "j = argmax(a)\nreturn j, a[j]",
        "order = top_k(a, 1)\nreturn order[0]",
        "for j in top_k(a, 1):\n    yield j",
        "for v in a:\n    yield v",
        "j = argmax(a)\na = [0.0]\nreturn j",
        "j = argmax(a)\nyield j\nfor v in a:\n    if v > T:\n        yield None",
    )
    return f"assert {size} >= 1\n{fill}{tell}"


def listed(w: Writer) -> str:
    """Values that go through the elements of a list, which is made again or looked through."""
    read = w.reads()[0]
    noise = w.noise("1")
    start = w.any(
        f"a = [0, {read}]", f"a = [{read} + k, 0]", "a = [0] * c", f"a = []\na.append({read})",
        f"a = [{read}] * 2", "a = [0, 1]", f"a = [0, {read}]",
    )  # fmt: skip
    again = w.any(
        "a = [0, 0]", "a = [1] * len(a)", f"a = [{read}, 0]", "a[0] = 0", "a = [0] * (len(a) + 1)"
    )
    tell = w.any("yield v", "yield None", "yield v + k", "total += v", "total = v")
    loop = w.any(
        "for v in a:", "for i, v in enumerate(a):", "for i in range(len(a)):\n    v = a[i]"
    )
    inside = "\n".join(w.rng.sample([again, tell, "pass"], 2))
    change = f"if {w.test('v', '1')}:\n{indent(again)}" if w.chance(0.3) else inside
    tail = w.any("", "yield total + k", "yield total", "yield a[0] + k", "yield v", "yield len(a)")
    body = f"total = 0\nk = {noise}\n{start}\n{loop}\n{indent(f'{change}{chr(10)}{tell}')}\n{tail}"
    return body


def composed(w: Writer) -> str:
    """Calls of another mechanism."""
    kind = "Count"
    for wanted in (
        ": Count",
        "IntegerValue(0, 1)",
        "IntegerValue(0, 2)",
        "Private[int]",
        "Private[float]",
    ):
        if wanted in w.setting.inputs:
            kind = wanted.removeprefix(": ")
    if "(" in kind:
        kind = f"Annotated[int, {kind}]"
    reads = [r for r in w.reads() if "count(" not in r] or ["1"]
    end = w.any("return", "yield")
    public = w.setting.public + ", " if w.setting.public else ""
    w.before = (
        f"@mechanism({w.setting.privacy})\ndef part(x: {kind}, {public}"
        f"eps: Epsilon):\n"
        f"    k = {w.noise('1')}\n    {end} {w.any('x + k', 'x + k', 'x + k >= 1')}\n\n\n"
    )
    share = w.good("eps / 2", "eps", "eps / 4", "2 * eps")
    calls = []
    for read in (reads * 2)[:2]:
        if end == "return" and w.chance(0.5):
            calls.append(
                f"(y,) = part({read}, {share})\n" + w.any("yield y", "if y > 1:\n    yield None")
            )
        else:
            calls.append(f"yield from part({read}, eps={share})")
    if w.rows and w.chance(0.5):
        f = w.rows[0]
        return f"for i in range(len({f})):\n    yield from part({f}[i], {w.good('eps / 2', 'eps')})"
    return "\n".join(calls)


def silent(w: Writer) -> str:
    """Answers that are passed over for a while, or at places that were marked."""
    f = w.rows[0] if w.rows else ""
    if not f:
        return additive(w)
    noise = w.noise("1")
    if "place" in w.setting.public and w.chance(0.8):
        return (
            f"marked = [False] * c\nfor j in range(len({f})):\n    here = place[j]\n"
            f"    if 0 <= here < c:\n        if {w.good('marked[here]', 'marked[0]')}:\n"
            f"            yield None\n        else:\n            k = {noise}\n"
            f"            if {f}[j] + k >= T:\n"
            f"                yield {w.any(f'{f}[j] + k', 'True')}\n"
            f"                marked[here] = True\n            else:\n                yield 'safe'"
        )
    return (
        f"silent = 0\nfor i in range(len({f})):\n    if silent > 0:\n        silent -= 1\n"
        f"    else:\n        k = {noise}\n        z = {f}[i] + k\n        if z >= T:\n"
        f"            yield z\n            silent = {w.good('1', '0', '2')}\n"
        f"        else:\n            yield 'safe'"
    )


def difference(w: Writer) -> str:
    """The answers at two places, one against the other."""
    reads = w.reads()
    one, two = reads[0], reads[-1]
    if w.rows:
        one, two = f"{w.rows[0]}[0]", f"{w.rows[0]}[1]"
    sign = w.any("-", "-", "+")
    given = "assert place[0] == place[1]\n" if "place" in w.setting.public and w.chance(0.6) else ""
    return f"{given}k = {w.noise(w.any('1', '2'), both=True)}\nreturn {one} {sign} {two} + k"


def assigned(w: Writer) -> str:
    """A parameter that takes another value on the way, perhaps in one of the two runs only."""
    read = w.reads()[0]
    name = w.any("T", "T", "T", *w.scalars[:1])
    value = w.any(
        "0.0", "1.0", "100.0", "0", "1", "T + 1", f"{read} + k", "k", "U", f"max({name}, 2)"
    )
    put = f"{name} = {value}"
    test = w.any(w.test(read, w.any("1", "2", "U")), f"{read} + k >= U", "U >= 1", f"{name} < 2")
    change = w.any(f"if {test}:\n{indent(put)}", f"if {test}:\n{indent(put)}", put)
    tell = w.any("yield T", f"yield {read} + k", f"yield {read} + k >= T", "yield k + T")
    draw = f"k = {w.noise()}\n"
    if w.chance(0.3):
        draw = draw.replace("1 / eps", w.any("T / eps", "T", "1 / eps"))
    loop = w.loop()[0]
    return w.any(
        f"{draw}{change}\n{tell}",
        f"{change}\n{draw}{tell}",
        f"{change}\n{draw}{tell}",
        f"{draw}{change}\n{loop}\n    {tell}",
        f"{draw}{loop}\n{indent(change)}\n    {tell}",
        f"{draw}{loop}\n    {tell}\n{indent(change)}",
        f"{draw}{loop}\n{indent(change)}\n{tell}",
        f"{draw}n = 0\nwhile n < 2:\n    n += 1\n{indent(change)}\n    {tell}",
    )


def parity(w: Writer) -> str:
    """Integer division, remainders and rounding, where noise is finite or values are public."""
    x = w.reads()[0]
    return w.any(
        f"u = sample(DiscreteUniform(0, 3))\nreturn ({x} + u) % 4",
        f"u = sample(DiscreteUniform(0, 1))\nreturn ({x} + u) // 2",
        f"b = sample(Bernoulli(1 / 2))\nreturn (({x} >= 1) + b) % 2",
        f"k = {w.noise()}\nif c % 2 == 0:\n    return {x} + k\nreturn round(T)",
        f"k = {w.noise()}\nreturn {x} + k + c // 2",
        "u = sample(DiscreteUniform(0, 1))\nreturn int(u)",
        f"u = sample(DiscreteUniform(-1, 1))\nreturn min({x}, 1) * u",
    )


def answered(w: Writer) -> str:
    """An answer with a claim of its own."""
    read = w.reads()[0]
    low = w.setting.moves != "up"
    return (
        f"k = {w.noise()}\nif {read} + k {'<' if low else '>'} T:\n"
        f"    ensure({read} {w.good('<' if low else '>', '>=', '<=')} T)\n"
        "    return 'safe'\nreturn None"
    )


SHAPES: dict[Callable[[Writer], str], int] = {
    additive: 4, tested: 4, combined: 2, coins: 2, honest: 3, weighed: 2, told_by_secret: 2,
    secret: 2,
    reading: 3, sparse: 4, sparse_with_lift: 2, numeric: 1, total: 2, counting: 2, remembering: 2,
    nested: 1, largest: 3, listed: 3, composed: 2, silent: 2, difference: 2, assigned: 5,
    parity: 1, answered: 1,
}  # fmt: skip
FINITE = (coins, honest, weighed, told_by_secret, additive, parity, assigned)
LOOPS = (reading, sparse, sparse_with_lift, numeric, total, remembering, nested)
PLACED = (difference, difference, silent, silent, reading, sparse, additive, combined, assigned)


def body(w: Writer) -> str:
    """A body of a shape that fits the setting."""
    if w.claim == "UtilityOptimizedLDP":
        return w.rng.choice(FINITE)(w)
    if w.streams:
        return w.rng.choice(LOOPS)(w)
    if "place" in w.setting.public and w.chance(0.7):
        return w.rng.choice(PLACED)(w)
    weights = [n * (3 if w.bits and s in FINITE else 1) for s, n in SHAPES.items()]
    return w.rng.choices(list(SHAPES), weights)[0](w)
