"""The experiments of the papers, on any data."""
