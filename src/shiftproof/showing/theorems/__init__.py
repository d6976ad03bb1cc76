"""Theorems about a certificate, for a proof assistant that shares nothing with the kernel."""
