"""Functions that run on workers; they load nothing that a worker would not have."""

import warnings

import pandas as pd


def standing_by_accessor(part):
    """Import the package where the function runs: that is what adds df.beam there."""
    import beam_pandas  # noqa: F401

    return part.beam.standing(rope=0.01)


def has_accessor(*, after_import):
    """Tell whether frames of this process have df.beam."""
    if after_import:
        import beam_pandas  # noqa: F401
    return hasattr(pd.DataFrame, "beam")


def pairwise_with_warnings(frame, **kwargs):
    """Compare pairs, with a warning raised as an error."""
    import beam_pandas

    with warnings.catch_warnings():
        warnings.simplefilter("error", beam_pandas.BeamWarning)
        return beam_pandas.pairwise(frame, **kwargs)
