"""The proof of one case of a statement: a section of the proof file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....checkers.kernel.language.syntax import expression
from ..stating.calls import all_called
from ..words.layout import argument, parts
from ..words.terms import Term, closed, number, real, text, word
from . import calls, draws, heads
from .part import Part


def proof_text(name: str, cases: Sequence[Part]) -> str:
    """The file of a proof, of the statement in the file of this name."""
    called = [
        (callee, [Part(callee.statement, k, said) for k, said in enumerate(callee.parts)])
        for callee in all_called(cases[0].statement.machine)
    ]
    proved = [cases[0], *(own[0] for _, own in called)]
    tactics = _spaced([*dict.fromkeys(file for part in proved for file in part.tactics)])
    words = f"{tactics}{' ReplayCalls' if called else ''}{cases[0].statement.words}"
    lines = [f"From Shiftproof Require Import Statements Replay{words} {name}."]
    for callee, own in called:
        statement = callee.statement
        lines += ["", f"Module {calls.PROOF}{callee.module}.", f"Import {callee.module}."]
        lines += [*statement.relation(), *statement.claim()]
        lines += [*_proved(own, "Lemma"), f"End {calls.PROOF}{callee.module}."]
    lines += _proved(cases, "Theorem")
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
        constants = [n for names, _ in case.pairs.unknowns for n in names]
        facts = [f"pair{k}" for k in range(len(statement.conjuncts(case.pairs)))] or ["related"]
        pattern = " & ".join([*constants, *facts])
        pattern = f"({pattern})" if " " in pattern else pattern
        facts = [] if facts == ["related"] else facts
        story = ["story"] if case.foretold else []
        lines += parts(f"  - intros{_spaced([*both, pattern, *story])}.")
        limits = [limit.strip()] if limit else []
        arguments = [*limits, *public, *given, *both, *constants, *facts, *story]
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
    for unknown, of in part.pairs.unknowns:
        yield f"Variable{'s' if unknown[1:] else ''} {' '.join(unknown)} : {of}."
    for k, fact in enumerate(s.conjuncts(part.pairs)):
        yield f"Hypothesis pair{k} : {fact}."
    if part.foretold:
        yield "Variable story : list Z."
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
    told, named = (" told", "told_") if part.foretold else ("", "")
    yield f"Lemma cuts{told} s s' ks : Inv{told} s s' ks ->"
    runs = f"{told} (left_run s) (right_run s')"
    yield f"  {named}steps left_run right_run budget rates Inv ks{runs}."
    yield "Proof. intros H; destruct H; settle; cbn [next]; explore. Qed."
    start, zeros = argument(s.machine.start()), part.zeros
    if part.foretold:
        yield f"Theorem case : bounded_for story left_run right_run {start} budget."
        yield "Proof using All."
        yield f"  replace budget with (budget - dot {zeros} rates)"
        yield "    by (unfold rates; cbn [dot]; ring)."
        yield "  apply (aligned_for _ _ _ _ _ cuts). explore."
    else:
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
    counted = bool(part.pairs.data_sets)
    first_of_all = "learn_counts; " if counted else ""
    attributes = [
        (data.record(side), f"pair{s.conjuncts(part.pairs).index(closed(data.told))}")
        for data in part.pairs.data_sets.values()
        for side in data.sides
        if data.told
    ]
    if not elements and not attributes:
        yield f"Ltac know := {'learn_counts' if counted else 'idtac'}."
    else:
        yield f"Ltac know := {first_of_all}repeat match goal with"
        for shown, rule in attributes:
            yield f"  | |- context [{shown} ?i] => learn_within ({rule} i)"
            yield f"  | _ : context [{shown} ?i] |- _ => learn_within ({rule} i)"
        for name, rule in elements.items():
            for shown in (name, f"{name}'"):
                yield f"  | |- context [{shown} ?i] => learn ({rule} i)"
                yield f"  | _ : context [{shown} ?i] |- _ => learn ({rule} i)"
        yield "  end."
    yield f"Ltac arith0 := know; {part.arith}."
    # What is equal at a head is put in; what is given of inputs stays as it is.  No input is
    # called like the variable of the tactic, which would stand for any.
    fixed = [n for n, _ in s.public]
    fixed += [f"{n}{side}" for n, _ in s.private for side in ("", "'")]
    fixed += [n for names, _ in part.pairs.unknowns for n in names]
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
    rest, both = part.goal("go"), part.goal("steps")
    same = "arith0"
    if part.has_lists:
        yield "Ltac decide_all := of_elements; arith0."
        same = "first [same_pick ltac:(idtac; arith0) | arith0]"
    yield "Ltac explore := lazymatch goal with"
    for k in dict.fromkeys(k for k, _ in part.heads):
        wild = " _" * len(m.variables[k])
        ready = "know; " if part.foretold else ""
        decide = "decide_all" if part.has_lists else "arith0"
        ways = [f"(apply head{j}; {decide})" for j, (at, _) in enumerate(part.heads) if at == k]
        tried = ways[0] if len(ways) == 1 else f"first [{' | '.join(ways)}]"
        if any(m.sorts[n] == "option Z" for n in m.variables[k]):
            # Which of them are None is seen where it is known which way the runs took.
            ready = f"which; tests; which; {ready}"
        if part.has_lists:
            ready = f"shown; {ready}"
        yield f"  | |- {rest} ({m.cut(k)}{wild}) _ => apply {part.rule('cut')}; {ready}{tried}"
    for what, k in [*(("draw", k) for k in part.draws), *(("call", k) for k in part.calls)]:
        wild = " _" * len(m.variables[k])
        name = m.state(k)
        yield f"  | |- {rest} ({name}{wild}) _ => {what}_{name} ltac:(idtac; explore)"
    yield f"  | |- {rest} _ _ => apply {part.rule('walk')}; cbn [next]; explore"
    yield f"  | |- {both} Done Done => apply {part.rule('done')}; apply allowed; arith0"
    yield f"  | |- {both} (Silent _) (Silent _) => apply {part.rule('silent')}; explore"
    yield f"  | |- {both} (Look _) (Look _) =>"
    yield f"      apply {part.rule('look')}; [apply allowed; arith0 | explore]"
    if part.foretold:
        if "option Z" in m.sorts.values():
            yield f"  | |- {both} (Release (VO _) _) _ => which; explore"
        yield f"  | |- {both} (Release (VZ _) _) (Release (VZ _) _) =>"
        yield f"      apply told_whole; as_foretold; split; [{same} | intros; explore]"
        yield f"  | |- {both} (Release _ _) (Release _ _) =>"
        yield "      apply told_release; [f_equal; arith0 | reflexivity | explore]"
    else:
        yield f"  | |- {both} (Release _ _) (Release _ _) =>"
        yield "      apply release_same; [f_equal; arith0 | explore]"
    first = "which; " if "option Z" in m.sorts.values() else ""
    first += "which_items; " if "array bool" in m.sorts.values() else ""
    apart = f"progress ({first}tests)" if first else "tests"
    for sides in ("(if _ then _ else _) _", "_ (if _ then _ else _)"):
        yield f"  | |- {both} {sides} => {apart}; (explore || (exfalso; arith0))"
    yield "  | |- _ => exfalso; arith0 end."


def _spaced(names: Sequence[str]) -> str:
    return "".join(f" {n}" for n in names)
