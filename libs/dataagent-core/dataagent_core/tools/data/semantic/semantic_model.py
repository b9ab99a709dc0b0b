"""The schema of semantic files. Unknown keys are errors: a misspelt one would be lost silently."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

_NAME = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"


class _ModelPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Dimension(_ModelPart):
    """A column, or an expression over one row, to group and filter by."""

    name: str = Field(pattern=_NAME)
    # SQL over the dataset's own columns; without it, the column of the same name.
    expr: str | None = None
    # A time can be truncated to a grain.
    type: Literal["category", "time", "number", "boolean"] = "category"
    description: str = ""
    synonyms: tuple[str, ...] = ()


class Dataset(_ModelPart):
    """A table of a source, under the name a project uses."""

    name: str = Field(pattern=_NAME)
    source: str
    # As the catalogue names it; without it, the dataset's own name.
    table: str | None = None
    primary_key: tuple[str, ...] = ()
    description: str = ""
    dimensions: tuple[Dimension, ...] = ()


class Relation(_ModelPart):
    """Many rows of one dataset belong to one row of another: `on` maps columns of the first."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    many: str = Field(alias="from")
    one: str = Field(alias="to")
    on: dict[str, str] = Field(min_length=1)


class Metric(_ModelPart):
    """An aggregate over a dataset's rows, optionally of some of them."""

    name: str = Field(pattern=_NAME)
    dataset: str
    expr: str
    filter: str | None = None
    description: str = ""
    synonyms: tuple[str, ...] = ()


class VerifiedQuestion(_ModelPart):
    """A question whose SQL somebody answers for."""

    question: str = Field(min_length=1, max_length=2_000)
    source: str
    sql: str
    owner: str
    reviewed: str = ""
    # The expected rows; without them `data test` only shows that it still runs.
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] | None = None


class SemanticModel(_ModelPart):
    """All of a project."""

    datasets: tuple[Dataset, ...] = ()
    relations: tuple[Relation, ...] = ()
    metrics: tuple[Metric, ...] = ()
    questions: tuple[VerifiedQuestion, ...] = ()

    @model_validator(mode="after")
    def _check_references(self) -> "SemanticModel":
        names = [dataset.name for dataset in self.datasets]
        for kind, names_of_kind in (
            ("dataset", names),
            ("metric", [metric.name for metric in self.metrics]),
        ):
            duplicates = sorted({name for name in names_of_kind if names_of_kind.count(name) > 1})
            if duplicates:
                raise ValueError(f"there are two {kind}s named {duplicates[0]!r}: rename one")
        for metric in self.metrics:
            if metric.dataset not in names:
                raise ValueError(f"metric {metric.name!r} is of {metric.dataset!r}, no dataset")
        for relation in self.relations:
            for end in (relation.many, relation.one):
                if end not in names:
                    raise ValueError(f"a relation names {end!r}, which is no dataset")
        return self

    def dataset(self, name: str) -> Dataset:
        """Return the dataset with a known name."""
        return next(dataset for dataset in self.datasets if dataset.name == name)
