"""Pairs of complete inputs: what one can hand to a mechanism, on either side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.mechanism import Mechanism
from ...dsl.privacy import Related
from ...dsl.rules import rule_of
from .answers import PrivateInputs
from .checking import check_bounds, check_kinds, named_by
from .data_sets import check_sizes
from .public import PublicInputs
from .users import SPEAKING


def neighbouring_inputs(
    mechanism: Mechanism[..., Any],
    *,
    min_length: int = 0,
    max_length: int = 5,
    largest: int = 20,
    fixed: Mapping[str, Any] | None = None,
    corners: bool = True,
) -> st.SearchStrategy[tuple[dict[str, Any], dict[str, Any]]]:
    """Pairs (D, D') of inputs by name: ``mechanism(**D)`` and ``mechanism(**D')`` can be called.

    Public inputs are equal and meet the preconditions; private ones are neighbours as the
    mechanism claims, in the claimed direction (see :func:`query_answers`).  All sequences have
    one length.  Of a mechanism outside the language the preconditions are not known.

    Args:
        mechanism: what ``@mechanism`` made; whether its claim is true does not matter.
        min_length: the least length of sequences.
        max_length: the greatest; at most so many records has a ``DataSet`` (at least 1).
        largest: how far from 0 numbers are about.
        fixed: public inputs by name that stay as they are: ``{"eps": 1.0}``.
        corners: whether the private inputs are :func:`corner_patterns` as well, often.

    Raises:
        BadInput: it is no mechanism; its inputs have no neighbours; no public inputs were found
            that meet the preconditions.
    """
    if not isinstance(mechanism, Mechanism):
        raise BadInput(f"neighbouring_inputs: got {mechanism!r:.80}; a mechanism is needed")
    check_sizes(min_length, max_length)
    privacy = mechanism.privacy
    private = {n: k for n, k in mechanism.inputs.items() if not k.public}
    check_bounds(mechanism.inputs)
    check_kinds(privacy, mechanism.inputs)
    lengths = range(min_length, max_length + 1)
    public = PublicInputs(mechanism, fixed or {}, lengths, largest)

    order = list(mechanism.inputs)
    named = {name for k in private.values() for name in named_by(k)}
    if isinstance(privacy, Related | SPEAKING):
        named.update(*(rule_of(function).parameters for function in privacy.functions))

    @lru_cache(256)
    def private_inputs(n: int, values: tuple[tuple[str, Any], ...]) -> PrivateInputs:
        lengths = dict.fromkeys(private, n)
        return PrivateInputs(privacy, private, lengths, dict(values), largest, corners)

    @lru_cache(256)
    def pairs(n: int, values: tuple[tuple[str, Any], ...]) -> st.SearchStrategy[Any]:
        return private_inputs(n, values).pairs()

    def named_in(given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        return tuple((k, v) for k, v in given.items() if k in named)

    _check_some(private_inputs(n, named_in(given)) for n, given in public.some())

    chosen = public.drawn()

    @st.composite
    def both(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
        n, given = draw(chosen)
        sides = draw(pairs(n, named_in(given)))
        left, right = ({k: side[k] if k in side else given[k] for k in order} for side in sides)
        return left, right

    return both()


def _check_some(found: Iterable[PrivateInputs]) -> None:
    """Make sure that for some of the public inputs there are neighbours.

    Raises:
        BadInput: there are none.
    """
    problem: BadInput | None = None
    for inputs in found:
        try:
            inputs.check()
            return
        except BadInput as error:
            problem = error
    if problem is not None:
        raise problem
