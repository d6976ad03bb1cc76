"""Estimators: what an analyst makes of private reports, with stated errors."""
