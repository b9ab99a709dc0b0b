"""`chart_create`: a chart of a kept result, for a model."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.charts.chart_files import save_chart
from dataagent_core.tools.data.charts.chart_maker import make_chart
from dataagent_core.tools.data.charts.chart_model import ChartFormat, MaskCell
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.terminal_chart import render_terminal_chart
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

# Gives the mask for a result, or None where everything may be shown.
MaskFor = Callable[[StoredResult], MaskCell | None]

PLOT_KEY = "plot"


def make_chart_tools(
    results: ResultStore, workspace: SafeRoot, renderer: Renderer, mask_for: MaskFor | None = None
) -> list[BaseTool]:
    """Make the tool of one session; the files go into its workspace."""

    async def chart_create(
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
        kept = await results.get(result_id)
        chart = await make_chart(
            results,
            result_id,
            renderer=renderer,
            spec=spec,
            intent=intent or None,
            formats=formats,
            mask=mask_for(kept) if mask_for else None,
        )
        chosen = tuple(dict.fromkeys(formats))
        made = await asyncio.to_thread(save_chart, workspace, chart, chosen, name or None)
        lines = [f"Drew {chart.title!r} from {result_id}.", *(str(file["path"]) for file in made)]
        lines += [f"Note: {note}." for note in chart.notes]
        return "\n".join(lines), {ARTIFACTS_KEY: made, PLOT_KEY: render_terminal_chart(chart.spec)}

    return [make_tool(chart_create, effect_metadata("idempotent"), with_artifact=True)]
