"""`df.beam` and `df.groupby(...).beam`."""
