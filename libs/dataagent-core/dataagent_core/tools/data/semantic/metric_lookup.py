"""Finds metrics by name, and the one source they are computed from."""

from collections.abc import Sequence

from dataagent_core.errors import NotFoundError, QueryRefusedError
from dataagent_core.tools.data.semantic.semantic_model import Metric, SemanticModel
from dataagent_core.tools.definition.name_suggestions import describe_unknown_name


def find_metric_source(model: SemanticModel, names: Sequence[str]) -> str:
    """Return the source of these metrics."""
    return model.dataset(find_metrics(model, names)[0].dataset).source


def find_metrics(model: SemanticModel, names: Sequence[str]) -> list[Metric]:
    """Find metrics by their names or synonyms; all metrics of a query have one dataset."""
    known = {metric.name: metric for metric in model.metrics}
    for metric in model.metrics:
        for synonym in metric.synonyms:
            known.setdefault(synonym, metric)
    if not names:
        problem = "Name at least one metric"
        raise QueryRefusedError(f"{problem}; data_search_catalog lists them.", f"{problem}.")
    for name in names:
        if name not in known:
            problem = f"There is no metric {name!r:.100}."
            raise NotFoundError(
                *describe_unknown_name(problem, name, known, "data_search_catalog lists them.")
            )
    metrics = [known[name] for name in names]
    others = {metric.dataset for metric in metrics} - {metrics[0].dataset}
    if others:
        raise QueryRefusedError(
            f"{metrics[0].name!r} is counted over {metrics[0].dataset!r} and others over "
            f"{min(others)!r}: ask for them one after the other and join the results."
        )
    return metrics
