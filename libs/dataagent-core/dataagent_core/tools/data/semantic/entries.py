"""A project's metrics, dimensions and verified questions, for the catalogue's search."""

from dataagent_core.tools.data.catalog.search import Entry, entry
from dataagent_core.tools.data.semantic.model import SemanticModel


def semantic_entries(model: SemanticModel) -> list[Entry]:
    """Make an entry of each."""
    return [
        *(
            entry(
                "metric",
                model.dataset(metric.dataset).source,
                metric.name,
                f"{metric.description} = {metric.expr} over {metric.dataset}".strip(),
                metric.synonyms,
            )
            for metric in model.metrics
        ),
        *(
            entry(
                "dimension",
                dataset.source,
                f"{dataset.name}.{dimension.name}",
                f"{dimension.description} ({dimension.type})".strip(),
                dimension.synonyms,
            )
            for dataset in model.datasets
            for dimension in dataset.dimensions
        ),
        *(
            entry(
                "question",
                question.source,
                question.question,
                f"verified by {question.owner}: {question.sql}",
            )
            for question in model.questions
        ),
    ]
