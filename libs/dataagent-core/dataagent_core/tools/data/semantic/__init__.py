"""What a project calls things: metrics, dimensions, and questions whose answer is known.

semantic_model.py       the YAML of `.dataagent/semantic/*.yml`, shaped after OSI's core
specification model_files.py        a project's files as one model, with errors that name file and
place join_path.py       the way from a metric's dataset to a dimension's, many to one only
time_grain.py       a time cut to day, week, month, quarter or year, in each dialect metric_sql.py
a metric by dimensions, as SQL verified_questions.py   verified questions run again, and what is
different semantic_entries.py     all of it for the catalogue's search
"""

from dataagent_core.tools.data.semantic.metric_query import Filter, MetricQuery
from dataagent_core.tools.data.semantic.model_files import (
    load_model,
    load_model_beneath,
    parse_model,
)
from dataagent_core.tools.data.semantic.semantic_model import SemanticModel, VerifiedQuestion

__all__ = [
    "Filter",
    "MetricQuery",
    "SemanticModel",
    "VerifiedQuestion",
    "load_model",
    "load_model_beneath",
    "parse_model",
]
