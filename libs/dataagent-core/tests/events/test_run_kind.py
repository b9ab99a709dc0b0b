"""The kind of a run is read from its message's id in one place, and told by its first event."""

import pytest

from dataagent_core.events import RunStartedEvent, from_json, to_json
from dataagent_core.events.system import RunKind, kind_of_run, message_id_for


@pytest.mark.parametrize("kind", ["message", "compaction"])
def test_a_new_message_id_says_the_kind_of_its_run(kind: RunKind):
    assert kind_of_run(message_id_for("run", kind)) == kind


# As earlier versions have written them, and as an imported file may name them.
@pytest.mark.parametrize(
    ("message_id", "kind"),
    [("r:m0", "message"), ("r:compact", "compaction"), ("", "message"), ("compact", "message")],
)
def test_stored_ids_are_understood(message_id: str, kind: RunKind):
    assert kind_of_run(message_id) == kind


def test_the_first_event_of_a_run_says_its_kind_and_stores_no_more_than_before():
    event = RunStartedEvent(message_id="r:compact")
    assert event.kind == "compaction"
    assert "kind" not in event.to_dict()
    assert from_json(to_json(event)) == event
