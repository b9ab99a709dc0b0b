"""Makes search entries of metrics, dimensions and verified questions."""

from dataagent_core.tools.data.catalog.catalogue_search import CatalogueEntry, make_entry
from dataagent_core.tools.data.semantic.semantic_model import SemanticModel


def make_semantic_entries(model: SemanticModel) -> list[CatalogueEntry]:
    """Make an entry of each metric, dimension and question."""
    return [
        *(
            make_entry(
                "metric",
                model.dataset(metric.dataset).source,
                metric.name,
                f"{metric.description} = {metric.expr} over {metric.dataset}".strip(),
                metric.synonyms,
            )
            for metric in model.metrics
        ),
        *(
            make_entry(
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
            make_entry(
                "question",
                question.source,
                question.question,
                f"verified by {question.owner}: {question.sql}",
            )
            for question in model.questions
        ),
    ]
