"""The record of a session of this machine: its stores, and its workspace's history."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dataagent_cli.conversation.record import Format, SessionFork, SessionRow, UserQuestion
from dataagent_cli.conversation.shell_output import visible_text
from dataagent_cli.wiring import local_user, new_session_id, session_lock
from dataagent_core.errors import SessionBusyError

if TYPE_CHECKING:
    from dataagent_cli.conversation.local.parts import ConversationParts
    from dataagent_core.context.report import ContextReport
    from dataagent_core.events.feedback import Rating
    from dataagent_core.tools.workspace_history import ChangeReport, RewindResult, WorkspaceHistory
    from dataagent_core.usage import Total


class LocalRecord:
    """Works with the parts of a conversation; `on_rename` receives a new title."""

    def __init__(
        self,
        opened: "Callable[[], Awaitable[ConversationParts]]",
        *,
        on_rename: Callable[[str], None],
        on_write: Callable[[], None],
    ) -> None:
        self._opened = opened
        self._renamed = on_rename
        # Called when the log has grown outside of any run.
        self._on_write = on_write

    async def questions(self) -> Sequence[UserQuestion]:
        parts = await self._opened()
        from dataagent_core.session import runs_of
        from dataagent_core.session.prompt import own_words

        found: list[UserQuestion] = []
        for number, run in enumerate(await runs_of(parts.stores.log, parts.session_id), 1):
            if run.kind == "compaction":
                continue  # no user message
            message = await parts.stores.messages.get_message(parts.session_id, run.message_id)
            text = visible_text(message.content, message.metadata) if message else ""
            own = own_words(message.content, message.metadata) if message else ""
            found.append(UserQuestion(number, run.message_id, text, own))
        return found

    async def rename(self, title: str) -> str:
        parts = await self._opened()
        from dataagent_cli.sessions.lookup import existing_session
        from dataagent_core.session.titles import retitle_session, title_of

        await parts.keep_session()
        session = await existing_session(parts.app, parts.stores, parts.session_id)
        named = retitle_session(session, title)
        await parts.stores.sessions.update(named)
        kept = title_of(named) or ""
        self._renamed(kept)
        return kept

    async def fork(self, message_id: str | None) -> SessionFork:
        parts = await self._opened()
        from dataagent_cli.sessions.histories import histories_of
        from dataagent_core.session.copies.fork import fork

        await parts.keep_session()
        chosen = new_session_id()
        with session_lock(parts.app.settings, chosen):
            made = await fork(
                parts.stores,
                histories_of(parts.stores),
                parts.session_id,
                message_id=message_id,
                new_session_id=chosen,
            )
        return SessionFork(chosen, len(made.part.runs), made.part.stops_at_unfinished)

    async def remove_fork(self, made: SessionFork) -> None:
        parts = await self._opened()
        from dataagent_cli.sessions.delete import remove_session

        with session_lock(parts.app.settings, made.session_id):
            await remove_session(parts.app, parts.stores, made.session_id)

    async def rewind(self, message_id: str | None) -> "RewindResult":
        parts = await self._opened()
        history = self._history(parts)
        if message_id is None:
            done = await history.undo(parts.session_id)
        else:
            done = await history.rewind(parts.session_id, message_id)
        self._on_write()
        return done

    async def changes(self, since_message_id: str | None) -> "ChangeReport":
        parts = await self._opened()
        return await self._history(parts).changes(parts.session_id, since_message_id)

    async def export(self, kind: Format) -> str:
        parts = await self._opened()
        from dataagent_cli.sessions.export import document
        from dataagent_cli.sessions.lookup import existing_session
        from dataagent_core.session.export.read_session import read_session_for_export

        await parts.keep_session()
        session = await existing_session(parts.app, parts.stores, parts.session_id)
        exported = await read_session_for_export(parts.stores.messages, parts.stores.log, session)
        return document(exported, kind)

    async def rate(self, rating: "Rating", correction: str) -> None:
        parts = await self._opened()
        from dataagent_cli.sessions.rate import rate_last_answer

        await rate_last_answer(parts.app, parts.stores, parts.session_id, rating, correction)
        self._on_write()

    async def recalled(self) -> Sequence[Mapping[str, Any]]:
        parts = await self._opened()
        from dataagent_cli.sessions.memories import read_recalled

        return await read_recalled(parts.app, parts.stores, parts.session_id)

    async def mark_wrong(self, memory_id: str, correction: str) -> None:
        parts = await self._opened()
        from dataagent_cli.sessions.memories import mark_wrong

        await mark_wrong(parts.app, parts.stores, parts.session_id, memory_id, correction)
        self._on_write()

    async def forget(self, memory_id: str) -> Mapping[str, Any]:
        parts = await self._opened()
        from dataagent_cli.sessions.memories import forget

        receipt = await forget(parts.app, parts.stores, parts.session_id, memory_id)
        self._on_write()
        return receipt

    async def want_memory(self, *, wanted: bool) -> None:
        parts = await self._opened()
        from dataagent_cli.sessions.memories import want_memory

        await parts.keep_session()
        await want_memory(parts.stores, parts.session_id, wanted=wanted)

    async def context(self) -> "ContextReport | None":
        parts = await self._opened()
        from dataagent_core.context.report import last_report

        return await last_report(parts.stores.log, parts.stores.checkpoints, parts.session_id)

    async def usage(self) -> "Total":
        parts = await self._opened()
        from dataagent_core.usage import Total, UsageQuery

        query = UsageQuery(by="session", session_id=parts.session_id)
        rows = await parts.stores.usage.report(query)
        return sum((row.total for row in rows), start=Total())

    async def sessions(self, words: str) -> Sequence[SessionRow]:
        parts = await self._opened()
        if not words:
            from dataagent_cli.sessions.recent import recent_sessions

            return await recent_sessions(parts.app.settings, parts.stores)
        from dataagent_core.session.search.session_search import search_sessions

        page = await search_sessions(
            parts.stores.sessions, parts.stores.messages, local_user(), words
        )
        return [
            SessionRow(
                one.session.session_id,
                one.session.last_active,
                " · ".join(filter(None, (one.title, one.passage and one.passage.snippet))),
            )
            for one in page.items
        ]

    async def may_open(self, session_id: str) -> None:
        parts = await self._opened()
        from dataagent_cli.sessions.lookup import existing_session
        from dataagent_core.ids import checked_id

        await existing_session(parts.app, parts.stores, checked_id(session_id, "session id"))
        # Closing this conversation stops its background tasks: one of them goes on when it is open.
        is_held = session_lock(parts.app.settings, session_id).is_held()
        if is_held and not parts.agents.works_on(session_id):
            raise SessionBusyError(parts.app.say("command_session_in_use"))

    def _history(self, parts: "ConversationParts") -> "WorkspaceHistory":
        from dataagent_core.tools.workspace_history import WorkspaceHistory

        return WorkspaceHistory.of_person(parts.home, parts.workspace, parts.stores.log)
