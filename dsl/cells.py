"""Code that stands in a notebook: its file is IPython's own and tells a reader nothing."""

from __future__ import annotations

import sys


def cell_of(file: str) -> str:
    """The cell of a notebook that a file name of IPython's stands for; empty for other files.

    before:  /tmp/ipykernel_4711/2180839249.py
    after:   In[3]
    """
    ipython = sys.modules.get("IPython")  # never loaded for this
    shell = None if ipython is None else ipython.get_ipython()
    named = None if shell is None else shell.compile.format_code_name(file)
    return "" if named is None else str(named[1])
