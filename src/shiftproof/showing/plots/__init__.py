"""Pictures of proofs, bounds, audits and utility; they need the extra ``plot``."""
