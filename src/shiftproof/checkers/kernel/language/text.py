"""The text of a mechanism, read as a core language: a graph of steps.

The text is one Python module.  It defines the functions of the claim, the mechanisms that are
called (mostly their heads: ``...`` stands for a body), and last the mechanism itself:

  x = e     x, y = d, e     x = sample(Law(e, …))     yield e     return     return e, …
  if e: … else: …     while e: …     for i in range(d, stop, 1): …     break     continue     pass
  a = [e] * n     a = []     a.append(e)     a[i] = e     i = argmax(a)     a = top_k(b, k)
  x, = called(e, …)     yield from called(e, …)     ensure(e)

The ``stop`` of a loop is a number, a variable, ``len(a)``, or ``min`` of such lengths.  Nothing of
the text is executed.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence

from ..arithmetic import Wrong
from .stated import Stated
from .steps import (
    Assign,
    Branch,
    Called,
    Draw,
    End,
    Ensure,
    Head,
    Header,
    Make,
    Mechanism,
    Node,
    Pick,
    Release,
    Store,
    following,
)
from .syntax import INDEX, RECORD, WORDS, is_call, parsed, shown

#: How many steps a mechanism may have.
MOST_NODES = 4_000


def read(text: str, laws: Mapping[str, Stated] | None = None) -> Mechanism:
    """Read the text of a mechanism, whose noise is of known laws, or of these.

    Raises:
        Wrong: it is none, or does more than the core language has words for.
    """
    try:
        module = parsed(text, "exec")
        assert isinstance(module, ast.Module)
        return _mechanism(module, laws or {})
    except RecursionError:
        raise Wrong("the text nests too deep") from None


def _mechanism(module: ast.Module, laws: Mapping[str, Stated]) -> Mechanism:
    """The last mechanism of a module, after everything that stands before it."""
    names: set[str] = set(laws)
    rules: dict[str, ast.FunctionDef] = {}
    called: dict[str, Header] = {}
    whole: dict[str, Mechanism] = {}
    last = ""
    for f in module.body:
        if not isinstance(f, ast.FunctionDef) or f.name in names or f.name in WORDS:
            raise Wrong(f"line {f.lineno}: {shown(f)!r} is no new function")
        names.add(f.name)
        last = f.name
        if not f.decorator_list:
            _check_rule(f)
            _check_names(f, {*rules, *called, *laws})
            rules[f.name] = f
            continue
        header = _header(f)
        _check_names(f, {*rules, *called, *laws})
        body = f.body[len(header.asserts) :]
        if not _is_left_out(body):
            reader = _Reader(f, header, dict(rules), dict(called), dict(whole))
            whole[f.name] = reader.mechanism(body)
        called[f.name] = header
    if last not in whole:
        raise Wrong("the text does not end with a mechanism")
    return whole[last]._replace(laws=laws)


def _is_left_out(body: Sequence[ast.stmt]) -> bool:
    match body:
        case [ast.Expr(value=ast.Constant(value=value))]:
            return value is ...
    return False


def _plain_parameters(a: ast.arguments) -> list[str]:
    names = [p.arg for p in a.args]
    special = a.posonlyargs or a.vararg or a.kwonlyargs or a.kwarg or a.defaults
    if special or len(set(names)) < len(names):
        raise Wrong(f"unusual parameters: {shown(a)!r}")
    return names


def _check_rule(f: ast.FunctionDef) -> None:
    """A function of a claim computes one value."""
    _plain_parameters(f.args)
    match f:
        case ast.FunctionDef(body=[ast.Return(value=ast.expr())], returns=None) if not any(
            p.annotation for p in f.args.args
        ):
            return
    raise Wrong(f"{f.name} is no function of a claim")


def _header(f: ast.FunctionDef) -> Header:
    """The decorator, the parameters and the leading asserts."""
    match f.decorator_list:
        case [ast.Call(func=ast.Name(id="mechanism"), args=[privacy], keywords=keywords)]:
            given = {k.arg: k.value for k in keywords}
        case _:
            raise Wrong(f"{f.name} is no mechanism")
    if set(given) - {"budget"} or len(given) != len(keywords):
        raise Wrong(f"{f.name}: {shown(f.decorator_list[0])}")
    inputs = {p.arg: p.annotation for p in f.args.args if p.annotation is not None}
    if len(inputs) != len(_plain_parameters(f.args)):
        raise Wrong(f"{f.name}: a parameter without a kind")
    asserts: list[ast.expr] = []
    for s in f.body:
        if not isinstance(s, ast.Assert) or s.msg is not None:
            break
        asserts.append(s.test)
    results = None
    if f.returns is not None:
        kinds = f.returns.elts if isinstance(f.returns, ast.Tuple) else [f.returns]
        results = tuple(map(ast.unparse, kinds))
    return Header(f.name, privacy, given.get("budget"), inputs, tuple(asserts), results)


def _check_names(f: ast.FunctionDef, functions: set[str]) -> None:
    """A name is a word, a function, an input, a variable or a parameter inside: one of them."""
    inside = list(ast.walk(f))
    inputs = {p.arg for p in f.args.args}
    bound = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    read = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    given = {id(n) for d in f.decorator_list for n in ast.walk(d) if isinstance(n, ast.Lambda)}
    parameters: set[str] = set()
    for n in inside:
        if isinstance(n, ast.Lambda):
            # The parameters of a budget are inputs, those of others are not.
            found = set(_plain_parameters(n.args))
            if id(n) in given:
                read |= found
            else:
                parameters |= found
    # A variable may be called like a word that the text does not use.
    words = {n.func.id for n in inside if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    words = (words | {RECORD}) & WORDS
    meanings = Counter([*words, *functions, f.name, *inputs, *bound, *parameters])
    wrong = {name for name in inputs | bound | parameters if meanings[name] > 1}
    wrong |= {name for name in read if not meanings[name] and name not in WORDS}
    wrong |= inputs & {INDEX}
    if wrong:
        raise Wrong(f"{f.name}: the name {min(wrong)!r} means nothing, or two things")


class _Reader:
    """Reads the body of one mechanism."""

    def __init__(
        self,
        function: ast.FunctionDef,
        header: Header,
        rules: dict[str, ast.FunctionDef],
        called: dict[str, Header],
        whole: dict[str, Mechanism],
    ) -> None:
        self.function, self.header = function, header
        self.inputs, self.called = header.inputs, called
        self.rules, self.whole = rules, whole
        self.nodes: list[Node | None] = []
        self.loops: list[int] = []
        draws = [n for n in ast.walk(function) if is_call(n, "sample")]
        draws.sort(key=lambda n: (n.lineno, n.col_offset))  # type: ignore[attr-defined]
        self.sites = {id(n): k for k, n in enumerate(draws)}

    def mechanism(self, body: Sequence[ast.stmt]) -> Mechanism:
        """The mechanism with this body."""
        end = self._node(End(self.function.lineno))
        start = self._block(body, end, None, None)
        nodes = tuple(n for n in self.nodes if n is not None)
        assert len(nodes) == len(self.nodes)
        inside = list(ast.walk(self.function))
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in inside) and any(
            isinstance(n, ast.Return) and n.value for n in inside
        ):
            raise Wrong(f"{self.header.name} yields, and returns a value, which nobody is given")
        results = self.header.results
        if results is not None and (start == end or not all(map(self._returns, nodes))):
            raise Wrong(f"{self.header.name} says what it returns, and ends without it")
        loops = sorted(self.loops, key=lambda k: nodes[k].line)
        return Mechanism(
            self.header, nodes, start, tuple(loops), len(self.sites),
            self.rules, self.called, self.whole,
        )  # fmt: skip

    def _returns(self, node: Node) -> bool:
        """Whether a step comes to the end if it is a release, and only then."""
        ends = [isinstance(self.nodes[k], End) for k in following(node)]
        return all(ends) if isinstance(node, Release) else not any(ends)

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
                func=ast.Name(id="argmax" | "top_k" as word),
                args=[ast.Name(id=array), *count],
                keywords=[],
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
        if not names or len(set(found)) != len(names):
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
        """A loop that counts: counter and bound stay as they are, so it comes to its end."""
        line = s.lineno
        match s.iter:
            case ast.Call(func=ast.Name(id="range"), args=[start, stop, step], keywords=[]):
                width = _step(step)
            case _:
                raise Wrong(f"line {line}: {shown(s.iter)!r} is no range with a step")
        fixed = {n.id for n in ast.walk(stop) if isinstance(n, ast.Name)} | {counter}
        if not width or not _is_bound(stop) or fixed & _changed(s.body):
            raise Wrong(f"line {line}: the loop may change its counter or its bound")
        if _uses(self.function, counter) > _uses(s, counter):
            # Python leaves another value there, and none where there was no round.
            raise Wrong(f"line {line}: the counter is read outside of its loop")
        head = self._node(None)
        name = ast.Name(self._variable(counter), ast.Load())
        further = self._node(Assign((counter,), (ast.BinOp(name, ast.Add(), step),), head, line))
        # Python's range takes ints only.
        start, stop = (ast.Call(ast.Name("index", ast.Load()), [e], []) for e in (start, stop))
        test = ast.Compare(name, [ast.Lt() if width > 0 else ast.Gt()], [stop])
        body = self._block(s.body, further, after, further)
        self.nodes[head] = Head(test, body, after, True, line)
        self.loops.append(head)
        return self._node(Assign((counter,), (start,), head, line))


def _uses(tree: ast.AST, name: str) -> int:
    return sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree))


def _step(e: ast.expr) -> int:
    """The number that a loop adds; 0 if it is none."""
    match e:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as size):
            return -_step(size)
        case ast.Constant(value=int() as width) if type(width) is int:
            return width
    return 0


def _is_bound(stop: ast.expr) -> bool:
    """Whether what a loop counts to depends on nothing but names: a cell may change."""
    match stop:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
        case ast.Call(func=ast.Name(id="min"), args=lengths, keywords=[]):
            return all(is_call(e, "len") and _is_bound(e) for e in lengths)
        case ast.UnaryOp(operand=ast.Constant()):
            return True
    return isinstance(stop, ast.Name | ast.Constant)


def _changed(body: Sequence[ast.stmt]) -> set[str]:
    """The names that a block may bind anew, lists that it makes longer among them."""
    found = set()
    for n in ast.walk(ast.Module(list(body), [])):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            found.add(n.id)
        elif isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
            found.add(n.value.id)
    return found
