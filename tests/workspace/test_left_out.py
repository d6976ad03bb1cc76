"""What a file makes of ``mechanism`` and no name holds is listed, and never ends well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof import BadInput, one_mechanism
from shiftproof.commands.cli import main
from shiftproof.dsl.static import LeftOut, UnreadMechanism
from shiftproof.workspace.targets import resolve

WRONG = "(x: Count, eps: Epsilon) -> int:\n{0}    return x\n"
HEAD = """import functools
import shiftproof
import shiftproof as sp
from shiftproof import *
claim = mechanism(DP())
def plain(x: Count, eps: Epsilon) -> int:
    return x
@mechanism(DP())
def fine(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""


def wrong(name: str, indent: str = "", decorator: str = "mechanism(DP())") -> str:
    """A mechanism that releases its data."""
    return f"{indent}@{decorator}\n{indent}def {name}{WRONG.format(indent)}"


#: Code, what is said of it, its line below the head, and whether executing it gives it a name.
PLACES = {
    "class": ("class C:\n" + wrong("m", "    "), "class body", 2),
    "static method": ("class C:\n    @staticmethod\n" + wrong("m", "    "), "class body", 2),
    "class in class": ("class C:\n class D:\n" + wrong("m", "    "), "class body", 3),
    "alias in a class": ("class C:\n" + wrong("m", "    ", "claim"), "class body", 2),
    "module in a class": ("class C:\n" + wrong("m", "    ", "sp.mechanism(DP())"), "class body", 2),
    "function": ("def make():\n" + wrong("m", "    ") + "    return m\nmake()\n", "function", 2),
    "loop": (
        "ms = []\nfor k in range(2):\n" + wrong("m", "    ") + "    ms.append(m)\ndel m\n",
        "loop", 3,
    ),
    "while": ("while True:\n" + wrong("m", "    ") + "    break\ndel m\n", "loop", 2),
    "try": ("try:\n" + wrong("m", "    ") + "finally:\n    pass\ndel m\n", "try block", 2),
    "defined twice": (wrong("m") + wrong("m").replace("return x", "return 0"), "bound again", 1),
    "bound to something else": (wrong("m") + "m = 3\n", "bound again", 1),
    "deleted": (wrong("m") + "del m\n", "bound again", 1),
    "list": ("ms = [mechanism(DP())(plain)]\n", "list", 1),
    "dictionary": ("ms = {'a': shiftproof.mechanism(DP())(plain)}\n", "dictionary", 1),
    "tuple in a list": ("ms = [('a', claim(plain))]\n", "tuple", 1),
    "comprehension": ("ms = [mechanism(DP())(f) for f in [plain]]\n", "comprehension", 1),
    "argument": ("print(mechanism(DP())(plain))\n", "argument of a call", 1),
    "argument of partial": ("ms = functools.partial(mechanism, DP())(\n)(plain),\n", "", 1),
    "element": ("ms = {}\nms['a'] = mechanism(DP())(plain)\n", "expression", 2),
    "attribute": ("plain.m = mechanism(DP())(plain)\n", "expression", 1),
    "helper": (f"def h(f):\n    return mechanism(DP())(f)\n{wrong('m', '', 'h')}m = 0\n",
               "function", 2),
    "assigned twice": (f"m = claim(plain)\ndef q{WRONG.format('')}\nm = claim(q)\n",
                       "bound again", 1),
}  # fmt: skip
#: Read, these are mechanisms of which only executing the file tells what they are.
SEEN = {
    "try": ("try:\n" + wrong("m", "    ") + "finally:\n    pass\n"),
    "loop": ("for k in range(2):\n" + wrong("m", "    ")),
    "condition": ("if len(dir()) > 3:\n" + wrong("m", "    ")),
    "with": ("with open(__file__):\n" + wrong("m", "    ")),
    "decorator above": "@functools.cache\n" + wrong("m"),
    "assigned by a helper": "def h():\n" + wrong("n", "    ") + "    return n\nm = h()\n",
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.py"


def call(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, arguments)


def listed(run: bool = False) -> list[str]:
    """What is said of that which is left out."""
    return [str(m.error) for m in resolve("own.py", run) if isinstance(m, LeftOut)]


@pytest.mark.parametrize("name", PLACES)
def test_what_is_left_out_is_listed(file: Path, name: str) -> None:
    code, words, line = PLACES[name]
    file.write_text(HEAD + code)
    place = HEAD.count("\n") + line
    first, *_ = resolve("own.py")
    assert first.function.__name__ == "fine"
    assert any(
        f"own.py:{place}:" in said and f"not read: {words}" in said and f", line {place}\n" in said
        for said in listed()
    )
    assert listed(run=True)  # who executes it knows what was made


@pytest.mark.parametrize("name", SEEN)
def test_what_only_executing_tells_is_no_success(file: Path, name: str) -> None:
    file.write_text(HEAD + SEEN[name])
    found = {m.function.__name__: m for m in resolve("own.py")}
    assert isinstance(found["m"], UnreadMechanism)


@pytest.mark.parametrize("run", [False, True], ids=["read", "executed"])
@pytest.mark.parametrize(
    "code",
    [
        "def helper(x):\n    return x\n",
        wrong("m"),
        "m = claim(plain)\n",
        "same = fine\n",
        "from shiftproof.dsl.mechanism import mechanism as other\n",
        "class mechanism:\n    pass\n",
        "def use():\n    return fine\n",
        "if __name__ == '__main__':\n    print(fine)\n",
        "private = claim\n" + wrong("m", "", "private"),
    ],
)
def test_nothing_else_is(file: Path, code: str, run: bool) -> None:
    file.write_text(HEAD + code)
    assert not listed(run)


@pytest.mark.parametrize("options", [(), ("--import",)], ids=["read", "executed"])
def test_others_keep_their_verdicts(file: Path, options: tuple[str, ...]) -> None:
    file.write_text(HEAD + PLACES["class"][0] + PLACES["list"][0])
    result = call("verify", "own.py", "--json", *options)
    assert result.exit_code == 3
    first, *others = json.loads(result.stdout)
    assert (first["mechanism"], first["verdict"]) == ("fine", "proved")
    assert [entry["verdict"] for entry in others] == ["unsupported"] * 2
    assert [entry["mechanism"] for entry in others] == ["C.m", "plain"]


@pytest.mark.parametrize("form", ["table", "sarif", "junit", "github", "markdown"])
def test_formats(file: Path, form: str) -> None:
    file.write_text(HEAD + PLACES["class"][0])
    result = call("verify", "own.py", "--format", form)
    assert result.exit_code == 3
    assert f"not read: class body, line {HEAD.count(chr(10)) + 2}" in result.stdout


def test_a_file_of_nothing_else(file: Path) -> None:
    """It holds no mechanism by a name; that is not said of it, but where they are."""
    file.write_text("from shiftproof import *\nclass C:\n" + wrong("m", "    "))
    result = call("verify", "own.py")
    assert result.exit_code == 3 and "not read: class body, line 3" in result.stdout


def test_other_commands_go_on(file: Path) -> None:
    file.write_text(HEAD + PLACES["class"][0])
    assert one_mechanism("own.py").function.__name__ == "fine"
    for command, said in (("refute", "fine: "), ("bound", "fine: tight\n")):
        result = call(command, "own.py", "--effort", "50")
        assert result.exit_code == 3 and said in result.stdout, result.output
        assert "not read: class body" in result.stderr
    assert "not read: class body" in call("explain", "own.py").stdout


def test_a_name_is_enough(file: Path) -> None:
    """Whoever names a mechanism does not ask for the others."""
    file.write_text(HEAD + PLACES["class"][0])
    assert call("verify", "own.py::fine").exit_code == 0
    with pytest.raises(BadInput, match="no mechanism is called"):
        resolve("own.py::C.m")


def test_modules_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "left_out_of_me"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(HEAD)
    (package / "two.py").write_text(HEAD.replace("fine", "other") + PLACES["list"][0])
    for options in ((), ("--import",)):
        result = call("verify", "left_out_of_me", "--json", *options)
        assert result.exit_code == 3
        assert sum(entry["verdict"] == "unsupported" for entry in json.loads(result.stdout)) == 1
        assert call("verify", "left_out_of_me.one", *options).exit_code == 0
