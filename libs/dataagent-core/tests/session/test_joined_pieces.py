"""Joining the pieces of a stream loses nothing and joins nothing else."""

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.events import Event, TextEvent, ThoughtEvent, ToolCallEvent
from dataagent_core.session.recorder import join_text_events

PIECES = st.one_of(
    st.builds(TextEvent, content=st.text(), is_final=st.booleans()),
    st.builds(
        ThoughtEvent,
        content=st.text(),
        is_final=st.booleans(),
        level=st.sampled_from(["work", "task"]),
    ),
    st.builds(ToolCallEvent, tool_name=st.text()),
)


def stream(event: Event) -> tuple[str, str] | None:
    match event:
        case TextEvent(is_final=False):
            return ("text", "")
        case ThoughtEvent(is_final=False):
            return ("thought", event.level)
        case _:
            return None


def spoken(events: list[Event]) -> list[tuple[object, str]]:
    groups = groupby(events, stream)
    return [
        (key, "".join(e.content for e in group if isinstance(e, TextEvent | ThoughtEvent)))
        for key, group in groups
    ]


@given(st.lists(PIECES))
def test_every_stream_says_the_same_as_before(events: list[Event]):
    assert spoken(join_text_events(events)) == spoken(events)


@given(st.lists(PIECES))
def test_no_two_neighbours_are_pieces_of_one_stream(events: list[Event]):
    for before, after in pairwise(join_text_events(events)):
        assert stream(before) is None or stream(before) != stream(after)


@given(st.lists(PIECES))
def test_what_is_no_piece_passes_unchanged(events: list[Event]):
    assert [e for e in join_text_events(events) if stream(e) is None] == [
        e for e in events if stream(e) is None
    ]
