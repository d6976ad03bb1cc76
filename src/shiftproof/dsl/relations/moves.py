"""How the private inputs move between neighbours: from policy and query to intervals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from ..errors import BadInput, Unsupported
from ..privacy.definitions import Privacy
from ..privacy.definitions.base import RecordChange
from ..privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    LocationCounts,
    PublicIntVector,
    Queries,
    Secret,
    Value,
    WindowCounts,
    kind_name,
)
from ..privacy.neighbours import CountedRecord, derive, derive_windows
from ..privacy.policies import Policy
from ..terms.linear import Linear, Symbol, number, term
from ..terms.values import exact

# What a private input names: the public parameters that are its bounds, and the like.


def bounds_of(kind: InputKind, inputs: Mapping[str, InputKind]) -> tuple[Linear, Linear]:
    """The range of a user's value; a bound that has a name is a public parameter."""
    assert isinstance(kind, Value)
    low, high = (
        term(Symbol(b, inputs[b].whole, fixed=True)) if isinstance(b, str) else number(exact(b))
        for b in (kind.low, kind.high)
    )
    return low, high


def check_kind(privacy: Privacy, name: str, kind: InputKind) -> None:
    """Make sure that an input is a user's value where a definition speaks of those.

    Raises:
        BadInput: it is not.
    """
    if privacy.speaks and not isinstance(kind, Value | Secret):
        raise BadInput(
            f"'{name}': {kind_name(kind)} has no neighbours under {privacy}, which speaks "
            "of users' values; use Value, IntegerValue, Values, IntegerValues or Private[...]"
        )


def check_named(name: str, kind: InputKind, inputs: Mapping[str, InputKind]) -> None:
    """Make sure that what a kind names, are parameters of the right kind.

    Raises:
        BadInput: one of them is not.
    """
    given = kind.sensitivity if isinstance(kind, Queries) else 0
    named = inputs.get(given) if isinstance(given, str) else None
    if isinstance(given, str) and (named is None or not named.public or named.array):
        raise BadInput(f"'{name}': its sensitivity '{given}' is no public scalar parameter")
    if isinstance(kind, WindowCounts) and isinstance(kind.width, str):
        wide = inputs.get(kind.width)
        if wide is None or not wide.public or wide.array or not wide.whole:
            raise BadInput(f"'{name}': its width '{kind.width}' is no public integer parameter")
    if isinstance(kind, LocationCounts) and not isinstance(inputs.get(kind.by), PublicIntVector):
        raise BadInput(
            f"'{name}': its locations '{kind.by}' are no parameter of type Public[IntVector]"
        )


def check_bounds(name: str, kind: Value, inputs: Mapping[str, InputKind]) -> None:
    """Make sure that the bounds of a value that have names are parameters of the right kind.

    Raises:
        BadInput: one of them is not.
    """
    for bound in (kind.low, kind.high):
        named = inputs.get(bound) if isinstance(bound, str) else None
        if isinstance(bound, str) and (named is None or not named.public or named.array):
            raise BadInput(f"'{name}': its bound '{bound}' is no public scalar parameter")
        if kind.whole and named is not None and not named.whole:
            raise BadInput(f"'{name}': its bound '{bound}' is no integer parameter")


ZERO = number(0)

Where = Literal["everywhere", "one", "two", "window", "record", "rule", "anywhere"]


@dataclass(frozen=True, slots=True)
class Move:
    """How one private input moves in one case: D minus D' lies in [low, high] where it moves.

    ``norm``: where the differences of all answers add up, 1 if their sizes do, to no more than
    the larger end, and 2 if their squares do, to no more than its square; else 0.
    ``width``: over how many steps a window goes.
    ``opposed``: where one place (or window) falls, the other rises.
    ``mixed``: the two places may also be one, and its answers then fall and rise as they like.
    ``by``: the answers that move are not at one index, but at all the indices where the
    public sequence of this name holds one value.
    ``present``: whether D and D' have the record that differs (neither, where none does), and
    ``policy`` how it does (``None``: in any way), for a data set or a value; a data set's counts
    move by 1 at most.
    ``whole``: the record changes as a whole, if one of its values is sensitive; it has one in
    each of the inputs ``along``, and all attributes of a data set.
    Where a rule of the user's own speaks, or a value may be ``anywhere``, low and high only
    suggest what to try.
    """

    low: Linear
    high: Linear
    where: Where = "everywhere"
    norm: int = 0
    width: Linear = ZERO
    opposed: bool = False
    mixed: bool = False
    by: str = ""
    present: tuple[bool, bool] = (True, True)
    policy: Policy | None = None
    whole: Policy | None = None
    along: tuple[str, ...] = ()
    note: str = ""


def farthest(move: Move) -> Linear:
    """How far answers move that fall, rise, or do either by no more than this."""
    return move.high if move.high != number(0) else -move.low


def most_together(move: Move) -> Linear:
    """What the sizes, or squares, of all differences add up to at most."""
    return farthest(move) * farthest(move) if move.norm == 2 else farthest(move)


def does_not_move(move: Move) -> bool:
    """Whether an input is the same in D and in D'."""
    if move.where == "record":
        return not any(move.present)
    return move.where not in ("rule", "anywhere") and move.low == move.high == number(0)


def moves_of(
    privacy: Privacy, name: str, kind: InputKind, inputs: Mapping[str, InputKind]
) -> tuple[Move, ...]:
    """How one private input may move: one move for each case.

    Raises:
        BadInput: the kind of input has no meaning under the privacy definition.
    """
    if isinstance(kind, Queries):
        return _declared(privacy, kind, inputs)
    change = privacy.record_change
    if isinstance(kind, Value) and privacy.adding:
        raise BadInput(
            f"'{name}': {kind_name(kind)} has no neighbours under {privacy}: lengths are "
            "public, so users stay; use DP(), where a value is replaced, or a DataSet of records"
        )
    if isinstance(kind, DataSet) and change is not None:
        return _of_records(change, inputs)
    if isinstance(kind, CountingQueries | WindowCounts) and change:
        if change.whole and record_of(inputs):
            raise BadInput(
                f"'{name}': which values of {', '.join(record_of(inputs))} are of the record that "
                f"it counts is not said, and {privacy} replaces all of them; use one DataSet"
            )
        return _derived(change, kind, alone=sum(not k.public for k in inputs.values()) == 1)
    if privacy.output_claim is not None:
        raise Unsupported(
            f"an alignment under {privacy}",
            None,
            "its bound is about some of the outputs only; finite noise is summed instead",
        )
    if isinstance(kind, Value) and (privacy.is_local or (change and not change.policy)):
        low, high = bounds_of(kind, inputs)
        spread = high - low
        return (Move(-spread, spread, "one" if kind.array else "everywhere"),)
    if isinstance(kind, Secret) and not kind.array and privacy.is_local:
        return (Move(number(-1), number(1), "anywhere"),)
    if isinstance(kind, Value) and kind.whole and change is not None and change.policy is not None:
        record = record_of(inputs) if change.whole else (name,)
        return _under_policy(change.policy, kind, record)
    raise BadInput(f"'{name}': {kind_name(kind)} has no neighbours under {privacy}")


def record_of(inputs: Mapping[str, InputKind]) -> tuple[str, ...]:
    """The private inputs that one record may have its values in: those of users, and data sets.

    Which of them belong together is not always said; they may.
    """
    return tuple(n for n, k in inputs.items() if isinstance(k, Value | DataSet))


def _of_records(change: RecordChange, inputs: Mapping[str, InputKind]) -> tuple[Move, ...]:
    """A data set: one record changes along the policy, or only one side has it.

    Beside other private inputs a data set may also be the same in both, as an empty one is.
    """
    changes = Move(number(-1), number(1), "record", policy=change.policy)
    found: tuple[Move, ...] = (changes,)
    if change.adding:
        found = tuple(replace(changes, present=p) for p in ((True, False), (False, True)))
    if change.whole and change.policy is not None:
        free, whole = Policy.everything(change.policy.universe), change.policy
        found = (replace(changes, policy=free, whole=whole, along=record_of(inputs)),)
    if sum(not kind.public for kind in inputs.values()) == 1:
        return found
    return *found, replace(changes, present=(False, False))


def _declared(privacy: Privacy, kind: Queries, inputs: Mapping[str, InputKind]) -> tuple[Move, ...]:
    """Answers as they are declared; what falls from D to D' rises from D' to D."""
    given = kind.sensitivity
    if isinstance(given, str):
        most = term(Symbol(given, inputs[given].whole, fixed=True))
    else:
        most = number(exact(given))
    falls, rises = (number(0), most), (-most, number(0))
    ways = {
        "both": [(-most, most)],
        "decreasing": [falls, rises],
        "increasing": [rises, falls],
    }[kind.direction]
    where: Where = "one" if kind.differing == "one" and kind.array else "everywhere"
    owed = ways if privacy.both_ways else ways[:1]
    norm = kind.norm
    return tuple(
        Move(low, high, where, norm=norm, note="sensitivity assumed") for low, high in owed
    )


def _derived(
    change: RecordChange, kind: CountingQueries | WindowCounts, *, alone: bool
) -> tuple[Move, ...]:
    policy = change.policy or _anything(kind)
    if change.whole and (kind.array or not alone):
        policy = Policy.everything(policy.universe)  # another attribute may be the sensitive one
    if isinstance(kind, WindowCounts):
        policy = _anything(kind) if change.whole else policy  # also when it came may change
        return _in_windows(change, kind, policy)
    record = CountedRecord(
        policy,
        frozenset(kind.counted),
        change.adding,
        min(kind.counted) if kind.one_hot else None,
        isinstance(kind, LocationCounts),
    )
    moves = []
    for d in derive(record):
        low, high = number(d.low), number(d.high)
        if not kind.array or d.moving == "all" or d.moving == "none":
            moves.append(Move(low, high))
        else:
            by = kind.by if isinstance(kind, LocationCounts) else ""
            moves.append(Move(low, high, d.moving, opposed=d.opposed, mixed=d.mixed, by=by))
    return tuple(moves)


def _in_windows(change: RecordChange, kind: WindowCounts, policy: Policy) -> tuple[Move, ...]:
    named = isinstance(kind.width, str)
    width = term(Symbol(str(kind.width), True, fixed=True)) if named else number(int(kind.width))
    ranges = derive_windows(CountedRecord(policy, frozenset({1}), change.adding))
    if (change.policy is None or change.whole) and not change.adding:
        # The record that takes another one's place may come at another time.
        lows, highs = zip(*ranges, strict=True)
        low, high = number(min(lows)), number(max(highs))
        return (Move(low, high, "window", width=width, opposed=True),)
    return tuple(Move(number(a), number(b), "window", width=width) for a, b in ranges)


def _under_policy(policy: Policy, kind: Value, record: tuple[str, ...]) -> tuple[Move, ...]:
    """An integer of one's own under a policy: the extreme moves from a sensitive value.

    ``record``: the inputs that are replaced together; from any value, if there are several.
    """
    if not kind.constant:
        raise BadInput("a policy names the values; so the bounds of a value must be numbers")
    low, high = int(kind.low), int(kind.high)
    starts = [v for v in range(low, high + 1) if v in policy.sensitive]
    if set(range(low, high + 1)) - set(policy.universe):
        raise BadInput(f"the policy's universe {policy.universe} does not cover [{low}, {high}]")
    where: Where = "one" if kind.array else "everywhere"
    if len(record) > 1:
        spread, free = number(Fraction(high - low)), Policy.everything(policy.universe)
        return (Move(-spread, spread, where, policy=free, whole=policy, along=record),)
    moves = [Fraction(a - b) for a in starts for b in range(low, high + 1)] or [Fraction(0)]
    return (Move(number(min(moves)), number(max(moves)), where, policy=policy),)


def _anything(kind: CountingQueries | WindowCounts) -> Policy:
    """Every value is protected, and there are values that are not counted."""
    counted = kind.counted if isinstance(kind, CountingQueries) else frozenset({1})
    return Policy.everything({*counted, 0, 1, max(counted) + 1})


def in_one_direction(options: Mapping[str, tuple[Move, ...]]) -> Iterator[dict[str, Move]]:
    """One record appears or disappears: what it moves, it moves in one direction.

    A third move of an input is that it stays as it is, as where the record is not in that data.
    """
    ways = [
        [(moves[min(k, len(moves) - 1)], *moves[2:]) for moves in options.values()]
        for k in range(min(2, max(map(len, options.values()), default=1)))
    ]
    for chosen in itertools.chain.from_iterable(
        zip(*(itertools.product(*w) for w in ways), strict=True)
    ):
        yield dict(zip(options, chosen, strict=True))


def names_of_directions(number: int) -> list[str]:
    """The names of the cases, those of both directions in turn."""
    names = ["a record is removed", "a record is added"]
    more = [f"{name}, {k}" for k in range(2, number // 2 + 1) for name in names]
    return [*names, *more][:number]
