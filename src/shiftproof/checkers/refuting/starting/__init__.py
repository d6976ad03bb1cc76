"""Where a search begins: small public inputs, and neighbours that differ as far as they may."""
