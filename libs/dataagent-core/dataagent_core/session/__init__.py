"""Sessions: messages, events, journal and locks. Ports are here, adapters in `stores/`."""

from dataagent_core.session.feedback import give_feedback, last_feedback
from dataagent_core.session.lock import SessionLock
from dataagent_core.session.log import (
    NO_RUN,
    EventLog,
    Intent,
    JournalEntry,
    JournalRecord,
    Outcome,
    read_all,
)
from dataagent_core.session.manager import ExecutorFactory, SessionManager
from dataagent_core.session.mode import FollowedMode, change_mode, mode_of
from dataagent_core.session.prompt import check_prompt
from dataagent_core.session.recorder import RunRecorder
from dataagent_core.session.run import Run, RunSummary, runs_of, summarize_runs
from dataagent_core.session.session_state import SessionState, session_state
from dataagent_core.session.state import Message, Role, Session
from dataagent_core.session.store import MessageStore, SessionStore

__all__ = [
    "NO_RUN",
    "EventLog",
    "ExecutorFactory",
    "FollowedMode",
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
    "SessionState",
    "SessionStore",
    "change_mode",
    "check_prompt",
    "give_feedback",
    "last_feedback",
    "mode_of",
    "read_all",
    "runs_of",
    "session_state",
    "summarize_runs",
]
