"""Sessions: what was said, what happened, and who holds it. Ports here, adapters in `stores/`."""

from dataagent_core.session.lock import SessionLock
from dataagent_core.session.log import (
    EventLog,
    Intent,
    JournalEntry,
    JournalRecord,
    Outcome,
    read_all,
)
from dataagent_core.session.manager import ExecutorFactory, SessionManager
from dataagent_core.session.prompt import check_prompt
from dataagent_core.session.recorder import RunRecorder
from dataagent_core.session.run import Run, RunSummary, runs_of, summarize_runs
from dataagent_core.session.state import Message, Role, Session
from dataagent_core.session.store import MessageStore, SessionStore

__all__ = [
    "EventLog",
    "ExecutorFactory",
    "Intent",
    "JournalEntry",
    "JournalRecord",
    "Message",
    "MessageStore",
    "Outcome",
    "Role",
    "Run",
    "RunRecorder",
    "RunSummary",
    "Session",
    "SessionLock",
    "SessionManager",
    "SessionStore",
    "check_prompt",
    "read_all",
    "runs_of",
    "summarize_runs",
]
