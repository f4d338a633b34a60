"""
Right and wrong uses, for type checkers to read: nothing here is ever run.

A wrong line says what is wrong with it; `test_typing` holds the checkers to exactly these.
"""

from typing import Any, assert_type

import numpy as np
import pandas as pd

import beam_pandas
from beam_pandas import plot
from beam_pandas.accessor.methods import BeamAccessor, BeamGroupByAccessor


def functions_are_checked(df: pd.DataFrame) -> None:
    assert_type(beam_pandas.load_benchmark(), pd.DataFrame)
    assert_type(beam_pandas.pairwise(df, rope=0.01), pd.DataFrame)
    beam_pandas.pairwise(df, {"accuracy": 0.01, "rmse": 0.5})
    beam_pandas.pairwise(df, "noise_floor", alpha=np.float64(0.1))
    beam_pandas.pairwise(df, rop=0.01)  # wrong: keyword
    beam_pandas.pairwise(df, alpha="0.1")  # wrong: value
    beam_pandas.pairwise(df, adjust="holmm")  # wrong: value
    beam_pandas.pairwise(df, "2%", control="SVC", missing="worst", errors="warn")
    beam_pandas.pairwise(df, ["noise_floor"])  # wrong: value
    beam_pandas.pairwise(df["score"])  # wrong: value
    beam_pandas.friedman(df, aggregate="maximum")  # wrong: value
    beam_pandas.compare_to_control(df)  # wrong: keyword


def functions_are_checked_through_pipe(df: pd.DataFrame) -> None:
    assert_type(df.pipe(beam_pandas.pairwise, rope=0.01), pd.DataFrame)
    assert_type(df.pipe(beam_pandas.from_matrix, metric="accuracy"), pd.DataFrame)
    assert_type(df.pipe(beam_pandas.nemenyi, alpha=0.1).query("significant"), pd.DataFrame)
    df.pipe(beam_pandas.pairwise, rop=0.01)  # wrong: keyword through pipe
    df.pipe(beam_pandas.pairwise, alpha="0.1")  # wrong: value through pipe
    df.pipe(beam_pandas.pairwise, adjust="holmm")  # wrong: value through pipe
    df.pipe(beam_pandas.from_matrix, metrics="auc")  # wrong: keyword through pipe


def the_accessor_is_checked_by_its_own_name(df: pd.DataFrame) -> None:
    beam = BeamAccessor(df)
    assert_type(beam.pairwise(0.01, adjust="hochberg"), pd.DataFrame)
    assert_type(beam.compare_to_control("SVC", missing="drop_methods"), pd.DataFrame)
    assert_type(beam.critical_difference().query("mean_rank < 2"), pd.DataFrame)
    assert_type(beam.plot.critical_difference(alpha=0.1, best="right"), Any)
    beam.pairwise(rop=0.01)  # wrong: keyword
    beam.pairwise(alpha="0.1")  # wrong: value
    beam.pairwise(adjust="holmm")  # wrong: value
    beam.compare_to_control()  # wrong: keyword
    beam.pairwize(rope=0.01)  # wrong: name
    beam.plot.critical_difference(besst="right")  # wrong: keyword
    beam.plot.critical_diference()  # wrong: name
    groups = BeamGroupByAccessor(df.groupby("domain"))
    assert_type(groups.pairwise(rope={"accuracy": 0.01}), pd.DataFrame)
    groups.pairwise(rop=0.01)  # wrong: keyword


def names_are_checked(df: pd.DataFrame) -> None:
    from beam_pandas import pairwize  # wrong: name
    from beam_pandas.plot import critical_diference  # wrong: name

    pairwize(df)
    critical_diference(df)
    beam_pandas.pairwize(df)  # wrong: name
    beam_pandas.plot.critical_diference(df)  # wrong: name
    df.pipe(beam_pandas.pairwize, rope=0.01)  # wrong: name


def pictures_are_checked(df: pd.DataFrame) -> None:
    # One Axes, or an array of them: that depends on the data, so it is Any, as of
    # plt.subplots.
    assert_type(plot.critical_difference(df, best="right"), Any)
    df.pipe(beam_pandas.plot.comparison_matrix, width=3.5).figure.savefig("wins.png")
    plot.critical_difference(df, besst="right")  # wrong: keyword
    plot.critical_difference(df, best="up")  # wrong: value
    df.pipe(plot.comparison_matrix, wdth=3.5)  # wrong: keyword through pipe


def the_accessor_is_taken_for_a_column(df: pd.DataFrame) -> None:
    # pandas-stubs takes any attribute that it does not know for a column. What is called
    # on it is Any, right or wrong, but for `plot`, which columns have.
    assert_type(df.beam, "pd.Series[Any]")
    assert_type(df.beam.pairwise(rope=0.01), Any)
    assert_type(df.beam.pairwize(rop="0.01"), Any)
    assert_type(df.groupby("domain").beam.pairwise(rope=0.01), Any)
    df.beam.plot.critical_difference()  # wrong: name
    df.groupby("domain").beam.plot.comparison_matrix()  # wrong: name
