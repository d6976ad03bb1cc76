"""Whether a condition follows from what is said of the inputs, or contradicts it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import z3

#: How much work a question is worth.
WORK = 200_000
#: By how much probabilities may miss 1 in all: numpy's own tolerance.
TOLERANCE = z3.Q(1, 10**8)


class Said:
    """What is said of the inputs: their types and ranges, and preconditions."""

    def __init__(self, inputs: Mapping[str, str], assumed: Sequence[str]) -> None:
        self.symbols: dict[str, z3.ArithRef] = {}
        self.facts: list[z3.BoolRef] = []
        #: What is known here only: in this case, in this round.
        self.here: list[z3.BoolRef] = []
        for name, annotation in inputs.items():
            self._input(name, ast.parse(annotation, mode="eval").body)
        for name, annotation in inputs.items():
            self._range(name, ast.parse(annotation, mode="eval").body)
        for condition in assumed:
            found = self._condition(ast.parse(condition, mode="eval").body)
            if found is not None:
                self.facts.append(found)

    def decided(self, node: ast.expr) -> bool | None:
        """Whether a condition is always true or always false; ``None`` if that is not known."""
        found = self._condition(node)
        if found is None:
            return None
        for answer, asked in ((False, found), (True, z3.Not(found))):
            if self._never(asked):
                return answer
        return None

    def _never(self, asked: z3.BoolRef, work: int = WORK) -> bool:
        """Whether something contradicts what is known."""
        solver = z3.Solver()
        solver.set("rlimit", work)
        solver.add(*self.facts, *self.here, asked)
        return bool(solver.check() == z3.unsat)

    def is_chance(self, node: ast.expr, strictly: bool) -> bool:
        """Whether a number is surely from 0 to 1, or strictly between them."""
        found = self._term(node, True)
        if found is None:
            return False
        outside = z3.Or(found <= 0, found >= 1) if strictly else z3.Or(found < 0, found > 1)
        return self._never(outside, 10 * WORK)

    def are_chances(self, nodes: Sequence[ast.expr]) -> bool:
        """Whether numbers are surely not negative, and add up to 1."""
        found = [self._term(node, True) for node in nodes]
        terms = [term for term in found if term is not None]
        if len(terms) < len(found):
            return False
        apart = z3.Sum(terms) - 1
        # Floats add up to 1 as closely as numpy asks.
        off = z3.Or(apart > TOLERANCE, apart < -TOLERANCE)
        return self._never(z3.Or(off, *(term < 0 for term in terms)), 10 * WORK)

    def between(self, name: str, low: str, high: str) -> None:
        """An integer is between two bounds, where it is known: elsewhere there may be none."""
        bounds = [self._term(ast.parse(text, mode="eval").body) for text in (low, high)]
        self.symbols[name] = z3.Int(name)
        for bound, above in zip(bounds, (True, False), strict=True):
            if bound is not None:
                own = self.symbols[name]
                self.here.append(own >= bound if above else own <= bound)

    def know(self, node: ast.expr) -> None:
        """A condition holds here."""
        found = self._condition(node)
        if found is not None:
            self.here.append(found)

    def variable(self, name: str, kind: str) -> None:
        """A variable of the language, of which nothing is known but what is learned of it."""
        if name not in self.symbols and kind in ("int", "float"):
            self.symbols[name] = z3.Int(name) if kind == "int" else z3.Real(name)

    def opposite(self, one: str, other: str) -> bool:
        """Whether two probabilities add up to 1, for all public inputs."""
        terms = [self._term(ast.parse(text, mode="eval").body, True) for text in (one, other)]
        if terms[0] is None or terms[1] is None:
            return False
        return self._never(terms[0] + terms[1] != 1)

    def _input(self, name: str, node: ast.expr) -> None:
        text = ast.unparse(node)
        shown = ast.unparse((_annotated(node) or [node])[0])
        if shown in ("int", "Public[int]", "Public[Nat]", "Count", "Private[int]"):
            self.symbols[name] = z3.Int(name)
        elif shown in ("float", "Public[float]", "Epsilon", "Private[float]"):
            self.symbols[name] = z3.Real(name)
        if text in ("Public[Nat]", "Count"):
            self.facts.append(self.symbols[name] >= 0)
        if text == "Epsilon":
            self.facts.append(self.symbols[name] > 0)

    def _range(self, name: str, node: ast.expr) -> None:
        if name not in self.symbols:
            return
        for extra in _annotated(node)[1:]:
            match extra:
                case ast.Call(
                    func=ast.Name(id="Value" | "IntegerValue"), args=[low, high], keywords=[]
                ):
                    for bound, above in ((low, True), (high, False)):
                        if isinstance(bound, ast.Constant) and isinstance(bound.value, str):
                            bound = ast.parse(bound.value, mode="eval").body
                        term = self._term(bound)
                        own = self.symbols[name]
                        if term is not None:
                            self.facts.append(own >= term if above else own <= term)

    def _term(self, node: ast.expr, divide: bool = False) -> z3.ArithRef | None:
        match node:
            case ast.Constant(value=bool()):
                return None
            case ast.Constant(value=int() as number):
                return z3.IntVal(number)
            case ast.Constant(value=float() as number):
                numerator, denominator = number.as_integer_ratio()
                return z3.Q(numerator, denominator)
            case ast.Name(id=name):
                return self.symbols.get(name)
            case ast.IfExp(test=test, body=yes, orelse=no):
                condition = self._condition(test)
                one, other = self._term(yes, divide), self._term(no, divide)
                if condition is None or one is None or other is None:
                    return None
                return z3.If(condition, one, other)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                found = self._term(inner, divide)
                return None if found is None else -found
            case ast.BinOp(op=ast.Mod(), right=right):
                divisor = self._term(right, divide)
                return None if divisor is None else self._rest(ast.unparse(node), divisor)
            case ast.BinOp(left=left, op=op, right=right):
                one, other = self._term(left, divide), self._term(right, divide)
                if one is None or other is None:
                    return None
                match op:
                    case ast.Add():
                        return one + other
                    case ast.Sub():
                        return one - other
                    case ast.Mult():
                        return one * other
                    case ast.Div() if divide or (isinstance(right, ast.Constant) and right.value):
                        parts = [z3.ToReal(t) if z3.is_int(t) else t for t in (one, other)]
                        return parts[0] / parts[1]
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=text)]):
                key = f"len({text})"
                if key not in self.symbols:
                    self.symbols[key] = z3.Int(key)
                    self.facts.append(self.symbols[key] >= 0)
                return self.symbols[key]
            case ast.Call(func=ast.Name(id="exp" | "log" as name), args=[inner]):
                argument = self._term(inner, divide)
                return None if argument is None else self._power(name, ast.unparse(node), argument)
        return None

    def _rest(self, text: str, divisor: z3.ArithRef) -> z3.ArithRef:
        """What is left of a division: below a divisor that is above 0."""
        if text not in self.symbols:
            found = self.symbols[text] = z3.Real(text)
            self.facts.append(z3.Implies(divisor > 0, z3.And(found >= 0, found < divisor)))
        return self.symbols[text]

    def _power(self, name: str, text: str, argument: z3.ArithRef) -> z3.ArithRef:
        """exp or log: a number of which the sign is known."""
        if text not in self.symbols:
            found = self.symbols[text] = z3.Real(text)
            if name == "exp":
                self.facts += [found > 0, (argument > 0) == (found > 1)]
            else:
                self.facts.append(z3.Implies(argument > 0, (found > 0) == (argument > 1)))
        return self.symbols[text]

    def _condition(self, node: ast.expr) -> z3.BoolRef | None:
        match node:
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                terms = [self._term(n) for n in (left, *comparators)]
                parts = []
                for k, op in enumerate(ops):
                    one, other = terms[k], terms[k + 1]
                    if one is None or other is None:
                        return None
                    made = _compared(op, one, other)
                    if made is None:
                        return None
                    parts.append(made)
                return z3.And(*parts)
            case ast.BoolOp(op=op, values=values):
                conditions = [self._condition(value) for value in values]
                if any(found is None for found in conditions):
                    return None
                return z3.And(*conditions) if isinstance(op, ast.And) else z3.Or(*conditions)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                found = self._condition(inner)
                return None if found is None else z3.Not(found)
        return None


def _annotated(node: ast.expr) -> list[ast.expr]:
    """What stands in ``Annotated[...]``; nothing if it is something else."""
    match node:
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=parts)):
            return parts
    return []


def _compared(op: ast.cmpop, one: z3.ArithRef, other: z3.ArithRef) -> z3.BoolRef | None:
    match op:
        case ast.Lt():
            return one < other
        case ast.LtE():
            return one <= other
        case ast.Gt():
            return one > other
        case ast.GtE():
            return one >= other
        case ast.Eq():
            return one == other
        case ast.NotEq():
            return one != other
    return None
