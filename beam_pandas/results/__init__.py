"""Columns of results, and how results are built and turned into squares."""
