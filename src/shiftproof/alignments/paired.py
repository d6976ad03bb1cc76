"""The paired run: a mechanism on D and, in step with it, on D' under an alignment.

Every use of one of the eight conditions is reported to an observer and then taken as
a fact.  The same walk serves the proof (symbols, cut at loop heads), the bounded
proof (symbols, unrolled), the search (a recording, with unknown shifts) and the
replay (a recording, nothing unknown).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..dsl.errors import LimitReached
from ..dsl.language.evaluate import Evaluator
from ..dsl.language.flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ListNode,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ..dsl.language.syntax import Expression, Span
from ..dsl.relations.program import Program
from ..dsl.terms.allowance import spend
from ..dsl.terms.formulas import (
    Choice,
    Formula,
    choice,
    conjunction,
    disjunction,
    first_choice,
    iff,
    implies,
    negation,
)
from ..dsl.terms.linear import Symbol, term
from ..dsl.terms.values import Num, Value, joined_kind, same_value
from .alignment import Condition, Reason
from .calls import call_step
from .draws import take_sample
from .inputs import Inputs
from .lists import list_step, tracked_forks
from .paths import Path
from .prophecy import begin, fulfil, settle
from .run import Observer, Run

#: How many paths one exploration may have.
PATH_LIMIT = 4_000
#: The work of one step, in the units of an allowance.
STEP_WORK = 500


class PairedRun(Run):
    """Walks a program's paths.

    Args:
        shifts: the alignment, an expression for each sample site.
        cut: report loop heads to the observer instead of going on.
        split: follow both outcomes of what is not decided; off for recordings, where
            everything on D is decided and only the shifts may be unknown.
        steps: how many nodes to visit at most.
        label: tells the names of one recording from those of another.
        one_sided: report what the program claims of its answers, too.
    """

    def __init__(
        self,
        program: Program,
        inputs: Inputs,
        shifts: Mapping[int, Expression],
        observer: Observer,
        *,
        cut: bool,
        split: bool = True,
        steps: int = 50 * PATH_LIMIT,
        label: int = 0,
        one_sided: bool = False,
    ) -> None:
        super().__init__(program, inputs, shifts, observer, split, label)
        self._cut = cut
        self._one_sided = one_sided
        self._steps = steps

    def explore(self, start: Path) -> None:
        """Follow every path from here to loop heads and ends.

        A path that stands at the program's start is given its prophecy first.

        Raises:
            Unsupported: a construct has no meaning for the proof.
            LimitReached: there are too many paths.
        """
        if start.node == self.program.flow.start and not start.at_cut:
            begin(self, start)
        stack = [start]
        while stack:
            spend(STEP_WORK)
            self._steps -= 1
            if self._steps < 0 or len(stack) > PATH_LIMIT:
                raise LimitReached("paths", f"more than {PATH_LIMIT} paths between two loop heads")
            stack.extend(self._steps_from(stack.pop()))

    def _steps_from(self, path: Path) -> Iterator[Path]:
        """One step, once it is settled which of the tracked list elements it reads."""
        node = self.program.flow.nodes[path.node]
        reads = expressions_of(node)
        if isinstance(node, SampleNode):
            reads = (*node.step.arguments, self.shifts[node.site])
        for fork in list(tracked_forks(self, path, reads)):
            yield from self._step(fork)

    def _step(self, path: Path) -> Iterable[Path]:
        node = self.program.flow.nodes[path.node]
        match node:
            case AssignNode(step=step, after=after):
                pairs = [self.evaluate(path, e) for e in step.values]
                for target, (left, right) in zip(step.targets, pairs, strict=True):
                    path.left[target], path.right[target] = left, right
                path.node = after
                return self._unfolded(path, step.targets) if self.split else (path,)
            case SampleNode(step=step):
                shift = self.shifts[node.site]
                settled = list(settle(self, path, shift, step.span))
                return (paid for fork in settled for paid in take_sample(self, fork, node))
            case ListNode():
                return list_step(self, path, node)
            case CallNode():
                return call_step(self, path, node)
            case EnsureNode(claim=said, after=after, span=span):
                holds, _ = self.conditions(path, said)
                if self._one_sided:
                    reason = Reason(Condition.ONE_SIDED, "what is said here is true", span)
                    witnessed = self.inputs.elements.witnessed(path, holds)
                    self.observer.owed(path, witnessed, reason)
                path.node = after
                return (path,)
            case BranchNode(join=None):
                return self._in_step(path, node.test, node.yes, node.no, node.span)
            case BranchNode():
                return self._apart(path, node)
            case HeadNode():
                if self._cut and not path.at_cut:
                    self.observer.at_head(path)
                    return ()
                path.at_cut = False
                path.fuel -= 1
                if path.fuel == 0:
                    self.observer.at_head(path)
                    return ()
                return self._in_step(path, node.test, node.body, node.exit, node.span)
            case ReleaseNode(values=values, after=after, span=span):
                for e in values:
                    left, right = self.evaluate(path, e)
                    if isinstance(left, Num) and left.kind == "either":
                        raise self.program.refuse(
                            e.span,
                            "a release that is an int or a float, as the case may be",
                            "write its constants as floats, such as 0.0",
                        )
                    if isinstance(left, Num) and left.kind == "int":
                        fulfil(self, path, left.term)
                    claim = same_value(left, right)
                    self.owe(
                        path,
                        claim,
                        Reason(Condition.SAME_OUTPUT, "the released values are equal", span),
                    )
                    path.outputs.append((span, left, right))
                path.node = after
                return (path,)
            case EndNode(span=span):
                self.observer.at_end(path, span)
        return ()

    def _unfolded(self, path: Path, names: tuple[str, ...]) -> Iterator[Path]:
        """The path with what was just assigned free of choices: one path for each arm.

        before:  left = left - (1 if above else 0)
        after:   left = left - 1 where above, left = left elsewhere
        """
        for values in (path.left, path.right):
            for name in names:
                value = values[name]
                chosen = first_choice(value.term) if isinstance(value, Num) else None
                if chosen is None:
                    continue
                for fork, arm in list(self.forks(path, chosen.test)):
                    _choose(fork, names, chosen, arm)
                    yield from self._unfolded(fork, names)
                return
        yield path

    def _in_step(
        self, path: Path, test: Expression, yes: int, no: int, span: Span
    ) -> Iterator[Path]:
        """A branch that decides what is sampled or released: both runs must agree on it."""
        left, right = self.conditions(path, test)
        for fork, value in list(self.forks(path, left)):
            claim = right if value else negation(right)
            self.owe(
                fork, claim, Reason(Condition.SAME_SAMPLES, "both runs take the same branch", span)
            )
            fork.node = yes if value else no
            yield fork

    def _apart(self, path: Path, node: BranchNode) -> Iterator[Path]:
        """A branch that only computes: each run takes its own arm, and they meet at the join."""
        assert node.join is not None
        left, right = self.conditions(path, node.test)
        merge = not self.split and path.decide(right) is None
        for fork, value in list(self.forks(path, left)):
            if merge:
                arm = node.yes if value else node.no
                for twin in list(self._alone(fork, "left", arm, node.join)):
                    yield merged(self, twin, node, right)
                continue
            for twin, paired in list(self.forks(fork, right)):
                if value == paired:
                    twin.node = node.yes if value else node.no
                    yield twin
                else:
                    arms = (node.yes if value else node.no, node.yes if paired else node.no)
                    for first in list(self._alone(twin, "left", arms[0], node.join)):
                        yield from self._alone(first, "right", arms[1], node.join)

    def _alone(self, path: Path, side: str, node: int, join: int) -> Iterator[Path]:
        """One run alone through an arm that only computes."""
        stack = [path.copy(node)]
        while stack:
            here = stack.pop()
            step = self.program.flow.nodes[here.node]
            if here.node == join:
                yield here
                continue
            view = self.sides(here)[0 if side == "left" else 1]
            evaluator = Evaluator(view)
            if isinstance(step, AssignNode):
                values = [evaluator.value(e) for e in step.step.values]
                self.owe_duties(here, evaluator.duties)
                target = here.left if side == "left" else here.right
                target.update(zip(step.step.targets, values, strict=True))
                here.node = step.after
                stack.append(here)
            else:
                assert isinstance(step, BranchNode) and step.join is not None
                test = evaluator.condition(step.test)
                self.owe_duties(here, evaluator.duties)
                for fork, value in list(self.forks(here, test)):
                    fork.node = step.yes if value else step.no
                    stack.append(fork)


def _choose(path: Path, names: tuple[str, ...], chosen: Choice, yes: bool) -> None:
    """Put one arm of a choice in for it."""
    arm = chosen.yes if yes else chosen.no
    for values in (path.left, path.right):
        for name in names:
            value = values[name]
            if isinstance(value, Num):
                factor = dict(value.term.parts).get(chosen)
                if factor is not None:
                    plain = value.term - term(chosen).scaled(factor) + arm.scaled(factor)
                    values[name] = Num(plain, value.kind)


# A branch of a recording that D' may take either way, as the unknown shifts decide.
#
# On D everything is known.  On D' both arms are run, and each variable becomes "this if the
# test holds, else that"; the value gets a name, so that what is built on it stays small.


def merged(run: Run, path: Path, node: BranchNode, test: Formula) -> Path:
    """The path at the branch's join, with the run on D' through both arms."""
    assert node.join is not None
    yes, no = path.copy(), path.copy()
    _right_alone(run, yes, node.yes, node.join, test)
    _right_alone(run, no, node.no, node.join, negation(test))
    for name in yes.right.keys() | no.right.keys():
        one, another = yes.right.get(name), no.right.get(name)
        if one is None or another is None:
            path.right.pop(name, None)  # not assigned on both ways: never read after the join
        elif one is not another:
            path.right[name] = _either(run, path, node, test, one, another)
    path.node = node.join
    return path


def _right_alone(run: Run, path: Path, at: int, join: int, reached: Formula) -> None:
    """The run on D' through one arm."""
    while at != join:
        node = run.program.flow.nodes[at]
        evaluator = Evaluator(run.sides(path)[1])
        if isinstance(node, AssignNode):
            values = [evaluator.value(e) for e in node.step.values]
            path.right.update(zip(node.step.targets, values, strict=True))
            at = node.after
        else:
            assert isinstance(node, BranchNode) and node.join is not None
            test = evaluator.condition(node.test)
            decided = path.decide(test)
            if decided is None:
                merged(run, path, node, test)
                at = node.join
            else:
                at = node.yes if decided else node.no
        for duty in evaluator.duties:
            reason = Reason(Condition.DEFINEDNESS, duty.reason, duty.span)
            run.owe(path, implies(reached, duty.condition), reason)


def _either(run: Run, path: Path, node: BranchNode, test: Formula, yes: Value, no: Value) -> Value:
    """``yes`` where the test holds, else ``no``."""
    if yes == no:
        return yes
    if isinstance(yes, Num) and isinstance(no, Num):
        kind = joined_kind(yes.kind, no.kind)
        whole = yes.term.integral and no.term.integral
        name = Symbol(f"value {run.label}.{next(run.fresh)}", whole, private=True)
        run.definitions.append((name, choice(test, yes.term, no.term)))
        return Num(term(name), kind)
    if isinstance(yes, Formula) and isinstance(no, Formula):
        return disjunction((conjunction((test, yes)), conjunction((negation(test), no))))
    # Of two types: no shift is worth it that makes the runs part here.
    left = Evaluator(run.sides(path)[0]).condition(node.test)
    reason = Reason(Condition.SAME_SAMPLES, "both runs agree here", node.span)
    run.owe(path, iff(left, test), reason)
    return yes if path.decide(left) else no
