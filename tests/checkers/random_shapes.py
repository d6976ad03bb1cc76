"""Shapes of mechanisms that are often private: bodies with gaps that a writer fills in."""

from __future__ import annotations

from collections.abc import Callable

from tests.checkers.random_programs import BOTH, Writer, indent


def additive(w: Writer) -> str:
    """Noise on each of some answers."""
    reads = w.reads()
    share = w.setting.cells if len(reads) > 1 else "1"
    lines = []
    for k, read in enumerate(reads):
        lines += [f"k{k} = {w.noise(share)}", f"yield {w.post(f'{read} + k{k}')}"]
    if len(reads) == 1 and w.rng.random() < 0.3:
        lines[-1] = lines[-1].replace("yield", "return")
    return "\n".join(lines)


def tested(w: Writer) -> str:
    """One noisy answer against a threshold."""
    read = w.reads()[0]
    noisy = w.any(f"{read} + k", "noisy")
    test = w.test(noisy, w.threshold)
    branches = (w.release(noisy), w.release(noisy))
    if w.rng.random() < 0.3:
        tail = f"return {branches[0]} if {test} else {branches[1]}"
    else:
        tail = f"if {test}:\n    yield {branches[0]}\nelse:\n    yield {branches[1]}"
    named = f"noisy = {read} + k\n" if "noisy" in noisy else ""
    return f"k = {w.noise()}\n{named}{tail}"


def combined(w: Writer) -> str:
    """A combination of answers with noise."""
    first, *rest = w.reads()
    second = rest[0] if rest else w.any("T", "1", first)
    sum_ = w.any(
        f"{first} + {second}",
        f"{first} - {second}",
        f"max({first}, {second})",
        f"min({first}, {second})",
        f"abs({first} - {second})",
        f"({first} if {second} >= T else {second})",
        f"2 * {first}",
    )
    share = w.any("1", "2", "2")
    return f"k = {w.noise(share, BOTH)}\ny = {sum_}\nyield {w.post('y + k')}"


def coins(w: Writer) -> str:
    """A fair coin hides a bit, or decides whether to answer."""
    bit = w.test(w.reads()[0], w.any("1", "T"))
    mask = w.any(
        f"yield b if {bit} else not b",
        f"yield ({bit}) == b",
        f"yield ({bit}) != b",
        f"yield b {w.any('and', 'or')} {bit}",
        f"if {bit}:\n    yield b\nelse:\n    yield not b",
        f"if b:\n    yield {bit}\nelse:\n    yield {w.any('None', 'b', 'True')}",
        f"d = sample(Bernoulli(1 / 2))\nif b:\n    yield d\nelse:\n    yield ({bit}) == d",
        f"d = sample(Bernoulli(1 / 2))\nyield b == d\nyield d if {bit} else not d",
        f"k = {w.noise()}\nif b:\n    yield {w.reads()[0]} + k\nelse:\n    yield k",
    )
    return f"b = sample(Bernoulli({w.good('1 / 2', '1 / 2', '1 / 4')}))\n{mask}"


def secret(w: Writer) -> str:
    """A branch on what is private, with noise in it."""
    read = w.reads()[0]
    test = w.test(read, w.threshold)
    kinds = [w.noise() for _ in range(2)]
    return w.any(
        f"k = {kinds[0]}\nif {test}:\n    yield {read} + k\nelse:\n    yield {w.release('k')}",
        f"if {test}:\n    k = {kinds[0]}\nelse:\n    k = {kinds[1]}\nyield {read} + k",
        f"k = {kinds[0]}\ny = 1 if {test} else 0\nyield y + k",
        f"y = 0\nif {test}:\n    y = 1\nk = {kinds[0]}\nif y + k >= 1:\n    yield True\n"
        f"else:\n    yield {w.release('y + k')}",
    )


def twice(w: Writer) -> str:
    """Tests one after the other, of the same answer or of another one."""
    first, *rest = w.reads()
    second = rest[0] if rest else first
    last = f"k1 = {w.noise('2')}\nyield {w.post(f'{second} + k1')}"
    test = w.test(f"{first} + k0", w.threshold)
    return (
        f"k0 = {w.noise('2')}\nif {test}:\n    yield {w.release(f'{first} + k0', 'k0')}\n"
        + w.any(last, f"else:\n{indent(last)}", f"    return\n{last}")
    )


def loop_cells(w: Writer) -> str:
    """Noise on every answer."""
    head, read, t = w.loop()
    wanted = w.setting.cells
    body = f"k = {w.noise(wanted)}\nyield {w.post(f'{read} + k')}"
    if w.rng.random() < 0.3:
        stop = w.any("break", "return")
        body += f"\nif {w.test(f'{read} + k', t)}:\n    {stop}"
    return f"{head}\n{indent(body)}"


def loop_sparse(w: Writer) -> str:
    """The sparse vector with one-sided noise, or what becomes of it with other noise."""
    head, read, t = w.loop()
    noisy = f"{read} + k"
    if w.rng.random() < 0.4:
        stop, share, start = w.any("return", "break"), "1", ""
    else:
        stop = f"n += 1\nif n >= c:\n    {w.any('return', 'break')}"
        share, start = "c", "n = 0\n"
    yes = f"yield {w.release(noisy)}\n{stop}"
    no = w.any("yield None", f"yield {w.release(noisy)}", "pass")
    operator = w.good(">=" if w.setting.noise != "NegativeOneSidedGeometric" else "<=", ">", "<")
    body = f"k = {w.noise(share)}\nif {noisy} {operator} {t}:\n{indent(yes)}\nelse:\n    {no}"
    return f"{start}{head}\n{indent(body)}"


def loop_noisy_threshold(w: Writer) -> str:
    """The sparse vector with a noisy threshold."""
    head, read, t = w.loop()
    once = w.rng.random() < 0.5
    share = w.good(w.any("4", "4", "2") if once else "4 * c", "2 * c", "c")
    stop = "return" if once else "n += 1\nif n >= c:\n    break"
    gap = f"{read} + k - rho"
    yes = f"yield {w.any('True', 'True', 'None', 'k', gap)}\n{stop}"
    test = f"{read} + k {w.any('>=', '>=', '>', '<')} {t} + rho"
    body = f"k = {w.noise(share, BOTH)}\nif {test}:\n{indent(yes)}\nelse:\n    yield False"
    start = "" if once else "n = 0\n"
    return f"rho = {w.noise('2', BOTH)}\n{start}{head}\n{indent(body)}"


def loop_numeric(w: Writer) -> str:
    """A test, and fresh noise for the answer."""
    head, read, t = w.loop()
    test = w.test(f"{read} + k", t)
    yes = f"h = {w.noise('2')}\nyield {read} + {w.good('h', 'k')}\n{w.any('return', 'break')}"
    body = f"k = {w.noise('2')}\nif {test}:\n{indent(yes)}\nyield {w.any('None', 'False', 'k')}"
    return f"{head}\n{indent(body)}"


def loop_total(w: Writer) -> str:
    """Something added up over the answers, with noise at the end or on each."""
    head, read, t = w.loop()
    if w.rng.random() < 0.5:
        test = w.test(read, t)
        step = w.any(
            f"total += {read}", f"if {test}:\n    total += 1", f"total = max(total, {read})"
        )
        tail = f"k = {w.noise(w.setting.cells)}\nyield {w.post('total + k')}"
        return f"total = 0\n{head}\n{indent(step)}\n{tail}"
    step = w.any(
        f"total += {read} + k",
        f"if {w.test(f'{read} + k', t)}:\n    total += 1\n    {w.any('break', 'pass')}",
    )
    body = f"k = {w.noise(w.setting.cells)}\n{step}"
    return f"total = 0\n{head}\n{indent(body)}\nyield {w.post('total')}"


def loop_while(w: Writer) -> str:
    """A loop that counts by itself."""
    f = w.rng.choice(w.arrays)
    noisy = f"{f}[i] + k"
    yes = f"yield {w.release(noisy)}\n{w.any('break', 'n += 1', 'return')}"
    body = (
        f"k = {w.noise(w.any('1', 'c'))}\nif {w.test(noisy, w.threshold)}:\n{indent(yes)}\n"
        f"else:\n    yield {w.any('None', 'n', 'i')}\ni += 1"
    )
    limit = w.any(f"i < len({f})", f"i < len({f}) and n < c", f"n < 1 and i < len({f})")
    return f"i = 0\nn = 0\nwhile {limit}:\n{indent(body)}"


def loop_state(w: Writer) -> str:
    """A loop that remembers something: a flag, the last answer, whether to go on."""
    head, read, t = w.loop()
    noisy = f"{read} + k"
    test = w.test(noisy, t)
    return w.any(
        f"seen = False\n{head}\n    k = {w.noise(w.any('1', 'c'))}\n    if {test} and not seen:\n"
        f"        seen = True\n        yield {w.release(noisy)}\n    else:\n        yield None",
        f"last = 0\nk = {w.noise('1')}\n{head}\n    if {read} {w.any('>=', '>')} last:\n"
        f"        last = {read}\nyield {w.post('last + k')}",
        f"last = None\n{head}\n    k = {w.noise(w.any('1', '2'))}\n    if {test}:\n"
        f"        last = {w.release(noisy)}\n        {w.any('break', 'pass')}\nyield last",
        f"k = {w.noise('1')}\n{head}\n    if {test}:\n        yield True\n"
        f"        {w.any('break', 'return', 'continue')}\n    yield {w.release('k')}",
        f"n = 0\n{head}\n    if n >= c:\n        {w.any('break', 'continue')}\n"
        f"    k = {w.noise(w.any('c', '1'))}\n    if not {test}:\n        yield None\n"
        f"        continue\n    n += 1\n    yield {w.release(noisy)}",
        f"n = 0\n{head}\n    n += 1\n    if n == 1:\n        k = {w.noise('1')}\n"
        f"        yield {w.post(noisy)}",
    )


def loop_nested(w: Writer) -> str:
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


def chosen(w: Writer) -> str:
    """What is released, or which noise, stands in a variable."""
    first, *rest = w.reads()
    second = rest[0] if rest else first
    test = w.test(f"{first} + k", w.threshold)
    return w.any(
        f"k = {w.noise()}\ny = {w.release(f'{first} + k')}\nif {test}:\n"
        f"    y = {w.release(f'{first} + k')}\nyield y",
        f"k = {w.noise('2')}\nh = {w.noise('2')}\nyield max({first} + k, {second} + h)",
        f"k = {w.noise('2')}\nh = {w.noise('2')}\n"
        f"yield 'first' if {first} + k >= {second} + h else 'second'",
        f"k = {w.noise()}\nh = {w.noise()}\nyield {first} + {w.any('k + h', 'k - h', 'max(k, h)')}",
        f"k = {w.noise()}\nif {test}:\n    h = {w.noise()}\nelse:\n    h = 0\n"
        f"yield {first} + {w.any('k', 'h', 'k + h')}",
        f"k = {w.noise('2')}\nif {test}:\n    h = {w.noise('2')}\n    if {second} + h < T:\n"
        f"        yield {w.release(f'{second} + h', 'h')}\n    else:\n        yield 1\n"
        f"else:\n    yield {w.release(f'{first} + k')}",
    )


def public(w: Writer) -> str:
    """A branch on what is public, before or after the noise."""
    read = w.reads()[0]
    first, second, told = w.noise(), w.noise(w.any("1", "2")), w.release("T", "T")
    return w.any(
        f"if T >= 1:\n    k = {first}\n    yield {read} + k\nelse:\n    yield {told}",
        f"for i in range(c):\n    k = {w.noise('c')}\n    yield {w.post(f'{read} + k')}",
        f"k = {first}\nif T > 1 and {read} + k >= T:\n    yield True\nyield {told}",
        f"if T >= 1:\n    k = {first}\nelse:\n    k = {second}\nyield {w.post(f'{read} + k')}",
    )


SHAPES: dict[str, Callable[[Writer], str]] = {
    shape.__name__: shape
    for shape in (
        additive, tested, combined, coins, secret, twice, public, loop_cells, loop_sparse,
        loop_noisy_threshold, loop_numeric, loop_total, loop_while, loop_state, loop_nested, chosen,
    )
}  # fmt: skip
