"""The language: noise, neighbours, policies, the parsed program, and running it."""
