"""By default nothing of a user's file is executed, and with --import it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.cli import main
from tests.sampling import every

HEAD = "from shiftproof import *\nfrom typing import Annotated\n"
FINE = """
@mechanism(DP())
def m(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
#: Leaves a file behind if it is executed, and is true.
TRAP = "(open('ran', 'w').close() or True)"
SPRUNG = "def sprung(*a, **k):\n    open('ran', 'w').close()\n    return a[-1] if a else None\n"


def with_claim(decorator: str) -> str:
    return FINE.replace("@mechanism(DP())", decorator)


#: The files of each case; m.py is the target.
FILES: dict[str, dict[str, str]] = {
    "a statement": {"m.py": f"{TRAP}\n{FINE}"},
    "after the mechanism": {"m.py": f"{FINE}\n{TRAP}\n"},
    "a constant": {"m.py": f"X = {TRAP}\n{FINE}"},
    "an element": {"m.py": f"X = [1, {{'a': ({TRAP},)}}]\n{FINE}"},
    "a formatted string": {"m.py": f'X = f"{{{TRAP}}}"\n{FINE}'},
    "a comprehension": {"m.py": f"X = [{TRAP} for i in range(2)]\n{FINE}"},
    "a walrus": {"m.py": f"print(X := {TRAP})\n{FINE}"},
    "a condition": {"m.py": f"if {TRAP}:\n    X = 1\n{FINE}"},
    "under a condition": {"m.py": f"if 1 < 2:\n    {TRAP}\n{FINE}"},
    "a try block": {"m.py": f"try:\n    {TRAP}\nfinally:\n    pass\n{FINE}"},
    "a loop": {"m.py": f"for i in range(2):\n    {TRAP}\n{FINE}"},
    "an assert": {"m.py": f"assert {TRAP}\n{FINE}"},
    "a decorator of the mechanism": {
        "m.py": SPRUNG + with_claim("@sprung\n@mechanism(DP())")
    },
    "a decorator below": {"m.py": SPRUNG + with_claim("@mechanism(DP())\n@sprung")},
    "a decorator's argument": {"m.py": with_claim(f"@mechanism(DP() if {TRAP} else None)")},
    "a keyword of the decorator": {"m.py": with_claim(f"@mechanism(DP(), expect=str({TRAP}))")},
    "a decorator of a helper": {"m.py": f"{SPRUNG}@sprung\ndef helper(x): return x\n{FINE}"},
    "a default of the mechanism": {"m.py": FINE.replace("eps: Epsilon", f"eps: Epsilon = {TRAP}")},
    "a default of a helper": {"m.py": f"def helper(x={TRAP}): return x\n{FINE}"},
    "a default of a lambda": {"m.py": f"helper = lambda x={TRAP}: x\n{FINE}"},
    "an annotation of the mechanism": {"m.py": FINE.replace(": Count", f": ({TRAP} and Count)")},
    "the annotation of the result": {"m.py": FINE.replace("-> float", f"-> ({TRAP} and float)")},
    "an annotation in quotes": {"m.py": FINE.replace(": Count", f': "{TRAP} and Count"')},
    "a result in quotes": {"m.py": FINE.replace("-> float", f'-> "{TRAP} and float"')},
    "a type in quotes": {"m.py": FINE.replace(": Count", f': Public["{TRAP} and int"]')},
    "annotations of the future": {
        "m.py": FINE.replace(": Count", f": ({TRAP} and Count)"),
        "head": "from __future__ import annotations\n",
    },
    "an annotation of a variable": {"m.py": f"x: {TRAP} = 1\n{FINE}"},
    "an annotation of a helper": {"m.py": f"def helper(x: {TRAP}): return x\n{FINE}"},
    "a budget's body": {"m.py": with_claim(f"@mechanism(DP(), budget=lambda eps: {TRAP} and eps)")},
    "a budget's call": {
        "m.py": SPRUNG + with_claim("@mechanism(DP(), budget=lambda eps: sprung(eps))")
    },
    "a budget's function": {
        "m.py": f"def b(eps):\n    {TRAP}\n    return eps\n"
        + with_claim("@mechanism(DP(), budget=b)")
    },
    "a budget's default": {
        "m.py": with_claim(f"@mechanism(DP(), budget=lambda eps, x={TRAP}: eps)")
    },
    "a budget that is an object": {
        "m.py": f"class B:\n    def __call__(self, eps):\n        {TRAP}\n        return eps\n"
        + with_claim("@mechanism(DP(), budget=B())")
    },
    "a function that is called": {"m.py": f"{SPRUNG}sprung()\n{FINE}"},
    "a function called by a builtin": {"m.py": f"{SPRUNG}X = max([1, 2], key=sprung)\n{FINE}"},
    "the mechanism itself": {
        "m.py": f"{FINE.replace('    noise', f'    {TRAP}{chr(10)}    noise')}"
        "try:\n    m(3, 1.0)\nexcept Exception:\n    pass\n"
    },
    "a class's body": {"m.py": f"class A:\n    {TRAP}\n{FINE}"},
    "a class's base": {"m.py": f"class A({TRAP} and object): pass\n{FINE}"},
    "a metaclass": {
        "m.py": f"class M(type):\n    def __new__(c, *a):\n        {TRAP}\n"
        f"        return type.__new__(c, *a)\nclass A(metaclass=M): pass\n{FINE}"
    },
    "a metaclass's preparation": {
        "m.py": f"class M(type):\n    @classmethod\n    def __prepare__(c, *a):\n        {TRAP}\n"
        f"        return {{}}\nclass A(metaclass=M): pass\n{FINE}"
    },
    "__set_name__": {
        "m.py": f"class D:\n    def __set_name__(self, *a):\n        {TRAP}\n"
        f"class A:\n    d = D()\n{FINE}"
    },
    "__init_subclass__": {
        "m.py": f"class A:\n    def __init_subclass__(c):\n        {TRAP}\n"
        f"class B(A): pass\n{FINE}"
    },
    "__class_getitem__": {
        "m.py": f"class A:\n    def __class_getitem__(c, i):\n        {TRAP}\n"
        "        return Count\n"
        + FINE.replace(": Count", ": A[1]")
    },
    "an operator": {
        "m.py": f"class A:\n    def __add__(self, o):\n        {TRAP}\n        return 1\n"
        f"X = A() + 1\n{FINE}"
    },
    "the truth of an object": {
        "m.py": f"class A:\n    def __bool__(self):\n        {TRAP}\n        return True\n"
        f"if A():\n    X = 1\n{FINE}"
    },
    "unpacking": {
        "m.py": f"class A:\n    def __iter__(self):\n        {TRAP}\n        return iter((1, 2))\n"
        f"X, Y = A()\n{FINE}"
    },
    "a property": {
        "m.py": f"class A:\n    @property\n    def x(self):\n        {TRAP}\nX = A().x\n{FINE}"
    },
    "a with block": {
        "m.py": f"class A:\n    def __enter__(self):\n        {TRAP}\n"
        "    def __exit__(self, *a): pass\n"
        f"with A():\n    X = 1\n{FINE}"
    },
    "a file beside": {"m.py": f"import beside\n{FINE}", "beside.py": TRAP},
    "a name of a file beside": {"m.py": f"from beside import X\n{FINE}",
                                "beside.py": f"X = {TRAP}"},
    "everything of a file beside": {
        "m.py": f"from beside import *\n{FINE}",
        "beside.py": f"class A(list):\n    def __iter__(self):\n        {TRAP}\n"
        "        return iter(())\n    def __getitem__(self, i):\n"
        f"        {TRAP}\n        raise IndexError\n__all__ = A()\n",
    },
    "__getattr__ of a file beside": {
        "m.py": f"from beside import X\n{FINE}",
        "beside.py": f"def __getattr__(name):\n    {TRAP}\n    return 1\n",
    },
    "an attribute by __getattr__": {
        "m.py": "import beside\n" + FINE.replace("1 / eps", "beside.X / eps"),
        "beside.py": f"def __getattr__(name):\n    {TRAP}\n    return 1\n",
    },
    "a conditional import": {"m.py": f"try:\n    import beside\nfinally:\n    pass\n{FINE}",
                             "beside.py": TRAP},
    "a rule of a relation": {
        "m.py": f"{SPRUNG}@sprung\ndef near(x): return abs(x - other(x)) <= 1\n"
        + with_claim("@mechanism(Related(near))").replace(": Count", ": Private[float]")
    },
}  # fmt: skip
PACKAGES: dict[str, dict[str, str]] = {
    "the package around": {"pack/__init__.py": TRAP, "pack/m.py": FINE},
    "two packages around": {
        "pack/__init__.py": TRAP, "pack/in_/__init__.py": "", "pack/in_/m.py": FINE
    },
    "a relative import": {
        "pack/__init__.py": "", "pack/other.py": TRAP, "pack/m.py": f"from . import other\n{FINE}"
    },
    "the package itself": {"pack/__init__.py": f"{TRAP}\n{FINE}"},
}  # fmt: skip


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def write(folder: Path, files: dict[str, str]) -> None:
    head = files.get("head", "") + HEAD
    for name, text in files.items():
        if name != "head":
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(head + text if name.endswith("m.py") or FINE in text else text)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(target: str) -> None:
    """Nothing is executed by any command; and the trap works."""
    ran = Path("ran")
    for arguments in (
        ("verify", target),
        ("verify", "--json", f"{target}::m"),
        ("refute", "--effort", 1, target),
        ("bound", "--effort", 1, target),
    ):
        result = command(*arguments)
        assert result.exit_code in (0, 1, 2, 3), result.output
        assert "Traceback" not in result.output
        assert not ran.exists(), arguments
    assert command("verify", "--import", target).exit_code in (0, 1, 2, 3)
    assert ran.exists()


@pytest.mark.parametrize("name", every(10, FILES))
def test_nothing_of_a_file(here: Path, name: str) -> None:
    write(here, FILES[name])
    check("m.py")


@pytest.mark.parametrize("name", every(3, PACKAGES))
def test_nothing_of_a_package(here: Path, name: str) -> None:
    write(here, PACKAGES[name])
    file = next(f for f, text in PACKAGES[name].items() if FINE in text)
    check(file)
    Path("ran").unlink()
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert command("verify", module).exit_code == 0
    assert not Path("ran").exists()


@pytest.mark.parametrize("name", ["conftest.py", "sitecustomize.py", "__main__.py", "setup.py"])
def test_files_that_tools_execute(here: Path, name: str) -> None:
    write(here, {name: TRAP, "m.py": FINE})
    for target in ("m.py", name):
        command("verify", target)
        command("refute", "--effort", 1, target)
        assert not Path("ran").exists()
    command("verify", "--import", name)
    assert Path("ran").exists()


def test_what_is_saved_is_computed_again_without_running(here: Path) -> None:
    weak = FINE.replace("1 / eps", "0.5 / eps")
    write(here, {"m.py": f"{weak}\n{TRAP}\n"})
    found = command("refute", "m.py", "--save", "found.json", "--write-test", "test_it.py")
    assert found.exit_code == 1
    assert command("recompute", "found.json").exit_code == 1
    assert "run=True" not in Path("test_it.py").read_text()
    assert not Path("ran").exists()
    assert command("recompute", "found.json", "--import").exit_code == 1
    assert Path("ran").exists()
    command("refute", "--import", "m.py", "--write-test", "test_it.py")
    assert "run=True" in Path("test_it.py").read_text()


def test_mechanisms_that_need_nothing_of_the_trap_are_proved(here: Path) -> None:
    """Reading goes on around what is not read."""
    for name in ("a constant", "a loop", "a decorator of a helper", "a metaclass", "a file beside"):
        write(here, FILES[name])
        assert command("verify", "m.py").exit_code == 0, name
