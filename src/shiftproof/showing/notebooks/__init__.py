"""How the objects of the toolkit look in a notebook: as a card in HTML or LaTeX.

Importing this names the renderer, and no more: it is loaded when the first object is shown.
"""

from __future__ import annotations

from ...dsl import showing

showing.RENDERER = f"{__name__}.render"
