"""Whether the table has the relation that the product has, as Z3 understands both."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import z3

from shiftproof.checkers.kernel.arithmetic import start_work
from shiftproof.checkers.kernel.claim.policies import Case as TextCase
from shiftproof.checkers.kernel.claim.policies import Kind, cases, kinds, mechanism_budget
from shiftproof.checkers.kernel.language.steps import Mechanism
from shiftproof.checkers.kernel.language.text import read
from shiftproof.dsl.privacy.definitions import DPrivacy, Privacy
from shiftproof.dsl.privacy.inputs import DataSet, InputKind
from shiftproof.dsl.privacy.records import AFTER, BEFORE, changes
from shiftproof.dsl.reading.rules import read_definition
from shiftproof.dsl.relations.cases import Case, cases_of
from shiftproof.dsl.relations.unknowns import MOVE
from shiftproof.dsl.terms.formulas import Formula, equal
from shiftproof.dsl.terms.linear import Linear, Symbol, term
from shiftproof.dsl.terms.smt import Writer
from tests.checkers.kernel.relation_texts import Meaning, all_of, core

VALUE = "value of the product"
INDEX = term(Symbol("i", True))
#: The first text of a data set, by who has the record.
WORDS = {
    (True, True): "replaced",
    (True, False): "removed",
    (False, True): "added",
    (False, False): "same",
}


def differences(privacy: Privacy, inputs: Mapping[str, InputKind], budget: str = "") -> list[str]:
    """Where the table and the product say different things of a claim and its inputs."""
    start_work()
    mechanism = read(core(privacy, inputs, budget))
    ours, theirs = cases(mechanism), cases_of(read_definition(privacy), inputs)
    if [c.name for c in ours] != [c.name for c in theirs]:
        return [f"cases {[c.name for c in ours]} and {[c.name for c in theirs]}"]
    return [
        f"{case.name}: {problem}"
        for text, case in zip(ours, theirs, strict=True)
        for problem in _Both(mechanism, kinds(mechanism.header), text, case).problems()
    ]


class _Both:
    """One case as the table and as the product have it."""

    def __init__(
        self, mechanism: Mechanism, kinds: Mapping[str, Kind], text: TextCase, case: Case
    ) -> None:
        self._mechanism, self._kinds, self._text, self._case = mechanism, kinds, text, case

    def problems(self) -> list[str]:
        """What they do not agree about."""
        found = []
        if list(self._text.inputs) != list(self._case.moves):
            return ["not the same inputs"]
        for name in [*self._text.inputs, None]:
            move = self._case.moves[name] if name else None
            if name and isinstance(self._case.inputs[name], DataSet):
                assert move is not None
                if self._text.inputs[name][0] != WORDS[move.present]:
                    found.append(f"{name} is not {WORDS[move.present]}")
            theirs, named = self._theirs(name)
            for words, mine in (("more", True), ("less", False)):
                known, swapped = self._witnesses(name, mine)
                ours, value = self._ours(name, known)
                claim, also = (ours, theirs) if mine else (theirs, ours)
                same = [] if value is None else [z3.Real(VALUE) == value]
                question = [*named, *also, z3.Not(all_of([*claim, *same]))]
                solver = z3.Solver()
                solver.set("rlimit", 20_000_000)
                solver.add([z3.substitute(q, *swapped) for q in question])
                if solver.check() != z3.unsat:
                    found.append(f"the table says {words} of {name}")
        return found + self._budgets()

    def _ours(self, name: str | None, known: Mapping[str, Any]) -> tuple[list[Any], Any]:
        """Facts and conditions of one input at the index, and its value on D′."""
        meaning = Meaning(self._kinds, "i", {**self._product_names(), **known})
        value, told = None, []
        scalars = [n for n in self._text.inputs if not self._kinds[n].array]
        for n in [*scalars, *([name] if name and name not in scalars else [])]:
            first, *conditions = self._text.inputs[n]
            if attributes := self._kinds[n].attributes:
                for k in [*range(attributes), *(["i"] if n == name else [])]:
                    told += [Meaning(self._kinds, k, meaning.known).of(t) for t in conditions]
                continue
            q = f"{n}[i]" if self._kinds[n].array else n
            meaning.known[f"other({q})"] = meaning.of(first)
            if n == name:
                value = meaning.of(first)
            if self._case.rule is not None and self._kinds[n].array:
                self._others_at(meaning)
            told += [meaning.of(t) for t in conditions]
        return [*told, *(meaning.of(t) for t in self._text.facts)], value

    def _others_at(self, meaning: Meaning) -> None:
        """The values of all other sequences at the index, which a rule speaks of too."""
        for n, (first, *_) in self._text.inputs.items():
            if self._kinds[n].array:
                meaning.known[f"other({n}[i])"] = meaning.of(first)

    def _product_names(self) -> dict[str, Any]:
        """The symbols of the product, by what the table calls them."""
        plain = Meaning(self._kinds, "i", {})
        found = {}
        for n, kind in self._kinds.items():
            at = "[i]" if kind.array else ""
            found[f"move({n}){at}"] = plain.new(n, f"{MOVE}{n}{at}")
            found[f"move2({n}){at}"] = plain.new(n, f"{{{MOVE}{n}, other{at}}}")
            for k in [*range(kind.attributes), "i"] if kind.attributes else []:
                found[f"before({n})[{k}]"] = z3.Int(f"{BEFORE}{n}[{k}]")
                found[f"after({n})[{k}]"] = z3.Int(f"{AFTER}{n}[{k}]")
        return found

    def _theirs(self, name: str | None) -> tuple[list[Any], list[Any]]:
        """Facts of the case and of one input at the index, and what its value on D′ is."""
        case = self._case
        facts: list[Formula] = list(case.facts)
        named: list[Formula] = []
        if name is not None:
            kind, move = case.inputs[name], case.moves[name]
            if isinstance(kind, DataSet):
                facts += changes(name, INDEX, move.policy, all(move.present))
            else:
                pair = case.cell(name, INDEX) if kind.array else case.scalar(name)
                facts += pair.facts
                named.append(equal(pair.right, term(Symbol(VALUE))))
        return _read(facts), _read(named)

    def _witnesses(
        self, name: str | None, product_to_table: bool
    ) -> tuple[dict[str, Any], list[tuple[Any, Any]]]:
        """Unknowns that are not the same in both: what they are, in those of the other.

        Single values are no different by a move that the table does not name; at two locations the
        table has one difference for each; and of data sets that are the same nothing is known.
        """
        plain = Meaning(self._kinds, "i", self._product_names())
        known: dict[str, Any] = {}
        swapped: list[tuple[Any, Any]] = []
        for n, move in self._case.moves.items():
            kind = self._case.inputs[n]
            if isinstance(kind, DataSet) and not any(move.present):
                for k in [*range(kind.attributes), "i"]:
                    for side, word in ((BEFORE, "before"), (AFTER, "after")):
                        symbol = z3.Int(f"{side}{n}[{k}]")
                        if not product_to_table and move.policy is not None:
                            swapped.append((symbol, z3.IntVal(move.policy.universe[0])))
                        elif all(m.whole is None for m in self._case.moves.values()):
                            known[f"{word}({n})[{k}]"] = z3.IntVal(0)
            if move.where in ("window", "one") and move.low == move.high:
                swapped.append((z3.Int(f"place1({n})"), z3.IntVal(0)))
                swapped.append((z3.Real(f"change1({n})"), z3.RealVal(0)))
            if move.where == "everywhere" and move.low == move.high and not kind.array:
                known[f"move({n})"] = z3.IntVal(0)
            if n != name or not move.by or move.where != "two":
                continue
            whole = z3.Int(f"{MOVE}{name}[i]")
            here, there = (plain.of(f"{move.by}[i] == place{k}({name})") for k in (1, 2))
            if product_to_table:
                falls = z3.If(whole >= 0, whole, 0)
                first = z3.If(z3.And(here, there), falls, z3.If(here, whole, 0))
                second = z3.If(z3.And(here, there), whole - falls, z3.If(there, whole, 0))
            else:
                first, second = z3.Int("first"), z3.Int("second")
                swapped.append((whole, z3.If(here, first, 0) + z3.If(there, second, 0)))
            known |= {f"move({name})[i]": first, f"move2({name})[i]": second}
        return known, swapped

    def _budgets(self) -> list[str]:
        """Budgets and distances that differ."""
        found = []
        known = self._product_names()
        meaning = Meaning(self._kinds, "i", known)
        for n, (first, *_) in self._text.inputs.items():
            if not self._kinds[n].array and not self._kinds[n].attributes:
                meaning.known[f"other({n})"] = meaning.of(first)
        pairs = [("distance", self._text.distance, self._case.distance)]
        if self._case.pairing is None or not isinstance(self._case.pairing.privacy, DPrivacy):
            pairs.append(("budget", self._text.budget, self._case.budget))
        elif self._text.budget != mechanism_budget(self._mechanism.header):
            found.append("budget")
        for word, text, linear in pairs:
            if (text == "") != (linear is None):
                found.append(f"{word}: {text!r} and {linear}")
            elif linear is not None:
                solver = z3.Solver()
                value = Symbol(VALUE)
                solver.add(_read([equal(linear, term(value))]))
                solver.add([*_read(self._case.facts), *self._ours(None, {})[0]])
                solver.add(meaning.of(text) != z3.Real(VALUE))
                if solver.check() != z3.unsat:
                    found.append(f"{word}: {text!r} and {linear}")
        return found


def _read(facts: list[Formula]) -> list[Any]:
    """Conditions of the product, as Z3 has them."""
    writer = Writer(exact_products=True)
    texts = [f"(assert {writer.formula(f)})" for f in facts]
    declared = [f"(declare-const {n} {s})" for n, s in writer.sorts.items()]
    return list(z3.parse_smt2_string("".join([*declared, *texts])))


def says_the_same(
    texts: Sequence[str], facts: Sequence[Formula], kinds: Mapping[str, Kind]
) -> bool:
    """Whether conditions on public parameters are the same."""
    ours, theirs = [Meaning(kinds, "i", {}).of(text) for text in texts], _read(list(facts))
    solver = z3.Solver()
    solver.add(all_of(ours) != all_of(theirs))
    return bool(solver.check() == z3.unsat)


def is_budget(text: str, budget: Linear, kinds: Mapping[str, Kind]) -> bool:
    """Whether a budget over public parameters is this one."""
    solver = z3.Solver()
    solver.add(_read([equal(budget, term(Symbol(VALUE)))]))
    solver.add(z3.Real(VALUE) != Meaning(kinds, "i", {}).of(text))
    # Where a divisor is zero both may be anything.
    for n in ast.walk(ast.parse(text)):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div):
            solver.add(Meaning(kinds, "i", {}).of(ast.unparse(n.right)) != 0)
    return bool(solver.check() == z3.unsat)
