"""A language server: verdicts of a file in an editor, each time that it is saved."""
