"""Issue 7, done when: what holds of the view of any history."""

import pytest
from histories import IMAGE, compacted, histories, number, pairs, room, situation, tokens
from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.context.compaction.cut_points import start_of_last_turns
from dataagent_core.context.compaction.plan import prune_record
from dataagent_core.context.compaction.prune import make_pruned_message, prune_tool_outputs
from dataagent_core.context.context_record import ContextRecord
from dataagent_core.context.pins.extract import extract
from dataagent_core.context.pins.pin_selection import select_pins
from dataagent_core.context.view import view

# Below this there is not even room for the words that say what is left out.
SMALL = st.integers(200, 2_000)
WINDOWS = st.sampled_from([2_000, 4_000, 8_000, 32_000, 128_000])
SUMMARIES = st.sampled_from([None, "", "Short.", "word " * 10_000])


@pytest.mark.requirement("F7-view-fits")
@given(histories(), WINDOWS, SUMMARIES)
def test_f7_the_view_of_any_history_fits_the_window(
    messages: list[BaseMessage], window: int, summary: str | None
) -> None:
    given_ = situation(messages, window)
    record = compacted(given_, summary)
    assert tokens(view(messages, record)) <= given_.allowance.usable


@pytest.mark.requirement("F7-view-fits")
@given(histories(), SMALL, SUMMARIES)
def test_f7_the_view_of_any_history_fits_however_little_room_there_is(
    messages: list[BaseMessage], usable: int, summary: str | None
) -> None:
    record = compacted(situation(messages, 8_000, allowance=room(8_000, usable)), summary)
    assert tokens(view(messages, record)) <= usable


def _steps(count: int, text: str) -> list[BaseMessage]:
    said: list[BaseMessage] = [HumanMessage(content="go")]
    for n in range(count):
        call = {"name": "look", "args": {}, "id": f"c{n}"}
        said += [
            AIMessage(content="", tool_calls=[call]),
            ToolMessage(text, name="look", tool_call_id=f"c{n}"),
        ]
    return number(said)


ODD: dict[str, list[BaseMessage]] = {
    "nothing": [],
    "thousands of tiny messages": number(
        [kind(content="x") for _ in range(3_000) for kind in (HumanMessage, AIMessage)]
    ),
    "one turn of thousands of empty results": _steps(3_000, ""),
    "one giant message": number([HumanMessage(content="word " * 2_000_000)]),
    "one giant Chinese message": number([HumanMessage(content="必须" * 500_000)]),
    "hundreds of calls at once": number(
        [
            HumanMessage(content="go"),
            AIMessage(
                content="",
                tool_calls=[{"name": "look", "args": {}, "id": f"c{n}"} for n in range(500)],
            ),
            *(ToolMessage("y" * 400, name="look", tool_call_id=f"c{n}") for n in range(500)),
        ]
    ),
    "a hundred images": number([HumanMessage(content=[dict(IMAGE) for _ in range(100)])]),
}


@pytest.mark.requirement("F7-view-fits")
@pytest.mark.parametrize("messages", ODD.values(), ids=ODD)
@pytest.mark.parametrize("window", [2_000, 32_000])
def test_f7_the_view_of_an_odd_history_fits(messages: list[BaseMessage], window: int) -> None:
    given_ = situation(messages, window)
    record = compacted(given_, "A summary.")
    shown = view(messages, record)
    assert tokens(shown) <= given_.allowance.usable
    ids = {message.id for message in shown}
    assert pairs(shown) == [pair for pair in pairs(messages) if ids & set(pair)]
    people = [message.id for message in messages if isinstance(message, HumanMessage)]
    assert not people or people[-1] in ids


@pytest.mark.requirement("F7-view-fits")
@given(st.lists(histories(turns_max=2), min_size=2, max_size=4), WINDOWS)
def test_f7_the_view_fits_however_often_it_was_made_shorter(
    parts: list[list[BaseMessage]], window: int
) -> None:
    messages: list[BaseMessage] = []
    record = ContextRecord()
    for part in parts:
        messages = number([*messages, *part])
        given_ = situation(messages, window, record=record)
        record = compacted(given_, "A summary.")
        assert tokens(view(messages, record)) <= given_.allowance.usable
        assert ContextRecord.from_state(record.to_state()) == record


@pytest.mark.requirement("F7-view-pairs")
@given(histories(), WINDOWS)
def test_f7_a_view_keeps_tool_calls_with_their_results(
    messages: list[BaseMessage], window: int
) -> None:
    shown = view(messages, compacted(situation(messages, window)))
    ids = {message.id for message in shown}
    assert pairs(shown) == [pair for pair in pairs(messages) if ids & set(pair)]


@pytest.mark.requirement("F7-view-keeps")
@given(histories(), WINDOWS)
def test_f7_a_view_keeps_the_last_two_turns_and_every_pin_whenever_they_fit(
    messages: list[BaseMessage], window: int
) -> None:
    given_ = situation(messages, window)
    start = start_of_last_turns(messages, 2)
    # The head of the block, its titles and the room of a summary.
    around = 400 if start else 0
    assume(tokens(messages[start:]) + given_.allowance.pins + around <= given_.allowance.usable)
    record = compacted(given_)
    shown = view(messages, record)
    assert shown[len(shown) - len(messages[start:]) :] == messages[start:]
    gone = messages[: record.covered]
    first = next((n for n, m in enumerate(gone) if isinstance(m, HumanMessage)), 0)
    pins = select_pins(extract(gone, given_.seqs, is_whole=[first]), given_.allowance.pins)
    assert record.pins == pins.kept
    assert [pin for pin in pins.kept if pin.text not in record.block] == []
    assert bool(pins.left) == bool(record.ranges)


@pytest.mark.requirement("F7-view-gives-way")
@given(histories(), WINDOWS)
def test_f7_what_is_shortened_in_a_view_leaves_a_reference(
    messages: list[BaseMessage], window: int
) -> None:
    given_ = situation(messages, window)
    record = compacted(given_)
    by_id = {message.id: message for message in messages}
    for shown in view(messages, record):
        before = by_id.get(shown.id)
        if before is not None and str(shown.text) != str(before.text):
            assert f"recall({given_.seqs[str(shown.id)]})" in str(shown.text)
    if record.covered:
        assert record.block.startswith("[Earlier events")
        assert record.to_seq == record.covered


@pytest.mark.requirement("F7-view-gives-way")
@given(histories(), WINDOWS, st.integers(1, 9))
def test_f7_with_less_room_a_view_never_begins_earlier(
    messages: list[BaseMessage], window: int, tenths: int
) -> None:
    large = situation(messages, window)
    small = situation(
        messages, window, allowance=room(window, int(large.allowance.usable * tenths / 10))
    )
    assume(small.allowance.usable >= 1_000)
    assert compacted(small).covered >= compacted(large).covered


@pytest.mark.requirement("F7-prune-twice")
@given(histories(turns_max=12), st.sampled_from([None, 2_000, 20_000, 128_000]))
def test_f7_pruning_twice_equals_pruning_once(
    messages: list[BaseMessage], window: int | None
) -> None:
    once = list(messages)
    for position in prune_tool_outputs(messages, window_tokens=window).pruned:
        once[position] = make_pruned_message(messages[position], 1, None)
    assert prune_tool_outputs(once, window_tokens=window).pruned == ()


@pytest.mark.requirement("F7-prune-twice")
@given(histories(turns_max=12), WINDOWS)
def test_f7_a_record_that_was_pruned_is_not_pruned_again(
    messages: list[BaseMessage], window: int
) -> None:
    once = prune_record(situation(messages, window))
    assume(once is not None)
    assert prune_record(situation(messages, window, record=once)) is None
