"""A copy of a session keeps its plans: they follow the new ids of their runs."""

from dataclasses import replace

from dataagent_core.events import RunStartedEvent, WorkPlanEvent
from dataagent_core.planning import WorkPlan, fold_plan
from dataagent_core.session.copies.new_ids import IdMapping
from tests.recorded_logs.reading import events_of


def test_a_plan_belongs_to_its_run_in_the_copy_also_where_a_person_changed_it():
    events = events_of("work_plan")
    ids = IdMapping.of(events)
    copy = [replace(ids.event(event), run_id=ids.run_id(event.run_id)) for event in events]
    runs = [event.run_id or "" for event in events if isinstance(event, RunStartedEvent)]
    for run_id in runs:
        before, after = fold_plan(events, run_id), fold_plan(copy, ids.run_id(run_id))
        assert isinstance(before, WorkPlan)
        assert isinstance(after, WorkPlan)
        assert (after.steps, after.status, after.version) == (
            before.steps,
            before.status,
            before.version,
        )
    kept = [event.event_id or "" for event in copy if isinstance(event, WorkPlanEvent)]
    assert not [event_id for event_id in kept if any(run_id in event_id for run_id in runs)]
    assert len(set(kept)) == len(kept)
