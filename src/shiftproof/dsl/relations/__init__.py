"""Programs, and how their private inputs and budgets differ between neighbours."""
