"""The meaning of expressions, with what must hold for them to be defined.

The domain of formulas over terms: on constants it is an exact interpreter, on symbols it is
symbolic execution.  What an operation owes (a divisor that is not zero, an index in range) is owed
only where it is reached; in which order that is, the machine says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import Unsupported
from ..privacy.records import RECORD, attribute, is_of_record
from ..terms.formulas import (
    TRUE,
    Formula,
    Truth,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
    truth,
)
from ..terms.linear import Linear, number
from ..terms.substitution import apply_operation, symbols_of
from ..terms.values import Mark, Num, NumberKind, Value, describe, joined_kind
from .machine import Domain, value
from .syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Capped,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Gaps,
    Label,
    Length,
    Name,
    Negation,
    Other,
    Predictable,
    Span,
    Summed,
    Unless,
    Whole,
)


class Evaluator(Domain[Value]):
    """Evaluates expressions in one run; ``other`` is the paired run, if there is one."""

    def __init__(self, view: View, other: View | None = None) -> None:
        self._view = view
        self._other = other
        self._bound: dict[str, Value] = {}
        self._reached: list[Formula] = []
        self.duties: list[Duty] = []

    def value(self, e: Expression) -> Value:
        """What the expression means here; appends to ``duties``."""
        return value(self, e)

    def condition(self, e: Expression) -> Formula:
        """The expression as a condition; truthiness of other values is refused."""
        return self._condition(e, self.value(e))

    def _condition(self, e: Expression, found: Value) -> Formula:
        if isinstance(found, Formula):
            return found
        raise self._view.refuse(
            e.span,
            f"{describe(found)} is used as a condition",
            "compare it, as in x != 0 or x is None",
        )

    def number(self, e: Expression) -> Num:
        """The expression as a number; Booleans and atoms are refused."""
        return self._number(e, self.value(e))

    def _number(self, e: Expression, found: Value) -> Num:
        if isinstance(found, Num):
            return found
        raise self._view.refuse(
            e.span, f"{describe(found)} is used as a number", "use a number, as in 1 if x else 0"
        )

    def integer(self, e: Expression) -> Linear:
        """The expression as an ``int``; floats are refused, as Python refuses them for indices."""
        return self._integer(e, self.value(e))

    def _integer(self, e: Expression, found: Value) -> Linear:
        number = self._number(e, found)
        if number.kind == "int":
            return number.term
        raise self._view.refuse(
            e.span, f"{describe(number)} stands where an int is needed", "use an int"
        )

    def _owe(self, condition: Formula, reason: str, span: Span) -> None:
        if self._reached:
            condition = implies(conjunction(self._reached), condition)
        if condition != TRUE:
            self.duties.append(Duty(condition, reason, span))

    def _under(self, condition: Formula, evaluate: Callable[[], Value]) -> Value:
        self._reached.append(condition)
        try:
            return evaluate()
        finally:
            self._reached.pop()

    def operation(self, e: Expression, values: Sequence[Value]) -> Value:
        """A term, a formula or an atom; what it owes becomes a duty."""
        match e:
            case Name(name=name) if name in self._bound:
                return self._bound[name]
            case Name(name=name):
                return self._view.variable(name, e.span)
            case Constant(value=constant, kind=kind):
                return Num(number(constant), kind)
            case BooleanConstant(value=flag):
                return truth(flag)
            case Label(value=label):
                return Mark(label)
            case Arithmetic(left=left, right=right):
                one, another = self._number(left, values[0]), self._number(right, values[1])
                return self._arithmetic(e, one, another)
            case Comparison():
                return self._comparison(e, *values)
            case Negation(inner=inner):
                return negation(self._condition(inner, values[0]))
            case Cell(index=index):
                return self._cell(e, self._integer(index, values[0]))
            case Length(array=array):
                return Num(self._view.length(array), "int")
            case Builtin():
                return self._builtin(e, values)
            case Counted(data=data, test=test):
                return self._view.counted(data, self.condition(test))
            case Other(inner=inner):
                return self._in_other_run(inner)
            case Foretold(which=which):
                return self._view.variable(f"{FORETOLD}{which}", e.span)
            case Chosen(item=item):
                return self._view.chosen(self.integer(item), e.span)
            case Gaps() | Summed() | Predictable() | Unless() | Capped():
                said = type(e).__name__.lower()
                raise self._view.refuse(e.span, f"{said}(…) in an expression", "let it be a shift")
            case Whole(array=array):
                raise self._view.refuse(
                    e.span, f"the list '{array}' as the weights of a draw", "write them out"
                )
        raise AssertionError(e)

    def bind(self, name: str, bound: Value) -> None:
        """The value itself: it owes nothing more where it is read."""
        self._bound[name] = bound

    def _cell(self, e: Cell, index: Linear) -> Value:
        if e.array.startswith(RECORD):
            return self._attribute(e, index)
        length = self._view.length(e.array)
        self._owe(at_least(index, number(0)), f"the index of {e.array} is not negative", e.span)
        self._owe(above(length, index), f"the index of {e.array} is below its length", e.span)
        return self._view.cell(e.array, index, e.span)

    def _attribute(self, e: Cell, index: Linear) -> Num:
        """An attribute of the generic record, at an index that is the same for all records."""
        if any(is_of_record(s) for s in symbols_of(index)):
            raise self._view.refuse(
                e.span,
                "an attribute at an index that the record itself tells",
                "write the attributes out, as in r[1] if r[0] == 1 else r[2]",
            )
        length = number(self._view.attributes(e.array.removeprefix(RECORD)))
        self._owe(at_least(index, number(0)), "the attribute's index is not negative", e.span)
        self._owe(above(length, index), "the record has this attribute", e.span)
        return Num(attribute(e.array, index), "int")

    def _arithmetic(self, e: Arithmetic, left: Num, right: Num) -> Num:
        x, y = left.term, right.term
        kind: NumberKind = (
            "float" if "float" in (left.kind, right.kind) else joined_kind(left.kind, right.kind)
        )
        if e.operator in ("/", "//", "%"):
            self._owe(negation(equal(y, number(0))), "the divisor is not zero", e.span)
            if y == number(0):
                # Never reached: the duty above cannot be met.
                return Num(number(0), "float" if e.operator == "/" else kind)
        match e.operator:
            case "+":
                return Num(x + y, kind)
            case "-":
                return Num(x - y, kind)
            case "*":
                self._refuse_signed_zero(e, left, right, kind)
                return Num(x * y, kind)
            case "/":
                return Num(x / y, "float")
        if e.operator == "%" and self._view.wraps(x):
            near = (above(y, number(0)), at_least(x + y, number(0)), above(y + y, x))
            self._owe(conjunction(near), "a draw wraps around once at most", e.span)
            below = choice(at_least(x, number(0)), x, x + y)
            return Num(choice(at_least(x, y), x - y, below), kind)
        return Num(apply_operation(e.operator, (x, y)), kind)

    def _refuse_signed_zero(self, e: Arithmetic, left: Num, right: Num, kind: str) -> None:
        """``0 * q`` is 0.0 or -0.0 in Python, as the sign of q says."""
        if e.span == NOWHERE:
            return  # a template of the search, not the program
        for one, another in ((left, right), (right, left)):
            told = any(symbol.private for symbol in symbols_of(another.term))
            if one.term == number(0) and told and kind != "int":
                raise self._view.refuse(
                    e.span,
                    "a product with zero, whose sign tells of the other factor",
                    "write 0; where a factor may become 0, multiply under a test of it: if w > 0",
                )

    def _comparison(self, e: Comparison, left: Value, right: Value) -> Formula:
        if e.operator in ("is", "is not"):
            if not isinstance(left, Mark) and not isinstance(right, Mark):
                raise self._view.refuse(
                    e.span, "'is' between two values", "use == to compare values"
                )
            same = truth(left == right)
            return same if e.operator == "is" else negation(same)
        if isinstance(left, Num) and isinstance(right, Num):
            return _compare(e.operator, left.term, right.term)
        if e.operator not in ("==", "!="):
            raise self._view.refuse(
                e.span, f"{describe(left)} and {describe(right)} have no order", "compare numbers"
            )
        if isinstance(left, Formula) and isinstance(right, Formula):
            same = iff(left, right)
        elif isinstance(left, Formula | Num) and isinstance(right, Formula | Num):
            raise self._view.refuse(
                e.span, "a Boolean is compared with a number", "compare numbers with numbers"
            )
        else:
            same = truth(left == right)
        return same if e.operator == "==" else negation(same)

    def connective(self, e: Connective, members: Sequence[Callable[[], Value]]) -> Formula:
        """All of them; what a later one owes is owed where the earlier ones do not decide."""
        found = [self._condition(e.members[0], members[0]())]
        for member, evaluate in zip(e.members[1:], members[1:], strict=True):
            so_far = (
                conjunction(found) if e.operator == "and" else conjunction(map(negation, found))
            )
            if so_far == truth(False):
                break  # Python never comes to the rest
            found.append(self._condition(member, self._under(so_far, evaluate)))
        return conjunction(found) if e.operator == "and" else disjunction(found)

    def conditional(
        self,
        e: Conditional,
        test: Value,
        yes: Callable[[], Value],
        no: Callable[[], Value],
    ) -> Value:
        """One arm where the test is decided; else both, each owing where it is reached."""
        test = self._condition(e.test, test)
        if isinstance(test, Truth):
            return yes() if test.value else no()
        one, another = self._under(test, yes), self._under(negation(test), no)
        return self._either(e, test, one, another)

    def _either(self, e: Conditional, test: Formula, yes: Value, no: Value) -> Value:
        if isinstance(yes, Num) and isinstance(no, Num):
            return Num(choice(test, yes.term, no.term), joined_kind(yes.kind, no.kind))
        if isinstance(yes, Formula) and isinstance(no, Formula):
            return disjunction((conjunction((test, yes)), conjunction((negation(test), no))))
        if yes == no:
            return yes
        raise self._view.refuse(
            e.span, f"the arms are {describe(yes)} and {describe(no)}", "use an if statement"
        )

    def _builtin(self, e: Builtin, arguments: Sequence[Value]) -> Num:
        if e.function == "index":  # what range does to its arguments: ints only
            return Num(self._integer(e.arguments[0], arguments[0]), "int")
        values = [self._number(a, found) for a, found in zip(e.arguments, arguments, strict=True)]
        first = values[0]
        if e.function == "abs":
            test = at_least(first.term, number(0))
            return Num(choice(test, first.term, -first.term), first.kind)
        if e.function in ("min", "max"):
            for value in values[1:]:
                # Python keeps the first of equal arguments, which matters for its type only.
                low, high = (value, first) if e.function == "min" else (first, value)
                test = above(high.term, low.term)
                term = choice(test, value.term, first.term)
                first = Num(term, joined_kind(first.kind, value.kind))
            return first
        if e.function in ("log", "sqrt"):
            strict, zero = e.function == "log", number(0)
            test = above(first.term, zero) if strict else at_least(first.term, zero)
            self._owe(test, f"{e.function} of a number that has one", e.span)
            return Num(self._view.looked_into(e.function, first.term), "float")
        if e.function == "exp":
            return Num(apply_operation("exp", (first.term,)), "float")
        if first.kind == "int":
            return first
        return Num(apply_operation(e.function, (first.term,)), "int")

    def _in_other_run(self, inner: Expression) -> Value:
        if self._other is None:
            raise self._view.refuse(
                inner.span, "other(...) outside an alignment", "use it in align(...)"
            )
        paired = Evaluator(self._other)
        paired._reached = self._reached
        value = paired.value(inner)
        self.duties.extend(paired.duties)
        return value


def _compare(operator: str, left: Linear, right: Linear) -> Formula:
    match operator:
        case "<":
            return above(right, left)
        case "<=":
            return at_least(right, left)
        case ">":
            return above(left, right)
        case ">=":
            return at_least(left, right)
        case "==":
            return equal(left, right)
    return negation(equal(left, right))


# What expressions see of a run, and what their evaluation owes.

#: How the variables begin that hold the integers which the run is going to release or pick.
FORETOLD = "@outcome#"


class View(Protocol):
    """One run, as far as expressions see it; some have no sequences, data sets or prophecy."""

    def variable(self, name: str, span: Span) -> Value:
        """The value of a variable or scalar parameter."""
        ...

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """One element of a sequence parameter; the index is known to be in range."""
        raise AssertionError("not asked here")

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter."""
        raise AssertionError("not asked here")

    def attributes(self, data: str) -> int:
        """How many attributes the records of a data set have."""
        raise AssertionError("not asked here")

    def counted(self, data: str, test: Formula) -> Num:
        """How many records meet a test on the generic record."""
        raise AssertionError("not asked here")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether an index is among those that ``top_k`` picks next."""
        raise AssertionError("not asked here")

    def looked_into(self, function: str, argument: Linear) -> Linear:
        """A logarithm or root: no more is known than that it is a function."""
        return apply_operation(function, (argument,))

    def wraps(self, subject: Linear) -> bool:
        """Whether a remainder of this is told by cases: of draws whose values are counted."""
        return False

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        ...


@dataclass(frozen=True, slots=True)
class Duty:
    """A condition that must hold for the evaluation to be defined."""

    condition: Formula
    reason: str
    span: Span
