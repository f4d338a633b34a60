# THE list of tables, and what writes them: see beam_pandas/_lazy.py. A line a name.
from beam_pandas.table.captions import caption as caption
from beam_pandas.table.latex import to_latex as to_latex
from beam_pandas.table.markdown import to_markdown as to_markdown
from beam_pandas.table.of_results import pairs as pairs
from beam_pandas.table.of_results import ranking as ranking
from beam_pandas.table.of_scores import scores as scores

__all__: list[str]
