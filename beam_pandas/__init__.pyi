# THE list of public names: see beam_pandas/_lazy.py. A line a name.
from beam_pandas import plot as plot
from beam_pandas import table as table
from beam_pandas.errors import BeamError as BeamError
from beam_pandas.errors import BeamWarning as BeamWarning
from beam_pandas.errors import DuplicateScoresError as DuplicateScoresError
from beam_pandas.errors import IncompleteScoresError as IncompleteScoresError
from beam_pandas.errors import MissingColumnsError as MissingColumnsError
from beam_pandas.errors import MissingDependencyError as MissingDependencyError
from beam_pandas.errors import ScoreTypeError as ScoreTypeError
from beam_pandas.errors import UnevenRunsError as UnevenRunsError
from beam_pandas.errors import UnknownMetricError as UnknownMetricError
from beam_pandas.examples import load_benchmark as load_benchmark
from beam_pandas.gate.registry import metrics as metrics
from beam_pandas.gate.registry import register_metric as register_metric
from beam_pandas.results.build import result_schema as result_schema
from beam_pandas.results.letters import letters as letters
from beam_pandas.results.squares import to_matrix as to_matrix
from beam_pandas.shapes.printed import parse_scores as parse_scores
from beam_pandas.shapes.printed import read_printed as read_printed
from beam_pandas.shapes.readers import from_cross_validation as from_cross_validation
from beam_pandas.shapes.readers import from_search as from_search
from beam_pandas.shapes.readers import read_lm_eval as read_lm_eval
from beam_pandas.shapes.readers import read_results as read_results
from beam_pandas.shapes.to_long import from_columns as from_columns
from beam_pandas.shapes.to_long import from_matrix as from_matrix
from beam_pandas.shapes.to_long import read_matrices as read_matrices
from beam_pandas.statistics.aggregates import aggregate_scores as aggregate_scores
from beam_pandas.statistics.aggregates import improvement as improvement
from beam_pandas.statistics.arranged import fold_datasets as fold_datasets
from beam_pandas.statistics.arranged import merge_metrics as merge_metrics
from beam_pandas.statistics.arranged import wide_scores as wide_scores
from beam_pandas.statistics.controls import compare_to_control as compare_to_control
from beam_pandas.statistics.datasets import dataset_concordance as dataset_concordance
from beam_pandas.statistics.datasets import dataset_discrimination as dataset_discrimination
from beam_pandas.statistics.datasets import pooled_scores as pooled_scores
from beam_pandas.statistics.incomplete import adjusted_rank_sums as adjusted_rank_sums
from beam_pandas.statistics.incomplete import coverage as coverage
from beam_pandas.statistics.incomplete import missing_scores as missing_scores
from beam_pandas.statistics.incomplete import skillings_mack as skillings_mack
from beam_pandas.statistics.leaderboard import leaderboard as leaderboard
from beam_pandas.statistics.majorities import circular_triads as circular_triads
from beam_pandas.statistics.majorities import majority as majority
from beam_pandas.statistics.majorities import transitivity as transitivity
from beam_pandas.statistics.mean_differences import (
    mean_difference_tests as mean_difference_tests,
)
from beam_pandas.statistics.mean_rank_tests import mean_rank_tests as mean_rank_tests
from beam_pandas.statistics.mean_ranks import cliques as cliques
from beam_pandas.statistics.mean_ranks import critical_difference as critical_difference
from beam_pandas.statistics.mean_ranks import friedman as friedman
from beam_pandas.statistics.mean_ranks import ranks as ranks
from beam_pandas.statistics.next_dataset import hierarchical as hierarchical
from beam_pandas.statistics.pairs import comparison_matrix as comparison_matrix
from beam_pandas.statistics.pairs import pairwise as pairwise
from beam_pandas.statistics.pairs import standing as standing
from beam_pandas.statistics.post_hoc import nemenyi as nemenyi
from beam_pandas.statistics.posteriors import bayesian_sign as bayesian_sign
from beam_pandas.statistics.profiles import performance_profile as performance_profile
from beam_pandas.statistics.resampling import influence as influence
from beam_pandas.statistics.resampling import pool_sensitivity as pool_sensitivity
from beam_pandas.statistics.resampling import rank_intervals as rank_intervals
from beam_pandas.statistics.run_posteriors import correlated_t as correlated_t
from beam_pandas.statistics.signed_rank_posteriors import (
    bayesian_signed_rank as bayesian_signed_rank,
)
from beam_pandas.statistics.small_samples import required_datasets as required_datasets
from beam_pandas.statistics.small_samples import resolution as resolution
from beam_pandas.statistics.strengths import bradley_terry as bradley_terry
from beam_pandas.statistics.wilcoxon import wilcoxon as wilcoxon

__version__: str
