"""What code that runs at import may do and still leave everything known: an allow-list.

Whatever is not here (a builtin, an attribute, a function of a library) could reach everything,
and leaves nothing known.
"""

from __future__ import annotations

import ast
import builtins
import collections
import pathlib
import sys
import types
import typing
from fractions import Fraction
from functools import cache
from operator import attrgetter
from types import FunctionType

from ..language import runtime
from ..language.readings import Unreadable
from ..mechanism import Mechanism
from ..noise import Distribution
from ..privacy import definitions as privacy
from ..privacy import inputs, policies
from ..privacy.definitions import Privacy
from ..privacy.inputs import InputKind
from ..privacy.policies import Policy
from ..relations import program
from .library import may_be_type, may_call

_PLAIN_TYPES = (bool, int, float, complex, str, bytes, list, dict, set, frozenset, tuple, range)
_BUILTINS = (
    *_PLAIN_TYPES, print, len, enumerate, zip, map, filter, sorted, reversed, min, max, sum, abs,
    round, pow, divmod, all, any, repr, iter, next, isinstance, issubclass, callable, id, hash,
    ord, chr, bin, hex, oct, ascii, format, slice, object, property, staticmethod, classmethod,
    type, super, open, NotImplemented, Ellipsis, None,
)  # fmt: skip
_LIBRARY = (
    collections.namedtuple, collections.defaultdict, collections.deque, collections.Counter,
    collections.OrderedDict, typing.TypeVar, typing.NewType, typing.NamedTuple, typing.TypedDict,
    typing.cast, typing.overload,
    runtime.seeded, Mechanism, Distribution,
)  # fmt: skip
_USABLE = {id(value) for value in (*_BUILTINS, *_LIBRARY)}
#: Functions of this package, by name since they stand above; no file is executed by them.
_OWN_FUNCTIONS = frozenset({"verify", "assert_private"})

#: Libraries from elsewhere: what of them may be read and called.  None of it evaluates text,
#: writes a file, or hands out a module, a frame or the names of a module.
_OUTSIDE = {
    "abc": "ABC ABCMeta abstractmethod",
    "contextlib": "contextmanager nullcontext suppress",
    "dataclasses": "field",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "enum": "Enum Flag IntEnum IntFlag StrEnum auto",
    "functools": "cache cached_property lru_cache partial reduce",
    "io": "BytesIO StringIO",
    "itertools": "accumulate chain combinations count cycle islice permutations product repeat"
    " starmap zip_longest",
    "json": "dumps loads",
    "logging": "DEBUG ERROR INFO WARNING debug error getLogger info warning",
    "numpy": "arange array asarray e exp eye float32 float64 full inf int32 int64 linspace log"
    " mean median nan ndarray ones pi random.default_rng random.normal random.seed sqrt sum zeros",
    "numpy.typing": "NDArray ArrayLike",
    "operator": "add itemgetter mul sub truediv",
    "os": "cpu_count environ getcwd getenv name path.abspath path.basename path.dirname"
    " path.exists path.join sep",
    "pathlib": "Path",
    "pytest": "approx fixture mark",
    "random": "Random choice choices gauss randint random sample seed shuffle uniform",
    "re": "compile findall fullmatch match search",
    "statistics": "mean median stdev",
    "string": "ascii_letters digits",
    "sys": "argv byteorder float_info maxsize path.append path.insert platform version"
    " version_info",
    "time": "monotonic perf_counter time",
    "typing_extensions": "Annotated Protocol Self TypeAlias",
    "unittest": "TestCase",
    "warnings": "catch_warnings filterwarnings simplefilter warn",
}  # fmt: skip
_OUTSIDE_NAMES = frozenset(
    f"{module}.{name}" for module, names in _OUTSIDE.items() for name in names.split()
)

#: Attributes of numbers, text and collections, and of a few objects of libraries.  A path has
#: a method ``replace``, too: that moves files.
_ATTRIBUTES = (
    {name for kind in (*_PLAIN_TYPES, Fraction) for name in dir(kind) if name[0] != "_"}
    | {"debug", "error", "info", "warning", "setLevel", "setter", "name", "value", "parametrize"}
    | {"astype", "choice", "integers", "laplace", "normal", "random", "seed", "shape", "uniform"}
    | {"close", "flush", "read", "readline", "readlines", "write", "writelines"}
    | {"parent", "resolve", "stem", "suffix", "exists", "is_file", "is_dir", "joinpath"}
) - {"replace"}


def _names_of(kind: type) -> set[str]:
    return {*dir(kind), *getattr(kind, "__annotations__", ())}


def _reserved() -> frozenset[str]:
    """Attributes of what tells or changes how code runs, of what is read, and of files.

    A class of the files that has one, too, does not make it harmless.
    """
    found = {"tofile", "dump", "function", "privacy", "budget", "expect", "inputs", "error"}
    introspective: tuple[type, ...] = (
        types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.GeneratorType,
        types.CoroutineType, types.AsyncGeneratorType, types.FrameType, types.TracebackType,
        types.CodeType, types.ModuleType, type, pathlib.Path,
    )  # fmt: skip
    found.update(*map(dir, introspective))
    for module in (inputs, policies, privacy, program):
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__.partition(".")[0] == _PACKAGE:
                found |= _names_of(kind)
    for kind in (Mechanism, Distribution, *Distribution.__subclasses__()):
        found |= _names_of(kind)
    return frozenset(found) - _ATTRIBUTES


_PACKAGE = __name__.partition(".")[0]
_RESERVED = _reserved()


class Harm(Exception):
    """Code could change anything."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        self.node = node
        self.reason = reason


def may_read(attribute: str, defined: set[str]) -> bool:
    """Whether reading an attribute reaches nothing but data and what classes of files define.

    Args:
        attribute: its name.
        defined: the names that classes of the files define.
    """
    if attribute in _ATTRIBUTES:
        return True
    # It may be read of an object of a library all the same, which may have one of that name.
    reserved = attribute in _RESERVED or attribute in _of_libraries()
    return attribute in defined and not reserved and not _leads_on(attribute)


def _leads_on(attribute: str) -> bool:
    """Whether an attribute may lead from an object of a library to what is not listed here.

    What is private there, a module that it imported, or a builtin that such a module holds.
    """
    return attribute[0] == "_" or attribute in sys.stdlib_module_names or attribute in _BUILT_IN


_BUILT_IN = frozenset(dir(builtins))


@cache
def _of_libraries() -> frozenset[str]:
    """The attributes of what libraries hand out, as far as these are loaded."""
    found: set[str] = set()
    for module, names in _OUTSIDE.items():
        loaded = sys.modules.get(module)
        for name in names.split() if loaded is not None else ():
            try:
                found.update(dir(attrgetter(name)(loaded)))
            except AttributeError:
                continue  # another version does not have it
    return frozenset(found)


def may_use(value: object) -> bool:
    """Whether code may have a known object in hand, and call it."""
    if isinstance(value, bool | int | float | complex | str | bytes | Fraction):
        return True
    if id(value) in _USABLE or may_call(value):
        return True
    if isinstance(value, type):
        plain_error = issubclass(value, BaseException) and value.__module__ == "builtins"
        ours = issubclass(value, Distribution) and value.__module__.startswith(_PACKAGE)
        types_only = value.__module__ in ("collections.abc", "numbers", "typing")
        return plain_error or ours or (types_only and value is not typing.ForwardRef)
    if isinstance(value, types.BuiltinFunctionType):
        return value.__module__ == "math"
    if isinstance(value, FunctionType):
        words = (getattr(runtime, word) for word in _WORDS)
        ours = value.__module__.partition(".")[0] == _PACKAGE
        return any(value is w for w in words) or (ours and value.__name__ in _OWN_FUNCTIONS)
    return isinstance(value, Privacy | InputKind | Policy) or may_be_type(value)


_WORDS = ("sample", "align", "ensure", "other", "outcome", "count", "argmax", "top_k")


def outside_rest(dotted: str) -> list[str] | None:
    """The attributes that follow a name of a library that may be read and called.

    ``["get"]`` of ``os.environ.get``; ``None`` if nothing of it may be used.
    """
    parts = dotted.split(".")
    for size in range(len(parts), 1, -1):
        if ".".join(parts[:size]) in _OUTSIDE_NAMES:
            return parts[size:]
    return None


def may_decorate(value: object) -> bool:
    """Whether a decorator changes a class, and nothing but that class."""
    dotted = value.module if isinstance(value, Unreadable) else ""
    return dotted in _OF_CLASSES or value in (typing.final, typing.runtime_checkable)


_OF_CLASSES = frozenset({"dataclasses.dataclass", "functools.total_ordering", "enum.unique"})


def changes_path(dotted: str) -> bool:
    """Whether a name of a library changes where modules are looked for."""
    return dotted in ("sys.path.append", "sys.path.insert")
