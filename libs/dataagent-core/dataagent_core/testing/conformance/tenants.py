"""A store opened for one tenant sees nothing of another, although they use the same ids."""

from dataagent_core.events import TextEvent
from dataagent_core.session import EventLog, MessageStore, Session, SessionStore
from dataagent_core.session.search.text_match import SearchWords
from dataagent_core.testing.conformance.journal import FINISHED, INTENT, OUTCOME


class SessionStoreTenantConformance:
    """Needs the fixture `session_store_pair`."""

    async def test_another_tenants_sessions_cannot_be_seen(
        self, session_store_pair: tuple[SessionStore, SessionStore]
    ) -> None:
        mine, theirs = session_store_pair
        await mine.create("ada", "helper", session_id="s")
        assert await theirs.get("s") is None
        assert await theirs.list_by_user("ada") == []
        assert await theirs.list_by_assistant("helper") == []
        assert await theirs.list_expired(0) == []

    async def test_another_tenants_sessions_cannot_be_changed(
        self, session_store_pair: tuple[SessionStore, SessionStore]
    ) -> None:
        mine, theirs = session_store_pair
        created = await mine.create("ada", "helper", session_id="s")
        await theirs.delete("s")
        assert await theirs.cleanup_expired(0) == 0
        own = await theirs.create("eve", "other", session_id="s")
        await theirs.update(Session(session_id="s", user_id="eve", assistant_id="changed"))
        assert own.user_id == "eve"
        assert await mine.get("s") == created


class MessageStoreTenantConformance:
    """Needs the fixture `message_store_pair`."""

    async def test_another_tenants_messages_can_neither_be_seen_nor_changed(
        self, message_store_pair: tuple[MessageStore, MessageStore]
    ) -> None:
        mine, theirs = message_store_pair
        await mine.save_message("s", "user", "mine", message_id="m")
        assert await theirs.get_message("s", "m") is None
        assert await theirs.get_messages("s") == []
        assert await theirs.search(["s"], SearchWords.of("mine")) == {}
        await theirs.save_message("s", "user", "theirs", message_id="m")
        assert [message.content for message in await theirs.get_messages("s")] == ["theirs"]
        assert await theirs.delete_messages("s") == 1
        assert [message.content for message in await mine.get_messages("s")] == ["mine"]


class EventLogTenantConformance:
    """Needs the fixture `event_log_pair`."""

    async def test_another_tenants_events_and_journal_can_neither_be_seen_nor_changed(
        self, event_log_pair: tuple[EventLog, EventLog]
    ) -> None:
        mine, theirs = event_log_pair
        fact = TextEvent(content="fact", event_id="fact")
        stored = await mine.append("s", "run", [fact], [INTENT, OUTCOME])
        assert await theirs.read("s") == []
        assert await theirs.last_seq("s") == 0
        assert await theirs.journal("run") == []
        (own,) = await theirs.append("s", "run", [fact], [INTENT])
        assert own.seq == 1
        await theirs.delete("s")
        assert await mine.read("s") == stored
        assert await mine.journal("run") == [FINISHED]
