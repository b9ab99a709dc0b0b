"""What a search finds, whichever stores keep sessions and messages."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from dataagent_core.config.limits.sessions import SEARCH_PAGE_MAX, SNIPPET_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.session import MessageStore, Session, SessionStore
from dataagent_core.session.search.session_search import SessionMatchPage, search_sessions
from dataagent_core.session.state import now
from dataagent_core.session.titles import retitle_session

START = now()


class SearchConformance:
    """Needs the fixtures `session_store` and `message_store`, of one tenant."""

    async def made(
        self,
        sessions: SessionStore,
        messages: MessageStore,
        session_id: str,
        *said: str,
        title: str | None = None,
        user_id: str = "ada",
        last_active: datetime | None = None,
    ) -> Session:
        """Make a session in which this was said."""
        session = await sessions.create(user_id, "helper", session_id=session_id)
        session = replace(session, last_active=last_active or START)
        await sessions.update(session if title is None else retitle_session(session, title))
        for number, content in enumerate(said):
            await messages.save_message(session_id, "user", content, message_id=f"m{number}")
        return session

    async def found(
        self, sessions: SessionStore, messages: MessageStore, query: str, user_id: str = "ada"
    ) -> list[str]:
        """Name what a search finds."""
        page = await search_sessions(sessions, messages, user_id, query)
        return [one.session.session_id for one in page.items]

    async def test_a_session_is_found_by_what_was_said_in_it(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        await self.made(session_store, message_store, "a", "Sales of the NORTH in May")
        await self.made(session_store, message_store, "b", "something else")
        for query in ("north", "NORTH", "sales may", "  May   SALES ", "ale"):
            assert await self.found(session_store, message_store, query) == ["a"]
        assert await self.found(session_store, message_store, "north west") == []

    async def test_chinese_and_other_letters_are_found_in_any_case_and_width(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        await self.made(session_store, message_store, "zh", "请分析五月份的销售数据")
        await self.made(session_store, message_store, "de", "Die STRASSE nach Ärmelkanal")
        await self.made(
            session_store, message_store, "wide", "\uff21\uff22\uff23 \uff11\uff12\uff13"
        )
        assert await self.found(session_store, message_store, "销售") == ["zh"]
        assert await self.found(session_store, message_store, "五月 数据") == ["zh"]
        assert await self.found(session_store, message_store, "straße ärmel") == ["de"]
        assert await self.found(session_store, message_store, "abc 123") == ["wide"]

    async def test_words_may_stand_in_the_title_and_in_different_messages(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        said = ("one apple", "two pears")
        await self.made(session_store, message_store, "s", *said, title="Fruit 水果")
        assert await self.found(session_store, message_store, "apple pears FRUIT") == ["s"]
        assert await self.found(session_store, message_store, "水果") == ["s"]
        page = await search_sessions(session_store, message_store, "ada", "fruit")
        assert (page.items[0].title, page.items[0].passage) == ("Fruit 水果", None)

    async def test_the_passage_is_the_newest_message_that_holds_the_most_words(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        said = ("red and blue", "blue and red again", "only blue")
        await self.made(session_store, message_store, "s", *said)
        page = await search_sessions(session_store, message_store, "ada", "red blue")
        passage = page.items[0].passage
        assert passage is not None
        assert (passage.message_id, passage.role) == ("m1", "user")
        assert passage.snippet == "blue and red again"

    async def test_a_snippet_is_one_short_line_around_what_was_found(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        text = "before \x1b[31m\n" * 200 + "the needle\tis here" + " after" * 200
        await self.made(session_store, message_store, "s", text)
        page = await search_sessions(session_store, message_store, "ada", "NEEDLE")
        passage = page.items[0].passage
        assert passage is not None
        assert "the needle is here" in passage.snippet
        assert len(passage.snippet) <= SNIPPET_CHARS_MAX + len("……")
        assert passage.snippet.isprintable()

    async def test_wild_cards_and_text_that_no_encoding_holds_are_only_text(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        await self.made(session_store, message_store, "odd", "100% \ud800 of it_ 'quoted' \x00")
        for query in ("100%", "it_", "'quoted'", "%"):
            assert await self.found(session_store, message_store, query) == ["odd"]
        for query in ("1_0%", "100_", "%of%", "\\"):
            assert await self.found(session_store, message_store, query) == []

    async def test_nobody_finds_what_somebody_else_said(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        await self.made(session_store, message_store, "hers", "secret", title="secret")
        await self.made(session_store, message_store, "his", "secret", user_id="bob")
        assert await self.found(session_store, message_store, "secret") == ["hers"]
        assert await self.found(session_store, message_store, "secret", "bob") == ["his"]
        assert await self.found(session_store, message_store, "secret", "eve") == []

    async def test_what_was_used_last_comes_first_and_pages_hold_each_once(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        # Two by two of the same moment, which are then in the order of their ids.
        hay = 4
        for number in range(10):
            moment = START - timedelta(minutes=number // 2)
            said = "needle" if number != hay else "hay"
            name = f"s{number}"
            await self.made(session_store, message_store, name, said, last_active=moment)
        seen: list[str] = []
        after: str | None = None
        while True:
            page: SessionMatchPage = await search_sessions(
                session_store, message_store, "ada", "needle", limit=2, after=after
            )
            seen += [one.session.session_id for one in page.items]
            after = page.next
            if after is None:
                break
        assert seen == [f"s{number}" for number in range(10) if number != hay]

    @pytest.mark.parametrize("query", ["", "  ", "\n"])
    async def test_a_search_for_nothing_is_refused(
        self, session_store: SessionStore, message_store: MessageStore, query: str
    ) -> None:
        with pytest.raises(ValidationError, match="look for"):
            await search_sessions(session_store, message_store, "ada", query)

    async def test_pages_that_cannot_be_are_refused(
        self, session_store: SessionStore, message_store: MessageStore
    ) -> None:
        for limit in (0, -1, SEARCH_PAGE_MAX + 1):
            with pytest.raises(ValidationError, match="limit"):
                await search_sessions(session_store, message_store, "ada", "x", limit=limit)
        for after in ("nonsense", "2024-01-01T00:00:00 s", "2024-01-01T00:00:00+00:00"):
            with pytest.raises(ValidationError, match="no place"):
                await search_sessions(session_store, message_store, "ada", "x", after=after)
