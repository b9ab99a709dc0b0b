"""Runs: what the parts of one running run share."""

from dataagent_core.runs.background import BackgroundRuns, BackgroundTask, NewBackgroundRun
from dataagent_core.runs.context import (
    CallJournal,
    RunContext,
    RunMessage,
    RunProgress,
    SubAgentTask,
    run_context,
)

__all__ = [
    "BackgroundRuns",
    "BackgroundTask",
    "CallJournal",
    "NewBackgroundRun",
    "RunContext",
    "RunMessage",
    "RunProgress",
    "SubAgentTask",
    "run_context",
]
