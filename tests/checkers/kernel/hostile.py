"""Files that were made to break what reads them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from shiftproof.checkers.kernel.arithmetic import Wrong, start_work
from shiftproof.checkers.kernel.check import as_json, relation_of
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.kernel import finding
from tests.checkers.walking.certificates import encoded, named, with_program

Certificate = dict[str, Any]

#: In place of a term, a condition or a shift.
TEXTS = {
    "brackets": "(" * 5_000 + "1" + ")" * 5_000,
    "open brackets": "(" * 19_000,
    "nots": "not " * 4_900 + "True",
    "minuses": "-" * 19_000 + "1",
    "arms": "1 if eps > 0 else " * 1_000 + "1",
    "arms in brackets": "(1 if eps > 0 else " * 900 + "1" + ")" * 900,
    "a long sum": "+".join(["eps"] * 4_900),
    "a long product": "*".join(["eps"] * 4_900),
    "quotients": "/".join(["eps"] * 4_900),
    "squares": "((((eps+1)*(eps+2))*((eps+3)*(eps+4)))*(((eps+5)*(eps+6))*((eps+7)*(eps+8))))",
    "a long chain": "<".join(["eps"] * 4_900),
    "ands": " and ".join(["eps > 0"] * 1_200),
    "others": "other(" * 2_000 + "f" + ")" * 2_000,
    "subscripts": "f" + "[0]" * 6_000,
    "attributes": "eps" + ".x" * 9_000,
    "a class": "eps.__class__.__bases__[0].__subclasses__()",
    "an import": "__import__('os').system('echo')",
    "a lambda": "(lambda: eps)()",
    "a walrus": "(x := eps)",
    "a format": "f'{eps!r:>1000000}'",
    "a comprehension": "[x for x in [eps]]",
    "a star": "max(*[1, 2])",
    "a power": "10**10**10",
    "a shift of bits": "1 << 10**10",
    "many digits": "9" * 19_000,
    "digits beyond": "9" * 100_000,
    "hexadecimal": "0x" + "f" * 19_000,
    "a huge fraction": "1/" + "9" * 4_000,
    "huge fractions": "*".join(["7" * 4_000 + "/" + "3" * 500] * 4),
    "a float too large": "1e999999999",
    "a float too small": "1e-999999999",
    "a decimal": "0." + "0" * 10_000 + "1",
    "imaginary": "1j",
    "zero below": "1/0",
    "zero by zero": "0/0",
    "modulo zero": "1 % 0",
    "not a number": "nan",
    "infinity": "inf",
    "nothing": "",
    "blanks": " " * 19_000,
    "two lines": "1\n+1",
    "a nul": "1\x00",
    "a lone surrogate": "\ud800",
    "a look-alike": "ｅｐｓ",  # NFKC: eps
    "a small one": "eps₁",
    "a small two": "other₂",
    "a bar": "constant('|) (assert false) (declare-const |x')",
    "a hash": "a['#']",
    "an at": "eps@1@2",
    "an at with a bar": "eps@'|'",
    "an at with brackets": "(eps)@(1)",
    "a dot": "eps·1·2",
    "a dot of the Greeks": "eps\u03871",
    "a call of a call": "other(other)(f)",
    "a lambda of a lambda": "(lambda x: (lambda y: x + y)(1))(eps)",
    "lambdas": "(lambda x: x + x)(" * 28 + "eps" + ")" * 28,
    "choices": "(lambda x: x * x if x > 0 else 0)(" * 28 + "(eps + 1)" + ")" * 28,
    "a power of e": "exp(1000000 * eps)",
    "powers of e": "exp(" * 28 + "eps" + ")" * 28,
    "a huge power of e": "exp(" + "9" * 1_000 + ")",
    "right to left": "\u202eeps",
    "an answer far away": "f[10**9]",
    "an outcome far away": "outcome(9999999999)",
    "witnesses": "witness(1) + witness(2) + witness(3)",
}
#: In place of a whole value.
VALUES: dict[str, Any] = {
    "null": None, "true": True, "a float": 1.5, "nothing in it": {}, "an empty list": [],
    "a list in a list": [[[]]], "a negative number": -1, "a huge number": 10**30,
    "a number": 2**62, "text": "x", "a number as text": "0",
}  # fmt: skip

_HEAD = "from shiftproof import Count, DP, Epsilon, Laplace, Public, mechanism, sample\n\n"
_MAIN = """
@mechanism(DP())
def laplace(f: Count, eps: Epsilon):
    noise = sample(Laplace(1 / eps))
    return f + noise
"""
_BODY = "@mechanism(DP())\ndef laplace(f: Count, eps: Epsilon):\n{}    return f\n"
#: In place of the program, the hash right.
PROGRAMS = {
    "nothing": "",
    "no mechanism": "x = 1\n",
    "its own module": "import shiftproof\nshiftproof.mechanism\n",
    "what it does": _HEAD + "open('executed', 'w')\n" + _MAIN,
    "what it exits with": _HEAD + "raise SystemExit(7)\n" + _MAIN,
    "what decorates": _HEAD + "@print\n" + _MAIN.lstrip(),
    "a default": _HEAD + _MAIN.replace("eps: Epsilon", "eps: Epsilon = open('executed', 'w')"),
    "an annotation": _HEAD + _MAIN.replace("Count,", "open('executed', 'w'),"),
    "a budget": _HEAD + _MAIN.replace("DP()", "DP(), budget=lambda eps: open('executed', 'w')"),
    "a power": _HEAD + "N = 10**10**10\n" + _MAIN.replace("1 /", "N /"),
    "a power in place": _HEAD + _MAIN.replace("1 /", "10**10**10 /"),
    "a list": _HEAD + "N = [0] * 10**11\n" + _MAIN,
    "a text": _HEAD + "N = 'x' * 10**11\n" + _MAIN,
    "a range": _HEAD + "N = sum(range(10**12))\n" + _MAIN,
    "a set": _HEAD + "N = set(range(10**10))\n" + _MAIN,
    "bits": _HEAD + "N = 1 << 10**11\n" + _MAIN.replace("1 /", "N /"),
    "doubling": _HEAD + "A = 'x'\n" + "A = A + A\n" * 60 + _MAIN,
    "squaring": _HEAD + "A = 3\n" + "A = A * A\n" * 60 + _MAIN.replace("1 /", "A /"),
    "aliases": _HEAD + "".join(f"a{k} = a{k + 1}\n" for k in range(3_000)) + "a3000 = 1\n" + _MAIN,
    "functions": _HEAD
    + "def h0(x):\n    return x\n"
    + "".join(f"def h{k}(x):\n    return h{k - 1}(x) + h{k - 1}(x)\n" for k in range(1, 40))
    + _MAIN.replace("f + noise", "h39(f) + noise"),
    "recursion": _HEAD + "def h(x):\n    return h(x)\n" + _MAIN.replace("f + noise", "h(f)"),
    "nested ifs": _HEAD
    + _BODY.format("".join(f"{' ' * (4 + k)}if f > {k}:\n" for k in range(10_000)) + " " * 10_004
    + "pass\n"),
    "nested ifs, few": _HEAD
    + _BODY.format("".join(f"{' ' * (4 + k)}if f > {k}:\n" for k in range(90)) + " " * 94
    + "x = 1\n"),
    "many ifs": _HEAD + _BODY.format("    if f > 1:\n        x = 1\n" * 3_000),
    "ifs that branch": _HEAD
    + _BODY.format("    x = 0\n" + "".join(
        f"    n{k} = sample(Laplace(1 / eps))\n    if f > n{k}:\n        x = x + {k}\n"
        for k in range(40))),
    "many samples": _HEAD + _BODY.format("    n = sample(Laplace(1 / eps))\n" * 2_000),
    "a megabyte": _HEAD + _BODY.format("    x = 1\n" * 99_000),
    "as long as may be": _HEAD + _BODY.format("    x = 1\n" * 19_000),
    "more than a megabyte": _HEAD + _BODY.format("    x = 1\n" * 120_000),
    "many parameters": _HEAD + _MAIN.replace("eps: Epsilon", ", ".join(
        ["eps: Epsilon", *(f"p{k}: Public[float]" for k in range(5_000))])),
    "brackets": _HEAD + _MAIN.replace("f + noise", "(" * 9_000 + "f" + ")" * 9_000),
    "nots": _HEAD + _MAIN.replace("f + noise", "not " * 100_000 + "f"),
    "minuses": _HEAD + _MAIN.replace("f + noise", "-" * 400_000 + "f"),
    "a long sum": _HEAD + _MAIN.replace("f + noise", "+".join(["f"] * 100_000)),
    "a long product": _HEAD + _MAIN.replace("1 /", "*".join(["eps"] * 30_000) + " /"),
    "attributes": _HEAD + _MAIN.replace("f + noise", "f" + ".x" * 100_000),
    "digits": _HEAD + _MAIN.replace("1 /", "9" * 100_000 + " /"),
    "a nul": _HEAD + "\x00" + _MAIN,
    "a surrogate": _HEAD + "# \ud800\n" + _MAIN,
    "a look-alike": _HEAD + _MAIN.replace("eps", "ｅｐｓ"),
    "a small one": _HEAD + _MAIN.replace("noise", "noise₁"),
    "form feeds": _HEAD + "\f" * 100_000 + _MAIN,
    "an encoding": "# coding: utf-7\n" + _HEAD + _MAIN,
    "carriage returns": (_HEAD + _MAIN).replace("\n", "\r"),
}  # fmt: skip

_SIGN = "@mechanism(DP())\ndef m(f: Count, n: Public[Nat], eps: Epsilon):\n    "
_DRAW = "x{0} = sample(Laplace(1))\n    "
#: In place of the core text.
CORES = {
    "nothing": "",
    "a bare word": "m",
    "nested ifs": _SIGN + "".join(
        f"if f > {k}:\n{' ' * (8 + 4 * k)}" for k in range(90)) + "pass\n    return 1",
    "ifs one after the other": _SIGN + "x = 0\n    " + "".join(
        f"if f > {k}:\n        x = x + {k}\n    " for k in range(300)) + "return 1",
    "ifs that decide": _SIGN + "".join(
        f"if n > {k}:\n        yield {k}\n    " for k in range(300)) + "return 1",
    "ifs of draws": _SIGN + "".join(
        _DRAW.format(k) + f"if x{k} > 0:\n        yield {k}\n    " for k in range(40)) + "return 1",
    "doubling": _SIGN + "x = eps + n\n    " + "x = x + x\n    " * 3_000 + "return 1",
    "squaring a number": _SIGN + "x = 3\n    " + "x = x * x\n    " * 60 + "return x",
    "halving": _SIGN + "x = 1\n    " + "x = x / 97\n    " * 3_000 + "return x",
    "dividing": _SIGN + "x = eps\n    " + "x = 1 / (x + eps)\n    " * 90 + "return 1",
    "powers of e": _SIGN + "x = eps\n    " + "x = exp(x)\n    " * 300 + "return 1",
    "powers of e of numbers": _SIGN + "x = 7\n    " + "x = exp(64 * x)\n    " * 90 + "return 1",
    "choices": _SIGN + "x = eps\n    " + "x = x * x if x > 1 else x + 1\n    " * 60 + "return 1",
    "maxima": _SIGN + f"x = max({', '.join(f'eps * {k}' for k in range(2_000))})\n    return 1",
    "remainders": _SIGN + "x = n\n    " + "x = (x % 7 + 1) // 2 + x\n    " * 200 + "return 1",
    "one over a floor": _SIGN + "x = 1 / (n // 2 + 1)\n    y = 1 / (n // 2)\n    return 1",
    "conditions on conditions": _SIGN + "b = f > 0\n    " + "b = b != b\n    " * 90 + "return b",
    "lambdas": _SIGN + "x = " + "(lambda x0: x0 + x0)(" * 50 + "f" + ")" * 50 + "\n    return 1",
    "lists": _SIGN + "".join(f"a{k} = [0] * n\n    " for k in range(900)) + "return 1",
    "stores": _SIGN + "a = [0] * 9\n    " + "a[n] = a[n]\n    " * 400 + "return 1",
    "reads": _SIGN + "a = [0] * 9\n    x = " + " + ".join(f"a[{k}]" for k in range(400))
    + "\n    return 1",
    "draws": _SIGN + "".join(_DRAW.format(k) for k in range(1_500)) + "return 1",
    "steps": _SIGN + "x = 1\n    " * 3_990 + "return 1",
    "more steps": _SIGN + "x = 1\n    " * 5_000 + "return 1",
    "loops": _SIGN + "".join(
        f"for i{k} in range(0, n, 1):\n{' ' * (8 + 4 * k)}" for k in range(15)) + "pass",
    "a loop that does not move": _SIGN + "for i in range(0, n, 0):\n        pass\n    return 1",
    "a loop for ever": _SIGN + "while True:\n        pass",
    "a huge step": _SIGN + f"for i in range(0, n, {10**900}):\n        pass\n    return 1",
    "a huge number": _SIGN + f"x = {10**1_100}\n    return x",
    "a huger number": _SIGN + "x = " + "9" * 4_400 + "\n    return x",
    "a small float": _SIGN + "x = 5e-324 * 5e-324 * f\n    return 1",
    "a function that calls itself": "def h(x):\n    return h(x)\n" + _SIGN + "return 1",
    "a mechanism that calls itself": _SIGN + "yield from m(f, n, eps)",
    "a rule of rules": "def h(x):\n    return " + "(lambda y: y + y)(" * 50 + "x" + ")" * 50
    + " > other(x)\n@mechanism(Related(h))\ndef m(x: Private[float], eps: Epsilon):\n    return 1",
    "a policy of many": "@mechanism(DP(Policy({" + ", ".join(map(str, range(20_000)))
    + "})))\ndef m(x: Annotated[int, IntegerValue(low=0, high=1)], eps: Epsilon):\n    return 1",
    "a wide window": "@mechanism(DP())\ndef m(w: Annotated[Sequence[int], "
    "WindowCounts(width=100000000)], eps: Epsilon):\n    return 1",
    "an endless range": "@mechanism(DP(Policy({1}, universe={1, 2})))\ndef m(x: Annotated[int, "
    "IntegerValue(low=0, high=1000000000000)], eps: Epsilon):\n    return 1",
    "deep": _SIGN + "x = " + "not " * 50_000 + "f\n    return 1",
    "minuses": _SIGN + "x = " + "-" * 100_000 + "f\n    return 1",
    "a long sum": _SIGN + "x = " + "+".join(["f"] * 60_000) + "\n    return 1",
    "brackets": _SIGN + "x = " + "(" * 300 + "f" + ")" * 300 + "\n    return 1",
    "too long": _SIGN + "# " + "x" * 250_000 + "\n    return 1",
    "a nul": _SIGN + "x = 1\x00\n    return 1",
    "a surrogate": _SIGN + "x = '\ud800'\n    return 1",
    "tabs": _SIGN + "if f > 0:\n\tpass\n    return 1",
    "a power": _SIGN + "x = 10**10**10\n    return 1",
    "a shift of bits": _SIGN + "x = 1 << 10**10\n    return 1",
    "a format": _SIGN + "x = f'{f!r:>1000000000}'\n    return 1",
    "a text times": _SIGN + "x = 'x' * 10000000000\n    return 1",
    "a list of lists": _SIGN + "x = [[0] * 10000] * 10000\n    return 1",
    "a comprehension": _SIGN + "x = [f for f in range(10)]\n    return 1",
    "an import": "import os\n" + _SIGN + "return 1",
    "what it does": _SIGN + "x = open('executed', 'w')\n    return 1",
    "a decorator": "@open('executed', 'w')\n" + _SIGN + "return 1",
    "a default": _SIGN.replace("eps: Epsilon", "eps: Epsilon = open('executed', 'w')") + "return 1",
}  # fmt: skip
#: In place of a tree.
TREES = {
    "nothing": "",
    "a word": "q",
    "an end": "f",
    "a sum of nothing": "f 0",
    "a fact that is not there": "f 1 999999 1",
    "a fact before the first": "f 1 -1 1",
    "fewer than none": "f -1",
    "more than there are": "f 1000000000 0 1",
    "a huge factor": "f 1 0 " + "9" * 4_000,
    "a huger factor": "f 1 0 " + "9" * 100_000,
    "the other way": "f 1 0 -1",
    "much": "f 100000 " + "0 1 " * 100_000,
    "deep": "d 1 0 1 " * 5_000 + "f 0",
    "deeper": "d 1 0 1 " * 200_000,
    "deep cuts": "c 1 1 1 0 " * 20_000 + "f 0",
    "products": "m 0 0 " * 900 + "f 0",
    "squares": "q 1 1 1 0 " * 900 + "f 0",
    "products of products": " ".join(f"m {k} {k}" for k in range(5, 600)) + " f 0",
    "doubling": " ".join(f"d 2 {k} 1 {k} 1" for k in range(5, 900)) + " f 0",
    "huge numbers": " ".join(f"d 1 {k} {10**900}" for k in range(5, 300)) + " f 0",
    "a long polynomial": "c 20000 " + " ".join(f"{k} 1 0" for k in range(1, 20_001)) + " f 0 f 0",
    "a large monomial": "c 1 1 5000 " + "0 " * 5_000 + "f 0 f 0",
    "an unknown that is not there": "c 1 1 1 99999 f 0 f 0",
    "an unknown before the first": "c 1 1 1 -1 f 0 f 0",
    "one over nothing": "c 1 1/0 0 f 0 f 0",
    "a float": "c 1 1e5 0 f 0 f 0",
    "not a number": "c 1 nan 0 f 0 f 0",
    "infinity": "c 1 inf 0 f 0 f 0",
    "a half": "c 1 1/2 0 f 0 f 0",
    "digits of others": "f \u0661 0 1",
    "digits with lines between": "f 1_0 0 1",
    "a split of what is no choice": "s 0 f 0",
    "opposites that are none": "x 0 0",
    "more after the end": "f 0 f 0",
    "no proof": "-",
    "two lines": "f\n2\n0 1\n1 1",
}
#: These take for ever, which is known: test_hostile.py has a test of its own for them.
ENDLESS_CORES = {
    "squaring": _SIGN + "x = eps + n\n    " + "x = x * x\n    " * 60 + "return 1",
    "products of powers": _SIGN + "x = exp(64 * eps)\n    " + "x = x * x\n    " * 20 + "return 1",
    "conditions": _SIGN + "b = f > 0\n    " + "b = b == (f > 1)\n    " * 60 + "return 1",
    "a record of many": "@mechanism(DP())\ndef m(d: Annotated[Sequence[Sequence[int]], "
    "DataSet(attributes=100000000)], eps: Epsilon):\n    return 1",
}
ENDLESS_TREES = {
    "a power of ten": "c 1 1e300000000 0 f 0 f 0",
    "a small power of ten": "c 1 1e-300000000 0 f 0 f 0",
}


def with_text(certificate: Certificate, text: str) -> Iterator[tuple[str, Certificate]]:
    """The text in place of each kind of text of a proof."""
    places: dict[str, Callable[[Any], None]] = {
        "shift": lambda part: part["shifts"].__setitem__(0, text),
        "bound": lambda part: part["costs"].__setitem__("eps", text),
        "rate": lambda part: part["costs"].__setitem__(text, "1"),
        "invariant": lambda part: part["heads"][0]["invariants"].insert(0, text),
        "cost at a head": lambda part: part["heads"][0]["costs"].__setitem__("eps", text),
        "name": lambda part: part["heads"][0]["variables"].__setitem__(text, {"kind": "int"}),
        "kind": lambda part: part["heads"][0]["variables"]["i·1"].__setitem__("kind", text),
        "value": lambda part: part["heads"][0]["variables"]["i·1"].__setitem__("value", text),
        "other": lambda part: part["heads"][0]["variables"]["i·1"].__setitem__("other", text),
    }
    for place, change in places.items():
        found = copy.deepcopy(certificate)
        change(found["parts"][0])
        yield place, found
    for name in ("mechanism", "source", "fingerprint", "claim"):
        yield name, certificate | {name: text}


def hostile_files() -> Iterator[tuple[str, bytes]]:
    """Each with a name; none may be valid unless its name ends with ``!``."""
    proof, refuted = named("sparse_vector"), named("truncated_geometric_half_noise")
    plain = encoded(proof)
    yield from ((f"cut at {k}", plain[:k]) for k in range(0, len(plain), 97))
    yield "empty", b""
    yield "latin-1", plain.replace(b"sparse", "spärse".encode("latin-1"))
    yield "utf-16", plain.decode().encode("utf-16")
    yield "byte order mark", b"\xef\xbb\xbf" + plain
    yield "a nul behind", plain + b"\x00"
    yield "nuls", bytes(1000)
    yield "zeros", bytes(50_000_000)
    yield "large", b" " * 1_999_000 + b"{}"
    for opening in (b"[", b'{"a":', b'{"parts":[', b'{"kind":"proof","version":2,"parts":['):
        yield f"deep {opening!r}", opening * 100_000
    yield "two keys", plain.replace(b'"mechanism":', b'"mechanism": "x", "mechanism":', 1)
    yield "two kinds", plain.replace(b'"kind":', b'"kind": "refutation", "kind":', 1)
    for what, text in TEXTS.items():
        for place, found in with_text(proof, text):
            # Where the source was, nothing rests on; some texts say the same in other words.
            allowed = "!" if place == "source" else "?"
            yield f"{what} as {place} {allowed}", encoded(found)
    for what, value in VALUES.items():
        for field in proof:
            yield f"{what} as {field}?", encoded(proof | {field: value})
        for field in proof["parts"][0]:
            part = proof["parts"][0] | {field: value}
            yield f"{what} as {field} of a part?", encoded(proof | {"parts": [part]})
        for field in refuted["counterexample"]:
            found = refuted["counterexample"] | {field: value}
            yield (
                f"{what} as {field} of a counterexample?",
                encoded(refuted | {"counterexample": found}),
            )
    part, head = proof["parts"][0], proof["parts"][0]["heads"][0]
    for loop in (-1, 1, 10**6, 2**63):
        changed = part | {"heads": [head | {"loop": loop}]}
        yield f"loop {loop}", encoded(proof | {"parts": [changed]})
    many = {f"v{k}": {"kind": "int"} for k in range(3_000)}
    yield (
        "variables",
        encoded(
            proof | {"parts": [part | {"heads": [head | {"variables": head["variables"] | many}]}]}
        ),
    )
    said = [f"i·1 + {k} >= answered - {k}" for k in range(1_000)]
    yield (
        "invariants?",
        encoded(
            proof
            | {"parts": [part | {"heads": [head | {"invariants": head["invariants"] + said}]}]}
        ),
    )
    for k, bad in ((300, head), (300, head | {"invariants": ["i·1 >= 0"]})):
        yield (
            f"heads {len(bad['invariants'])}?",
            encoded(proof | {"parts": [part | {"heads": [bad] * k}]}),
        )
    yield "parts", encoded(proof | {"parts": [part] * 500})
    for what, text in CORES.items():
        plain_part = {"shifts": ["0"] * text.count("sample("), "costs": {"eps": "1"}}
        for trees in ([], ["-"] * 20_000, ["f 0"] * 20_000):
            # The first tree is right: that the budget is not negative.
            first = FIRST[any(word in text for word in ("[0]", "argmax", "top_k"))]
            bare = {"trees": [first, *trees]} | plain_part
            parts = [{"case": name} | said | bare for name, said in relations(text)]
            yield (
                f"core: {what}, {len(trees)} trees of {trees[:1]}",
                encoded(proof | {"core": text.split("\n"), "parts": parts}),
            )
    for what, tree in TREES.items():
        for at in (0, len(part["trees"]) // 2, len(part["trees"]) - 1):
            trees = [*part["trees"]]
            trees[at] = tree
            found = part | {"trees": trees}
            yield f"tree {at}: {what}?", encoded(proof | {"parts": [found]})
    yield "many trees", encoded(proof | {"parts": [part | {"trees": ["-"] * 300_000}]})
    for what, value in VALUES.items():
        yield f"{what} as a line", encoded(proof | {"core": [*proof["core"], value]})
        yield f"{what} as a tree", encoded(proof | {"parts": [part | {"trees": [value]}]})
        yield f"{what} as a shift", encoded(proof | {"parts": [part | {"shifts": [value, value]}]})
        yield f"{what} as a head", encoded(proof | {"parts": [part | {"heads": [value]}]})
        for field in head:
            changed = part | {"heads": [head | {field: value}]}
            yield f"{what} as {field} of a head?", encoded(proof | {"parts": [changed]})
    yield from hostile_refutations()
    for what, program in PROGRAMS.items():
        yield f"program: {what}?", encoded(with_program(named("laplace"), program))
        yield f"refuted program: {what}?", encoded(with_program(refuted, program))


#: That eps is not negative, where it is the third of the inputs: without lists, and with some.
FIRST = [
    finding.certificate((_SIGN + f"{more}return 1").split("\n"), [{"costs": {"eps": "1"}}])[
        "parts"
    ][0]["trees"][0]
    for more in ("", "a = [0] * 1\n    ")
]


def relations(text: str) -> list[tuple[str, Certificate]]:
    """What the parts of a core text have to say of the cases; where that can be said at all."""
    head = text if "-> " in text else text[: text.find(":\n    ") + 6] + "return 1"
    for said in (text, head):
        try:
            start_work()
            *cases, _ = relation_of(read(said))[1]
            return [(case.name, {"relation": as_json(case)}) for case in cases]
        except (Wrong, RecursionError):
            continue
    return [("", {"relation": {}})]


def endless_files() -> Iterator[tuple[str, bytes]]:
    """What the kernel has not refused after many seconds."""
    for what, text in ENDLESS_CORES.items():
        said = {"costs": {"eps": "1"}, "trees": [FIRST[0]]}
        parts = [{"case": name} | more | said for name, more in relations(text)]
        core = {"kind": "proof", "version": 2, "core": text.split("\n"), "parts": parts}
        yield f"core: {what}", encoded(core)
    proof = named("laplace")
    (part,) = proof["parts"]
    for what, tree in ENDLESS_TREES.items():
        changed = part | {"trees": [tree, *part["trees"][1:]]}
        yield f"tree: {what}", encoded(proof | {"parts": [changed]})
    squares = "(lambda x: x * x)(" * 28 + "(eps + 1)" + ")" * 28
    yield "shift", encoded(proof | {"parts": [part | {"shifts": [squares]}]})
    bound = part | {"costs": {"eps": squares}}
    yield "bound", encoded(proof | {"parts": [bound]})


def hostile_refutations() -> Iterator[tuple[str, bytes]]:
    """Counterexamples that take long to compute anew."""
    scalar, vector = named("truncated_geometric_half_noise"), named("noisy_max_half_noise")
    exponential = named("noisy_max_value_exponential")

    def changed(certificate: Certificate, **fields: Any) -> bytes:
        return encoded(certificate | {"counterexample": certificate["counterexample"] | fields})

    for eps in ("1000000000", "1e9", "1000000000 ln 2", "1e-9", "1/" + "9" * 4_000, "0", "-1"):
        for certificate in (scalar, vector, exponential):
            yield f"ε = {eps[:20]}", changed(certificate, epsilon={"eps": eps})
    for size in (10**9, 10**40, 10**4_000):
        count = str(size) if size > 10**4_000 else size
        yield (
            f"counts of {len(str(size))} digits",
            changed(
                scalar, left={"f": count}, right={"f": count - 1 if size < 10**4_000 else count}
            ),
        )
        yield f"a bound of {len(str(size))} digits", changed(scalar, public={"n": size})
        yield (
            f"an outcome of {len(str(size))} digits",
            changed(scalar, outcome=[{"kind": "int", "value": size}]),
        )
    for length in (10, 30, 1_000, 250_000):
        ones = {"q": [1] * length}
        for name, certificate in (("max", vector), ("value", exponential)):
            yield f"{name} of {length}", changed(certificate, left=ones, right={"q": [0] * length})
    for digits in (4_000, 100_000):
        number = "9" * digits + "/" + "7" * digits
        yield f"{digits} digits", changed(exponential, outcome=[{"kind": "real", "value": number}])
        interval = {"low": number, "high": number}
        yield f"enclosures of {digits} digits", changed(scalar, on_left=interval)
    loop = [{"kind": "tied", "value": "0", "to": {"0": "1"}}]
    yield "tied to itself", changed(exponential, outcome=loop)
    yield (
        "tied to nothing",
        changed(exponential, outcome=[{"kind": "tied", "value": "0", "to": {"9": "1", "-1": "x"}}]),
    )
    yield "many outcomes", changed(exponential, outcome=[{"kind": "real", "value": "1"}] * 20_000)
    stream = named("adaptive_sparse_vector_prints_value")
    for name, value in stream["counterexample"]["left"].items():
        if isinstance(value, list):
            yield (
                "a long stream",
                changed(stream, left={name: value * 10_000}, right={name: value * 10_000}),
            )
    for name in stream["counterexample"]["public"]:
        yield (
            f"a huge {name}",
            changed(stream, public=stream["counterexample"]["public"] | {name: 10**9}),
        )
