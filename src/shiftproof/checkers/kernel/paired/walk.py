"""Every path through a mechanism between two loop heads, in two runs in step.

Whatever the theorem asks of a step is owed, and then known (docs/theory.md).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from ..arithmetic import (
    FALSE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    either,
    scaled,
    spend,
    times,
)
from ..claim.declared import declared_delta, is_symmetric, is_zcdp, output_rules
from ..claim.policies import Case, Kind, claimed_delta
from ..language.steps import (
    Assign,
    Branch,
    Called,
    Draw,
    End,
    Ensure,
    Head,
    Make,
    Mechanism,
    Node,
    Pick,
    Release,
    Store,
    evaluated,
)
from ..language.syntax import expression
from .calls import call
from .concentrated import HALF, check_shifts
from .draws import draw
from .elements import drop_list
from .expressions import Meaningless, Num
from .gaps import gaps_of
from .given_up import owe_amount
from .heads import LoopHead, kind_of
from .lists import foretell, fulfil, make, pick, reading, run_both, settle, store
from .powers import of_same_sign, squared
from .runs import Ask, Run, State, same_value
from .sides import Ensured, Public, Rate, Said, Side, assume_given, claimed_budget

#: The most steps of one walk, and heads of one part.
MOST_STEPS, MOST_HEADS = 20_000, 100
#: The case of a proof that answers are never wrong: D′ is D.
ONE_SIDED = "one-sided claims"


class Part:
    """The proof of one case: the shifts, what holds at loop heads, and a bound for each rate.

    ``part`` is as it stands in the certificate; what of it is not as it should be is found out
    where it is used.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        kinds: dict[str, Kind],
        case: Case,
        part: dict[str, Any],
        ask: Ask,
        runs: type[Run] = Run,
    ) -> None:
        alone = case.name == ONE_SIDED
        self.mechanism, self.case = mechanism, case
        self.shifts: list[str] = part.get("shifts", [])
        self.costs: dict[str, str] = part.get("costs", {})
        self.run = runs(mechanism, kinds, case, ask, alone)
        self.pure: str = part.get("pure", "")
        self.rho: str = part.get("rho", "")
        self.tail: str = part.get("tail", "")
        self.run.zcdp = bool(self.rho) or (self.run.zcdp and not self.pure)
        alike = part.get("alike", [])
        if not isinstance(alike, list | tuple) or not all(type(name) is str for name in alike):
            raise Wrong("the lists that are alike are no list of names")
        self.alike = frozenset(alike)
        self.ensures = set(part.get("ensures", ())) if alone else set()
        self.heads = [LoopHead(self.run, head, self.costs) for head in part.get("heads", [])]
        self._steps = 0

    def check(self) -> int:
        """Walk from the start and from every head; the number of questions.

        Raises:
            Wrong: something is owed, and not shown.
        """
        run = self.run
        self._assume_common()
        alone = self.case.name == ONE_SIDED
        if len(self.heads) > MOST_HEADS or (alone and (self.shifts or self.costs)):
            raise Wrong("too many heads, or shifts where nothing is shifted")
        still = "False" if alone else "0"
        texts = [still] * self.mechanism.sites if alone else self.shifts
        if len(texts) != self.mechanism.sites:
            raise Wrong(f"{len(texts)} shifts for {self.mechanism.sites} draws")
        run.shifts = [expression(text) for text in texts]
        if alone:
            for node in self.mechanism.nodes:
                if isinstance(node, Draw) and node.law != "Bernoulli":
                    run.shifts[node.site] = expression("0")
        else:
            if run.zcdp:
                check_shifts(run)
            self._owe_budget()
            run.gaps = gaps_of(run)
            run.alike = self.alike - ({run.gaps.array} if run.gaps else set())
        start = State(self.mechanism.start, len(run.rates))
        foretell(run, start)
        self._explore([start])
        for head in self.heads:
            state, node = head.start(), self.mechanism.nodes[head.at]
            assert isinstance(node, Head)
            run.line = node.line
            self._explore(self._in_step(state, node.test, node.body, node.exit))
        return run.questions

    def _assume_common(self) -> None:
        """What holds throughout: what is given, and where the witnesses are."""
        run, q = self.run, self.run.unknowns
        assume_given(run)
        if any(isinstance(n, Make | Store | Pick) for n in self.mechanism.nodes):
            *places, first, second = run.tracked
            for index in (first, second, run.index("picks()")):
                run.assume(q.compare(">=", index))
            run.assume(run.apart(first, second))
            for place in places:
                for witness in (first, second):
                    run.assume(run.apart(witness, place))

    def _owe_budget(self) -> None:
        """Rates are not negative, and their bounds together are within the budget of the pair."""
        run, said = self.run, Said(self.run)
        nowhere, total = State(0, 0), ZERO
        if output_rules(self.mechanism.header):
            raise Wrong("an alignment does not tell which values have outputs not protected")
        claimed, distance = claimed_budget(run, self.case, nowhere)
        delta = said.number(expression(claimed_delta(self.mechanism.header))).term
        if self.rho:
            claimed, delta = self._rho_budget(claimed, delta), ZERO
        if self.pure:
            claimed = self._pure_budget(claimed)
        given_up = ZERO
        for rate_text, bound_text in self.costs.items():
            e, bound = expression(rate_text), said.number(expression(bound_text)).term
            match e:
                case ast.Call(func=ast.Name(id="given_up"), args=[e], keywords=[]):
                    run.of_delta.append(True)
                case _:
                    run.of_delta.append(False)
                    bound = times(bound, distance)
            rate = Rate(run).number(e).term
            least = self._is_most(rate, ZERO)
            run.owe(nowhere, least, "cost", f"{rate_text} is not negative")
            run.rates.append(rate)
            run.bounds.append(bound)
            if run.of_delta[-1]:
                given_up = add(given_up, times(bound, rate))
            else:
                total = add(total, times(bound, rate))
        claim = self._is_most(times(claimed, distance), total)
        run.owe(nowhere, claim, "cost", "the shifts cost at most the budget")
        left = of_same_sign(said, add(delta, given_up, -1))
        owe_amount(run, nowhere, left, "at most δ is given up")

    def _pure_budget(self, rho: Polynomial) -> Polynomial:
        """An ε of which the claimed ρ follows: D_α is at most ε, and α ε² / 2 if it is both ways.

        Both directions are parts of one certificate, with one ε.
        """
        run, nowhere, header = self.run, State(0, 0), self.mechanism.header
        if not is_zcdp(header):
            raise Wrong("an ε from which ρ is to follow, where none is claimed")
        said = Public(run)
        epsilon = said.number(expression(self.pure)).term
        run.owe(nowhere, self._is_most(epsilon, ZERO), "cost", f"{self.pure} is not negative")
        enough = [self._is_most(rho, epsilon)]
        if is_symmetric(header):
            enough.append(self._is_most(rho, scaled(squared(said, epsilon), HALF)))
        run.owe(nowhere, either(enough), "cost", "ρ follows from ε")
        return epsilon

    def _rho_budget(self, epsilon: Polynomial, delta: Polynomial) -> Polynomial:
        """A ρ of which the claimed ε and δ follow: δ is at least e^-t, and 4 ρ t at most (ε - ρ)².

        Nothing of δ is left.  Source: Bun and Steinke, "Concentrated differential privacy"
        (TCC 2016), Lemma 3.5.
        """
        run, nowhere = self.run, State(0, 0)
        if self.pure or not declared_delta(self.mechanism.header):
            raise Wrong("a ρ from which a δ is to follow, where none is claimed")
        said = Public(run)
        rho, tail = (said.number(expression(text)).term for text in (self.rho, self.tail))
        run.owe(nowhere, self._is_most(rho, ZERO), "cost", f"{self.rho} is not negative")
        run.owe(nowhere, self._is_most(epsilon, rho), "cost", "ρ is at most ε")
        left = squared(said, add(epsilon, rho, -1))
        enough = self._is_most(left, scaled(times(rho, tail), 4))
        run.owe(nowhere, enough, "cost", "ε follows from ρ and the tail")
        beyond = said.exponential(scaled(tail, -1))
        run.owe(nowhere, self._is_most(delta, beyond), "cost", "the tail is within δ")
        return rho

    def _is_most(self, most: Polynomial, amount: Polynomial) -> Condition:
        """That one amount of parameters is at most another one."""
        return self.run.unknowns.at_least(most, amount)

    def _explore(self, waiting: Iterable[State]) -> None:
        stack = list(waiting)
        while stack:
            self._steps += 1
            spend(1_000)
            if self._steps > MOST_STEPS:
                raise Wrong(f"more than {MOST_STEPS} steps between loop heads")
            stack.extend(self._steps_from(stack.pop()))

    def _steps_from(self, state: State) -> list[State]:
        """What one step leads to; where it has no meaning, that no run comes there is owed."""
        node = self.mechanism.nodes[state.at]
        self.run.line = node.line
        before = state.copy()
        try:
            reads = evaluated(node)
            if isinstance(node, Draw):
                reads = (*reads, self.run.shifts[node.site])
            return [
                after
                for fork in reading(self.run, state, reads)
                for after in self._step(fork, node)
            ]
        except Meaningless as error:
            self.run.show(before, FALSE, f"same samples: {error}")
            return []

    def _step(self, state: State, node: Node) -> Iterable[State]:
        run = self.run
        match node:
            case Assign():
                pairs = [run_both(run, state, e) for e in node.values]
                for target, (left, right) in zip(node.targets, pairs, strict=True):
                    drop_list(run, state, target)
                    state.put(target, left, right)
                return [_to(state, node.after)]
            case Draw():
                forks = list(settle(run, state, run.shifts[node.site]))
                return [_to(fork, node.after) for fork in forks if draw(run, fork, node)]
            case Make():
                make(run, state, node)
                return [_to(state, node.after)]
            case Store():
                return [_to(fork, node.after) for fork in store(run, state, node)]
            case Pick():
                return [_to(fork, node.after) for fork in pick(run, state, node)]
            case Called():
                call(run, state, node)
                # It may never return, and what was released so far can be seen.
                self._ends(state)
                return [_to(state, node.after)]
            case Ensure():
                self._ensure(state, node)
                return [_to(state, node.after)]
            case Branch(join=None):
                return self._in_step(state, node.test, node.yes, node.no)
            case Branch():
                return self._apart(state, node)
            case Release():
                self._release(state, node)
                return [_to(state, node.after)]
            case Head():
                self._arrive(state, node)
            case End():
                self._ends(state)
        return []

    def _ensure(self, state: State, node: Ensure) -> None:
        if node.line in self.ensures:
            claim = Ensured(self.run, state, False).condition(node.claim)
            owed = self.run.witnessed(state, claim)
            self.run.show(state, owed, "one-sided claim: what is ensured is so")
        # Not before: of one run, that it has a meaning is known from here on, and not shown.
        run_both(self.run, state, node.claim)

    def _release(self, state: State, node: Release) -> None:
        run, values = self.run, []
        for e in node.values:
            left, right = run_both(run, state, e)
            if isinstance(left, Num) and left.kind == "either":
                raise Meaningless("a release that is an int or a float, as the case may be")
            if isinstance(left, Num) and left.kind == "int":
                fulfil(run, state, left.term)
            run.owe(
                state, same_value(run, left, right), "same output", "the released values are equal"
            )
            values.append(kind_of(left))
        results = self.mechanism.header.results
        if results is not None and tuple(values) != results:
            run.owe(state, FALSE, "same output", f"the results are of the kinds {results}")

    def _in_step(self, state: State, test: ast.expr, yes: int, no: int) -> Iterator[State]:
        """A branch that decides what is sampled or released: both runs take the same way."""
        run = self.run
        left, right = (Side(run, state, side).condition(test) for side in (False, True))
        for fork, value in list(run.forks(state, left)):
            claim = right if value else run.unknowns.negated(right)
            run.owe(fork, claim, "same samples", "both runs take the same branch")
            yield _to(fork, yes if value else no)

    def _apart(self, state: State, node: Branch) -> Iterator[State]:
        """A branch that only computes: each run takes its own way to where they meet."""
        run, join = self.run, node.join
        assert join is not None
        left, right = (Side(run, state, side).condition(node.test) for side in (False, True))
        for here, on_left in list(run.forks(state, left)):
            for fork, on_right in list(run.forks(here, right)):
                ways = [node.yes if value else node.no for value in (on_left, on_right)]
                if ways[0] == ways[1]:
                    yield _to(fork, ways[0])
                    continue
                for one in list(self._alone(fork, False, ways[0], join)):
                    for both in list(self._alone(one, True, ways[1], join)):
                        yield _to(both, join)

    def _alone(self, state: State, right: bool, at: int, join: int) -> Iterator[State]:
        """One run alone through an arm that only computes."""
        waiting = [(state.copy(), at)]
        while waiting:
            here, k = waiting.pop()
            node = self.mechanism.nodes[k]
            if k == join:
                yield here
            elif isinstance(node, Assign):
                if any(f"len({name})" in here.left for name in node.targets):
                    raise Meaningless("a list becomes a number in one of the runs")
                values = [Side(self.run, here, right).value(e) for e in node.values]
                held = here.right if right else here.left
                held.update(zip(node.targets, values, strict=True))
                waiting.append((here, node.after))
            else:
                assert isinstance(node, Branch)
                test = Side(self.run, here, right).condition(node.test)
                for fork, value in list(self.run.forks(here, test)):
                    waiting.append((fork, node.yes if value else node.no))

    def _ends(self, state: State) -> None:
        """A moment at which a run may be looked at: no rate has cost more than its bound."""
        if self.run.alone:
            return  # nothing is shifted, and nothing of D′ is claimed
        for rate, bound, spent in zip(self.costs, self.run.bounds, state.costs, strict=True):
            claim = self.run.unknowns.at_least(bound, spent)
            self.run.owe(state, claim, "cost", f"the shifts cost at most their bound in {rate}")

    def _arrive(self, state: State, node: Head) -> None:
        """Both runs come to a loop head: it is one of the certificate's."""
        if not node.counted:
            # A loop that may go on for ever stays within the budget all the way.
            self._ends(state)
        fitting = next((head for head in self.heads if head.fits(state)), None)
        if fitting is not None:
            fitting.owe(state)
        else:
            why = "same samples: no run comes to this loop in a shape that the certificate lacks"
            self.run.show(state, FALSE, why)


def _to(state: State, node: int) -> State:
    state.at = node
    return state
