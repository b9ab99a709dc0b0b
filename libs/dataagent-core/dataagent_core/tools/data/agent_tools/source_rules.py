"""Rules about sources, asked about every source a call reads and not only the one it names.

Rows that were kept as a result are as denied as the call that made them: where a rule forbids that
call by now, nothing reads its result either. An "ask" is put once for the call.
"""

from collections.abc import Iterable
from typing import Any

from dataagent_core.errors import DeniedError, NotFoundError
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_lineage import SourceTouch, list_touched_sources
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource


async def explain_source_questions(
    queries: QueryService, tool: str, named: str, touches: Iterable[SourceTouch], judge: JudgeSource
) -> str | None:
    """Say why a person must be asked about what a call reads; raise where rules deny it.

    `named` is the source in the call's own arguments, which the gate asks about anyway.
    """
    ask: str | None = None
    asked_anyway = judge(tool, named).action == "ask"
    for touch in touches:
        for name in await queries.list_names(touch.source):
            why = explain_source_question(tool, SourceTouch(touch.tool, name), judge)
            if name != named and not asked_anyway:
                ask = ask or why
    return ask


def explain_source_question(tool: str, touch: SourceTouch, judge: JudgeSource) -> str | None:
    """Say why for one source, by the name a rule has for it."""
    own = judge(tool, touch.source)
    for judged in (own, judge(touch.tool, touch.source)):
        if judged.action == "deny":
            raise DeniedError(f"{tool} is denied: it reads {touch.source!r}, and {judged.reason}.")
    return f"it reads {touch.source!r}: {own.reason}" if own.action == "ask" else None


async def forecast_results(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource, *, tool: str
) -> CallForecast:
    """Ask the rules about the sources of every result a call names, in its blocks too."""
    touches: list[SourceTouch] = []
    for result_id in _list_result_ids(args):
        try:
            touches += list_touched_sources(await services.results.get(result_id))
        except NotFoundError:
            continue  # the tool itself says so
    ask = await explain_source_questions(services.queries, tool, "", dict.fromkeys(touches), judge)
    return CallForecast(args, ask)


def _list_result_ids(args: dict[str, Any]) -> list[str]:
    named = [args.get("result_id")]
    named += [block.get("query") for block in args.get("blocks") or ()]
    return [one for one in dict.fromkeys(named) if isinstance(one, str)]
