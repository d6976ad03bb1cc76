"""The experiments of the asymmetric differential privacy paper, on any data."""
