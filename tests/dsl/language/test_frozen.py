"""What was read is what runs: a name, a function or a file that changes afterwards is an error."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from shiftproof import BadInput
from tests.dsl.making import HEADER, body, import_file, module_of


class TestFrozen:
    SOURCE = """
        import math
        LEVEL, UNUSED = 2, 3

        def helper(a):
            return a + inner(LEVEL)

        def inner(a):
            return a

        @mechanism(DP())
        def m(x: Count, eps: Epsilon):
            yield helper(x) + min(LEVEL, 5) + math.pi
    """

    @pytest.mark.parametrize("name", ["LEVEL", "helper", "inner", "min"])
    def test_changed_after_reading(self, name: str) -> None:
        module = module_of(self.SOURCE)
        assert module.m(3, 1.0) == (7 + math.pi,)
        setattr(module, name, 9 if name == "LEVEL" else lambda *a: 0)
        with pytest.raises(BadInput, match=f"'{name}' was changed after m was read"):
            module.m(3, 1.0)

    def test_changed_in_another_module(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = module_of(self.SOURCE)
        module.m(3, 1.0)
        monkeypatch.setattr(math, "pi", 3.0)
        with pytest.raises(BadInput, match=r"'math.pi' was changed"):
            module.m(3, 1.0)

    def test_deleted(self) -> None:
        module = module_of(self.SOURCE)
        module.m(3, 1.0)
        del module.LEVEL
        with pytest.raises(BadInput, match="'LEVEL' was changed"):
            module.m(3, 1.0)

    @pytest.mark.parametrize("name", ["helper", "inner", "m"])
    def test_new_code_in_the_same_function(self, name: str) -> None:
        module = module_of(self.SOURCE)
        module.m(3, 1.0)
        found = getattr(module, name)
        function = found.function if name == "m" else found
        function.__code__ = (lambda x, eps: 0).__code__ if name == "m" else (lambda a: 0).__code__
        with pytest.raises(BadInput, match=f"{name}.* changed after"):
            module.m(3, 1.0)

    def test_what_is_not_read_may_change(self) -> None:
        module = module_of(self.SOURCE)
        first = module.m(3, 1.0)
        module.UNUSED, module.more = 4, 5
        assert module.m(3, 1.0) == first

    def test_changed_before_reading_is_what_is_read(self) -> None:
        module = module_of(self.SOURCE)
        module.LEVEL = 4
        assert module.m(3, 1.0) == (11 + math.pi,)

    def test_closures(self) -> None:
        source = """
            def family():
                level = 2
                def change():
                    nonlocal level
                    level = 3
                @mechanism(DP())
                def m(x: Count, eps: Epsilon):
                    yield x + level
                return m, change
        """
        mechanism, change = module_of(source).family()
        assert mechanism(1, 1.0) == (3,)
        change()
        with pytest.raises(BadInput, match="'level' was changed after m was read"):
            mechanism(1, 1.0)

    @pytest.mark.parametrize(
        "edit",
        [
            ("yield x + 1", "yield x + 2"),
            ("x + 1", "x - 1"),
            ("x + 1", "'x' + 1"),
            ("@mechanism", "\n@mechanism"),
            ("yield x + 1", "yield x +"),
            ("def m", "def n"),
        ],
    )
    def test_source_changed_on_disk(self, tmp_path: Path, edit: tuple[str, str]) -> None:
        path = tmp_path / "edited.py"
        path.write_text(HEADER + body("yield x + 1", "x: Count"), encoding="utf-8")
        module = import_file(path)
        path.write_text(path.read_text(encoding="utf-8").replace(*edit), encoding="utf-8")
        with pytest.raises(BadInput, match=r"edited.py:2:1: the source of m (is not|does not)"):
            module.m(1, 1.0)

    def test_comments_may_change(self, tmp_path: Path) -> None:
        path = tmp_path / "commented.py"
        path.write_text(HEADER + body("yield x + 1", "x: Count"), encoding="utf-8")
        module = import_file(path)
        path.write_text(path.read_text(encoding="utf-8") + "  # why\n", encoding="utf-8")
        assert module.m(1, 1.0) == (2,)

    def test_source_gone(self, tmp_path: Path) -> None:
        path = tmp_path / "gone.py"
        path.write_text(HEADER + body("yield 1", "x: Count"), encoding="utf-8")
        module = import_file(path)
        path.unlink()
        with pytest.raises(BadInput, match="the source of m cannot be read"):
            module.m(1, 1.0)
