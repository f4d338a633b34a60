"""The gate: the only door through which a frame of scores comes in."""
