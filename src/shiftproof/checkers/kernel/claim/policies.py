"""The table of neighbours: what a claim and the kinds of inputs say of D and D′, as texts.

One record differs between D and D′, or the values of one user do.  In each *case* of the relation
every private input has a text for its value on D′, and conditions.  A pair of neighbours is in one
of the cases: its unknowns (``move(f)[any]``, ``place1(f)``, …) can be chosen such that all is true.
Differences are D minus D′ throughout: 1 means that the value on D′ is smaller.

Nothing here may be stronger than what is true of all pairs; from what is weaker less follows.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from ..arithmetic import Wrong, spend
from ..language.steps import Header, Mechanism
from .declared import (
    LOCAL,
    OF_PAIRS,
    ONES,
    Claimed,
    Declared,
    claimed,
    declared_delta,
    declared_inputs,
    is_zcdp,
    number_text,
    readable,
    steps,
)
from .moving import NORMS, Way, between, in_norm, moved, value_at
from .pairs import Instance, applied, pieces_of


class Case(NamedTuple):
    """One case; ``budget`` and ``distance`` are empty unless the definition says them of a pair."""

    name: str
    facts: tuple[str, ...]
    inputs: dict[str, tuple[str, ...]]
    budget: str
    distance: str


class Kind(NamedTuple):
    """What a parameter is; ``facts`` are about public parameters and lengths.

    ``alone`` is what holds of a private one by itself, whatever the other input is.
    """

    public: bool
    array: bool
    whole: bool
    attributes: int
    facts: tuple[str, ...]
    alone: tuple[str, ...]


def kinds(header: Header) -> dict[str, Kind]:
    """What the parameters are, and what is known of the public ones.

    Raises:
        Wrong: one of them is of no known kind, or names one that is not there.
    """
    found = {}
    for name, kind in declared_inputs(header).items():
        facts = [f"{name} {kind.word}"] if kind.public and kind.word else []
        facts += [f"len({name}) >= 0"] if kind.array else []
        facts += [f"len({name}) == len({kind.fields['by']})"] if "by" in kind.fields else []
        facts += [f"{kind.fields['below']} > {name}"] if "below" in kind.fields else []
        named = kind.fields.get("sensitivity")
        facts += [f"{named} >= 0"] if isinstance(named, str) else []
        wide = kind.fields.get("width")
        facts += [f"{wide} >= 1"] if isinstance(wide, str) else []
        attributes = int(kind.fields.get("attributes", 0))
        told = [] if kind.public else _always(name, kind)  # of D, and then the same of D′
        alone = tuple(told[: len(told) // 2])
        found[name] = Kind(kind.public, kind.array, kind.whole, attributes, tuple(facts), alone)
    return found


def mechanism_budget(header: Header) -> str:
    """The budget of one pair of neighbours: a chain of several has the whole budget.

    Raises:
        Wrong: none is declared.
    """
    whole, most = whole_budget(header), steps(header)
    return whole if most == 1 else f"({whole}) / {most}"


def whole_budget(header: Header) -> str:
    """The budget that a mechanism declares, over public parameters and lengths.

    Raises:
        Wrong: it declares none.
    """
    with readable():
        said, inputs = header.budget, declared_inputs(header)
        if said is None:
            own = "Rho" if is_zcdp(header) else "Epsilon"
            (name,) = (n for n, e in header.inputs.items() if ast.unparse(e) == own)
            return name
        return _of_parameters(said, inputs)


def claimed_delta(header: Header) -> str:
    """The δ that a mechanism declares, over public parameters and lengths; 0 if it does not."""
    with readable():
        said = declared_delta(header)
        return "0" if said is None else _of_parameters(said, declared_inputs(header))


def _of_parameters(said: ast.expr, inputs: Mapping[str, Declared]) -> str:
    """A number, or what a lambda gives, over public parameters and lengths."""
    public = {n: ast.Name(n) for n, k in inputs.items() if k.public and not k.array}
    body = said.body if isinstance(said, ast.Lambda) else said
    sized = frozenset(n for n, k in inputs.items() if k.array)
    return ast.unparse(Instance(public, {}, sized).put(copy.deepcopy(body)))


def cases(mechanism: Mechanism) -> list[Case]:
    """The cases of the relation between D and D′.

    Raises:
        Wrong: the claim says nothing of one of the inputs, or cannot be read.
    """
    with readable():
        claim, inputs = claimed(mechanism), declared_inputs(mechanism.header)
        return list(_cases(claim, inputs, list(_of_pairs(claim, inputs, mechanism.header))))


# How each input may differ, and all of that together.


def _cases(
    claim: Claimed, inputs: dict[str, Declared], pieces: list[tuple[list[str], str, str]]
) -> Iterator[Case]:
    private = {n: k for n, k in inputs.items() if not k.public}
    ways = [_ways(claim, n, k, inputs) for n, k in private.items()]
    spend(1_000 * math.prod(map(len, ways)))
    together, rows = _together(claim, inputs), [ways]
    if claim.adding:
        # What one record moves as it goes or comes, it moves in one direction.  A third way of
        # an input is to stay as it is.
        both = range(min(2, max(map(len, ways), default=1)))
        rows = [[[w[min(k, len(w) - 1)], *w[2:]] for w in ways] for k in both]
    chosen = [c for beside in zip(*(product(*r) for r in rows), strict=True) for c in beside]
    for k, case in enumerate(chosen):
        name = f"case {k + 1}" if len(chosen) > 1 else ""
        if name and claim.adding:
            more = f", {k // 2 + 1}" if k > 1 else ""
            name = f"a record is {('removed', 'added')[k % 2]}{more}"
        facts = [*(fact for _, told in case for fact in told), *together]
        texts = {
            n: (*told, *_always(n, private[n])) for n, (told, _) in zip(private, case, strict=True)
        }
        for j, (when, budget, distance) in enumerate(pieces, start=1):
            full = f"{name} budget {j}".strip() if len(pieces) > 1 else name
            yield Case(full, (*facts, *when), texts, budget, distance)


def _ways(claim: Claimed, name: str, kind: Declared, inputs: dict[str, Declared]) -> list[Way]:
    (q, move), fields = value_at(name, kind), kind.fields
    match kind.word, claim.word:
        case "answers" | "counts" | "windows" | "value" | "secret", "Related":
            return [([f"{q} - {move}", *(_rule(claim, inputs) if kind.array else [])], [])]
        case "answers", word if word not in OF_PAIRS:
            most = fields["sensitivity"]
            least = f"-{most}" if isinstance(most, str) else number_text(-most)
            falls, rises = ("0", number_text(most)), (least, "0")
            ways = {"decreasing": [falls, rises], "increasing": [rises, falls]}.get(
                fields["direction"], [(least, number_text(most))]
            )
            if claim.policy and claim.policy[0] < claim.policy[1]:
                ways = ways[:1]  # else D′ and D are neighbours, too
            alone = kind.array and fields["differing"] == "one"
            moving = [moved(name, kind, *way, "one" if alone else "all") for way in ways]
            norm = fields["differing"] if kind.array else ""
            return [in_norm(name, kind, one) for one in moving] if norm in NORMS else moving
        case "records", "ADP" | "DP" | "OneSidedDP":
            told = _kept(claim, f"before({name})[any]", f"after({name})[any]")
            words = ["removed", "added"] if claim.adding else ["replaced"]
            # Beside other inputs a data set may be the same in both, as an empty one is.
            beside = sum(not k.public for k in inputs.values()) > 1
            found = [[word, *told] for word in words] + ([["same"]] if beside else [])
            return [(texts, []) for texts in found]
        case "counts" | "windows", "ADP" | "DP" | "OneSidedDP":
            private = [k.word for k in inputs.values() if not k.public]
            if claim.word == "OneSidedDP" and claim.policy and (kind.array or len(private) > 1):
                # Any other attribute of the record may be the sensitive one, and all may change,
                # also when it came.
                if "value" in private or "records" in private:
                    raise Wrong(f"{name}: what else is of the record is not said")
                free = (claim.policy[1], claim.policy[1])
                claim = claim._replace(policy=None if kind.word == "windows" else free)
            return [moved(name, kind, *move) for move in _moves(claim, kind)]
        case "value", word if not claim.adding and (
            word in ("DP", *LOCAL) or (claim.policy and kind.whole)
        ):
            return [_of_user(claim, name, kind)]
        case "secret", word if word in LOCAL and not kind.array:
            return [([f"{q} - {move}"], [])]
    raise Wrong(f"{name}: such an input has no neighbours under {claim.word}")


def _always(name: str, kind: Declared) -> list[str]:
    """What an input is, in D and in D′."""
    sides = [q := value_at(name, kind)[0], f"other({q})"]
    if kind.word in ("counts", "windows"):
        return [f"{side} >= 0" for side in sides]
    return [f for side in sides for f in _in_range(side, kind)] if kind.word == "value" else []


def _in_range(text: str, kind: Declared) -> list[str]:
    return between(text, number_text(kind.fields["low"]), number_text(kind.fields["high"]))


def _moves(claim: Claimed, kind: Declared) -> list[tuple[str, str, str]]:
    """How far counts move, and where, case by case: from what a record does to three of them.

    What relates two whole records relates their parts at any three attributes as well.  Of the
    values of an attribute it only matters whether they are counted, sensitive, and marked: of a
    one-hot record one attribute is marked at most.
    """
    counted = kind.fields.get("counted", ONES["counted"])
    marked, hot = min(counted), kind.fields.get("one_hot") is True
    free = frozenset({*counted, Fraction(0), Fraction(1), max(counted) + 1})
    sensitive, universe = claim.policy or (free, free)
    if not counted <= universe:
        raise Wrong("a counted value is not in the universe")
    some = {(v in counted, v in sensitive, v == marked): v for v in universe}.values()
    triples: set[tuple[int, ...]] = set()
    for left, right in [(1, 0), (0, 1)] if claim.adding else [(1, 1)]:
        single = {
            (b == marked, a == marked, left * (b in counted) - right * (a in counted))
            for b, a in product(some, repeat=2)
            if claim.adding or b in sensitive or a == b
        }
        for before, after, moves in (zip(*t, strict=True) for t in product(single, repeat=3)):
            if not hot or (sum(before) <= 1 and sum(after) <= 1):
                triples.add(moves)
    low, high = (far((m for t in triples for m in t), default=0) for far in (min, max))
    apart = any(a == -b != 0 for a, b, _ in triples)
    where = "all" if any(a == b != 0 for a, b, _ in triples) else "two" if apart else "one"
    if kind.word == "windows":
        # A record that takes another one's place may come at another time; when it came is public
        # where only its sensitive values change.
        apart = claim.word != "ADP" and not claim.adding
        where = "two" if apart else "one"
    where = where if kind.array else "all"
    split = [(0, high), (low, 0)] if low < 0 < high and not apart else [(low, high)]
    return [(str(a), str(b), where) for a, b in split]


def _of_user(claim: Claimed, name: str, kind: Declared) -> Way:
    """A user's value; of many users', that of one differs."""
    low, high = kind.fields["low"], kind.fields["high"]
    left, right = _sides(name, kind)
    kept = _kept(claim, left, right)
    if claim.policy is not None:
        inside = sum(low <= v <= high for v in claim.policy[1])
        if inside != math.floor(high) - math.ceil(low) + 1:
            raise Wrong(f"{name}: the universe does not have all values of its range")
    q, move = value_at(name, kind)
    if not kind.array:
        return [f"{q} - {move}"], kept
    facts = [*_in_range(left, kind), *_in_range(right, kind)]
    if isinstance(low, str) or isinstance(high, str):
        may_be_empty = True
    else:
        may_be_empty = math.floor(high) < math.ceil(low) if kind.whole else high < low
    if may_be_empty:
        # In a range that may be empty nobody has a value, but others may differ.
        facts = [f"len({name}) == 0 or {fact}" for fact in facts]
    place = f"place1({name})"
    value = f"{q} - (change1({name}) if any == {place} else 0)"
    return [value, f"any != {place} or {q} == {left}"], [f"{place} >= 0", *facts, *kept]


def _sides(name: str, kind: Declared) -> tuple[str, str]:
    """The value of the one user who differs, in D and in D′."""
    if kind.array:
        return f"value1({name})", f"value1({name}) - change1({name})"
    return name, f"other({name})"


def _kept(claim: Claimed, before: str, after: str) -> list[str]:
    """How a value changes along a policy: one that is not sensitive stays as it is.

    Unless the whole record changes with a sensitive one, of which ``_together`` speaks.
    """
    if claim.policy is None:
        return []
    sensitive, universe = claim.policy
    told = [" or ".join(_among(value, universe)) for value in (before, after)]
    same = " or ".join([*_among(before, sensitive), f"{before} == {after}"])
    return told if claim.word == "OneSidedDP" else [*told, same]


def _among(text: str, members: Iterable[Fraction]) -> list[str]:
    return [f"{text} == {v}" for v in sorted(members)]


def _together(claim: Claimed, inputs: dict[str, Declared]) -> list[str]:
    """What is known of several inputs at once."""
    private = {n: k for n, k in inputs.items() if not k.public}
    if claim.word == "Related":
        return [] if any(k.array for k in private.values()) else _rule(claim, inputs)
    users = [n for n, k in private.items() if k.word == "value"]
    rows = [n for n in users if private[n].array]
    facts = [f"place1({rows[0]}) == place1({n})" for n in rows[1:]]  # they are of the same users
    if claim.word == "OneSidedDP" and claim.policy:
        pairs = [_sides(n, private[n]) for n in users]
        for n, k in private.items():
            for j in range(int(k.fields.get("attributes", 0))):
                pairs.append((f"before({n})[{j}]", f"after({n})[{j}]"))
        some = [word for before, _ in pairs for word in _among(before, claim.policy[0])]
        same = " and ".join(f"{before} == {after}" for before, after in pairs)
        facts += [" or ".join([*some, same])] if pairs else []
    return facts


def _rule(claim: Claimed, inputs: dict[str, Declared]) -> list[str]:
    """What a rule says of all inputs, of sequences at any one index."""
    at = {n: value_at(n, k)[0] for n, k in inputs.items() if not (k.public and k.array)}
    across = {n: q if inputs[n].public else f"other({q})" for n, q in at.items()}
    rule, defined = applied(claim.function, at, across)
    return [*defined, ast.unparse(rule)]


def _of_pairs(
    claim: Claimed, inputs: dict[str, Declared], header: Header
) -> Iterator[tuple[list[str], str, str]]:
    """What a definition says of a pair of values, in pieces with one budget each."""
    if claim.word not in OF_PAIRS:
        yield [], "", ""
        return
    scalars = {n: k for n, k in inputs.items() if not (k.public and k.array)}
    sides = {n: (n, n) if k.public else _sides(n, k) for n, k in scalars.items()}
    one, two = ({n: pair[k] for n, pair in sides.items()} for k in (0, 1))
    single = claim.word == "InputDiscriminativeLDP"
    first, defined = applied(claim.function, one, {} if single else two)
    if claim.word == "DPrivacy":
        yield defined, mechanism_budget(header), ast.unparse(first)
        return
    if claim.word != "ContextAwareLDP":
        second, also = applied(claim.function, two, {} if single else one)
        defined += also
        if claim.word == "Blowfish":
            yield [*defined, ast.unparse(ast.BoolOp(ast.Or(), [first, second]))], "", ""
            return
        first = ast.IfExp(ast.Compare(first, [ast.Gt()], [second]), second, first)
    for tests, budget in pieces_of(first):
        names = {n.id for n in ast.walk(budget) if isinstance(n, ast.Name)}
        if any(not k.public for n, k in inputs.items() if n in names):
            raise Wrong("the budget of a pair is no choice among public ones")
        yield [*defined, *map(ast.unparse, tests)], ast.unparse(budget), ""
