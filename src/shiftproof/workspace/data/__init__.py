"""The users' own data: baskets, columns of tables, numbers."""
