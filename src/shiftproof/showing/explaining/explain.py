"""``explain``: from a verdict to the account of it, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...checkers.finite.sums import summed
from ...checkers.verdicts import Report, Verdict
from ...checkers.verify import verify
from ...checkers.walking.certificate import Certificate, Part
from ...checkers.walking.claims import answer_claims
from ...checkers.walking.notation import term_of
from ...checkers.walking.runs.vocabulary import Vocabulary
from ...dsl.errors import BadInput
from ...dsl.relations.cases import ONE_SIDED, Case
from ...dsl.relations.program import Program
from ...dsl.terms.linear import number
from ...dsl.terms.pretty import pretty
from ...workspace.importing import AnyMechanism
from ..account import About, Account
from ..formats import latex, markdown
from ..printable import shortened
from ..words import (
    Block,
    Code,
    Entry,
    Items,
    Listing,
    Paragraph,
    Section,
    Words,
    paragraph,
    say,
)
from .claim import budget, case_words, claim_blocks, short_budget
from .conditions import condition_blocks, cost_blocks, invariant_blocks
from .counting import enumeration_blocks, sums_blocks
from .legend import counters
from .noises import notation_of
from .notation import Notation
from .refuted import conclusion, refuted_blocks
from .shifting import alignment_blocks
from .source import about, program_blocks

#: What proves a claim, and how the claim follows.
_METHODS = {
    "alignment": (
        "an alignment of its noise",
        "Every run on {d} has its partner on {e} with the same output, at no more than the budget; "
        "integrating over all noise gives the claim.",
    ),
    "sums": (
        "sums of probabilities",
        "No outcome that the claim is about is more likely than it allows, so no set of them is.",
    ),
    "enumeration": (
        "enumeration of all inputs",
        "No outcome that the claim is about is more likely than it allows, at any of these sizes, "
        "so no set of them is.",
    ),
    "": ("", ""),
}


_MOMENTS = (
    "Every run on {d} has its partner on {e} with the same output, by shifts that are known before "
    "their draws; so the Rényi divergence of every order is no more than the budget allows."
)


def explain(subject: AnyMechanism | Report) -> Explanation:
    """The proof or the refutation of a mechanism's claim, written out.

    Args:
        subject: a mechanism, which is verified first, or the report of ``verify``.

    Returns:
        An account as a tree; ``as_markdown()``, ``as_latex()`` and ``as_html()`` render it.
        A verdict without proof or counterexample is explained by what failed.

    Raises:
        BadInput: the subject is neither.

    Source: the conditions are those of the soundness theorem, after Ding et al.'s randomness
    alignments and Theorem 7 of Asymmetric Differential Privacy.
    """
    if isinstance(subject, Report):
        report = subject
    elif hasattr(type(subject), "program"):
        report = verify(subject)
    else:
        raise BadInput(
            f"explain: got {type(subject).__name__}; want a mechanism or the report of verify"
        )
    it = about(report)
    notation = notation_of(it.program)
    sections = (Section(title, tuple(blocks)) for title, blocks in _sections(it, notation))
    return Explanation(
        report.mechanism,
        str(report.verdict),
        _summary(report, it.program, notation),
        tuple(section for section in sections if section.blocks),
        it,
    )


def _summary(report: Report, program: Program | None, notation: Notation) -> Words:
    by, _ = _METHODS[report.method]
    match report.verdict:
        case Verdict.PROVED:
            more: Words = ()
            least = report.epsilon_upper
            if program is not None and least is not None and least.isascii():
                said = " The proof gives more: even {least} is enough."
                claimed = budget(program, notation).plain
                more = say(said, least=notation.of(least)) if least != claimed else ()
            answers = "" if report.holds else " But of its one-sided claims not every one holds."
            return (
                "The claim is proved for all sizes and parameters that meet its preconditions, by "
                f"{by}.{answers}",
                *more,
            )
        case Verdict.BOUNDED:
            return (f"The claim is proved for sizes {report.sizes}, by {by}; not beyond.",)
        case Verdict.REFUTED:
            if report.refutation is not None and report.refutation.order:
                return ("The claim is false: on two neighbours the outputs are too far apart.",)
            return ("The claim is false: two neighbours and an outcome break it.",)
        case Verdict.UNKNOWN:
            return ("Neither a proof nor a counterexample was found.",)
    return ("The mechanism or its claim is outside the language, so nothing is said of it.",)


def _sections(it: About, notation: Notation) -> Iterator[tuple[str, Iterable[Block]]]:
    """The titles, each with what stands below it, if anything does."""
    report, program, certificate = it.report, it.program, it.report.certificate
    if report.refutation is not None:  # whoever reads of a wrong claim asks for it first
        allowed = short_budget(program, notation) if program else r"\beta"
        yield "Counterexample", refuted_blocks(report.refutation, allowed, notation)
    if program is None:
        yield "Claim", [paragraph("It claims {c}.", c=Code(report.claim))]
    else:
        yield "The mechanism", program_blocks(it)
        assumed = report.preconditions, report.assumptions
        yield "Claim", claim_blocks(program, *assumed, notation)
    if isinstance(certificate, Certificate) and program is not None:
        yield from _proof(program.one_step, certificate, notation)
        if program.privacy.group_size > 1:
            yield "From one step to a chain", _chain(program, notation)
    elif report.verdict is not Verdict.REFUTED:
        yield "What failed", _failed(report, notation)
    if report.one_sided:
        yield "Answers that are never wrong", _answers(report, program, notation)
    yield "Conclusion", _conclusion(report, program)


def _chain(program: Program, notation: Notation) -> Iterator[Block]:
    """From one step of a chain to the whole of it."""
    yield paragraph(
        "What is proved above is about one step, with the budget {b}. Over a chain of at most "
        "{k} steps the factors multiply, which gives {whole}.",
        b=budget(program.one_step, notation),
        k=str(program.privacy.group_size),
        whole=budget(program, notation),
    )


def _proof(
    program: Program, certificate: Certificate, notation: Notation
) -> Iterator[tuple[str, Iterable[Block]]]:
    if certificate.is_summed:
        if (table := summed(program).table) is not None:
            yield "Proof by sums", sums_blocks(program, table, notation)
        return
    if (counted := certificate.enumeration) is not None:
        yield "Proof by enumeration", enumeration_blocks(program, counted, notation)
        return
    parts = [part for part in certificate.parts if part.case != ONE_SIDED]
    cases = {case.name: case for case in program.cases}
    claimed = program
    for part in parts:
        case = cases[part.case]
        program = _shown_by(claimed, case, part)
        symbols = counters(program, part, notation)
        said = f", where {case_words(part.case, case.budget)}" if len(parts) > 1 else ""
        yield f"Alignment{said}", alignment_blocks(program, part, symbols)
        yield f"Conditions{said}", condition_blocks(program, case, part, symbols)
        yield f"Cost{said}", cost_blocks(program, case, part, symbols)
        yield f"Invariants{said}", invariant_blocks(program, case, part, symbols)
        if part.shown:
            yield f"From {part.shown} to the claim{said}", _following(claimed, program, notation)


def _shown_by(program: Program, case: Case, part: Part) -> Program:
    """The program with the claim that a part is a proof of: its own, or that of another measure."""
    if not part.shown:
        return program
    amount = term_of(part.pure or part.rho, Vocabulary.of(program, case).meaning)
    privacy = program.privacy.showing(part.shown)
    return replace(program, privacy=privacy, budget=amount, delta=number(0))


def _following(claimed: Program, shown: Program, notation: Notation) -> Iterator[Block]:
    """How the claim follows from what is proved of its noise."""
    proved, wanted = budget(shown, notation), budget(claimed, notation)
    if shown.privacy.zcdp:
        yield paragraph(
            "What is proved above is ρ = {r}. A mechanism of ρ keeps every ε from ρ on, with "
            "δ = exp(-(ε - ρ)² / (4ρ)); for ε = {e} that is at most {d} (Bun and Steinke, 2016, "
            "Lemma 3.5).",
            r=proved, e=wanted, d=notation.of(pretty(claimed.delta)),
        )  # fmt: skip
        return
    yield paragraph(
        "What is proved above is ε = {e}. The Rényi divergence of every order is at most that, and "
        "of order α at most α ε² / 2 if the inequality holds both ways; so ρ = {r} (Bun and "
        "Steinke, 2016, Proposition 1.4).",
        e=proved, r=wanted,
    )  # fmt: skip


def _failed(report: Report, notation: Notation) -> Iterator[Block]:
    if report.alignment:
        yield paragraph("The best alignment that was tried:")
        yield Items(tuple(
            Entry(say("{n}: {s}", n=Code(name), s=notation.of(shift)))
            for name, shift in report.alignment.items()
        ))  # fmt: skip
    if report.reasons:
        yield paragraph("What is in the way:")
        for reason in map(shortened, report.reasons):
            if reason.endswith(":"):  # it introduces the next ones
                yield Paragraph((f"{reason[0].upper()}{reason[1:]}",))
            else:
                yield Listing(tuple(reason.split("\n")))
    yield paragraph("A failed attempt says nothing about the claim, neither for it nor against.")


def _answers(report: Report, program: Program | None, notation: Notation) -> Iterator[Block]:
    yield paragraph("Besides its privacy, the mechanism claims that these answers are never wrong:")
    texts = answer_claims(program) if program else tuple(c.claim for c in report.one_sided)
    for claim, text in zip(report.one_sided, texts, strict=False):
        when, _, what = text.partition(": ")
        tail = {
            "proved": "proved, for every input and all noise in the support.",
            "broken": f"broken: {claim.witness}"
            + (f"; with probability {claim.probability}." if claim.probability else "."),
            "unknown": "neither proved nor broken.",
        }[claim.outcome]
        yield Items((Entry((f"{when}, ", notation.of(what), f": {tail}")),))


def _conclusion(report: Report, program: Program | None) -> Iterator[Block]:
    if report.refutation is not None:
        yield Paragraph(conclusion(report.refutation))
    elif report.verdict in (Verdict.PROVED, Verdict.BOUNDED):
        _, how = _METHODS[report.method]
        if program is not None and program.privacy.showing(_shown(report)).zcdp:
            how = _MOMENTS
        yield paragraph(how + " The proof is about exact real arithmetic and ideal noise.")
    else:
        yield paragraph(report.verdict.meaning)
    if report.certificate is not None:
        yield paragraph(
            "The certificate with the fingerprint {f} holds all of it; {c} checks it again.",
            f=Code(report.certificate.fingerprint[:19] + "…"), c=Code("shiftproof check"),
        )  # fmt: skip


def _shown(report: Report) -> str:
    """In what measure the proof is, where it is not that of the claim."""
    certificate = report.certificate
    return certificate.shown if isinstance(certificate, Certificate) else ""


class Explanation(Account):
    """The account of one verdict, from the claim to the conclusion, and its forms.

    Attributes:
        title: the mechanism's name.
        verdict: ``proved``, ``bounded``, ``refuted``, ``unknown`` or ``unsupported``.
        summary: the answer in a sentence or two.
        sections: the account.
        about: what it is of, for what a page shows besides.
    """

    __slots__ = ()

    @property
    def mechanism(self) -> str:
        """The mechanism's name."""
        return self.title

    def as_markdown(self) -> str:
        """The account in Markdown, its formulas between dollars."""
        return markdown.written(self)

    def as_latex(self, *, fragment: bool = False) -> str:
        """The account as a LaTeX article.

        Args:
            fragment: whether to leave out the preamble, for ``\\input`` into another document.
        """
        return latex.written([self], fragment=fragment)

    def as_html(self) -> str:
        """The account as one HTML page that needs nothing else, with two runs that can be moved.

        What moves is the program itself, in JavaScript; without JavaScript the text is there.
        """
        from .as_html import as_html

        return as_html([self])

    def _repr_html_(self) -> str:
        """What a notebook shows: a card, its formulas in MathML."""
        from ..formats.html import card

        return card(self)

    def _repr_markdown_(self) -> str:
        """What is shown where HTML is not."""
        return self.as_markdown()
