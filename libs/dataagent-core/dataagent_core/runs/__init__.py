"""Runs: what the parts of one running run share."""

from dataagent_core.runs.context import (
    CallJournal,
    RunContext,
    RunMessage,
    RunProgress,
    SubAgentTask,
    run_context,
)

__all__ = ["CallJournal", "RunContext", "RunMessage", "RunProgress", "SubAgentTask", "run_context"]
