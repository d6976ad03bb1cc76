"""Privacy definitions, policies, inputs, and which data sets are neighbours."""
