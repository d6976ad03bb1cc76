"""``audit_one_sided``: sample a mechanism for answers that it claims never to give."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from scipy.stats import beta

from ...dsl.errors import BadInput, LimitReached, NoTruth
from ...dsl.language.flow import EnsureNode
from ...dsl.mechanism import Mechanism
from ...dsl.showing import Shown
from ...dsl.simulation.outcomes import Ending
from ...dsl.simulation.simulate import block_size
from .boxes.boxes import Box, Draw, Key, LanguageBox, checked
from .boxes.callables import BATCHED, CallableBox
from .boxes.packing import brief
from .boxes.sampling import Sampler, Wanted
from .edges import accepted_inputs, edge_inputs
from .result import check_settings, plain
from .samples import Sample

OneSidedVerdict: TypeAlias = Literal["refuted", "no wrong answer found"]


@dataclass(frozen=True, slots=True)
class OneSidedRow:
    """What came of the runs on one input.

    Attributes:
        inputs: the input; for a mechanism of the language a mapping by name.
        runs: how many runs there were.
        wrong: how many of them gave a wrong answer.
        bound: the probability of a wrong answer on this input is at most this, with the
            confidence of the audit; 1 - α^(1/n) if none of n runs gave one.
        example: what the first wrong run put out; empty if there is none.
        failed: how many runs raised or did not end; what they did not say was not wrong.
        rate: between which probabilities that of the one-sided answer lies, with the same
            confidence; ``None`` if it was not asked for.

    Source of the bounds: Clopper and Pearson, Biometrika 26 (1934).
    """

    inputs: Any
    runs: int
    wrong: int
    bound: float
    example: str
    failed: int = 0
    rate: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class OneSidedAudit(Shown, NoTruth):
    """What came of an audit of one-sided claims.

    Attributes:
        mechanism: its name.
        confidence: of each bound and each rate by itself.
        inputs: a row for each input.
        verdict: ``refuted`` if a run gave a wrong answer, which is certain; ``no wrong answer
            found`` is no proof.
        seed: the same seed gives the same runs, if the target draws no other noise.
        left_out: how many inputs of the auditor's choice could not be simulated, as whole
            numbers grew too large.
    """

    instead: ClassVar[str] = "ask for its verdict, as in 'found.verdict != \"refuted\"'"

    mechanism: str
    confidence: float
    inputs: tuple[OneSidedRow, ...]
    verdict: OneSidedVerdict
    seed: int
    left_out: int = 0

    def as_text(self) -> str:
        """The audit for people."""
        broken = [row for row in self.inputs if row.wrong]
        lines = [f"{self.mechanism}: {self.verdict}"]
        for row in broken[:5]:
            lines += [f"  wrong in {row.wrong} of {row.runs} runs on {_shown(row.inputs)}"]
            lines += [f"    for instance, it put out {row.example}"]
        if broken:
            lines += [f"  wrong on {len(broken)} of {len(self.inputs)} inputs; this is certain"]
        else:
            runs, worst = (f(r.runs for r in self.inputs) for f in (min, max))
            each = f"{runs}" if runs == worst else f"{runs} to {worst}"
            most = max(row.bound for row in self.inputs)
            lines += [
                f"  {each} runs on each of {len(self.inputs)} inputs; on each a wrong answer has",
                f"  a probability of at most {most:.3g}, with confidence {self.confidence:g}",
                "  this is no proof: rarer wrong answers, and other inputs, were not seen",
            ]
        if failed := sum(row.failed for row in self.inputs):
            lines += [f"  {failed} runs raised or did not end, and may have said nothing"]
        if self.left_out:
            lines += [f"  {self.left_out} inputs with numbers too large to simulate were left out"]
        for row in (row for row in self.inputs if row.rate):
            low, high = row.rate or (0.0, 1.0)
            lines += [f"  says so with probability {low:.4g} to {high:.4g} on {_shown(row.inputs)}"]
        return "\n".join([*lines, f"  seed {self.seed}"])

    def as_json(self) -> dict[str, Any]:
        """The audit as plain JSON values; what JSON cannot hold is text, as Python writes it."""
        rows = [{f.name: getattr(row, f.name) for f in fields(row)} for row in self.inputs]
        found = {f.name: getattr(self, f.name) for f in fields(self)} | {"inputs": rows}
        return {name: plain(value) for name, value in found.items()}


def audit_one_sided(
    target: Mechanism[..., Any] | Callable[..., Any],
    inputs: Iterable[Any] | None = None,
    *,
    wrong: Wrong | None = None,
    says: Callable[[Any], bool] | None = None,
    samples: int = 100_000,
    confidence: float = 0.95,
    seed: int | None = None,
    executor: Executor | None = None,
) -> OneSidedAudit:
    """Look for runs that give a wrong answer, where none may.

    One wrong answer refutes the claim for certain.  If there is none, that is no proof, and
    each input has a bound on the probability of a wrong answer there.

    Args:
        target: a mechanism of the language, whose claims are its ``ensure`` conditions (those of
            mechanisms that it calls are not looked at); or a function, called as
            :class:`CallableBox` says.
        inputs: on what to run it; mappings by name for a mechanism, in which streams are read to
            their end.  By default, for a mechanism, sides of pairs of neighbours, and inputs at
            the edge: answers equal to thresholds and to numbers of the program, next to them,
            and so large that adding noise is lost to rounding.
        wrong: for a function: whether an output is a wrong answer on an input.
        says: for a function: whether an output is the one-sided answer.  How often it is given
            is then estimated, to compare with :func:`one_sided_rate_adp` and the like.
        samples: how many runs on each input; at least 1.
        confidence: of the bounds and rates; between 0 and 1.
        seed: not negative; by default one that nobody knows.
        executor: where the runs are made.

    Raises:
        BadInput: an argument is out of range, an input is none of the target's, there is no claim.
        LimitReached: whole numbers grow too large to be simulated, on a given input or on all.
        Unsupported: the mechanism is outside the language.
    """
    check_settings(samples, 1, confidence, seed)
    found = None if inputs is None else _listed(inputs)
    seed = secrets.randbits(63) if seed is None else seed
    box: Box
    if isinstance(target, Mechanism):
        if wrong is not None or says is not None:
            raise BadInput("wrong, says: a mechanism of the language says by ensure what is wrong")
        name, (box, found) = target.function.__name__, _of_language(target, found)
    elif wrong is None or found is None:
        raise BadInput("a function needs inputs=, and wrong=: whether an output is wrong")
    else:
        _check_functions(wrong, says)
        name, box = CallableBox(target).name, Judging(target, wrong, says)
        checked(CallableBox(target), found[:2], seed)
        if not CallableBox(target).seeded:
            executor = None  # noise of a fixed seed would be the same in each worker
    wanted = [Wanted(data, samples, (k,), _tally) for k, data in enumerate(found)]
    rows = []
    for data, parts in zip(found, Sampler(box, seed, executor).each(wanted), strict=True):
        seen = reduce(_Tally.__add__, parts)
        if not seen.runs:
            continue
        # Runs that a limit ended may all have been wrong.
        bound = _interval(seen.wrong + samples - seen.runs, samples, 1 - confidence)[1]
        rate = None if says is None else _interval(seen.said, seen.runs, (1 - confidence) / 2)
        rows.append(
            OneSidedRow(data, seen.runs, seen.wrong, bound, seen.example, seen.failed, rate)
        )
    if isinstance(box, Judging) and all(row.failed == row.runs for row in rows):
        why = CallableBox(box.function).failure(found[0], (seed, 0, 0))
        raise BadInput(f"every run raises an exception, on every input: {why or name}")
    if not rows:
        raise LimitReached("LARGEST", f"{name}: whole numbers grow to 2^53 or more on every input")
    verdict: OneSidedVerdict = "no wrong answer found"
    if any(row.wrong for row in rows):
        verdict = "refuted"
    return OneSidedAudit(name, confidence, tuple(rows), verdict, seed, len(found) - len(rows))


@dataclass(frozen=True, slots=True)
class _Tally:
    """How many runs there were, were wrong, failed, and gave the one-sided answer."""

    runs: int
    wrong: int
    failed: int
    said: int
    example: str

    def __add__(self, other: _Tally) -> _Tally:
        return _Tally(
            self.runs + other.runs, self.wrong + other.wrong, self.failed + other.failed,
            self.said + other.said, self.example or other.example,
        )  # fmt: skip


def _tally(sample: Sample) -> _Tally:
    wrong = [] if sample.wrong is None else np.flatnonzero(sample.wrong).tolist()
    failed = int(np.count_nonzero(sample.endings != Ending.END))
    said = sum(sample.said) if isinstance(sample, Judged) else 0
    example = sample.shown(wrong[0]) if wrong else ""
    return _Tally(len(sample), len(wrong), failed, said, example)


def _check_functions(wrong: Any, says: Any) -> None:
    if not callable(wrong) or not (says is None or callable(says)):
        raise BadInput(f"wrong, says: got {wrong!r:.60} and {says!r:.60}; functions are needed")


def _listed(inputs: Any) -> list[Any]:
    if isinstance(inputs, str | bytes | Mapping) or not isinstance(inputs, Iterable):
        raise BadInput(f"inputs: got {brief(inputs)}; a list of inputs is needed")
    if not (found := [*inputs]):
        raise BadInput("inputs: got none; at least one is needed")
    return found


def _interval(count: int, runs: int, alpha: float) -> tuple[float, float]:
    """Bounds on a probability; each is wrong with probability α at most."""
    low = float(beta.ppf(alpha, count, runs - count + 1)) if count else 0.0
    high = float(beta.isf(alpha, count + 1, runs - count)) if count < runs else 1.0
    return low, high


def _shown(data: Any) -> str:
    if not isinstance(data, Mapping):
        return brief(data)
    return ", ".join(f"{name} = {brief(value)}" for name, value in data.items())


def _of_language(
    mechanism: Mechanism[..., Any], given: Sequence[Any] | None
) -> tuple[Box, list[dict[str, Any]]]:
    program = mechanism.program
    program.check_frozen()
    flow = program.inlined.flow
    if not any(isinstance(node, EnsureNode) for node in flow.nodes):
        raise BadInput(f"{program.name}: it has no ensure, so it claims nothing about its answers")
    if given is None:
        found = edge_inputs(mechanism)
        return WithinLimits(LanguageBox(flow, block_size(flow, found[0]))), found
    for inputs in given:
        if not isinstance(inputs, Mapping):
            names = ", ".join(program.inputs)
            raise BadInput(f"inputs: got {brief(inputs)}; a mapping with {names} is needed")
    found = [accepted_inputs(mechanism, inputs) for inputs in given]
    return LanguageBox(flow, min(block_size(flow, inputs) for inputs in found)), found


# Boxes for one-sided claims: functions whose outputs are judged, mechanisms within limits.

#: Says of an input and an output whether the answer is wrong.
Wrong: TypeAlias = Callable[[Any, Any], bool]


@dataclass(frozen=True, eq=False)
class Judged(Sample):
    """Runs of a function; of each, whether it gave the one-sided answer."""

    said: Sequence[bool] = ()


@dataclass(frozen=True, slots=True)
class Judging:
    """A function whose outputs are judged as it gives them."""

    function: Callable[..., Any]
    wrong: Wrong
    says: Callable[[Any], bool] | None

    @property
    def block(self) -> int:
        """How many runs are made at once."""
        return CallableBox(self.function).block

    def on(self, data: Any) -> Draw:
        """The function on one input."""
        judge = _Judge(self, data)
        inner = CallableBox(judge).on(data)

        def draw(size: int, key: Key) -> Sample:
            judge.found, judge.error = [], None
            sample = inner(size, key)
            if judge.error is not None:
                raise judge.error
            wrong, said = zip(*judge.found, strict=True)
            parts = {f.name: getattr(sample, f.name) for f in fields(Sample)}
            return Judged(**{**parts, "wrong": np.array(wrong, np.bool_)}, said=said)

        return draw


class _Judge:
    """The function itself, to whoever calls it; what is thought of its outputs is kept."""

    def __init__(self, judging: Judging, data: Any) -> None:
        self.__wrapped__ = judging.function
        self.found: list[tuple[bool, bool]] = []
        self.error: BadInput | None = None
        self._judging, self._data = judging, data
        self._batched = judging.block == BATCHED

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            output = self.__wrapped__(*args, **kwargs)
        except Exception:
            self.found.append((False, False))
            raise
        several = self._batched and hasattr(output, "__len__")
        self.found += [self._of(o) for o in output] if several else [self._of(output)]
        return output

    def _of(self, output: Any) -> tuple[bool, bool]:
        wrong, says = self._judging.wrong, self._judging.says
        try:
            return bool(wrong(self._data, output)), says is not None and bool(says(output))
        except Exception as error:  # to the box it would be one of the function
            self.error = BadInput(
                f"wrong or says: raises {type(error).__name__}: {error}, on the output "
                f"{brief(output)} for the input {brief(self._data)}"
            )
            return False, False


@dataclass(frozen=True, slots=True)
class WithinLimits:
    """A mechanism of the language; where whole numbers grow too large there are no runs."""

    box: LanguageBox

    @property
    def block(self) -> int:
        """How many runs are made at once."""
        return self.box.block

    def on(self, data: Any) -> Draw:
        """The mechanism on one input."""
        inner = self.box.on(data)

        def draw(size: int, key: Key) -> Sample:
            try:
                return inner(size, key)
            except LimitReached:
                return Sample.of_tokens([], [], {})

        return draw
