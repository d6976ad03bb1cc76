"""Terms and conditions as SMT-LIB text, and questions put to a solver as such text.

Text is what every solver reads; it is also the fastest way into Z3 from Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from .allowance import spend
from .formulas import Choice, Flag, Formula, Junction, Not, Sign, Truth
from .linear import Atom, Group, Linear, Product, Rational, Symbol

if TYPE_CHECKING:
    import z3

Integers = Literal["all", "public", "none"]
Answer = Literal["sat", "unsat", "unknown"]

#: Resources (z3 "rlimit" units, not seconds) for one question; verdicts do not depend on load.
QUESTION_RESOURCES = 2_000_000

#: How many multiplications are written out in a question.  The solver does not count what it does
#: with polynomials: of (4/5 delta)**4096, or of ten unknowns in sixty products, it takes minutes.
MOST_PRODUCTS = 40

#: The work of one unknown of a model, in the same units: of large ones, that is most of it.
MODEL_WORK = 20
#: A named claim that a model makes false.
_FALSE = re.compile(r"define-fun \|([^|]*)\| \(\) Bool\s+false")


class Writer:
    """Writes terms as SMT-LIB; ``sorts`` collects the unknowns it has met, with their sorts.

    ``integers`` says which integral symbols get the sort Int: ``all``, only the
    ``public`` ones, or ``none``.  Reals may stand for integers when proving: there
    are more of them.  ``exact_products`` writes products of parameters out (for small
    non-linear questions); otherwise a product is one more unknown, and so is one
    of more than :data:`MOST_PRODUCTS`.
    """

    def __init__(self, *, exact_products: bool = False, integers: Integers = "all") -> None:
        self.sorts: dict[str, str] = {}
        self._exact_products = exact_products
        self._integers: Integers = integers
        self._written: dict[str, str] = {}

    def is_integer(self, atom: Atom) -> bool:
        """Whether the atom has the sort Int here."""
        if not atom.integral or self._integers == "none":
            return False
        if isinstance(atom, Symbol):
            return self._integers == "all" or not atom.private
        if isinstance(atom, Choice):
            return self.is_whole(atom.yes) and self.is_whole(atom.no)
        if isinstance(atom, Group):
            return self.is_whole(atom.inner)
        return True

    def is_whole(self, subject: Linear) -> bool:
        """Whether the term has the sort Int here."""
        return subject.integral and all(self.is_integer(a) for a, _ in subject.parts)

    def linear(self, subject: Linear, *, real: bool = False) -> str:
        """The term; of sort Int if every part is, unless ``real`` is asked for."""
        whole = self.is_whole(subject) and not (real and not subject.is_constant)
        if subject.is_constant:
            whole = whole and not real
        pieces = [self._part(a, k, whole) for a, k in subject.parts]
        if subject.constant or not pieces:
            pieces.append(numeral(subject.constant, whole))
        return pieces[0] if len(pieces) == 1 else f"(+ {' '.join(pieces)})"

    def _part(self, atom: Atom, k: Rational, whole: bool) -> str:
        x = self.atom(atom)
        if not whole and self.is_integer(atom):
            x = f"(to_real {x})"
        return x if k == 1 else f"(* {numeral(k, whole)} {x})"

    def atom(self, atom: Atom) -> str:
        """One unknown, or what it stands for."""
        if isinstance(atom, Choice):
            real = not self.is_integer(atom)
            arms = (self.linear(arm, real=real) for arm in (atom.yes, atom.no))
            return f"(ite {self.formula(atom.test)} {' '.join(arms)})"
        if isinstance(atom, Group):
            return self.linear(atom.inner, real=not self.is_integer(atom))
        if self._exact_products and isinstance(atom, Product) and _multiplications(atom):
            return self._product(atom)
        name = quoted(atom.key)
        self.sorts[name] = "Int" if self.is_integer(atom) else "Real"
        return name

    def _product(self, product: Product) -> str:
        total = "1.0"
        for base, power in product.powers:
            factor = f"(to_real {self.atom(base)})" if self.is_integer(base) else self.atom(base)
            for _ in range(abs(power)):
                total = f"({'*' if power > 0 else '/'} {total} {factor})"
        # An integral product still has the sort Int where it is used.
        return f"(to_int {total})" if self.is_integer(product) else total

    def formula(self, subject: Formula) -> str:
        """A condition."""
        known = self._written.get(subject.key)
        if known is None:
            known = self._written[subject.key] = self._formula(subject)
        return known

    def _formula(self, subject: Formula) -> str:
        if isinstance(subject, Truth):
            return "true" if subject.value else "false"
        if isinstance(subject, Flag):
            name = quoted(subject.symbol.key)
            self.sorts[name] = "Bool"
            return name
        if isinstance(subject, Not):
            return f"(not {self.formula(subject.inner)})"
        if isinstance(subject, Junction):
            word = "and" if subject.conjunction else "or"
            return f"({word} {' '.join(map(self.formula, subject.members))})"
        assert isinstance(subject, Sign)
        zero = "0" if self.is_whole(subject.subject) else "0.0"
        relation = "=" if subject.relation == "==" else subject.relation
        return f"({relation} {self.linear(subject.subject)} {zero})"


def multiplications(part: Linear | Formula) -> int:
    """How many multiplications and divisions of unknowns a text with exact products has."""
    if isinstance(part, Linear):
        return sum(_multiplications(atom) for atom, _ in part.parts)
    if isinstance(part, Sign):
        return multiplications(part.subject)
    if isinstance(part, Not):
        return multiplications(part.inner)
    return sum(map(multiplications, part.members)) if isinstance(part, Junction) else 0


def _multiplications(atom: Atom) -> int:
    if isinstance(atom, Product):
        inside = sum(abs(power) * (1 + _multiplications(base)) for base, power in atom.powers)
        return inside if inside <= MOST_PRODUCTS else 0  # it is not written out
    if isinstance(atom, Group):
        return multiplications(atom.inner)
    if isinstance(atom, Choice):
        return multiplications(atom.test) + multiplications(atom.yes) + multiplications(atom.no)
    return 0


def quoted(name: str) -> str:
    """A symbol that may hold any character but bars; names that start with @ are reserved."""
    plain = name.replace("!", "!!").replace("|", "!i")  # two names never become one
    mark = _OWN_WORD if name in _WORDS else ""  # bars do not make another symbol of these
    return f"|{'_' if name.startswith('@') else ''}{plain}{mark}|"


#: Words of the solver that are names in Python, and what tells a name from the word.
_WORDS = frozenset({"_", "distinct", "false", "ite", "let", "true", "xor"})
_OWN_WORD = "!w"


def numeral(value: Rational, whole: bool) -> str:
    """A rational constant of sort Int or Real."""
    size = value if value >= 0 else -value
    point = "" if whole else ".0"
    text = f"{size.numerator}{point}"
    if size.denominator != 1:
        text = f"(/ {text} {size.denominator}{point})"
    return f"(- {text})" if value < 0 else text


_shared: ContextVar[z3.Context | None] = ContextVar("shared", default=None)


@contextmanager
def one_context() -> Iterator[None]:
    """Inside, all questions share a context of the solver, which takes long to make.

    What is asked inside depends on nothing that was asked outside.
    """
    import z3

    token = _shared.set(z3.Context())
    try:
        yield
    finally:
        _shared.reset(token)


def context() -> z3.Context:
    """The context that is shared here; a new one outside :func:`one_context`."""
    import z3

    return _shared.get() or z3.Context()


def solver(of: Any, resources: int) -> Any:
    """A solver in a context, that tries no tactics first: what comes is asked and forgotten."""
    import z3

    made = z3.SimpleSolver(ctx=of)
    made.set("rlimit", resources)
    # Bounds of products can be made closer and closer without end, which no limit counts.
    made.set("arith.propagation_mode", 0)
    return made


class Questions:
    """A solver that is asked one question after another, each forgotten afterwards."""

    def __init__(self, writer: Writer, resources: int = QUESTION_RESOURCES) -> None:
        self._solver: z3.Solver = solver(context(), resources)
        self._declared: set[str] = set()
        self.writer = writer

    def ask(self, formulas: Iterable[Formula]) -> Answer:
        """Whether the formulas can hold together."""
        with_text = [self.writer.formula(f) for f in formulas]
        return self.ask_text(with_text)

    def ask_text(self, texts: Iterable[str]) -> Answer:
        """The same for conditions that are text already."""
        self._solver.push()
        try:
            self.add_text(texts)
            return self.check()
        finally:
            self._solver.pop()

    def add(self, formulas: Iterable[Formula]) -> None:
        """Keep formulas for all questions to come."""
        self.add_text([self.writer.formula(f) for f in formulas])

    def add_text(self, texts: Iterable[str]) -> None:
        """Keep conditions for all questions to come (within the current scope)."""
        asserted = "".join(f"(assert {text})" for text in texts)
        new = "".join(f"(declare-const {n} {s})" for n, s in self._undeclared())
        spend(len(asserted))
        self._solver.from_string(new + asserted)

    def _undeclared(self) -> Iterator[tuple[str, str]]:
        for name, sort in self.writer.sorts.items():
            if name not in self._declared:
                self._declared.add(name)
                yield name, sort

    def check(self) -> Answer:
        """Whether what was kept can hold.

        Raises:
            LimitReached: an allowance is used up.
        """
        before = self._resources()
        answer = str(self._solver.check())
        spend(self._resources() - before)
        return answer if answer in ("sat", "unsat") else "unknown"  # type: ignore[return-value]

    def _resources(self) -> int:
        """How many of its resources the solver has used, all questions of its context together."""
        import z3

        counted, context = self._solver.statistics(), self._solver.ctx.ref()
        for k in reversed(range(len(counted))):  # it is one of the last
            if z3.Z3_stats_get_key(context, counted.stats, k) == "rlimit count":
                return int(z3.Z3_stats_get_uint_value(context, counted.stats, k))
        return 0

    def define(self, claims: Mapping[str, Formula]) -> list[str]:
        """Name claims for :meth:`broken`; the names of those that are not plainly true."""
        names = [name for name, claim in claims.items() if not isinstance(claim, Truth)]
        names += [n for n, claim in claims.items() if isinstance(claim, Truth) and not claim.value]
        texts = []
        for name in names:
            self.writer.sorts[quoted(name)] = "Bool"
            texts.append(f"(= {quoted(name)} {self.writer.formula(claims[name])})")
        self.add_text(texts)
        return names

    def broken(self, names: Sequence[str]) -> tuple[Answer, set[str]]:
        """Whether one of the named claims can be false, and which are so in one model."""
        self._solver.push()
        try:
            self.add_text([f"(not (and true {' '.join(map(quoted, names))}))"])
            answer = self.check()
            if answer != "sat":
                return answer, set()
            # One text for the whole model: asking for each value takes far longer.
            said = _FALSE.findall(self._solver.model().sexpr())
            return answer, set(said) & set(names)
        finally:
            self._solver.pop()

    def core(self, premises: Mapping[str, Formula]) -> list[str] | None:
        """The names of premises that contradict what was kept; ``None`` if all do not."""
        import z3

        texts = []
        for name, premise in premises.items():
            self.writer.sorts[quoted(name)] = "Bool"
            texts.append(f"(=> {quoted(name)} {self.writer.formula(premise)})")
        self.add_text(texts)
        switches = [z3.Bool(name, self._solver.ctx) for name in premises]
        if self._solver.check(*switches) != z3.unsat:
            return None
        said = {str(s).strip("|") for s in self._solver.unsat_core()}
        return [name for name in premises if name in said]

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()

    def pop(self) -> None:
        """Forget what was kept since the last :meth:`push`."""
        self._solver.pop()

    def point(self, of: Iterable[str] | None = None) -> dict[str, Fraction | bool | None]:
        """The values of unknowns, or of these, after a ``sat``; ``None`` for an irrational one."""
        model = self._solver.model()
        spend(MODEL_WORK * len(model))
        if of is None:
            every = ((d, d.name().removesuffix(_OWN_WORD)) for d in model.decls())
            return {name: _plain(str(model[d])) for d, name in every}
        asked = ((name, self._unknown(name)) for name in of)
        found = ((name, None if x is None else model[x]) for name, x in asked)
        return {name: _plain(str(value)) for name, value in found if value is not None}

    def _unknown(self, name: str) -> z3.ExprRef | None:
        """What the solver has under a name; nothing, if it was not told of it."""
        import z3

        known, ctx = quoted(name), self._solver.ctx
        made = {"Int": z3.Int, "Real": z3.Real, "Bool": z3.Bool}.get(
            self.writer.sorts.get(known, "")
        )
        return None if made is None else made(known.strip("|"), ctx)


def _plain(text: str) -> Fraction | bool | None:
    if text in ("True", "False"):
        return text == "True"
    try:
        return Fraction(text)
    except ValueError:
        return None
