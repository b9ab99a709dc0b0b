"""`chart_create`: a chart of a kept result, for a model."""

import asyncio
from typing import Annotated, Any

from pydantic import Field

from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.charts.chart_files import save_chart
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import ChartFormat
from dataagent_core.tools.data.charts.terminal_chart import render_terminal_chart
from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

PLOT_KEY = "plot"


@define_tool("idempotent", with_artifact=True)
async def chart_create(  # noqa: PLR0917 - a model names them all
    services: DataToolServices,
    result_id: Annotated[str, Field(description="The result to draw, as r_0123456789ab.")],
    intent: Annotated[
        str,
        Field(
            description="What to show, in words with the columns' names: 'line of revenue by "
            "month, split by region'. Empty: chosen by the columns."
        ),
    ] = "",
    spec: Annotated[
        dict[str, Any] | None,
        Field(
            description="Instead of an intent: a Vega-Lite spec without data, params, urls. "
            "Fields are the result's columns."
        ),
    ] = None,
    formats: Annotated[
        list[ChartFormat], Field(description="Pictures to write.", min_length=1, max_length=3)
    ] = ["png"],  # noqa: B006 - read only, and a JSON schema shows it
    name: Annotated[str, Field(description="Name of the files, without ending.")] = "",
) -> tuple[str, dict[str, Any]]:
    """Draw a result as a chart; pictures and the Vega-Lite spec are written below /charts.

    Give an intent; a spec only where the intent cannot say it. Intents add up rows over the
    whole result; aggregate in SQL first where a sum is not what is meant.
    """
    kept = await services.results.get(result_id)
    chart = await make_chart(
        services.results,
        result_id,
        renderer=services.renderer,
        spec=spec,
        intent=intent or None,
        formats=formats,
        # A model can read what is written into the workspace.
        mask=make_cell_mask(kept),
    )
    chosen = tuple(dict.fromkeys(formats))
    made = await asyncio.to_thread(save_chart, services.workspace, chart, chosen, name or None)
    lines = [f"Drew {chart.title!r} from {result_id}.", *(str(file["path"]) for file in made)]
    lines += [f"Note: {note}." for note in chart.notes]
    return "\n".join(lines), {ARTIFACTS_KEY: made, PLOT_KEY: render_terminal_chart(chart.spec)}
