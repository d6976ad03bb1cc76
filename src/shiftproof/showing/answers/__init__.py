"""What was found out, as accounts: one file for each kind of answer."""
