"""Functions of published packages, read as they stand: readings, and how the packages are run."""
