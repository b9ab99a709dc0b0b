"""Switches the mode of a session from within a tool, after a person said yes."""

from dataagent_core.events import ModeChangedEvent
from dataagent_core.events.system import Mode
from dataagent_core.tools.pipeline.agent_call import RunningCall


async def switch_mode(running: RunningCall, mode: Mode, by: str | None) -> None:
    """Write the switch down; it counts from the next call on."""
    context = running.context
    # Named after the call: one that is met again after a crash switches nothing a second time.
    event_id = f"mode:{context.run.run_id}:{running.call.key}"
    await context.recorder.commit(ModeChangedEvent(event_id=event_id, mode=mode, by=by))
    await context.permissions.update_mode()
