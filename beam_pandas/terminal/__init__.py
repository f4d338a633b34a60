"""`python -m beam_pandas`: a report in the terminal."""
