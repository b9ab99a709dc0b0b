"""How the window of a session's last model call was spent, read from where its runs keep it."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from dataagent_core.context.report import ContextReport
from dataagent_core.context.state import REPORT_KEY
from dataagent_core.session import EventLog, runs_of


async def last_report(
    log: EventLog, checkpoints: BaseCheckpointSaver[Any], session_id: str
) -> ContextReport | None:
    """Find the report in the newest run that has one; None before the first model call."""
    for run in reversed(await runs_of(log, session_id)):
        # Each run keeps its state under its own id (`engine/history.py`).
        thread: RunnableConfig = {"configurable": {"thread_id": run.run_id}}
        kept = await checkpoints.aget_tuple(thread)
        values = kept.checkpoint["channel_values"] if kept is not None else {}
        if report := ContextReport.from_state(values.get(REPORT_KEY)):
            return report
    return None
