"""Two worker processes of dask, each with less memory than the raw scores need."""


import pandas as pd
import pytest

import beam_pandas as bp
from tests.distributed.raw import KEYS, ROPE, assert_same_rows

REASON = "needs dask: python -m pip install '.[distributed]'"
dd = pytest.importorskip("dask.dataframe", reason=REASON, exc_type=ImportError)
distributed = pytest.importorskip("distributed", reason=REASON)

pytestmark = pytest.mark.distributed

MEMORY_LIMIT = 400_000_000


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit=MEMORY_LIMIT,
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def by_metric(scores, function, name, **kwargs):
    """The recipe: group by a copy of the metric, which pandas 3 takes out of the groups."""
    groups = scores.assign(key=scores["metric"]).groupby("key", group_keys=False)
    schema = bp.result_schema(name, labels=scores["metric"].dtype)
    return groups.apply(function, **kwargs, meta=schema)


def test_raw_scores_larger_than_a_worker_give_the_result_of_pandas(client, raw_scores):
    workers = client.scheduler_info()["workers"].values()
    assert [worker["memory_limit"] for worker in workers] == [MEMORY_LIMIT] * 2
    assert raw_scores.n_bytes > 2 * MEMORY_LIMIT

    raw = dd.read_parquet(raw_scores.folder)
    means = raw.groupby(KEYS)["score"].mean(split_out=2).reset_index()
    pairs = by_metric(means, bp.pairwise, "pairwise", rope=ROPE)
    with distributed.get_task_stream(client) as stream:
        result = pairs.compute()

    assert raw.npartitions > 100
    assert {task["worker"] for task in stream.data} == set(client.nthreads())
    pd.testing.assert_series_equal(result.dtypes, pairs.dtypes)
    assert len(result) == 3 * 66 and result["ties"].sum() > 100
    assert_same_rows(result, raw_scores.pairs)
