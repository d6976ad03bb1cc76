"""A branch of a recording that D' may take either way, as the unknown shifts decide.

On D everything is known.  On D' both arms are run, and each variable becomes "this if the
test holds, else that"; the value gets a name, so that what is built on it stays small.
"""

from __future__ import annotations

from ..dsl.evaluate import Evaluator
from ..dsl.flow import AssignNode, BranchNode
from ..dsl.formulas import Formula, choice, conjunction, disjunction, iff, implies, negation
from ..dsl.terms import Symbol, term
from ..dsl.values import Num, Value, joined_kind
from .obligations import Condition, Reason
from .paths import Path
from .run import Run


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
