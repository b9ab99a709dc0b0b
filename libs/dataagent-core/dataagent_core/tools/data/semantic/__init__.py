"""What a project calls things: metrics, dimensions, and questions whose answer is known.

model.py       the YAML of `.dataagent/semantic/*.yml`, shaped after OSI's core specification
load.py        a project's files as one model, with errors that name file and place
joins.py       the way from a metric's dataset to a dimension's, many to one only
grain.py       a time cut to day, week, month, quarter or year, in each dialect
compile.py     a metric by dimensions, as SQL
questions.py   verified questions run again, and what is different
entries.py     all of it for the catalogue's search
"""

from dataagent_core.tools.data.semantic.load import load_model, load_model_beneath, parse_model
from dataagent_core.tools.data.semantic.model import SemanticModel, VerifiedQuestion
from dataagent_core.tools.data.semantic.query import Filter, MetricQuery

__all__ = [
    "Filter",
    "MetricQuery",
    "SemanticModel",
    "VerifiedQuestion",
    "load_model",
    "load_model_beneath",
    "parse_model",
]
