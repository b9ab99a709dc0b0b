"""Sessions beyond core's suites: S0's round trip, pages of a long list, titles, projects, search."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_core.session import Session
from dataagent_core.session.state import now
from dataagent_core.testing.strategies import sessions as drawn_sessions
from dataagent_server.db.database import Database
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.session_lists import SessionFilter, SessionLists
from dataagent_server.stores.session_search import SessionSearch
from dataagent_server.stores.sessions import ServerSessionStore

pytestmark = pytest.mark.every_database

EVERYTHING = SessionFilter()


@pytest.fixture
def store(database: Database) -> ServerSessionStore:
    return ServerSessionStore(database, "t")


@pytest.fixture
def lists(database: Database) -> SessionLists:
    return SessionLists(database, "t")


async def ids(lists: SessionLists, which: SessionFilter, limit: int = 3) -> list[str]:
    """Read page after page."""
    found: list[str] = []
    cursor = None
    while True:
        page = await lists.page(which, limit=limit, cursor=cursor)
        assert len(page.items) <= limit
        found += [item.session.session_id for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            return found


@pytest.mark.requirement("S0-42")
@given(drawn=drawn_sessions())
async def test_property_42_a_session_is_read_back_equal(store: ServerSessionStore, drawn: Session):
    created = await store.create(drawn.user_id, drawn.assistant_id)
    assert await store.get(created.session_id) == created
    changed = replace(drawn, session_id=created.session_id)
    await store.update(changed)
    assert await store.get(created.session_id) == changed


@pytest.mark.requirement("S0-46")
@given(count=st.integers(0, 12), limit=st.integers(0, 14), offset=st.integers(0, 14))
async def test_property_46_a_page_of_messages_has_the_right_ones_in_the_right_order(
    database: Database, count: int, limit: int, offset: int
):
    store, session_id = ServerMessageStore(database, "t"), new_id()
    for n in range(count):
        await store.save_message(session_id, "user", str(n))
    page = await store.get_messages(session_id, limit=limit, offset=offset)
    assert [m.content for m in page] == [str(n) for n in range(count)][offset : offset + limit]


async def test_every_page_together_is_the_whole_list_the_last_used_first(
    store: ServerSessionStore, lists: SessionLists
):
    moment = now()
    for n in range(10):
        made = await store.create("ada", "helper", session_id=f"s{n}")
        # Pairs were used at the same moment, so that a page ends between equals.
        await store.update(replace(made, last_active=moment + timedelta(seconds=n // 2)))
    expected = [f"s{n}" for n in reversed(range(10))]
    for limit in (1, 2, 3, 10, 11):
        assert await ids(lists, EVERYTHING, limit) == expected


async def test_a_session_used_while_somebody_reads_pages_is_not_shown_twice(
    store: ServerSessionStore, lists: SessionLists
):
    moment = now() - timedelta(hours=1)
    for n in range(6):
        made = await store.create("ada", "helper", session_id=f"s{n}")
        await store.update(replace(made, last_active=moment + timedelta(seconds=n)))
    first = await lists.page(EVERYTHING, limit=3)
    await lists.touch("s4")
    second = await lists.page(EVERYTHING, limit=3, cursor=first.next_cursor)
    shown = [item.session.session_id for item in (*first.items, *second.items)]
    assert shown == ["s5", "s4", "s3", "s2", "s1", "s0"]


async def test_a_list_holds_what_every_condition_allows(
    store: ServerSessionStore, lists: SessionLists, database: Database
):
    await store.create("ada", "helper", session_id="a", project_id="p", title="Große Zahlen 数据")
    await store.create("ada", "other", session_id="b", project_id="q", title="50% more_")
    await store.create("bob", "helper", session_id="c", project_id="p", title="50 percent")
    await store.create("bob", "helper", session_id="d")
    await ServerSessionStore(database, "other-tenant").create("ada", "helper", session_id="e")
    for which, expected in (
        (EVERYTHING, {"a", "b", "c", "d"}),
        (SessionFilter(user_id="ada"), {"a", "b"}),
        (SessionFilter(project_id="p"), {"a", "c"}),
        (SessionFilter(project_id="p", user_id="bob"), {"c"}),
        (SessionFilter(assistant_id="other"), {"b"}),
    ):
        assert set(await ids(lists, which)) == expected, which
    search = SessionSearch(database, "t")
    await ServerMessageStore(database, "t").save_message("d", "user", "Zahlen von Mai")
    for words, which, expected in (
        ("GROSSE", EVERYTHING, ["a"]),
        ("数据 zahlen", EVERYTHING, ["a"]),
        ("50%", EVERYTHING, ["b"]),
        ("e_", EVERYTHING, ["b"]),
        ("\\", EVERYTHING, []),
        ("zahlen", EVERYTHING, ["d", "a"]),
        ("zahlen", SessionFilter(user_id="ada"), ["a"]),
        ("zahlen", SessionFilter(project_id="q"), []),
    ):
        page = await search.page(which, words, limit=10)
        found = [one.session.session_id for one in page.items]
        assert (found, page.next_cursor) == (expected, None), words


async def test_a_search_goes_on_from_page_to_page_and_gives_each_once(
    store: ServerSessionStore, database: Database
):
    for number in range(12):
        title = "needle" if number % 3 else "hay"
        await store.create("ada", "helper", session_id=f"s{number:02}", title=title)
    search = SessionSearch(database, "t")
    seen: list[str] = []
    cursor = None
    while True:
        page = await search.page(EVERYTHING, "NEEDLE", limit=3, cursor=cursor)
        seen += [one.session.session_id for one in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [f"s{n:02}" for n in range(11, -1, -1) if n % 3]


async def test_a_title_can_be_given_changed_and_taken_away(
    store: ServerSessionStore, lists: SessionLists
):
    await store.create("ada", "helper", session_id="s")
    for title in ("One", "One", "Two", None):
        await lists.rename("s", title)
        found = await lists.get("s")
        assert found is not None
        assert found.title == title
    await lists.move("s", "p")
    found = await lists.get("s")
    assert found is not None
    assert found.project_id == "p"


async def test_what_is_not_there_or_not_ones_own_cannot_be_changed(
    store: ServerSessionStore, database: Database
):
    await store.create("ada", "helper", session_id="s", title="mine")
    others = SessionLists(database, "other")
    assert await others.get("s") is None
    for change in (others.rename("s", "theirs"), others.move("s", "p"), others.touch("s")):
        with pytest.raises(NotFoundError):
            await change


@pytest.mark.parametrize("title", ["", "x" * 501])
async def test_a_title_that_cannot_be_one_is_refused(
    store: ServerSessionStore, lists: SessionLists, title: str
):
    await store.create("ada", "helper", session_id="s")
    with pytest.raises(ValidationError):
        await lists.rename("s", title)


@pytest.mark.parametrize("limit", [0, -1, 501])
async def test_a_page_of_a_wrong_size_is_refused(lists: SessionLists, limit: int):
    with pytest.raises(ValidationError):
        await lists.page(EVERYTHING, limit=limit)


@given(cursor=st.text(max_size=50) | st.binary(max_size=50).map(lambda b: b.hex()))
async def test_a_cursor_nobody_gave_out_is_refused(lists: SessionLists, cursor: str):
    with pytest.raises(ValidationError, match="cursor"):
        await lists.page(EVERYTHING, cursor=cursor)
