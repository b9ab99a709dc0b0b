"""`chart_create`: a chart of a kept result, for a model."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.tools.artifacts import ARTIFACTS_KEY
from dataagent_core.tools.data.charts.making import make_chart
from dataagent_core.tools.data.charts.model import ChartFormat, Mask
from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.charts.saving import save_chart
from dataagent_core.tools.data.charts.terminal import plotted
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.results.store import Results
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.making import make_tool

# Gives the mask for a result, or None where everything may be shown.
MaskFor = Callable[[Kept], Mask | None]

PLOT_KEY = "plot"


def make_chart_tools(
    results: Results, workspace: SafeRoot, renderer: Renderer, mask_for: MaskFor | None = None
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
        return "\n".join(lines), {ARTIFACTS_KEY: made, PLOT_KEY: plotted(chart.spec)}

    return [make_tool(chart_create, effect_metadata("idempotent"), with_artifact=True)]
