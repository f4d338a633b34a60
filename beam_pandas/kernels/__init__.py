"""Arrays in, arrays out: one statistical procedure a file, numpy and scipy only."""
