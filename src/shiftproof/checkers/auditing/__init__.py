"""The statistical auditor: sample, look for an event that breaks ε, say with which confidence."""
