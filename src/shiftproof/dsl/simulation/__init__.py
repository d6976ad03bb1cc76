"""Many runs of a mechanism at once, as array code: every operation works on all runs of a group."""
