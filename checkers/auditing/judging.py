"""Boxes for one-sided claims: functions whose outputs are judged, mechanisms within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from ...dsl.errors import BadInput, LimitReached
from .boxes import Draw, Key, LanguageBox
from .callables import BATCHED, CallableBox
from .packing import brief
from .sample import Sample

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
