"""The reference engine: every op by its NumPy definition."""
