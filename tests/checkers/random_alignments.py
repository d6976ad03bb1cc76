"""Random alignments written into a mechanism: some fit, most do not, and a few cheat.

An alignment is checked as it is written.  One that maps two draws to the same draw, or
looks at what is not fixed yet, could seem to prove anything.
"""

from __future__ import annotations

import ast
import random


def aligned(tree: ast.FunctionDef, rng: random.Random) -> None:
    """Put an alignment behind every sample, in place."""
    for block in _blocks(tree):
        for statement in list(block):
            name = _sampled(statement)
            if name and rng.random() < 0.9:
                coin = "Bernoulli" in ast.unparse(statement)
                shift = _flip(tree, rng) if coin else _shift(tree, name, rng)
                text = f"align({name}, {shift})"
                block.insert(block.index(statement) + 1, ast.parse(text).body[0])


def _sampled(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.Assign) and "sample(" in ast.unparse(statement.value):
        return ast.unparse(statement.targets[0])
    return None


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    return [
        block
        for node in ast.walk(tree)
        for block in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(block, list)
    ]


def _privates(tree: ast.FunctionDef) -> list[str]:
    """Private numbers as they are read somewhere."""
    given = {a.arg for a in tree.args.args}
    reads = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Subscript)]
    reads = [read for read in reads if read[0] in "fz" and "[" in read and "Public" not in read]
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return sorted({*reads, *(given & {"x", "y"}), *(names & {"v"})}) or ["0"]


def _tests(tree: ast.FunctionDef) -> list[str]:
    inside = [n for s in tree.body if not isinstance(s, ast.Assert) for n in ast.walk(s)]
    return sorted({ast.unparse(n) for n in inside if isinstance(n, ast.Compare)}) or ["True"]


def _hidden(tree: ast.FunctionDef, k: str) -> list[str]:
    """What the noise is added to."""
    sums = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and ast.unparse(n.right) == k]
    return sorted({ast.unparse(n.left) for n in sums})


def _shift(tree: ast.FunctionDef, k: str, rng: random.Random) -> str:
    x = rng.choice(_hidden(tree, k) or _privates(tree))
    d = f"{x} - other({x})"
    tests = _tests(tree)
    test = rng.choice([t for t in tests if k in t] or tests)
    if rng.random() < 0.6:
        return rng.choice((d, d, f"{d} if {test} else 0", "1", f"1 + {d} if {test} else 0"))
    steady = ["0", "1", "-1", d, d, d, f"other({x}) - {x}", f"abs({d})", f"2 * ({d})", f"1 + ({d})"]
    simple, other = rng.choice(steady), rng.choice(steady)
    return rng.choice(
        (
            f"{simple} if {rng.choice(tests)} else {other}",
            f"{simple} if {test} else {other}",
            f"{simple} if {k} >= {rng.choice(('0', '1', 'other(' + x + ')', x))} else {other}",
            f"-{k}",
            f"-2 * {k}",
            f"{k}",
            f"{d} - {k}",
            f"{d} - 2 * {k}",
            f"{d} if {k} % 2 == 0 else {d}",
            f"max({d}, -{k})",
        )
    )


def _flip(tree: ast.FunctionDef, rng: random.Random) -> str:
    x = rng.choice(_privates(tree))
    test = rng.choice(_tests(tree))
    flipped = test.replace(x, f"other({x})")
    return rng.choice(
        ("False", "True", f"{x} != other({x})", f"({test}) != ({flipped})", "b", test)
    )
