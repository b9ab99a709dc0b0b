"""`SessionState` (S0) is what the log says: the last list, and whether the mode is auto."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import Event, ModeChangedEvent, TextEvent, TodoUpdateEvent
from dataagent_core.session import SessionState, session_state
from dataagent_core.session.stores.memory import MemoryEventLog

modes = st.sampled_from(("ask", "plan", "auto")).map(lambda mode: ModeChangedEvent(mode=mode))
todo: dict[str, JsonValue] = {"content": "x", "status": "pending"}
lists = st.lists(st.just(todo), max_size=3).map(lambda todos: TodoUpdateEvent(todos=todos))
others = st.just(TextEvent(content="a"))


async def test_a_session_without_events_plans_nothing_and_asks() -> None:
    state = await session_state(MemoryEventLog(), "s")
    assert state == SessionState(thread_id="s", auto_approve=False, current_todos=[])


@given(events=st.lists(modes | lists | others, max_size=10))
async def test_the_last_list_and_the_last_mode_count(events: list[Event]) -> None:
    log = MemoryEventLog()
    await log.append("s", "r", events)
    await log.append("other", "r", [TodoUpdateEvent(todos=[{"content": "theirs"}])])
    state = await session_state(log, "s")
    todos = [event.todos for event in events if isinstance(event, TodoUpdateEvent)]
    switches = [event.mode for event in events if isinstance(event, ModeChangedEvent)]
    assert state.current_todos == (todos[-1] if todos else [])
    assert state.auto_approve is (switches[-1:] == ["auto"])


async def test_a_log_of_more_than_a_page_is_read_to_its_end() -> None:
    log = MemoryEventLog()
    many = [TodoUpdateEvent(todos=[{"content": str(n)}]) for n in range(EVENTS_PAGE_DEFAULT + 1)]
    await log.append("s", "r", many)
    state = await session_state(log, "s")
    assert state.current_todos == [{"content": str(EVENTS_PAGE_DEFAULT)}]
