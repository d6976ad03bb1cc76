"""What many runs or reports tell: audits, outcomes, estimates, and errors of noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from ...checkers.auditing.evidence.notions import PURE
from ...checkers.auditing.one_sided import OneSidedAudit
from ...checkers.auditing.result import Audit, Judgement, Tested
from ...dsl.simulation.outcomes import Outcomes
from ...estimators.noise_utility import NoiseErrors, NoiseUtility
from ...estimators.reconstruction import Reconstruction
from ..account import Account, Finding, Place, facts_of
from ..explaining.notation import letters
from ..formats.audits import as_json, bound_text, condition_text
from ..formats.formula import formula, words
from ..printable import presentable
from ..rules import RULES
from ..words import Maths, Section, Table, plural

#: How many events are listed besides the first one, and how long an input may be, in characters.
OTHERS, LONGEST = 4, 160
_NOWHERE = Place("")
_NO_PROOF = "That no violation was found does not mean that there is none."


def of_audit(audit: Audit, place: Place = _NOWHERE) -> Account:
    """An audit of privacy: the verdict, the evidence, events, and what could have been seen.

    Args:
        audit: any.
        place: where what was audited stands.
    """
    violated = audit.verdict == "violation found"
    verdict = audit.verdict if audit.claim is not None else _bound(audit.judgement, audit)
    symbol = audit.notion.symbol
    tested = [t for t in audit.tested if t.runs]
    event = _event(tested[0], audit) if tested else {}
    others = tuple(
        (t.pair, f"{t.on_left:,}", f"{t.on_right:,}", f"{t.runs:,}", _ratio(t), t.event)
        for t in tested[1 : 1 + OTHERS]
    )
    rows = {
        "an event so likely on D": [f"{v.probability:g}" for v in audit.visible],
        f"is seen at best from {symbol}": [_from(v.epsilon) for v in audit.visible],
    }
    if audit.notion is PURE:  # others were not measured
        rows |= {
            "nearly always, if a token or a tail": [_from(v.simple) for v in audit.visible],
            "nearly always, of all kinds tried": [_from(v.hidden) for v in audit.visible],
        }
    seen = tuple((text, *values) for text, values in rows.items())
    account = Account(
        audit.mechanism,
        verdict,
        mood="bad" if violated else "plain",
        status=1 if violated else 0,
        place=place,
        facts=facts_of(_facts(audit) | event | {"note": "\n".join(audit.notes)}),
        sections=(
            *_table(("other pair", "on D", "on D′", "of runs", "ratio", "event"), others),
            *_table(seen[0], seen[1:]),
        ),
        findings=_found("violation", audit.mechanism, event, place) if violated else (),
        note="" if violated else _NO_PROOF,
        seconds=audit.seconds,
        plain=as_json(audit),
    )
    return presentable(account)


def _from(epsilon: float | None) -> str:
    return "-" if epsilon is None else f"{epsilon:.3g}"


def of_one_sided(audit: OneSidedAudit, place: Place = _NOWHERE) -> Account:
    """An audit of a one-sided claim."""
    lines = tuple(line.removeprefix("  ") for line in audit.as_text().split("\n")[1:])
    broken = audit.verdict == "refuted"
    account = Account(
        audit.mechanism,
        audit.verdict,
        mood="bad" if broken else "plain",
        status=1 if broken else 0,
        place=place,
        evidence=lines,
        findings=_found("wrong-answer", audit.mechanism, {"": lines[0]}, place) if broken else (),
        plain=audit.as_json(),
    )
    return presentable(account)


def _found(rule: str, name: str, said: Mapping[str, str], place: Place) -> tuple[Finding, ...]:
    lines = tuple(f"{label}: {text}".removeprefix(": ") for label, text in said.items() if text)
    title = f"{name}: {RULES[rule].title[0].lower()}{RULES[rule].title[1:]}"
    return (Finding(RULES[rule], title, lines, place, key=(place.file, name)),)


def _facts(audit: Audit) -> dict[str, str]:
    """What was audited, what came out, and how much was done."""
    at = "".join(f", {name} = {_value(value)}" for name, value in audit.public.items())
    after = "interrupted after " if audit.interrupted else ""
    done = f"{after}{audit.runs:,} of {audit.asked:,}"
    return {
        "claim": f"{_claim(audit)}, on {plural(audit.pairs, 'ordered pair')} of inputs{at}",
        "ideal": _judged(audit.ideal, audit),
        "code": "" if audit.code is None else _judged(audit.code, audit),
        "runs": f"{done}, in {audit.seconds:.2f} s, seed {audit.seed}",
    }


def _claim(audit: Audit) -> str:
    if audit.claim is None:
        return f"none{condition_text(audit)}"
    if audit.unit == "budget":
        return "the ε of each pair"
    unit = " for each unit of distance" if audit.unit else ""
    return f"{audit.notion.symbol} = {audit.claim:.6g}{condition_text(audit)}{unit}"


def _bound(judgement: Judgement, audit: Audit) -> str:
    symbol = audit.notion.symbol
    if judgement.lower_bound <= 0:
        return f"nothing shows that {symbol} is above 0{condition_text(audit)}"
    sure = f"with confidence {100 * audit.confidence:g} %"
    if audit.unit == "budget":
        return f"some pair has at least {judgement.lower_bound:.3f} times its ε {sure}"
    return f"{bound_text(audit, judgement.lower_bound)}{condition_text(audit)} {sure}"


def _judged(judgement: Judgement, audit: Audit) -> str:
    """One of the two verdicts, with its bound."""
    bound = _bound(judgement, audit)
    if judgement.p_value is None or judgement.allowed is None:
        return bound
    if judgement.verdict == "no violation found":
        return f"no violation found; {bound}"
    if judgement.verdict == "not decided":
        return f"not decided, as the code fell first; {bound}; to go on: --bound, stop=False"
    allowed = "once allowed" if audit.unit == "budget" else f"{judgement.allowed:.6g} allowed"
    small = judgement.p_value < 1e-100
    p = "p-value below 1e-100" if small else f"p-value {judgement.p_value:.2g}"
    return f"violation found; {bound}, {allowed}; {p}"


def _event(tested: Tested, audit: Audit) -> dict[str, str]:
    """An event, its pair of inputs, and how often it came."""
    share = f"{tested.on_left:,} on D, {tested.on_right:,} on D′, of {tested.runs:,} runs each"
    return {
        "event": tested.event,
        "D": _inputs(tested.left, audit.public),
        "D′": _inputs(tested.right, audit.public),
        "owed": f"ε = {tested.owed:.6g}" if audit.unit else "",
        "came": f"{share}: ratio {_ratio(tested)}".replace("ratio never", "never"),
    }


def _ratio(tested: Tested) -> str:
    """How many times as often an event came on D."""
    ratio = tested.log_ratio
    if math.isinf(ratio):
        return "never on D′" if ratio > 0 else "never on D"
    return f"e^{ratio:.3g}"


def _inputs(value: Any, public: Mapping[str, Any]) -> str:
    """The private inputs of one side."""
    if isinstance(value, Mapping):
        private = {n: v for n, v in value.items() if n not in public}
        return ", ".join(f"{n} = {_value(v)}" for n, v in private.items())
    return _value(value)


def _value(value: Any) -> str:
    """A value as Python writes it, cut where it is too long."""
    shown = _shown(value)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _shown(value: Any) -> str:
    """As Python writes it, but fractions as people do."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' if len(value) == 1 else ''})"
    return str(value) if isinstance(value, Fraction) else repr(value)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> tuple[Section, ...]:
    return (Section("", (Table(head, rows),)),) if rows else ()


# Outcomes of many runs: how many there are, and the most frequent ones.

#: How many runs are counted, and how many outcomes listed.
COUNTED, LISTED = 100_000, 10


def of_outcomes(outcomes: Outcomes) -> Account:
    """Outcomes; of very many, the first ones are counted."""
    some = outcomes[:COUNTED]
    counts = some.counts()
    runs = f"{len(outcomes):,}"
    if len(some) < len(outcomes):
        runs += f", of which the first {len(some):,} were counted"
    rows = tuple(
        (", ".join(map(repr, outcome)) or "nothing", f"{times:,}", f"{times / len(some):.4g}")
        for outcome, times in counts[:LISTED]
    )
    listed = f"{len(counts):,}" + ("; the most frequent:" if len(counts) > LISTED else "")
    table = _table(("outcome", "runs", "share"), rows)
    found = facts_of({"runs": runs, "different outcomes": listed})
    return Account("outcomes", sections=table, facts=found)


# Estimates: a distribution that was reconstructed, and the errors of noise in numbers.

#: How many values of a distribution are listed.
VALUES = 20


def of_errors(errors: NoiseErrors) -> Account:
    """The errors of a noise."""
    named = {f.name.replace("_", " "): f"{getattr(errors, f.name):.10g}" for f in fields(errors)}
    return Account("noise errors", facts=facts_of(named))


def of_reconstruction(found: Reconstruction) -> Account:
    """A distribution that was reconstructed."""
    facts = {
        "method": f"{found.method}, {found.iterations:,} iterations",
        "reports": f"{found.reports:,.10g}",
        "warning": "\n".join(found.warnings),
    }
    count = len(found.distribution)
    rows = tuple((str(k), f"{p:.6g}") for k, p in enumerate(found.distribution[:VALUES]))
    return Account(
        "reconstruction",
        "converged" if found.converged else "not converged",
        sections=_table(("value", "probability"), rows),
        mood="good" if found.converged else "open",
        facts=facts_of(facts),
        note=f"The first {VALUES} of {count:,} values." if count > VALUES else "",
    )


# The errors of a noise as formulas, below each other.


def of_utility(utility: NoiseUtility) -> Account:
    """The errors of a noise, and what the abbreviations in them mean."""
    less = f" less its {utility.debias}" if utility.debias else ""
    return Account(utility.noise + less, claim=tuple(_formulas(utility)))


def latex_of(utility: NoiseUtility) -> str:
    """The same as LaTeX, with room between the formulas."""
    account = of_utility(utility)
    return formula([words(account.title), *(f.latex for f in account.claim)], gap="[2ex]")


def _formulas(utility: NoiseUtility) -> Iterator[Maths]:
    from sympy import latex

    names = {symbol: letters(symbol.name) for symbol in utility.symbols}
    for label, value in (
        ("subtracted", utility.subtracted), ("bias", utility.bias),
        ("variance", utility.variance), ("RMSE", utility.rmse),
        ("E|error|", utility.mean_absolute_error),
    ):  # fmt: skip
        shown = rf"{words(f'{label} = ')}\displaystyle {latex(value, symbol_names=names)}"
        yield Maths(shown, f"{label} = {value}")
    for name, value in utility.where:
        one, other = (latex(side, symbol_names=names) for side in (name, value))
        yield Maths(rf"{words('where ')}{one} = {other}", f"where {name} = {value}")
