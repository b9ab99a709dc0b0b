"""What every `MessageStore` does."""

import asyncio
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.errors import ValidationError
from dataagent_core.ids import new_id
from dataagent_core.session import Message, MessageStore
from dataagent_core.session.state import now
from dataagent_core.testing.conformance.examples import shared_store_examples
from dataagent_core.testing.strategies import messages


async def contents(store: MessageStore, session_id: str) -> list[str]:
    """Read what was said in a session."""
    return [message.content for message in await store.get_messages(session_id)]


class MessageStoreConformance:
    """Needs the fixture `message_store`."""

    @shared_store_examples
    @given(drawn=messages())
    async def test_a_saved_message_is_read_back_equal(
        self, message_store: MessageStore, drawn: Message
    ) -> None:
        session_id = new_id()
        saved = await message_store.save_message(
            session_id, drawn.role, drawn.content, drawn.metadata, message_id=drawn.message_id
        )
        found = await message_store.get_message(session_id, saved)
        assert found is not None
        assert found == Message(
            message_id=drawn.message_id,
            session_id=session_id,
            role=drawn.role,
            content=drawn.content,
            metadata=drawn.metadata,
            created_at=found.created_at,
        )
        assert await message_store.get_messages(session_id) == [found]

    async def test_a_message_remembers_when_it_was_saved(self, message_store: MessageStore) -> None:
        before = now()
        saved = await message_store.save_message("s", "user", "hello")
        found = await message_store.get_message("s", saved)
        assert found is not None
        assert before <= found.created_at <= now()

    async def test_a_message_that_is_copied_keeps_its_moment(
        self, message_store: MessageStore
    ) -> None:
        moment = (now() - timedelta(days=400)).astimezone(timezone(timedelta(hours=8)))
        saved = await message_store.save_message("s", "user", "hello", created_at=moment)
        found = await message_store.get_message("s", saved)
        assert found is not None
        assert found.created_at == moment

    async def test_messages_come_in_the_order_they_were_saved(
        self, message_store: MessageStore
    ) -> None:
        said = [f"message {n}" for n in range(12)]
        for content in said:
            await message_store.save_message("s", "user", content)
        assert await contents(message_store, "s") == said

    async def test_saving_a_known_id_again_changes_nothing(
        self, message_store: MessageStore
    ) -> None:
        for content in ("first", "second"):
            saved = await message_store.save_message("s", "user", content, message_id="m")
            assert saved == "m"
        assert await contents(message_store, "s") == ["first"]

    async def test_one_id_saved_many_times_at_once_is_one_message(
        self, message_store: MessageStore
    ) -> None:
        await asyncio.gather(
            *(message_store.save_message("s", "user", "again", message_id="m") for _ in range(20))
        )
        assert await contents(message_store, "s") == ["again"]

    async def test_the_same_id_may_be_used_in_another_session(
        self, message_store: MessageStore
    ) -> None:
        await message_store.save_message("one", "user", "in one", message_id="m")
        await message_store.save_message("two", "user", "in two", message_id="m")
        assert await contents(message_store, "one") == ["in one"]
        assert await contents(message_store, "two") == ["in two"]

    async def test_an_unknown_message_or_session_is_nothing(
        self, message_store: MessageStore
    ) -> None:
        await message_store.save_message("s", "user", "hello", message_id="m")
        assert await message_store.get_message("s", "other") is None
        assert await message_store.get_message("other", "m") is None
        assert await message_store.get_messages("other") == []

    async def test_metadata_json_cannot_hold_is_refused_and_nothing_is_saved(
        self, message_store: MessageStore
    ) -> None:
        with pytest.raises(ValidationError, match="metadata"):
            await message_store.save_message("s", "user", "hello", {"key": {1, 2}})
        assert await message_store.get_messages("s") == []

    async def test_changing_metadata_later_changes_nothing_in_the_store(
        self, message_store: MessageStore
    ) -> None:
        given_away = {"key": "saved"}
        saved = await message_store.save_message("s", "user", "hello", given_away)
        given_away["key"] = "changed after saving"
        read = await message_store.get_message("s", saved)
        assert read is not None
        read.metadata["key"] = "changed after reading"
        again = await message_store.get_message("s", saved)
        assert again is not None
        assert again.metadata == {"key": "saved"}

    @shared_store_examples
    @given(count=st.integers(0, 8), limit=st.integers(0, 10), offset=st.integers(0, 10))
    async def test_a_page_is_that_part_of_the_messages(
        self, message_store: MessageStore, count: int, limit: int, offset: int
    ) -> None:
        session_id = new_id()
        for n in range(count):
            await message_store.save_message(session_id, "user", str(n))
        page = await message_store.get_messages(session_id, limit=limit, offset=offset)
        expected = [str(n) for n in range(count)][offset : offset + limit]
        assert [message.content for message in page] == expected

    async def test_a_page_has_a_size_where_none_is_given(self, message_store: MessageStore) -> None:
        for n in range(MESSAGES_PAGE_DEFAULT + 1):
            await message_store.save_message("s", "user", str(n))
        assert len(await message_store.get_messages("s")) == MESSAGES_PAGE_DEFAULT

    @pytest.mark.parametrize("page", [{"limit": -1}, {"offset": -1}])
    async def test_a_page_below_zero_is_refused(
        self, message_store: MessageStore, page: dict[str, int]
    ) -> None:
        with pytest.raises(ValidationError, match=next(iter(page))):
            await message_store.get_messages("s", **page)

    async def test_deleting_removes_a_sessions_messages_and_says_how_many(
        self, message_store: MessageStore
    ) -> None:
        said = ("one", "two", "three")
        for content in said:
            await message_store.save_message("s", "user", content)
        await message_store.save_message("other", "user", "stays")
        assert await message_store.delete_messages("s") == len(said)
        assert await message_store.get_messages("s") == []
        assert await message_store.delete_messages("s") == 0
        assert await contents(message_store, "other") == ["stays"]
