"""`run_report`: its queries run, its blocks filled. Running it again is calling it again."""

import datetime as dt
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.charts.model import Mask
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.definition import QueryDefinition, ReportDefinition
from dataagent_core.tools.data.reports.document import Report
from dataagent_core.tools.data.reports.filling import Filling
from dataagent_core.tools.data.reports.parameters import in_sql, in_text, parameter_values
from dataagent_core.tools.data.reports.templates import Template, load_templates, template_named
from dataagent_core.tools.data.reports.words import report_words
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.results.store import Results

# A source's name and its SQL, as a person wrote them; whoever runs it checks both.
RunQuery = Callable[[str, str], Awaitable[Kept]]
RunMetric = Callable[[Mapping[str, Any]], Awaitable[Kept]]
MaskFor = Callable[[Kept], Mask | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMaker:
    """What every report of one person is made with."""

    results: Results
    renderer: Renderer
    run_query: RunQuery
    run_metric: RunMetric | None = None
    mask_for: MaskFor | None = None
    templates: Mapping[str, Template] | None = None


async def run_report(
    definition: ReportDefinition,
    maker: ReportMaker,
    *,
    parameters: Mapping[str, Any] | None = None,
    already: Mapping[str, Kept] | None = None,
    zone: dt.tzinfo = dt.UTC,
) -> Report:
    """Run a report; results that are there `already`, by query, are not asked for again."""
    values = parameter_values(definition, parameters or {})
    template = template_named(definition.template, dict(maker.templates or load_templates()))
    title = in_text(definition.title, values)
    words = report_words(definition.language or template.language, title)
    kept: dict[str, Kept] = dict(already or {})
    for name, query in definition.queries.items():
        if name not in kept:
            kept[name] = await _asked(name, query, definition, values, maker)
    filling = Filling(maker.results, maker.renderer, kept, words, values, maker.mask_for)
    blocks = (*template.before, *definition.blocks, *template.after)
    items = [await filling.item(block) for block in blocks]
    now = time.time()
    return Report(
        definition=definition,
        title=title,
        author=in_text(definition.author, values),
        made_at=now,
        made_on=dt.datetime.fromtimestamp(now, zone).strftime("%Y-%m-%d %H:%M %Z").strip(),
        template=template,
        words=words,
        items=tuple(items),
        results=tuple((name, kept[name]) for name in definition.queries),
    )


async def _asked(
    name: str,
    query: QueryDefinition,
    definition: ReportDefinition,
    values: Mapping[str, str],
    maker: ReportMaker,
) -> Kept:
    if query.sql is not None:
        return await maker.run_query(query.source, in_sql(query.sql, definition, values))
    if maker.run_metric is None or query.metric is None:
        raise ValidationError(
            f"Query {name!r} asks for a metric, and no semantic layer is there to answer. Write "
            "its SQL, or add the project's semantic files."
        )
    return await maker.run_metric(query.metric)
