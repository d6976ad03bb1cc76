"""Python expressions and statements inside a mechanism, as the language has them."""
