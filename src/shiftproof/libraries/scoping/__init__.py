"""What the text of modules binds, changes and sets, and where."""
