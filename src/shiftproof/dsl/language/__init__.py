"""The language: syntax, flow, what expressions mean, and how a mechanism is declared."""
