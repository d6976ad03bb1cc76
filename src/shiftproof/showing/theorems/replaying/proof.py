"""The proof of one case of a statement: a section of the proof file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....checkers.kernel.language.syntax import expression
from ..stating.calls import all_called
from ..words.layout import argument, parts
from ..words.terms import Term, number, real, text, word
from . import calls, draws, heads
from .part import Part


def proof_text(name: str, cases: Sequence[Part]) -> str:
    """The file of a proof, of the statement in the file of this name."""
    called = list(all_called(cases[0].statement.machine))
    more = " ReplayCalls" if called else ""
    lines = [f"From Shiftproof Require Import Statements Replay{more} {name}."]
    for callee in called:
        statement = callee.statement
        lines += ["", f"Module {calls.PROOF}{callee.module}.", f"Import {callee.module}."]
        lines += [*statement.relation(), *statement.claim()]
        own = [Part(statement, k, said) for k, said in enumerate(callee.parts)]
        lines += _proved(own, "Lemma")
        lines += [*calls.laws(callee), f"End {calls.PROOF}{callee.module}."]
    lines += _proved(cases, "Theorem")
    lines += ["Print Assumptions proved."]
    return "\n".join(lines) + "\n"


def _proved(cases: Sequence[Part], kind: str) -> list[str]:
    """The cases, and the theorem."""
    lines: list[str] = []
    for case in cases:
        lines += ["", *_section(case)]
    statement = cases[0].statement
    limit = statement.limit
    public = [n for n, _ in statement.public]
    given = [f"given{k}" for k in range(len(statement.preconditions))]
    lines += ["", f"{kind} proved : private.", "Proof."]
    lines += parts(f"  intros{limit}{_spaced([*public, *given])}.")
    lines += ["  repeat split."] if len(cases) > 1 else []
    for case in cases:
        both = [f"{n}{side}" for n, _ in statement.private for side in ("", "'")]
        constants = [statement.machine.names.of(c) for c in case.pairs.constants]
        facts = [f"pair{k}" for k in range(len(statement.conjuncts(case.pairs)))] or ["related"]
        pattern = " & ".join([*constants, *facts])
        pattern = f"({pattern})" if " " in pattern else pattern
        facts = [] if facts == ["related"] else facts
        lines += parts(f"  - intros{_spaced(both)} {pattern}.")
        arguments = [
            *([limit.strip()] if limit else []),
            *public,
            *given,
            *both,
            *constants,
            *facts,
        ]
        lines += parts(f"    exact (Case{case.number + 1}.case{_spaced(arguments)}).")
    return [*lines, "Qed."]


def _section(part: Part) -> Iterator[str]:
    """A section of the proof file."""
    s, given = part.statement, part.statement.given
    both = "".join(f" {n} {n}'" for n, _ in s.private)
    suffix = s.suffix(part.number)
    yield f"Module Case{part.number + 1}."
    yield "Section Case."
    if s.limit:
        yield f"Variable{s.limit} : nat."
    if s.public:
        yield f"Variables{s.parameters}."
    for k, fact in enumerate(s.preconditions):
        yield f"Hypothesis given{k} : {fact}."
    yield f"Variables{s.both_sides()}."
    for constant, sort in part.pairs.constants.items():
        yield f"Variable {s.machine.names.of(constant)} : {sort}."
    for k, fact in enumerate(s.conjuncts(part.pairs)):
        yield f"Hypothesis pair{k} : {fact}."
    left, right = ("".join(f" {n}{side}" for n, _ in s.private) for side in ("", "'"))
    yield f"Notation left_run := (next{s.limit}{given}{left})."
    yield f"Notation right_run := (next{s.limit}{given}{right})."
    yield f"Notation budget := (beta{suffix}{given}{both})."
    rates = "; ".join(text(r) for r in part.rates.values())
    yield f"Definition rates : list R := [{rates}]."
    for k in part.draws:
        yield from draws.move(part, k)
    for k in part.calls:
        yield from calls.cost(part, k)
    yield from heads.invariants(part)
    yield from _known(part)
    yield from _within(part)
    for k in part.draws:
        yield from draws.tactic(part, k)
    for k in part.calls:
        yield from calls.tactic(part, k)
    yield from _explore(part)
    yield "Lemma cuts s s' ks : Inv s s' ks ->"
    yield "  steps left_run right_run budget rates Inv ks (left_run s) (right_run s')."
    yield "Proof. intros H; destruct H; settle; cbn [next]; explore. Qed."
    start, zeros = argument(s.machine.start()), part.zeros
    yield f"Theorem case : bounded left_run right_run {start} budget."
    yield "Proof using All."
    yield "  intros stops event n range."
    yield f"  replace (exp budget) with (exp (budget - dot {zeros} rates))"
    yield "    by (f_equal; unfold rates; cbn [dot]; ring)."
    yield "  apply (aligned _ _ _ _ _ cuts); [exact range|]. explore."
    yield "Qed."
    yield "End Case."
    yield f"End Case{part.number + 1}."


def _known(part: Part) -> Iterator[str]:
    s = part.statement
    # What is said of elements comes behind what is said of the pair.
    first = len(part.pairs.facts())
    arrays = [n for n in part.pairs.private if s.machine.inputs[n].array]
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
    fixed += [s.machine.names.of(c) for c in part.pairs.constants]
    stays = "".join(f" {n} => fail |" for n in fixed)
    yield "Ltac settle := repeat match goal with H : ?it'' = _ |- _ =>"
    yield from parts(f"  is_var it''; lazymatch it'' with{stays} _ => subst it'' end end.")


def _within(part: Part) -> Iterator[str]:
    """That costs within their bounds are within the budget."""
    counters = part.counters()
    said = part.said.get("costs", {})
    bounds = [real(part.pairs.reader().of(expression(b))) for b in said.values()]
    if part.pairs.case.distance:
        distance = part.statement.distance(part.pairs)
        bounds = [Term("R", "*", (b, distance)) for b in bounds]
    premises = "".join(f" {c} <= {text(b)} ->" for c, b in zip(counters, bounds, strict=True))
    suffix = part.statement.suffix(part.number)
    bound = f" {' '.join(counters)}" if counters else ""
    yield f"Lemma allowed{bound} :{premises} dot [{'; '.join(counters)}] rates <= budget."
    yield "Proof."
    yield f"  intros. unfold rates, beta{suffix}; cbn [dot]."
    for j, (c, b, r) in enumerate(zip(counters, bounds, part.rates.values(), strict=True)):
        rate, most = text(r), text(Term("R", "*", (b, r)))
        yield f"  assert (P{j} : 0 <= {rate}) by (nonneg ltac:(idtac; arith0))."
        yield f"  assert (M{j} : {text(Term('R', '*', (word(c, 'R'), r)))} <= {most})"
        yield "    by (apply Rmult_le_compat_r; assumption)."
    total = number(0, "R")
    for b, r in zip(bounds, part.rates.values(), strict=True):
        each = Term("R", "*", (b, r))
        total = each if total == number(0, "R") else Term("R", "+", (total, each))
    allowed = text(part.statement.beta(part.pairs))
    yield f"  assert (most : {text(total)} <= {allowed})"
    yield "    by within_budget ltac:(idtac; arith0)."
    yield "  lra."
    yield "Qed."


def _explore(part: Part) -> Iterator[str]:
    m = part.statement.machine
    rest = "go _ _ _ _ _ _"
    yield "Ltac explore := lazymatch goal with"
    for k in dict.fromkeys(k for k, _ in part.heads):
        wild = " _" * len(m.variables[k])
        ways = [f"(apply head{j}; arith0)" for j, (at, _) in enumerate(part.heads) if at == k]
        tried = ways[0] if len(ways) == 1 else f"first [{' | '.join(ways)}]"
        yield f"  | |- {rest} ({m.cut(k)}{wild}) _ => apply cut; {tried}"
    for what, k in [*(("draw", k) for k in part.draws), *(("call", k) for k in part.calls)]:
        wild = " _" * len(m.variables[k])
        name = m.state(k)
        yield f"  | |- {rest} ({name}{wild}) _ => {what}_{name} ltac:(idtac; explore)"
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


def _spaced(names: Sequence[str]) -> str:
    return "".join(f" {n}" for n in names)
