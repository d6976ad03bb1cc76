"""Functions of other libraries, read as they stand and written down in the language."""
