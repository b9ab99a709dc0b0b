"""What every `SessionStore` does."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.ids import new_id
from dataagent_core.session import Session, SessionStore
from dataagent_core.session.state import now
from dataagent_core.testing.conformance.examples import shared_store_examples
from dataagent_core.testing.strategies import sessions

HOUR_S = 3_600.0


def ids_of(found: Sequence[Session]) -> list[str]:
    """Name sessions, in the order they were given."""
    return [session.session_id for session in found]


async def create_session(store: SessionStore, session_id: str, last_active: datetime) -> Session:
    """Make a session that was last used at the given moment."""
    created = await store.create("ada", "helper", session_id=session_id)
    session = replace(created, last_active=last_active)
    await store.update(session)
    return session


class SessionStoreConformance:
    """Needs the fixture `session_store`."""

    async def test_a_created_session_is_read_back_equal(self, session_store: SessionStore) -> None:
        created = await session_store.create("ada", "helper")
        assert await session_store.get(created.session_id) == created
        assert (created.user_id, created.assistant_id) == ("ada", "helper")

    async def test_sessions_get_ids_of_their_own(self, session_store: SessionStore) -> None:
        first = await session_store.create("ada", "helper")
        second = await session_store.create("ada", "helper")
        assert first.session_id != second.session_id

    async def test_a_chosen_id_is_kept(self, session_store: SessionStore) -> None:
        await session_store.create("ada", "helper", session_id="my-session")
        found = await session_store.get("my-session")
        assert found is not None
        assert found.session_id == "my-session"

    async def test_a_chosen_id_that_is_taken_is_a_conflict_and_changes_nothing(
        self, session_store: SessionStore
    ) -> None:
        first = await session_store.create("ada", "helper", session_id="taken")
        with pytest.raises(ConflictError, match="taken"):
            await session_store.create("bob", "other", session_id="taken")
        assert await session_store.get("taken") == first

    async def test_of_many_who_choose_one_id_at_once_one_gets_it(
        self, session_store: SessionStore
    ) -> None:
        wishes = (session_store.create(f"user-{n}", "a", session_id="one") for n in range(20))
        results = await asyncio.gather(*wishes, return_exceptions=True)
        winners = [result for result in results if isinstance(result, Session)]
        losers = [result for result in results if isinstance(result, ConflictError)]
        assert (len(winners), len(losers)) == (1, len(results) - 1)
        assert await session_store.get("one") == winners[0]

    @pytest.mark.parametrize("bad", ["../up", ".hidden", "a/b", "x" * 65, "\ud800", "数据"])
    async def test_an_id_that_cannot_be_one_is_refused(
        self, session_store: SessionStore, bad: str
    ) -> None:
        with pytest.raises(ValidationError):
            await session_store.create("ada", "helper", session_id=bad)
        assert await session_store.list_by_user("ada") == []

    async def test_an_unknown_session_is_none(self, session_store: SessionStore) -> None:
        assert await session_store.get("nobody") is None

    @shared_store_examples
    @given(drawn=sessions())
    async def test_an_updated_session_is_read_back_equal(
        self, session_store: SessionStore, drawn: Session
    ) -> None:
        created = await session_store.create("ada", "helper")
        changed = replace(drawn, session_id=created.session_id)
        await session_store.update(changed)
        assert await session_store.get(created.session_id) == changed

    async def test_updating_a_missing_session_is_not_found_and_makes_none(
        self, session_store: SessionStore
    ) -> None:
        missing = Session(session_id="gone", user_id="ada", assistant_id="helper")
        with pytest.raises(NotFoundError, match="gone"):
            await session_store.update(missing)
        assert await session_store.get("gone") is None

    @pytest.mark.parametrize("field", ["state", "metadata"])
    async def test_what_json_cannot_hold_is_refused_and_changes_nothing(
        self, session_store: SessionStore, field: str
    ) -> None:
        created = await session_store.create("ada", "helper")
        with pytest.raises(ValidationError, match=field):
            await session_store.update(replace(created, **{field: {"key": {1, 2}}}))
        assert await session_store.get(created.session_id) == created

    async def test_changing_what_was_read_changes_nothing_in_the_store(
        self, session_store: SessionStore
    ) -> None:
        created = await session_store.create("ada", "helper")
        created.state["key"] = "changed after create"
        read = await session_store.get(created.session_id)
        assert read is not None
        read.metadata["key"] = "changed after get"
        again = await session_store.get(created.session_id)
        assert again is not None
        assert (again.state, again.metadata) == ({}, {})

    async def test_a_deleted_session_is_gone_and_its_id_is_free(
        self, session_store: SessionStore
    ) -> None:
        await session_store.create("ada", "helper", session_id="again")
        await session_store.delete("again")
        assert await session_store.get("again") is None
        assert await session_store.list_by_user("ada") == []
        await session_store.create("bob", "helper", session_id="again")

    async def test_deleting_a_session_leaves_the_others(self, session_store: SessionStore) -> None:
        await session_store.create("ada", "helper", session_id="stays")
        await session_store.delete("never-was")
        assert ids_of(await session_store.list_by_user("ada")) == ["stays"]

    async def test_lists_hold_only_that_persons_or_that_assistants_sessions(
        self, session_store: SessionStore
    ) -> None:
        await session_store.create("ada", "helper", session_id="one")
        await session_store.create("bob", "helper", session_id="two")
        await session_store.create("bob", "other", session_id="three")
        assert ids_of(await session_store.list_by_user("ada")) == ["one"]
        assert set(ids_of(await session_store.list_by_user("bob"))) == {"two", "three"}
        assert set(ids_of(await session_store.list_by_assistant("helper"))) == {"one", "two"}
        assert await session_store.list_by_user("nobody") == []

    async def test_lists_begin_with_the_session_used_last(
        self, session_store: SessionStore
    ) -> None:
        moment = now()
        for name, seconds_ago in (("old", 20), ("newest", 0), ("middle", 10)):
            await create_session(session_store, name, moment - timedelta(seconds=seconds_ago))
        expected = ["newest", "middle", "old"]
        assert ids_of(await session_store.list_by_user("ada")) == expected
        assert ids_of(await session_store.list_by_assistant("helper")) == expected

    async def test_sessions_used_at_the_same_moment_are_listed_by_id(
        self, session_store: SessionStore
    ) -> None:
        moment = now()
        for name in ("b", "c", "a"):
            await create_session(session_store, name, moment)
        assert ids_of(await session_store.list_by_user("ada")) == ["a", "b", "c"]

    async def test_moments_of_different_zones_are_ordered_as_moments(
        self, session_store: SessionStore
    ) -> None:
        moment = now()
        east, west = timezone(timedelta(hours=9)), timezone(timedelta(hours=-9))
        earlier = (moment - timedelta(hours=1)).astimezone(east)
        await create_session(session_store, "earlier", earlier)
        later = await create_session(session_store, "later", moment.astimezone(west))
        assert ids_of(await session_store.list_by_user("ada")) == ["later", "earlier"]
        assert ids_of(await session_store.list_expired(HOUR_S / 2)) == ["earlier"]
        assert await session_store.get("later") == later

    async def test_expired_are_the_sessions_not_used_for_that_long(
        self, session_store: SessionStore
    ) -> None:
        await create_session(session_store, "idle", now() - timedelta(seconds=HOUR_S + 1))
        await create_session(session_store, "in-use", now() - timedelta(seconds=HOUR_S / 2))
        assert ids_of(await session_store.list_expired(HOUR_S)) == ["idle"]

    async def test_cleaning_up_removes_the_expired_and_says_how_many(
        self, session_store: SessionStore
    ) -> None:
        for name in ("idle-1", "idle-2"):
            await create_session(session_store, name, now() - timedelta(seconds=HOUR_S + 1))
        await session_store.create("ada", "helper", session_id="in-use")
        assert await session_store.cleanup_expired(HOUR_S) == len(("idle-1", "idle-2"))
        assert ids_of(await session_store.list_by_user("ada")) == ["in-use"]
        assert await session_store.cleanup_expired(HOUR_S) == 0

    async def test_many_sessions_made_at_once_are_all_there(
        self, session_store: SessionStore
    ) -> None:
        user = new_id()
        made = await asyncio.gather(*(session_store.create(user, "helper") for _ in range(50)))
        listed = await session_store.list_by_user(user)
        assert sorted(ids_of(listed)) == sorted(ids_of(made))
