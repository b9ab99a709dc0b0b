"""A report as a document: parameters, queries by name, and blocks that refer to them.

It holds no data, so it can be stored, read by a person, and run again with later data.
"""

from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from dataagent_core.config.limits.data import (
    REPORT_BLOCKS_MAX,
    REPORT_PARAMETERS_MAX,
    REPORT_QUERIES_MAX,
    SQL_CHARS_MAX,
)
from dataagent_core.tools.data.reports.report_blocks import (
    Block,
    ChartBlock,
    FigureBlock,
    Line,
    SqlBlock,
    TableBlock,
)
from dataagent_core.tools.data.reports.yaml_model import read_model
from dataagent_core.tools.definition.name_suggestions import suggest_names

Name = Annotated[str, Field(pattern=r"^[\p{L}_][\w]{0,63}$")]
Language = Literal["en", "zh"]
_DATA_BLOCKS = (TableBlock, ChartBlock, SqlBlock, FigureBlock)


class ReportParameter(BaseModel):
    """A value that may differ from run to run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["text", "number", "date"] = "text"
    default: str | int | float | None = None
    description: Line = ""


class QueryDefinition(BaseModel):
    """Where data comes from: SQL for a source, or a metric of the semantic layer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Line = ""
    sql: Annotated[str, Field(max_length=SQL_CHARS_MAX)] | None = None
    metric: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _check_one_kind(self) -> "QueryDefinition":
        if (self.sql is None) == (self.metric is None):
            raise ValueError("give either sql (with source) or metric")
        if self.sql is not None and not self.source:
            raise ValueError("sql needs the source it is for")
        return self


class ReportDefinition(BaseModel):
    """A whole report, without its data."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[Line, Field(min_length=1)]
    author: Line = ""
    # Of the report's own words; None: the language of the title.
    language: Language | None = None
    template: Line = "plain"
    parameters: Annotated[dict[Name, ReportParameter], Field(max_length=REPORT_PARAMETERS_MAX)] = {}
    queries: Annotated[dict[Name, QueryDefinition], Field(max_length=REPORT_QUERIES_MAX)] = {}
    blocks: Annotated[tuple[Block, ...], Field(min_length=1, max_length=REPORT_BLOCKS_MAX)]

    @model_validator(mode="after")
    def _check_query_names(self) -> "ReportDefinition":
        for number, block in enumerate(self.blocks):
            if isinstance(block, _DATA_BLOCKS) and block.query not in self.queries:
                hint = suggest_names(block.query, self.queries)
                raise ValueError(f"block {number} names no query: {block.query!r}. {hint}")
        return self

    def queries_shown(self) -> list[str]:
        """List the queries that blocks are filled from."""
        shown = (block.query for block in self.blocks if isinstance(block, _DATA_BLOCKS))
        return list(dict.fromkeys(shown))


def read_definition(text: str) -> ReportDefinition:
    """Read a definition from YAML or JSON."""
    return read_model(ReportDefinition, text, "The report definition")


def write_definition(definition: ReportDefinition) -> str:
    """Write a definition as YAML that `read_definition` reads."""
    value = definition.model_dump(mode="json", exclude_defaults=True)
    # `exclude_defaults` drops the type, which tells the blocks apart.
    value["blocks"] = [
        {"type": block.type, **block.model_dump(mode="json", exclude_defaults=True)}
        for block in definition.blocks
    ]
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100)
