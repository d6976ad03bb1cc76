"""The proof of a statement: what its certificate says, in words that Rocq replays."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...checkers.kernel.language.steps import Draw
from ...checkers.kernel.language.syntax import expression, is_call
from ...checkers.kernel.paired.laws import LAWS
from .layout import argument, parts, sequence_of
from .machine import law_of
from .pieces import pieces
from .prices import log_odds, ratio
from .relation import Pairs
from .statement import Statement
from .terms import (
    NoTheorem,
    Reader,
    Term,
    chosen,
    closed,
    negated,
    number,
    of_sort,
    proposition,
    real,
    text,
    word,
)

#: What a draw is called in the shift of it.
DRAWN = "drawn"


@dataclass(frozen=True)
class CaseProof:
    """The proof of one case of a statement.

    Attributes:
        statement: of the theorem.
        number: which case.
        part: of the certificate, as it has it.
    """

    statement: Statement
    number: int
    part: Mapping[str, Any]

    @property
    def pairs(self) -> Pairs:
        """The case."""
        return self.statement.pairs[self.number]

    @cached_property
    def rates(self) -> Mapping[str, Term]:
        """By the text of each rate, what it is."""
        if any(is_call(expression(r), "given_up") for r in self.part.get("costs", {})):
            raise NoTheorem("what is given up of noise")
        return {r: real(self.pairs.reader().of(expression(r))) for r in self.part.get("costs", {})}

    @cached_property
    def draws(self) -> list[int]:
        """The steps that draw."""
        nodes = self.statement.machine.mechanism.nodes
        return [k for k in self.statement.machine.steps if isinstance(nodes[k], Draw)]

    @cached_property
    def heads(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The loops of which the certificate says something, by their steps."""
        loops = self.statement.machine.mechanism.loops
        return [(loops[head["loop"]], head) for head in self.part.get("heads", [])]

    def lines(self) -> Iterator[str]:
        """A section of the proof file."""
        s, given = self.statement, self.statement.given
        both = "".join(f" {n} {n}'" for n, _ in s.private)
        suffix = s.suffix(self.number)
        yield f"Module Case{self.number + 1}."
        yield "Section Case."
        if s.public:
            yield f"Variables{s.parameters}."
        for k, fact in enumerate(s.preconditions):
            yield f"Hypothesis given{k} : {fact}."
        yield f"Variables{s.both_sides()}."
        for constant, sort in self.pairs.constants.items():
            yield f"Variable {s.machine.names.of(constant)} : {sort}."
        for k, fact in enumerate(s.conjuncts(self.pairs)):
            yield f"Hypothesis pair{k} : {fact}."
        left, right = ("".join(f" {n}{side}" for n, _ in s.private) for side in ("", "'"))
        yield f"Notation left_run := (next{given}{left})."
        yield f"Notation right_run := (next{given}{right})."
        yield f"Notation budget := (beta{suffix}{given}{both})."
        rates = "; ".join(text(r) for r in self.rates.values())
        yield f"Definition rates : list R := [{rates}]."
        for k in self.draws:
            yield from self._draw(k)
        yield from self._invariants()
        yield from self._known()
        yield from self._within()
        for k in self.draws:
            yield from self._draw_tactic(k)
        yield from self._explore()
        yield "Lemma cuts s s' ks : Inv s s' ks ->"
        yield "  steps left_run right_run budget rates Inv ks (left_run s) (right_run s')."
        yield "Proof. intros H; destruct H; settle; cbn [next]; explore. Qed."
        start, zeros = argument(s.machine.start()), self._zeros
        yield f"Theorem case : bounded left_run right_run {start} budget."
        yield "Proof using All."
        yield "  intros stops event n range."
        yield f"  replace (exp budget) with (exp (budget - dot {zeros} rates))"
        yield "    by (f_equal; unfold rates; cbn [dot]; ring)."
        yield "  apply (aligned _ _ _ _ _ cuts); [exact range|]. explore."
        yield "Qed."
        yield "End Case."
        yield f"End Case{self.number + 1}."

    @property
    def _zeros(self) -> str:
        return f"[{'; '.join('0' for _ in self.rates)}]"

    def _counters(self) -> list[str]:
        return [f"k{j}" for j in range(len(self.rates))]

    # Draws.

    def _shift(self, k: int) -> tuple[Draw, Term]:
        """A draw, and the difference to that of D′, in which the draw is ``x``."""
        node = self.statement.machine.mechanism.nodes[k]
        assert isinstance(node, Draw)
        shifts = self.part.get("shifts", [])
        e = expression(shifts[node.site])
        if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in (
            "predictable", "capped", "gaps", "unless",
        ):  # fmt: skip
            raise NoTheorem(f"the shift '{ast.unparse(e)[:60]}'")
        sort = law_of(node.law)[1]
        names = self.statement.machine.names
        term = of_sort(self.pairs.reader().of(e), sort)
        return node, term.put(names.of(node.target), word(DRAWN, sort))

    def _both(self, k: int) -> str:
        m = self.statement.machine
        return "".join(
            f" ({m.names.of(n)} {m.names.of(n)}' : {m.sorts[n]})" for n in m.variables[k]
        )

    def _values(self, k: int) -> str:
        m = self.statement.machine
        return "".join(f" {m.names.of(n)} {m.names.of(n)}'" for n in m.variables[k])

    def _draw(self, k: int) -> Iterator[str]:
        node, shift = self._shift(k)
        name, sort = self.statement.machine.state(k), law_of(node.law)[1]
        drawn = word(DRAWN, sort)
        yield f"Definition move_{name}{self._both(k)} ({DRAWN} : {sort}) : {sort} :="
        if sort == "bool":
            if shift.reads(DRAWN):
                raise NoTheorem("a flip that reads its coin")
            yield f"  {text(chosen(shift, negated(drawn), drawn), 'bool')}."
            either = chosen(drawn, number(1, "R"), number(-1, "R"))
            size = chosen(shift, either, number(0, "R"))
        else:
            yield f"  ({text(Term(sort, '+', (drawn, shift)), sort)})%{sort}."
            there = word(f"move_{name}{self._values(k)} {DRAWN}", sort)
            size = self._size(node, Term("R", "-", (real(there), real(drawn))))
        costs = [
            text(number(0, "R") if factor is None else Term("R", "*", (number(factor, "R"), size)))
            for factor in self._factors(node, shift)
        ]
        yield f"Definition cost_{name}{self._both(k)} ({DRAWN} : {sort}) : list R :="
        yield f"  [{'; '.join(costs)}]."

    def _size(self, node: Draw, amount: Term) -> Term:
        """How often the price of a law is paid for a shift."""
        if law_of(node.law)[0] == "staircase":
            step = real(self.statement.machine.reader().of(node.arguments[1]))
            return word("steps_of", "R", step, amount)
        sign = LAWS[node.law].sign
        if not sign:
            return word("Rabs", "R", amount)
        return amount if sign == 1 else Term("R", "neg", (amount,))

    def _factors(self, node: Draw, shift: Term) -> list[Fraction | None]:
        """How many times each rate the inverse of the scale is; the first that fits is paid."""
        found: list[Fraction | None] = []
        for rate in self.rates:
            wanted = [ratio(self._price(node), expression(rate), seed) for seed in range(4)]
            fits = not any(f is not None for f in found) and len(set(wanted)) == 1
            found.append(wanted[0] if fits else None)
        still = ("false",) if shift.sort == "bool" else ("number",)
        if not any(f is not None for f in found) and shift.op not in still:
            raise NoTheorem(f"the price of the noise of line {node.line}")
        return found

    def _price(self, node: Draw) -> ast.expr:
        """What one unit of a shift costs; of a coin the logarithm of its odds."""
        if law_of(node.law)[1] != "bool":
            return ast.BinOp(ast.Constant(1), ast.Div(), node.arguments[0])
        return log_odds(node.arguments[0])

    def _draw_tactic(self, k: int) -> Iterator[str]:
        m = self.statement.machine
        node, shift = self._shift(k)
        law, sort = law_of(node.law)
        name, variables = m.state(k), m.variables[k]
        wild = ["".join(f" ?{m.names.of(n)}{side}" for n in variables) for side in ("", "'")]
        values = self._values(k)
        shown = pieces(shift, DRAWN) if sort == "R" else ""
        if sort == "R":
            cut = (
                f"refine (pieces_eq _ _ _ {shown}); unfold move_{name};\n"
                f"      intros {DRAWN}; know; pieces_same"
            )
        else:
            cut = "exact I"
        yield f"Ltac draw_{name} rec := match goal with"
        yield f"  |- go _ _ _ _ _ _ ({name}{wild[0]}) ({name}{wild[1]}) =>"
        yield f"    apply walk; cbn [next]; apply (both_draw (l := {m.law(node)})"
        yield f"      (move_{name}{values}) (cost_{name}{values}));"
        yield f"    [ unfold cost_{name}, rates; cbn [dot];"
        if sort == "bool":
            odds = text(real(m.reader().of(self._price(node))))
            yield f"      law_bernoulli ltac:(idtac; arith0) ({odds}) ({text(shift, 'bool')})"
        else:
            yield f"      law_{law} ltac:(idtac; unfold move_{name} in * ) ltac:(idtac; arith0)"
            yield f"        ltac:(idtac; {cut})"
        yield "    | reflexivity"
        yield "    | let x := fresh in let Hx := fresh in intros x Hx; supp_facts Hx;"
        yield f"      unfold cost_{name}, move_{name}; cbn [paid carrier]; cbn beta; rec ] end."

    # Loop heads.

    def _invariants(self) -> Iterator[str]:
        m = self.statement.machine
        yield "Inductive Inv : state -> state -> list R -> Prop :="
        for j, (k, head) in enumerate(self.heads):
            counters = self._counters()
            bound = "".join(f" {c}" for c in counters)
            premises = [f"{closed(p)} ->" for p in self._premises(k, head)]
            left, right = (argument(m.within(k, side=side, named=m.cut(k))) for side in ("", "'"))
            yield f"| head{j} : forall{self._both(k)}{bound},"
            if premises:
                yield sequence_of(premises, 100, 4)
            yield f"    Inv {left} {right} [{'; '.join(counters)}]"
        yield "."

    def _premises(self, k: int, head: Mapping[str, Any]) -> Iterator[str]:
        m, pairs = self.statement.machine, self.pairs
        for name in m.variables[k]:
            said = head.get("variables", {}).get(name)
            if said is None:
                continue
            sort = m.sorts[name]
            left, right = (word(m.names.of(name) + side, sort) for side in ("", "'"))
            if said.get("value"):
                yield _equal(left, of_sort(pairs.reader().of(expression(said["value"])), sort))
            other = said.get("other", "")
            if other == "?" or (not other and said.get("other_kind", said["kind"]) != said["kind"]):
                continue
            there = (
                of_sort(self._reader_of_head(head).of(expression(other)), sort) if other else left
            )
            yield _equal(right, there)
        costs = head.get("costs", {})
        for j, rate in enumerate(self.rates):
            cost = costs.get(rate, "0")
            if cost != "?":
                known = real(pairs.reader().of(expression(cost)))
                yield f"k{j} = {text(known)}"
        for invariant in head.get("invariants", ()):
            yield proposition(self._reader_of_head(head).test(expression(invariant)))

    def _reader_of_head(self, head: Mapping[str, Any], side: str = "") -> Reader:
        base = self.pairs.reader(side)
        rates = {ast.dump(expression(r)): j for j, r in enumerate(self.rates)}

        def special(e: ast.expr) -> Term | None:
            match e:
                case ast.Call(func=ast.Name(id="cost"), args=[rate]):
                    j = rates.get(ast.dump(rate))
                    if j is None:
                        raise NoTheorem(f"'{ast.unparse(e)[:60]}'")
                    return word(f"k{j}", "R")
            return base.special(e)

        return replace(
            base,
            special=special,
            other=lambda: self._reader_of_head(head, "" if side else "'"),
        )

    # What is known, and what is allowed.

    def _known(self) -> Iterator[str]:
        s = self.statement
        # What is said of elements comes behind what is said of the pair.
        first = len(self.pairs.facts())
        arrays = [n for n in self.pairs.private if s.machine.inputs[n].array]
        elements = {s.machine.names.of(n): f"pair{first + k}" for k, n in enumerate(arrays)}
        if not elements:
            yield "Ltac know := idtac."
        else:
            yield "Ltac know := repeat match goal with"
            for name, rule in elements.items():
                for shown in (name, f"{name}'"):
                    yield f"  | |- context [{shown} ?i] => learn ({rule} i)"
                    yield f"  | _ : context [{shown} ?i] |- _ => learn ({rule} i)"
            yield "  end."
        yield "Ltac arith0 := know; arith."
        # What is equal at a head is put in; what is given of inputs stays as it is.  No input is
        # called like the variable of the tactic, which would stand for any.
        fixed = [n for n, _ in s.public]
        fixed += [f"{n}{side}" for n, _ in s.private for side in ("", "'")]
        fixed += [s.machine.names.of(c) for c in self.pairs.constants]
        stays = "".join(f" {n} => fail |" for n in fixed)
        yield "Ltac settle := repeat match goal with H : ?it'' = _ |- _ =>"
        yield from parts(f"  is_var it''; lazymatch it'' with{stays} _ => subst it'' end end.")

    def _within(self) -> Iterator[str]:
        """That costs within their bounds are within the budget."""
        counters = self._counters()
        said = self.part.get("costs", {})
        bounds = [real(self.pairs.reader().of(expression(b))) for b in said.values()]
        if self.pairs.case.distance:
            distance = self.statement.distance(self.pairs)
            bounds = [Term("R", "*", (b, distance)) for b in bounds]
        premises = "".join(f" {c} <= {text(b)} ->" for c, b in zip(counters, bounds, strict=True))
        suffix = self.statement.suffix(self.number)
        bound = f" {' '.join(counters)}" if counters else ""
        yield f"Lemma allowed{bound} :{premises} dot [{'; '.join(counters)}] rates <= budget."
        yield "Proof."
        yield f"  intros. unfold rates, beta{suffix}; cbn [dot]."
        for j, (c, b, r) in enumerate(zip(counters, bounds, self.rates.values(), strict=True)):
            rate, most = text(r), text(Term("R", "*", (b, r)))
            yield f"  assert (P{j} : 0 <= {rate}) by (nonneg ltac:(idtac; arith0))."
            yield f"  assert (M{j} : {text(Term('R', '*', (word(c, 'R'), r)))} <= {most})"
            yield "    by (apply Rmult_le_compat_r; assumption)."
        total = number(0, "R")
        for b, r in zip(bounds, self.rates.values(), strict=True):
            each = Term("R", "*", (b, r))
            total = each if total == number(0, "R") else Term("R", "+", (total, each))
        allowed = text(self.statement.beta(self.pairs))
        yield f"  assert (most : {text(total)} <= {allowed})"
        yield "    by within_budget ltac:(idtac; arith0)."
        yield "  lra."
        yield "Qed."

    def _explore(self) -> Iterator[str]:
        m = self.statement.machine
        rest = "go _ _ _ _ _ _"
        yield "Ltac explore := lazymatch goal with"
        for k in dict.fromkeys(k for k, _ in self.heads):
            wild = " _" * len(m.variables[k])
            ways = [f"(apply head{j}; arith0)" for j, (at, _) in enumerate(self.heads) if at == k]
            tried = ways[0] if len(ways) == 1 else f"first [{' | '.join(ways)}]"
            yield f"  | |- {rest} ({m.cut(k)}{wild}) _ => apply cut; {tried}"
        for k in self.draws:
            wild = " _" * len(m.variables[k])
            name = m.state(k)
            yield f"  | |- {rest} ({name}{wild}) _ => draw_{name} ltac:(idtac; explore)"
        yield f"  | |- {rest} _ _ => apply walk; cbn [next]; explore"
        yield "  | |- steps _ _ _ _ _ _ Done Done => apply both_done; apply allowed; arith0"
        yield "  | |- steps _ _ _ _ _ _ (Silent _) (Silent _) => apply both_silent; explore"
        yield "  | |- steps _ _ _ _ _ _ (Look _) (Look _) =>"
        yield "      apply both_look; [apply allowed; arith0 | explore]"
        yield "  | |- steps _ _ _ _ _ _ (Release _ _) (Release _ _) =>"
        yield "      apply release_same; [f_equal; arith0 | explore]"
        for sides in ("(if _ then _ else _) _", "_ (if _ then _ else _)"):
            yield f"  | |- steps _ _ _ _ _ _ {sides} => tests; (explore || (exfalso; arith0))"
        yield "  | |- _ => exfalso; arith0 end."


def _equal(left: Term, right: Term) -> str:
    return proposition(Term("bool", "=", (left, right)))
