"""On what was measured: a figure without its machine says little."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from shiftproof.dsl.version import __version__
from shiftproof.workspace.executors import cores

#: The packages whose versions decide how fast a verdict comes.
PACKAGES = ("z3-solver", "python-flint", "numpy", "scipy")


def machine() -> str:
    """Processor, cores, system, Python and versions, in two lines."""
    count = cores()
    processors = "1 core" if count == 1 else f"{count} cores"
    return (
        f"{_processor()}, {processors}; {platform.system()} on {platform.machine()}; "
        f"{platform.python_implementation()} {platform.python_version()};\n"
        f"shiftproof {__version__}, {', '.join(map(_with_version, PACKAGES))}."
    )


def _processor() -> str:
    """The processor's name; Python knows it only on some systems."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            key, _, name = line.partition(":")
            if key.strip() == "model name" and name.strip():
                return name.strip()
    return platform.processor() or "unknown processor"


def _with_version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
