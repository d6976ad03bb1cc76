"""A call of another mechanism in two runs: what its claim asks, what it gives, what it costs.

The claim has a certificate of its own.  By it the callee's answers are, up to its budget, as likely
on D′ as on D: so both runs go on with the same answers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    both,
    either,
    scaled,
    times,
)
from ..claim.declared import is_symmetric, is_zcdp, neighbours_of
from ..claim.policies import Case, Kind, cases, claimed_delta, kinds, mechanism_budget
from ..language.steps import Called, Header
from ..language.syntax import expression, shown
from .concentrated import HALF
from .elements import drop_list
from .expressions import Meaningless, Num, Value
from .given_up import give_up
from .heads import mark_of
from .runs import Run, State
from .sides import PRESENT, Given, Side

#: What stands for the differing record and its values; in a callee's case they are of its inputs.
_OF_ONE_PAIR = re.compile(
    r"\b(place1|place2|change1|change2|value1|before|after|moved_before)\((\w+)\)"
)


class _Arguments(Given):
    """The parameters of a callee: its scalars on both sides, and sequences that were passed on."""

    def __init__(
        self, caller: Side, left: dict[str, Num], right: dict[str, Num], passed: dict[str, str]
    ) -> None:
        super().__init__(caller.run)
        self._caller, self._sides, self._passed = caller, (left, right), passed
        self._right = False

    def variable(self, name: str) -> Value:
        if name in self._sides[0]:
            return self._sides[self._right][name]
        raise Meaningless(f"{name!r} is no scalar argument")

    def cell(self, array: str, index: Polynomial) -> Value:
        return self._caller.cell(self._passed.get(array, ""), index)

    def length(self, array: str) -> Polynomial:
        return self._caller.length(self._passed.get(array, ""))

    def word(self, word: str, e: ast.Call) -> Value:
        match word, e.args:
            case "other", [inner]:
                self._right = not self._right
                value = self.value(inner)
                self._right = not self._right
                return value
            case "move", [ast.Name(id=name)] if name in self._sides[0]:
                left, right = (side[name].term for side in self._sides)
                return Num(add(left, right, -1), "float")
        return super().word(word, e)

    def owe(self, claim: Condition, why: str) -> None:
        self._caller.owe(claim, why)

    def define(self, fact: Condition) -> None:
        self._caller.define(fact)


def call(run: Run, state: State, node: Called) -> None:
    """One call, of whatever the callee's head declares."""
    head = run.mechanism.called[node.callee]
    own = kinds(head)
    if neighbours_of(head) != neighbours_of(run.mechanism.header):
        raise Wrong(f"line {node.line}: {head.name} has another claim")
    if len(node.arguments) != len(own):
        raise Wrong(f"line {node.line}: {head.name} takes {len(own)} arguments")
    passed, left, right = _read(run, state, node, own)
    # A name of the callee in those of the caller; an argument that is no input has none.
    names = {
        name: e.id if isinstance(e, ast.Name) and e.id in run.kinds else ""
        for name, e in zip(own, node.arguments, strict=True)
    }
    q = run.unknowns
    for name in left:
        if own[name].public:
            claim = q.equal(left[name].term, right[name].term)
            run.owe(state, claim, "same samples", f"both runs give the same {name} to {head.name}")
    relations = cases(run.mechanism._replace(header=head))
    for side, values in ((False, left), (True, right)):
        _owe_declared(run, Side(run, state, side), head, own, relations[0], values, passed)
    same = _nothing_differs(run, own, left, right, passed)
    arguments = _Arguments(Side(run, state, False), left, right, passed)
    related = either(_related(run, arguments, own, case, passed, names) for case in relations)
    why = f"the private arguments of {head.name} are its neighbours"
    run.owe(state, either((same, related)), "preconditions and positivity", why)
    _charge(run, state, head, relations, arguments, run.settled(state, same))
    _bind(run, state, node, head)


def _read(
    run: Run, state: State, node: Called, own: dict[str, Kind]
) -> tuple[dict[str, str], dict[str, Num], dict[str, Num]]:
    """The arguments: inputs that are passed on, and numbers in both runs."""
    passed: dict[str, str] = {}
    left: dict[str, Num] = {}
    right: dict[str, Num] = {}
    for (name, kind), e in zip(own.items(), node.arguments, strict=True):
        if kind.array or kind.attributes:
            given = run.kinds.get(e.id) if isinstance(e, ast.Name) else None
            if given is None or given[:4] != kind[:4]:
                raise Meaningless(f"{shown(e)!r} is no sequence of the kind of {name}")
            passed[name] = ast.unparse(e)
            continue
        for side, values in ((False, left), (True, right)):
            values[name] = Side(run, state, side).number(e)
            if kind.whole and values[name].kind != "int":
                raise Meaningless(f"{shown(e)!r} is no int, which {name} has to be")
    return passed, left, right


def _owe_declared(
    run: Run,
    caller: Side,
    head: Header,
    own: dict[str, Kind],
    case: Case,
    values: dict[str, Num],
    passed: dict[str, str],
) -> None:
    """One run meets the callee's preconditions, and what the kinds of its parameters ask."""
    given = _Arguments(caller, values, values, passed)
    alone = [e for n in values if not own[n].public for e in map(expression, case.inputs[n][1:])]
    asked = [e for e in alone if not any(isinstance(part, ast.Call) for part in ast.walk(e))]
    asked += [expression(text) for kind in own.values() for text in kind.facts]
    for e in (*asked, *head.asserts):
        claim = given.condition(e)
        run.owe(caller.state, claim, "preconditions and positivity", f"{head.name}: {shown(e)}")


def _nothing_differs(
    run: Run,
    own: dict[str, Kind],
    left: dict[str, Num],
    right: dict[str, Num],
    passed: dict[str, str],
) -> Condition:
    for name, given in passed.items():
        if not own[name].public and not run.relation.stays(given):
            return FALSE
    return both(run.unknowns.equal(left[n].term, right[n].term) for n in left if not own[n].public)


def _related(
    run: Run,
    arguments: _Arguments,
    own: dict[str, Kind],
    case: Case,
    passed: dict[str, str],
    names: dict[str, str],
) -> Condition:
    """Whether the arguments are a pair of which the callee's proof of a case speaks."""
    for name, given in passed.items():
        if not own[name].public:
            here = [ast.dump(e) for e in run.relation.inputs[given]]
            if here != [_renamed(text, names) for text in case.inputs[name]]:
                return FALSE
    known = {ast.dump(e) for e in run.relation.facts}
    found = []
    for text in case.facts:
        of = {name for _, name in _OF_ONE_PAIR.findall(text)}
        if of & passed.keys():
            if _renamed(text, names) not in known:
                return FALSE
        else:
            found.append(arguments.condition(expression(text)))
    for name, texts in case.inputs.items():
        if name not in passed:
            moved, there = arguments.number(expression(texts[0])), expression(f"other({name})")
            found.append(run.unknowns.equal(moved.term, arguments.number(there).term))
            found += [arguments.condition(expression(text)) for text in texts[1:]]
    return both(found)


def _renamed(text: str, names: dict[str, str]) -> str:
    """A text of the callee in the caller's names; its words stay, also if inputs are called so."""
    e = expression(text)
    words = {id(part.func) for part in ast.walk(e) if isinstance(part, ast.Call)}
    for part in ast.walk(e) if text not in PRESENT else ():
        if isinstance(part, ast.Name) and part.id in names and id(part) not in words:
            part.id = names[part.id]
    return ast.dump(e)


def _charge(
    run: Run,
    state: State,
    head: Header,
    relations: list[Case],
    arguments: _Arguments,
    same: Condition,
) -> None:
    """The callee's budget for these arguments, unless none of the private ones differs."""
    if any(case.budget and not case.distance for case in relations):
        raise Wrong(f"{head.name}: a budget that depends on the pair cannot be called")
    rate = arguments.number(expression(mechanism_budget(head))).term
    claim, why = run.unknowns.compare(">=", rate), f"the budget of {head.name} is not negative"
    run.owe(state, claim, "cost", why)
    distance = ONE
    if relations[0].distance:
        distance = arguments.number(expression(relations[0].distance)).term
    if is_zcdp(head) and not run.zcdp:
        raise Wrong(f"{head.name}: of a claim of ρ no ε is known")
    if run.zcdp and not is_zcdp(head) and is_symmetric(head):
        rate = scaled(times(rate, rate), HALF)  # an ε both ways
    if rate and same != TRUE:
        amount = Side(run, state, False).choice(same, ZERO, distance)
        run.charge(state, amount, rate)
    delta = arguments.number(expression(claimed_delta(head))).term
    claim, why = run.unknowns.compare(">=", delta), f"the δ of {head.name} is not negative"
    run.owe(state, claim, "cost", why)
    if delta and same != TRUE:
        give_up(run, state, run.unknowns.negated(same), delta)


def _bind(run: Run, state: State, node: Called, head: Header) -> None:
    """Both runs have the same results, about which nothing is known but their kinds."""
    if node.targets is None:
        return
    if head.results is None or len(head.results) != len(node.targets):
        raise Wrong(f"line {node.line}: {head.name} gives other results")
    for target, value in zip(node.targets, _results(run, head), strict=True):
        drop_list(run, state, target)
        state.put(target, value)


def _results(run: Run, head: Header) -> Iterator[Value]:
    for kind in head.results or ():
        found = run.unknowns.fresh(head.name, kind == "int")
        if kind in ("int", "float"):
            yield Num(found, kind)
        elif kind == "bool":
            yield ("?", found[0][0][0], True)
        else:
            yield mark_of(kind)
