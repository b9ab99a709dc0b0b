"""The record of a session on the server: `SessionRecord` over the API."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dataagent_cli.conversation.record import Format, SessionFork, SessionRow, UserQuestion
from dataagent_cli.messages import Messages
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.limits import ANSWER_BYTES_MAX, MESSAGES_PAGE, QUESTIONS_MAX
from dataagent_cli.remote.sessions import (
    last_message_run,
    read_recalled,
    session_at,
    session_rows,
)
from dataagent_core.errors import NotFoundError
from dataagent_core.ids import checked_id, new_id

if TYPE_CHECKING:
    from dataagent_core.context.report import ContextReport
    from dataagent_core.events.feedback import Rating
    from dataagent_core.tools.workspace_history import ChangeReport, RewindResult
    from dataagent_core.usage import Total


class RemoteRecord:
    """Asks the server about one session, which `session` makes if needed."""

    def __init__(
        self,
        client: ServerClient,
        session: Callable[[], Awaitable[str]],
        *,
        on_rename: Callable[[str], None],
        say: Messages,
    ) -> None:
        self._say = say
        self._client = client
        self._session = session
        self._renamed = on_rename

    async def questions(self) -> Sequence[UserQuestion]:
        path = f"{await self._path()}/messages"
        found: list[UserQuestion] = []
        offset, more = 0, True
        while more and offset < QUESTIONS_MAX:
            query = {"limit": MESSAGES_PAGE, "offset": offset}
            page = await self._client.ask("GET", path, query=query)
            for message in page["messages"]:
                if message["role"] == "user":
                    text = str(message["content"])
                    number, message_id = len(found) + 1, str(message["message_id"])
                    # The server does not say which part of a message is text of others.
                    found.append(UserQuestion(number, message_id, text, own=text))
            offset += MESSAGES_PAGE
            more = bool(page["has_more"])
        return found

    async def rename(self, title: str) -> str:
        answer = await self._client.ask("PATCH", await self._path(), body={"title": title})
        kept = str(answer.get("title") or "")
        self._renamed(kept)
        return kept

    async def fork(self, message_id: str | None) -> SessionFork:
        path = f"{await self._path()}/fork"
        answer = await self._client.ask("POST", path, body={"message_id": message_id}, key=new_id())
        made = checked_id(str(answer["session"]["session_id"]), "session id")
        return SessionFork(made, int(answer["runs"]), bool(answer["left_unfinished"]))

    async def remove_fork(self, made: SessionFork) -> None:
        await self._client.ask("DELETE", f"/sessions/{made.session_id}")

    async def rewind(self, message_id: str | None) -> "RewindResult":
        from dataagent_core.tools.workspace_history import KeptFile, RewindResult

        path = f"{await self._path()}/rewind"
        answer = await self._client.ask("POST", path, body={"message_id": message_id})
        kept = (KeptFile(one["path"], one["why"], one["detail"]) for one in answer["kept"])
        return RewindResult(
            message_id=str(answer["message_id"]),
            restored=tuple(map(str, answer["restored"])),
            removed=tuple(map(str, answer["removed"])),
            kept=tuple(kept),
            notices=tuple(map(str, answer["notices"])),
        )

    async def changes(self, since_message_id: str | None) -> "ChangeReport":
        from dataagent_core.tools.workspace_history import ChangeReport, FileChange

        query = {} if since_message_id is None else {"since_message_id": since_message_id}
        answer = await self._client.ask("GET", f"{await self._path()}/changes", query=query)
        names = ("path", "operation", "metrics", "diff", "why")
        files = (FileChange(**{name: one[name] for name in names}) for one in answer["files"])
        return ChangeReport(files=tuple(files), notices=tuple(map(str, answer["notices"])))

    async def export(self, kind: Format) -> str:
        path = f"{await self._path()}/export"
        data = await self._client.download(path, {"format": kind}, ANSWER_BYTES_MAX)
        return (data or b"").decode("utf-8", "replace")

    async def rate(self, rating: "Rating", correction: str) -> None:
        run_id = await last_message_run(self._client, await self._session())
        if run_id is None:
            raise NotFoundError(self._say("command_nothing_said"))
        body = {"rating": rating, "correction": correction}
        await self._client.ask("POST", f"/runs/{quote(run_id, safe='')}/feedback", body=body)

    async def recalled(self) -> Sequence[Mapping[str, Any]]:
        return await read_recalled(self._client, await self._session())

    async def mark_wrong(self, memory_id: str, correction: str) -> Mapping[str, Any]:
        path = f"/memories/{quote(memory_id, safe='')}/wrong"
        return await self._client.ask("POST", path, body={"correction": correction or None})

    async def forget(self, memory_id: str) -> Mapping[str, Any]:
        return await self._client.ask("DELETE", f"/memories/{quote(memory_id, safe='')}")

    async def want_memory(self, *, wanted: bool) -> None:
        path = await self._path()
        # The server replaces the metadata as a whole.
        kept = (await self._client.ask("GET", path)).get("metadata") or {}
        await self._client.ask("PATCH", path, body={"metadata": {**kept, "memory": wanted}})

    async def context(self) -> "ContextReport | None":
        report = (await self._client.ask("GET", f"{await self._path()}/context"))["report"]
        if report is None:
            return None
        from dataagent_core.context.report import ContextReport

        return ContextReport(**{field.name: report[field.name] for field in fields(ContextReport)})

    async def usage(self) -> "Total":
        from dataagent_core.usage import Total

        query = {"by": "session", "session_id": await self._session()}
        answer = await self._client.ask("GET", "/usage", query=query)
        return sum(map(_total, answer["usage"]), start=Total())

    async def sessions(self, words: str) -> Sequence[SessionRow]:
        return await session_rows(self._client, words)

    async def may_open(self, session_id: str) -> None:
        await session_at(self._client, checked_id(session_id, "session id"))

    async def _path(self) -> str:
        return f"/sessions/{await self._session()}"


def _total(row: Any) -> "Total":
    from dataagent_core.usage import TokenUsage, Total
    from dataagent_core.usage.budget import nano_of

    tokens = TokenUsage(
        input=int(row["input_tokens"]),
        output=int(row["output_tokens"]),
        cached_read=int(row["cached_read_tokens"]),
        cached_write=int(row["cached_write_tokens"]),
        reasoning=int(row["reasoning_tokens"]),
    )
    return Total(
        calls=int(row["calls"]),
        unpriced_calls=int(row["unpriced_calls"]),
        tokens=tokens,
        cost_nano=nano_of(float(row["known_cost"])),
    )
