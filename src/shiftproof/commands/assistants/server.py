"""The server: its tools with their parameters, and the pages that it hands out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from ... import __version__
from ...dsl.errors import ShiftproofError, did_you_mean, fault_text
from ...showing.codes import all_codes, section_on
from ...showing.pages import PAGES, page, section_of
from ..common.options import BRACKETING, SEARCHING
from .workers import Workers

INSTRUCTIONS = """\
shiftproof decides whether a randomised mechanism, written as a small Python function, has the \
differential privacy that it claims. Read the language first (tool language, or the resource). \
Write the mechanism, call verify, and change what its reasons name; why explains the code at the \
end of a reason. Only proved is a proof, for all inputs and parameters that meet the \
preconditions, of exact arithmetic and ideal noise. Nothing that is handed over is executed."""

#: How far a search may be told to go, and how many runs an audit may make.
MOST_EFFORT, SAMPLES, MOST_SAMPLES = 200_000, 300_000, 3_000_000

Source = Annotated[
    str,
    Field(
        description="The text of a whole Python file with its imports. Give this or path. It "
        "imports from shiftproof and from Python, not from files next to it."
    ),
]
Path = Annotated[
    str,
    Field(
        description="A Python file that is read, never executed; or a dotted module, or the name "
        "of a mechanism of the gallery such as sparse_vector. Give this or source."
    ),
]
Name = Annotated[str, Field(description="One mechanism of the file, by the name of its function.")]
#: Called like the option of the commands, since messages speak of that.
Set = Annotated[
    list[str],
    Field(
        default_factory=list,
        description="Values for public inputs, each as NAME=VALUE: a number, a fraction (1/3), a "
        "list (1,2,3); an ε may be a multiple of ln 2, as in eps=2 ln 2.",
    ),
]
Effort = Annotated[
    int,
    Field(ge=1, le=MOST_EFFORT, description="How far to search: a small integral is one."),
]


class Tools:
    """The tools; their docstrings and parameters are what a client is told."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    @property
    def all(self) -> tuple[Callable[..., Any], ...]:
        """Each of them."""
        return (
            self.verify, self.refute, self.bound, self.explain, self.audit, self.language, self.why
        )  # fmt: skip

    async def verify(self, source: Source = "", path: Path = "", name: Name = "") -> str:
        """Prove the privacy claim of each mechanism of a file, or refute it, or say why neither.

        Begin here. The answer has the verdict (proved, bounded, refuted, unknown, unsupported),
        the least ε that is proved, the reasons with file:line:column and what to write instead,
        or the counterexample: two neighbouring inputs and an outcome. path may be a folder, too.
        Without name all mechanisms of the file are verified.
        """
        return await self._work("verified", source, path, name)

    async def refute(
        self,
        set: Set,
        source: Source = "",
        path: Path = "",
        name: Name = "",
        effort: Effort = SEARCHING,
    ) -> str:
        """Look for a counterexample: neighbouring inputs and an outcome that break the claim.

        For where verify says unknown, or to search further or at given parameters: likelihoods are
        exact or enclosed, nothing is sampled. That none is found proves nothing.
        """
        return await self._work("refuted", source, path, name, set, effort)

    async def bound(
        self,
        set: Set,
        source: Source = "",
        path: Path = "",
        name: Name = "",
        effort: Effort = BRACKETING,
    ) -> str:
        """Bracket the true ε: the least one that is proved, and the largest exact log ratio found.

        For a claim that may be too weak or too strong; tight is said where both meet.
        """
        return await self._work("bounded", source, path, name, set, effort)

    async def explain(
        self,
        source: Source = "",
        path: Path = "",
        name: Name = "",
        form: Annotated[
            Literal["markdown", "text"],
            Field(
                description="markdown: written out as a person would, with formulas; text: the "
                "certificate, with shifts and invariants as the program writes them."
            ),
        ] = "markdown",
        section: Annotated[
            str,
            Field(
                description="In Markdown, one section by the beginning of its title: The "
                "mechanism, Claim, Alignment, Conditions, Cost, Invariants, Counterexample, What "
                "failed, Conclusion."
            ),
        ] = "",
    ) -> str:
        """Write out why one mechanism is private, or why it is not, for people to read.

        It is verified first. For what to change, verify says it in fewer lines.
        """
        return await self._work("explained", source, path, name, form, section)

    async def audit(
        self,
        set: Set,
        source: Source = "",
        path: Path = "",
        name: Name = "",
        samples: Annotated[
            int, Field(ge=1, le=MOST_SAMPLES, description="How many runs.")
        ] = SAMPLES,
        seed: Annotated[
            int | None, Field(ge=0, description="The same seed gives the same answer.")
        ] = None,
    ) -> str:
        """Look for an event that breaks the claim of one mechanism of the language, by sampling.

        The mechanism is simulated from its text; no code of the file is executed. A violation is
        wrong in at most 5 % of audits; that none is found proves nothing. For claims that are
        neither proved nor refuted.
        """
        return await self._work("audited", source, path, name, set, samples, seed)

    async def language(
        self,
        section: Annotated[
            str, Field(description="One section by the beginning of its title; else the page.")
        ] = "",
    ) -> str:
        """How a mechanism is written: claims, inputs, statements, expressions, noise, grammar.

        Read it before writing a mechanism. Its sections: The claim, Inputs, Statements, Where
        Python surprises, Calling another mechanism, Expressions, Noise, What a proof is, Saying
        more, Grammar, Around a mechanism.
        """
        return _said(lambda: section_of("language", section) if section else page("language"))

    async def why(
        self,
        code: Annotated[
            str, Field(description="The code, such as SP-SUPPORT; without one, all are listed.")
        ] = "",
    ) -> str:
        """Explain the code at the end of a reason of verify: an example, and what to do."""
        return _said(lambda: section_on(code) if code else all_codes())

    async def _work(self, answer: str, source: str, path: str, name: str, *others: object) -> str:
        """What a function of ``answers`` says; only the worker loads what it needs."""
        try:
            return await self._workers.do(_answer, answer, (source, path, name), *others)
        except ShiftproofError as error:
            raise ToolError(str(error)) from None


def _answer(answer: str, subject: tuple[str, str, str], *others: object) -> str:
    """In a worker: an answer by the name of its function."""
    from . import answers

    return answers.answered(getattr(answers, answer), answers.Subject(*subject), *others)


def _said(text: Callable[[], str]) -> str:
    try:
        return text()
    except ShiftproofError as error:
        raise ToolError(str(error)) from None


class Server(MCPServer[Any]):
    """A server of which each error is one line."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what goes wrong is an answer that is marked as an error."""
        try:
            await self._check_known(name, arguments)
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            text = TextContent(type="text", text=_in_one_line(error))
            return CallToolResult(content=[text], is_error=True)

    async def _check_known(self, name: str, arguments: dict[str, Any]) -> None:
        """Refuse what would be left out silently.

        Raises:
            ToolError: there is no such tool, or it has no such parameter.
        """
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name not in known:
            near = did_you_mean(name, known, f"want one of {', '.join(known)}")
            raise ToolError(f"{name}: there is no such tool; {near}")
        for given in arguments:
            if given not in known[name]:
                near = did_you_mean(given, known[name], f"want some of {', '.join(known[name])}")
                raise ToolError(f"{name}: there is no parameter {given!r}; {near}")


def _in_one_line(error: ToolError) -> str:
    match error.__cause__:
        case None:
            return str(error)
        case ToolError() as cause:
            return str(cause)
        case ValidationError() as cause:
            said = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in cause.errors())
            return "; ".join(said)
        case Exception() as cause:
            return fault_text(cause)
    return str(error)


def server(workers: Workers) -> Server:
    """The server, with its tools and pages."""
    made = Server("shiftproof", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")
    # A file is read, and nothing is written, executed or fetched.
    harmless = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for tool in Tools(workers).all:
        made.add_tool(
            tool,
            description=inspect.getdoc(tool),
            annotations=harmless,
            structured_output=False,  # an answer is a text, and is said once
        )
    for name, about in PAGES.items():
        made.add_resource(
            FunctionResource(
                uri=f"shiftproof://docs/{name}",
                name=name,
                description=about,
                mime_type="text/markdown",
                fn=partial(page, name),
            )
        )
    return made


def serve() -> None:
    """Answer on standard input and output, until the input ends."""
    anyio.run(_served)


async def _served() -> None:
    workers = Workers()
    try:
        await server(workers).run_stdio_async()
    finally:
        workers.end()
