"""How noise is drawn: one value from uniform numbers, exactly, and many at once with numpy."""
