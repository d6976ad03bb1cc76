"""Exact probabilities of what a mechanism releases, on concrete inputs."""
