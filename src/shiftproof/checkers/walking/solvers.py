"""The solvers: Z3 always, cvc5 if it is installed.  They are told SMT-LIB text, and nothing else.

Limits are resource counts, so an answer does not depend on how busy the machine is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from ...dsl.errors import BadInput

Name = Literal["z3", "cvc5"]
Answer = Literal["sat", "unsat", "unknown"]

#: Resources for one question, in each solver's own units.
Z3_RESOURCES = 5_000_000
CVC5_RESOURCES = 200_000


class Session(Protocol):
    """A solver that keeps what it was told within scopes."""

    def declare(self, text: str) -> None:
        """Declarations in SMT-LIB, for good."""
        ...

    def tell(self, text: str) -> None:
        """Assertions in SMT-LIB, for this scope."""
        ...

    def push(self) -> None:
        """Open a scope."""
        ...

    def pop(self) -> None:
        """Forget what was told since the scope was opened."""
        ...

    def check(self) -> Answer:
        """Whether what was told can hold."""
        ...


class Solver:
    """A solver for one check; its sessions share nothing but the solver's own book-keeping."""

    def __init__(self, name: Name) -> None:
        self.name: Name = name
        self._context: Any = None

    def session(self) -> Session:
        """A new session.

        Raises:
            BadInput: the solver is not installed.
        """
        if self.name == "cvc5":
            return _Cvc5()
        import z3

        self._context = self._context or z3.Context()
        return _Z3(self._context)


def solvers_of(choice: str) -> tuple[Name, ...]:
    """``z3``, ``cvc5`` or ``both``.

    Raises:
        BadInput: it is none of these, or cvc5 is not installed.
    """
    if choice == "z3":
        return ("z3",)
    if choice not in ("cvc5", "both"):
        raise BadInput(f"the solver {choice!r}: z3, cvc5 or both is wanted")
    _import_cvc5()
    return ("cvc5",) if choice == "cvc5" else ("z3", "cvc5")


def versions(names: Sequence[Name]) -> tuple[str, ...]:
    """The solvers with their versions."""
    found = []
    for name in names:
        if name == "z3":
            import z3

            found.append(f"z3 {z3.get_version_string()}")
        else:
            found.append(f"cvc5 {_import_cvc5().__version__}")
    return tuple(found)


class _Z3:
    def __init__(self, context: Any) -> None:
        import z3

        self._solver: Any = z3.Solver(ctx=context)
        self._solver.set("rlimit", Z3_RESOURCES)

    def declare(self, text: str) -> None:
        self._solver.from_string(text)

    def tell(self, text: str) -> None:
        self._solver.from_string(text)

    def push(self) -> None:
        self._solver.push()

    def pop(self) -> None:
        self._solver.pop()

    def check(self) -> Answer:
        return _answer(str(self._solver.check()))


class _Cvc5:
    """A session of cvc5; what it was told is told again for each question.

    Its incremental mode is far slower on questions this small.
    """

    def __init__(self) -> None:
        self._module = _import_cvc5()
        self._told: list[list[str]] = [[]]
        self._declared: list[str] = []

    def declare(self, text: str) -> None:
        self._declared.append(text)

    def tell(self, text: str) -> None:
        self._told[-1].append(text)

    def push(self) -> None:
        self._told.append([])

    def pop(self) -> None:
        self._told.pop()

    def check(self) -> Answer:
        cvc5 = self._module
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setLogic("ALL")
        solver.setOption("rlimit", str(CVC5_RESOURCES))
        parser = cvc5.InputParser(solver)
        text = "".join([*self._declared, *(part for scope in self._told for part in scope)])
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, symbols)
        return _answer(str(solver.checkSat()))


def _answer(said: str) -> Answer:
    return said if said in ("sat", "unsat") else "unknown"  # type: ignore[return-value]


def _import_cvc5() -> Any:
    try:
        import cvc5
    except ImportError:
        raise BadInput("cvc5 is not installed: pip install 'shiftproof[cvc5]'") from None
    return cvc5


def as_smtlib(declarations: Iterable[str], assertions: Iterable[str], comments: str) -> str:
    """A question as a file that any solver reads: ``unsat`` means that the claim follows."""
    noted = "".join(f"; {line}\n" for line in comments.splitlines())
    lines = [*declarations, *(f"(assert {a})" for a in assertions), "(check-sat)"]
    return f"{noted}(set-logic ALL)\n" + "\n".join(lines) + "\n"
