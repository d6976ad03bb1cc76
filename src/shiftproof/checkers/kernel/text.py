"""The text of a mechanism, read as a core language: a graph of steps.

The text is one Python module.  It defines the functions of the claim, the heads of the mechanisms
that are called, and last the mechanism itself:

  x = e     x, y = d, e     x = sample(Law(e, …))     yield e     return     return e, …
  if e: … else: …     while e: …     for i in range(d, e, 1): …     break     continue     pass
  a = [e] * n     a = []     a.append(e)     a[i] = e     i = argmax(a)     a = top_k(b, k)
  x, = called(e, …)     yield from called(e, …)     ensure(e)

Nothing of it is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from .arithmetic import Wrong

#: The longest text, and how many steps and brackets within brackets it may have.
LONGEST, MOST_NODES, DEEPEST = 200_000, 4_000, 60


class Assign(NamedTuple):
    """``targets = values``, all at once."""

    targets: tuple[str, ...]
    values: tuple[ast.expr, ...]
    after: int
    line: int


class Draw(NamedTuple):
    """``target = sample(law(arguments))``; ``site`` counts the draws of the text from 0."""

    target: str
    law: str
    arguments: tuple[ast.expr, ...]
    site: int
    after: int
    line: int


class Make(NamedTuple):
    """``target = [fill] * length``; an empty list has no ``fill``."""

    target: str
    fill: ast.expr | None
    length: ast.expr
    after: int
    line: int


class Store(NamedTuple):
    """``array[index] = value``; without ``index`` it is appended."""

    array: str
    place: ast.expr | None
    value: ast.expr
    after: int
    line: int


class Pick(NamedTuple):
    """``target = argmax(array)``, or ``target = top_k(array, count)``."""

    target: str
    array: str
    size: ast.expr | None
    after: int
    line: int


class Called(NamedTuple):
    """``targets = callee(arguments)``; without ``targets``, all that it releases is released."""

    targets: tuple[str, ...] | None
    callee: str
    arguments: tuple[ast.expr, ...]
    after: int
    line: int


class Branch(NamedTuple):
    """Go on at ``yes`` or ``no``; ``join`` is where both meet, if they only compute."""

    test: ast.expr
    yes: int
    no: int
    join: int | None
    line: int


class Head(NamedTuple):
    """Of a loop: go on in the ``body`` while the test holds; a ``for`` loop is ``counted``."""

    test: ast.expr
    body: int
    exit: int
    counted: bool
    line: int


class Release(NamedTuple):
    """The values come out."""

    values: tuple[ast.expr, ...]
    after: int
    line: int


class Ensure(NamedTuple):
    """The claim holds whenever a run comes here."""

    claim: ast.expr
    after: int
    line: int


class End(NamedTuple):
    """The run is over."""

    line: int


Node = Assign | Draw | Make | Store | Pick | Called | Branch | Head | Release | Ensure | End


class Header(NamedTuple):
    """What a mechanism declares; ``results`` are the kinds of what it returns, if that is said."""

    name: str
    privacy: ast.expr
    budget: ast.expr | None
    inputs: dict[str, ast.expr]
    asserts: tuple[ast.expr, ...]
    results: tuple[str, ...] | None


class Mechanism(NamedTuple):
    """A mechanism: its header, its steps, its loop heads by line, and what stands around it."""

    header: Header
    nodes: tuple[Node, ...]
    start: int
    loops: tuple[int, ...]
    sites: int
    functions: dict[str, ast.FunctionDef]
    called: dict[str, Header]


def parsed(text: str, mode: str = "eval") -> ast.AST:
    """The syntax of a text, of limited size.

    Raises:
        Wrong: it has none.
    """
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth > DEEPEST or len(text) > LONGEST:
            raise Wrong("a text that is too long, or nests too deep")
    try:
        return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Wrong(f"{text[:60]!r} cannot be read") from None


def expression(text: str) -> ast.expr:
    """An expression."""
    tree = parsed(text)
    assert isinstance(tree, ast.Expression)
    return tree.body


def shown(node: ast.AST) -> str:
    """A piece of syntax as a short text."""
    return ast.unparse(node)[:80]


def read(text: str) -> Mechanism:
    """Read the text of a mechanism.

    Raises:
        Wrong: it is none, or does more than the core language has words for.
    """
    try:
        module = parsed(text, "exec")
        assert isinstance(module, ast.Module)
        return _Reader(module).mechanism()
    except RecursionError:
        raise Wrong("the text nests too deep") from None


class _Reader:
    def __init__(self, module: ast.Module) -> None:
        self.functions: dict[str, ast.FunctionDef] = {}
        for s in module.body:
            if not isinstance(s, ast.FunctionDef) or s.name in self.functions:
                raise Wrong(f"line {s.lineno}: {shown(s)!r} is no new function")
            self.functions[s.name] = s
        self.nodes: list[Node | None] = []
        self.loops: list[int] = []

    def mechanism(self) -> Mechanism:
        if not self.functions:
            raise Wrong("the text has no mechanism")
        heads = {f.name: self._header(f) for f in self.functions.values() if f.decorator_list}
        last = list(self.functions.values())[-1]
        if last.name not in heads:
            raise Wrong("the last function is no mechanism")
        header = heads.pop(last.name)
        self.inputs, self.called = header.inputs, heads
        self._check_names(last)
        draws = [n for n in ast.walk(last) if isinstance(n, ast.Call) and is_call(n, "sample")]
        draws.sort(key=lambda n: (n.lineno, n.col_offset))
        self.sites = {id(n): k for k, n in enumerate(draws)}
        body = last.body[len(header.asserts) :]
        start = self._block(body, self._node(End(last.lineno)), None, None)
        if None in self.nodes:
            raise AssertionError(self.nodes)
        nodes = tuple(n for n in self.nodes if n is not None)
        if header.results is not None and not all(map(self._returns, nodes)):
            raise Wrong(f"{last.name}: what says what it returns comes to its end by returning it")
        loops = sorted(self.loops, key=lambda k: nodes[k].line)
        rules = {n: f for n, f in self.functions.items() if not f.decorator_list}
        return Mechanism(header, nodes, start, tuple(loops), len(self.sites), rules, heads)

    def _returns(self, node: Node) -> bool:
        """Whether a step comes to the end if it is a release, and only then."""
        after = [k for name, k in node._asdict().items() if name in ("after", "yes", "no", "exit")]
        ends = [isinstance(self.nodes[k], End) for k in after]
        return all(ends) if isinstance(node, Release) else not any(ends)

    def _header(self, f: ast.FunctionDef) -> Header:
        """The decorator, the parameters and the leading asserts."""
        a, decorator = f.args, f.decorator_list[0]
        plain = not (a.posonlyargs or a.vararg or a.kwonlyargs or a.kwarg or a.defaults)
        match decorator:
            case ast.Call(func=ast.Name(id="mechanism"), args=[privacy], keywords=keywords) if (
                plain and len(f.decorator_list) == 1
            ):
                given = {k.arg: k.value for k in keywords}
            case _:
                raise Wrong(f"{f.name} is no mechanism")
        if set(given) - {"budget"} or len(given) != len(keywords):
            raise Wrong(f"{f.name}: {shown(decorator)}")
        inputs = {p.arg: p.annotation for p in a.args if p.annotation is not None}
        if len(inputs) != len(a.args):
            raise Wrong(f"{f.name}: a parameter without a kind, or twice")
        asserts = []
        for s in f.body:
            if not isinstance(s, ast.Assert):
                break
            asserts.append(s.test)
        results = None
        if f.returns is not None:
            kinds = f.returns.elts if isinstance(f.returns, ast.Tuple) else [f.returns]
            results = tuple(map(ast.unparse, kinds))
        return Header(f.name, privacy, given.get("budget"), inputs, tuple(asserts), results)

    def _check_names(self, f: ast.FunctionDef) -> None:
        """A name is an input, a variable or a word, and never two of them."""
        inside = list(ast.walk(ast.Module(f.body, [])))
        words = {
            n.func.id for n in inside if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        words |= set(self.functions)
        bound = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        parameters = {p.arg for n in inside if isinstance(n, ast.Lambda) for p in n.args.args}
        if "i" in self.inputs or "record" in {*self.inputs, *bound}:
            raise Wrong(f"{f.name}: 'i' is no name of an input, and 'record' is no name")
        twice = (bound | parameters) & (words | set(self.inputs)) | (bound & parameters)
        if twice | (words & set(self.inputs)):
            raise Wrong(
                f"{f.name}: the name {min(twice | words & set(self.inputs))!r} is used for two things"
            )

    def _node(self, node: Node | None) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise Wrong(f"more than {MOST_NODES} steps")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _block(
        self, body: Sequence[ast.stmt], after: int, out: int | None, again: int | None
    ) -> int:
        for s in reversed(body):
            after = self._statement(s, after, out, again)
        return after

    def _statement(self, s: ast.stmt, after: int, out: int | None, again: int | None) -> int:
        line = s.lineno
        match s:
            case ast.Pass():
                return after
            case ast.Assign(targets=[target], value=value):
                return self._assignment(target, value, after, line)
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                return self._node(Release((value,), after, line))
            case ast.Expr(value=ast.YieldFrom(value=ast.Call() as call)):
                return self._call(None, call, after, line)
            case ast.Expr(value=ast.Call(func=ast.Name(id="ensure"), args=[claim], keywords=[])):
                return self._node(Ensure(claim, after, line))
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=array), attr="append"),
                    args=[value],
                    keywords=[],
                )
            ):
                return self._node(Store(self._variable(array), None, value, after, line))
            case ast.Return(value=value):
                end = self._node(End(line))
                if value is None:
                    return end
                values = value.elts if isinstance(value, ast.Tuple) else [value]
                return self._node(Release(tuple(values), end, line))
            case ast.If(test=test, body=yes, orelse=no):
                ways = [self._block(arm, after, out, again) for arm in (yes, no)]
                join = after if all(self._computes(way, after) for way in ways) else None
                return self._node(Branch(test, ways[0], ways[1], join, line))
            case ast.While(test=test, body=body, orelse=[]):
                head = self._node(None)
                self.nodes[head] = Head(
                    test, self._block(body, head, after, head), after, False, line
                )
                self.loops.append(head)
                return head
            case ast.For(target=ast.Name(id=counter), orelse=[]):
                return self._for(s, counter, after)
            case ast.Break() if out is not None:
                return out
            case ast.Continue() if again is not None:
                return again
        raise Wrong(f"line {line}: {shown(s)!r} is no statement of the core language")

    def _computes(self, at: int, end: int) -> bool:
        """Whether all ways between two steps assign values, and do nothing else."""
        while at != end:
            match self.nodes[at]:
                case Assign(after=after) | Branch(join=int() as after):
                    at = after
                case _:
                    return False
        return True

    def _assignment(self, target: ast.expr, value: ast.expr, after: int, line: int) -> int:
        match target, value:
            case ast.Subscript(value=ast.Name(id=array), slice=index), _:
                return self._node(Store(self._variable(array), index, value, after, line))
            case ast.Name(id=name), ast.BinOp(
                left=ast.List(elts=[fill]), op=ast.Mult(), right=length
            ):
                return self._node(Make(self._variable(name), fill, length, after, line))
            case ast.Name(id=name), ast.List(elts=[]):
                zero = ast.Constant(0)
                return self._node(Make(self._variable(name), None, zero, after, line))
            case ast.Name(id=name), ast.Call(func=ast.Name(id="sample"), args=[law], keywords=[]):
                if (
                    not (isinstance(law, ast.Call) and isinstance(law.func, ast.Name))
                    or law.keywords
                ):
                    raise Wrong(f"line {line}: {shown(law)!r} is no distribution")
                site, arguments = self.sites[id(value)], tuple(law.args)
                return self._node(
                    Draw(self._variable(name), law.func.id, arguments, site, after, line)
                )
            case ast.Name(id=name), ast.Call(
                func=ast.Name(id="argmax" | "top_k" as word), args=[ast.Name(id=array), *count]
            ) if len(count) == (word == "top_k"):
                how_many = count[0] if count else None
                return self._node(Pick(self._variable(name), array, how_many, after, line))
            case ast.Tuple(elts=names), ast.Call(func=ast.Name(id=word)) if word in self.called:
                return self._call(self._variables(names), value, after, line)
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                return self._node(Assign(self._variables(names), tuple(values), after, line))
            case ast.Name(id=name), _:
                return self._node(Assign((self._variable(name),), (value,), after, line))
        raise Wrong(f"line {line}: {shown(target)!r} cannot be assigned")

    def _variables(self, names: Sequence[ast.expr]) -> tuple[str, ...]:
        found = tuple(self._variable(n.id) for n in names if isinstance(n, ast.Name))
        if len(set(found)) != len(names):
            raise Wrong("a target that is no variable, or is assigned twice at once")
        return found

    def _variable(self, name: str) -> str:
        if name in self.inputs:
            raise Wrong(f"the input {name!r} is assigned")
        return name

    def _call(self, targets: tuple[str, ...] | None, call: ast.Call, after: int, line: int) -> int:
        if not isinstance(call.func, ast.Name) or call.func.id not in self.called or call.keywords:
            raise Wrong(f"line {line}: {shown(call)!r} calls no mechanism of the text")
        return self._node(Called(targets, call.func.id, tuple(call.args), after, line))

    def _for(self, s: ast.For, counter: str, after: int) -> int:
        """A loop that counts: its counter and its bound stay as they are, so it comes to its end."""
        line = s.lineno
        match s.iter:
            case ast.Call(func=ast.Name(id="range"), args=[start, stop, step], keywords=[]):
                width = ast.literal_eval(step) if _is_number(step) else 0
            case _:
                width = 0
        if type(width) is not int or width == 0:
            raise Wrong(f"line {line}: {shown(s.iter)!r} is no range with a step")
        fixed = {n.id for n in ast.walk(stop) if isinstance(n, ast.Name)} | {counter}
        if fixed & _changed(s.body):
            raise Wrong(f"line {line}: the loop changes its counter or its bound")
        head = self._node(None)
        name = ast.Name(self._variable(counter), ast.Load())
        further = self._node(Assign((counter,), (ast.BinOp(name, ast.Add(), step),), head, line))
        test = ast.Compare(name, [ast.Lt() if width > 0 else ast.Gt()], [stop])
        body = self._block(s.body, further, after, further)
        self.nodes[head] = Head(test, body, after, True, line)
        self.loops.append(head)
        return self._node(Assign((counter,), (start,), head, line))


def is_call(e: ast.AST, word: str) -> bool:
    """Whether this calls the word."""
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == word


def _is_number(e: ast.expr) -> bool:
    inner = e.operand if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub) else e
    return isinstance(inner, ast.Constant)


def _changed(body: Sequence[ast.stmt]) -> set[str]:
    """The names that a block may bind anew, lists that it makes longer among them."""
    found = set()
    for n in ast.walk(ast.Module(list(body), [])):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            found.add(n.id)
        elif isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
            found.add(n.value.id)
    return found
