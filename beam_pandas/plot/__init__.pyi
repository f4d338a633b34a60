# THE list of pictures, and `save`: see beam_pandas/_lazy.py. A line a name.
from beam_pandas.plot.concordance_map import dataset_concordance as dataset_concordance
from beam_pandas.plot.dataset_dots import dataset_discrimination as dataset_discrimination
from beam_pandas.plot.diagram import critical_difference as critical_difference
from beam_pandas.plot.duel_points import duel as duel
from beam_pandas.plot.figures import save as save
from beam_pandas.plot.letter_columns import letters as letters
from beam_pandas.plot.majority_map import transitivity as transitivity
from beam_pandas.plot.matrix_map import comparison_matrix as comparison_matrix
from beam_pandas.plot.method_intervals import aggregate_scores as aggregate_scores
from beam_pandas.plot.method_intervals import bradley_terry as bradley_terry
from beam_pandas.plot.method_intervals import rank_intervals as rank_intervals
from beam_pandas.plot.pair_intervals import wilcoxon as wilcoxon
from beam_pandas.plot.pair_map import pairwise as pairwise
from beam_pandas.plot.posterior_bars import bayesian_sign as bayesian_sign
from beam_pandas.plot.profile_lines import performance_profile as performance_profile
from beam_pandas.plot.rank_bumps import rank_flow as rank_flow
from beam_pandas.plot.score_dots import scores as scores
from beam_pandas.plot.score_gaps import missing_scores as missing_scores
from beam_pandas.plot.score_overview import overview as overview
from beam_pandas.plot.simplex_map import simplex as simplex
from beam_pandas.plot.trade_off_points import trade_off as trade_off

__all__: list[str]
