"""What calls of Python, of `math`, of `random` and of numpy mean."""
