"""The semantic model of a project: metrics, dimensions and verified questions.

semantic_model.py      the YAML of `.dataagent/semantic/*.yml`, after OSI's core specification
model_files.py         the files of a project as one model; errors name file and place
metric_sql.py          a metric by dimensions as SQL, joined many to one only;
                       `time_grain.py` truncates times
verified_questions.py  runs verified questions again and reports differences
semantic_entries.py    the model's entries for the search of the catalogue
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
