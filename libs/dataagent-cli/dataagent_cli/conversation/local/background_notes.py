"""What the person is told of the background tasks of a conversation in this process.

A task is named by its title, which begins with its sub-agent; its id is for `/resume`.
"""

from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.text_width import cut
from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from dataagent_core.engine.delegation.background_state import BackgroundState
    from dataagent_core.session import Session

_TITLE_CELLS_MAX = 60
# The person, or the agent for them, cancelled the others.
_TOLD = frozenset({"finished", "failed", "waiting"})


def say_task_state(app: App, task_id: str, title: str, state: "BackgroundState") -> str:
    """Say that a task is over or waits; nothing where the person knows it."""
    if state.state not in _TOLD:
        return ""
    shown = cut(one_line(title), _TITLE_CELLS_MAX)
    return app.say(f"repl_task.{state.state}", id=task_id, title=shown)


def say_whose_task(app: App, session: "Session | None") -> str:
    """Say of a session that it is a background task, and how to return to its conversation."""
    from dataagent_core.runs import BackgroundTask

    task = BackgroundTask.read(session.metadata) if session is not None else None
    return app.say("repl_task_of", id=task.parent_session_id) if task is not None else ""
