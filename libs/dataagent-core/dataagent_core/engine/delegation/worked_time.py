"""How long the tasks of sub-agents were worked on, read from the log of a run. Pure.

A run that goes on in another attempt, after a crash or a wait, adds to it (`subagent_run.py`).
"""

from collections.abc import Iterable

from dataagent_core.events import Event, HITLRequestEvent, SubAgentEvent


def read_worked_s(events: Iterable[Event]) -> dict[str, float]:
    """Sum up the time between the events of each task, in which its own sub-agents work too.

    What follows a request to a person is a wait, and what precedes a new beginning is nobody's.
    """
    worked_s: dict[str, float] = {}
    parents: dict[str, str | None] = {}
    last: dict[str, Event] = {}
    for event in events:
        task_id, begins = event.subagent_id, False
        if task_id is not None and isinstance(event, SubAgentEvent) and event.phase == "started":
            parents[task_id], begins = event.parent_id, True
        while task_id is not None:
            before = last.get(task_id)
            if before is not None and not begins and not isinstance(before, HITLRequestEvent):
                passed_s = event.timestamp - before.timestamp
                worked_s[task_id] = worked_s.get(task_id, 0.0) + passed_s
            last[task_id] = event
            task_id, begins = parents.get(task_id), False
    return worked_s
