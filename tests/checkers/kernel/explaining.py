"""Why a certificate that somebody changed is still right: told without the kernel.

Of a certificate that is accepted although it was changed, one of these must be true:

free field      only `made_by`, `source`, the line of a loop or (of a refutation) `target` differ:
                they say where something comes from, and nothing rests on them;
same proof      the texts are the same up to brackets, spaces and repetition, and trees;
fewer claims    only one-sided claims were left out;
another proof   program and claim are those of the original, so what is claimed is as true as
                before; and no concrete run contradicts the shifts, heads and bounds;
another program no counterexample is found to it, and the certificate's shifts keep their
                promises on concrete runs and before the guard;
same outcome    (of a refutation) the inputs, the outcome and all numbers are those of the
                original, and simulating the changed function gives them as well;
another outcome they are others, and simulating the function gives these.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from shiftproof import BadInput, Mechanism, refute, seeded
from shiftproof.alignments.alignment import annotated_shifts
from shiftproof.checkers.guarding.hold import guarded
from shiftproof.dsl.normalise import normalised
from shiftproof.dsl.relations.cases import cases_of
from tests.checkers.kernel.holding import contradictions, with_shifts
from tests.checkers.walking.certificates import program_of
from tests.loading import source

Certificate = dict[str, Any]
FREE = ("made_by", "source")
#: How far counterexamples to a changed program are looked for, and how many runs are simulated.
EFFORT, SIMULATED = 2_000, 3_000


def explanation(original: Certificate, changed: Certificate, folder: Path) -> str:
    """Which of the explanations it is; an assertion fails if it is none."""
    one, two = bare(original), bare(changed)
    if one == two:
        return "free field" if tidy(original) == tidy(changed) else "same proof"
    if original["kind"] == "refutation":
        return of_refutation(original, changed, folder)
    if original["program"] == changed["program"]:
        return of_proof(one, two, changed, folder)
    return of_program(original, changed, folder)


def tidy(certificate: Certificate) -> Certificate:
    return {k: v for k, v in certificate.items() if k not in FREE}


def bare(value: Any, key: str = "") -> Any:
    """Without what says nothing: free fields, formatting, and what is said twice."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k not in (*FREE, "target", "line", "trees")}
        found = {as_written(k): bare(v, k) for k, v in kept.items()}
        return {k: v for k, v in found.items() if v not in ("", {}, [], ())}
    if key == "core" and isinstance(value, list):
        return ast.unparse(ast.parse("\n".join(value)))
    if isinstance(value, list):
        parts = [bare(v, key) for v in value]
        return sorted(dict.fromkeys(parts)) if key == "invariants" else parts
    return as_written(value) if isinstance(value, str) else value


def as_written(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError):
        return text


def of_proof(one: Certificate, two: Certificate, changed: Certificate, folder: Path) -> str:
    """The program is the original's, and so is what is claimed of it."""
    for name in ("mechanism", "fingerprint", "claim", "preconditions", "assumptions"):
        assert one.get(name) == two.get(name), name
    assert set(two.get("one_sided", ())) <= set(one.get("one_sided", ()))
    if by_probabilities(one):
        # What stands beside probabilities is not looked at yet: test_holes.py.
        rest = [{k: v for k, v in c.items() if k not in ("parts", "one_sided")} for c in (one, two)]
        assert rest[0] == rest[1] or one["program"] == two["program"]
        return "beside probabilities"
    cases = [
        [
            (p.get("case"), p["relation"])
            for p in c.get("parts", ())
            if p.get("case") != "one-sided claims"
        ]
        for c in (one, two)
    ]
    assert cases[0] == cases[1]
    seen: Counter[str] = Counter()
    against = list(itertools.islice(contradictions(changed, folder, 12, seen), 3))
    assert not against, against
    assert seen["runs"] >= 6, seen
    rest = [{k: v for k, v in c.items() if k not in ("parts", "one_sided")} for c in (one, two)]
    assert rest[0] == rest[1]
    kept = two.get("parts", [])
    return "fewer claims" if one.get("parts", [])[: len(kept)] == kept else "another proof"


def by_probabilities(certificate: Certificate) -> bool:
    """Outcomes are weighed by it; it has no shifts that runs could contradict."""
    return "enumeration" in certificate or any(
        "cells" in part for part in certificate.get("parts", ())
    )


def of_program(original: Certificate, changed: Certificate, folder: Path) -> str:
    """The changed program is private as far as anyone can see."""
    mechanism: Mechanism[..., Any] = source(folder, program_of(changed))[changed["mechanism"]]
    found = refute(mechanism, effort=EFFORT)
    assert found is None, found
    if by_probabilities(changed):
        return "beside probabilities"
    against = list(itertools.islice(contradictions(changed, folder), 3))
    assert not against, against
    parts = [p for p in changed["parts"] if p["case"] != "one-sided claims"]
    program = mechanism.program
    assert len(parts) == len(list(cases_of(program.privacy, program.inputs)))
    shifts = [annotated_shifts(with_shifts(changed, p, folder).program) for p in parts]
    looked = guarded(program, normalised(mechanism), shifts, runs=20)
    assert not looked.alarm, looked.alarm
    assert looked.runs >= 5
    return "another program"


def of_refutation(original: Certificate, changed: Certificate, folder: Path) -> str:
    """The changed function, simulated, agrees to the counterexample."""
    one, two = bare(original["counterexample"]), bare(changed["counterexample"])
    same = without(one, "claim") == without(two, "claim")
    texts = [declaration(program_of(c)) for c in (original, changed)]
    assert texts[0] == texts[1], "the relation is another one"
    mechanism = source(folder, program_of(changed))[changed["mechanism"]]
    _simulated(mechanism, changed["counterexample"])
    return "same outcome" if same else "another outcome"


def without(value: Certificate, *names: str) -> Certificate:
    return {k: v for k, v in value.items() if k not in names}


def declaration(program: str) -> tuple[str, str]:
    """What a program claims, and of what."""
    main = ast.parse(program).body[-1]
    assert isinstance(main, ast.FunctionDef)
    decorator = main.decorator_list[0]
    assert isinstance(decorator, ast.Call)
    decorator.keywords = [k for k in decorator.keywords if k.arg != "expect"]
    return ast.unparse(decorator), ast.unparse(main.args)


def _simulated(mechanism: Mechanism[..., Any], found: Certificate) -> None:
    """How often the outcome comes about, or one close to it, on either side."""
    epsilons = {n: _epsilon(text) for n, text in found["epsilon"].items()}
    counts = []
    for side in ("left", "right"):
        given = {n: _input(v) for n, v in (found["public"] | found[side]).items()} | epsilons
        values = mechanism.convert(**given)
        hits = 0
        for seed in range(SIMULATED):
            with seeded(seed), suppress(BadInput):  # a run that raises comes to no outcome
                hits += _close(mechanism.run(values), found["outcome"])
        counts.append(hits)
    low = Fraction(found["on_left"]["low"]), Fraction(found["on_right"]["low"])
    if found["measure"] == "probability":
        for hits, p in zip(counts, map(float, low)):
            spread = 5 * math.sqrt(SIMULATED * p * (1 - p)) + 3
            assert abs(hits - SIMULATED * p) <= spread, (counts, low, found)
    else:
        # Densities: the side with the larger one comes closer more often, if it ever does.
        assert sum(counts) < 60 or counts[0] > counts[1], (counts, low)


def _epsilon(text: str) -> float:
    amount, ln2, _ = text.partition("ln 2")
    return float(Fraction(amount.strip() or 1)) * (math.log(2) if ln2 else 1)


def _input(value: Any) -> Any:
    if isinstance(value, list):
        return [_input(v) for v in value]
    return float(Fraction(value)) if isinstance(value, str) else value


def _close(outputs: tuple[Any, ...], wanted: list[dict[str, Any]]) -> bool:
    """Whether a run releases what is wanted; real numbers within a half."""
    if len(outputs) != len(wanted):
        return False
    values = [w["value"] if w["kind"] in ("atom", "int") else None for w in wanted]
    for output, want, value in zip(outputs, wanted, values):
        if want["kind"] in ("atom", "int"):
            if type(output) is not type(value) or output != value:
                return False
        elif isinstance(output, bool) or not isinstance(output, int | float):
            return False
        else:
            at = float(Fraction(want["value"]))
            at += sum(float(Fraction(f)) * outputs[int(j)] for j, f in want.get("to", {}).items())
            if abs(output - at) > (0.5 if want["kind"] == "real" else 1e-6):
                return False
    return True
