"""Reads the runs that a pattern was learned from out of the log again, the newest first.

A run whose session is deleted is left out: nothing of it is kept anywhere else.
"""

from dataagent_core.config.limits.patterns import WORKFLOW_TRACES_MAX
from dataagent_core.events import RunStartedEvent
from dataagent_core.patterns.interaction_pattern import InteractionPattern, LearnedRun
from dataagent_core.patterns.read_trace import read_trace
from dataagent_core.patterns.trace import InteractionTrace
from dataagent_core.session import read_all
from dataagent_core.session.prompt import own_words
from dataagent_core.session.stores.bundle import Stores


async def read_clean_runs(pattern: InteractionPattern, stores: Stores) -> list[InteractionTrace]:
    """Return the traces of a pattern's clean runs."""
    known = reversed(pattern.recent_runs)
    clean = [run for run in known if run.success and run.calls_digest and run.session_id]
    read = [await _read_run(run, stores) for run in clean[: 2 * WORKFLOW_TRACES_MAX]]
    return [trace for trace in read if trace is not None]


async def _read_run(run: LearnedRun, stores: Stores) -> InteractionTrace | None:
    events = await read_all(stores.log, run.session_id, run_id=run.run_id)
    start = next((one for one in events if isinstance(one, RunStartedEvent)), None)
    if start is None:
        return None
    message = await stores.messages.get_message(run.session_id, start.message_id)
    if message is None:
        return None
    feedback = await read_all(stores.log, run.session_id, types=("feedback",))
    return read_trace(
        [*events, *feedback],
        own_words(message.content, message.metadata or {}),
        external_tools=run.external_tools,
        before=run.before,
    )
