"""A conversation whose agent works on a server; this process only watches and sends requests.

The server owns the run: leaving or losing the connection does not change it. A request of the
person is retried for a while when the server does not answer, with a key so that it cannot happen
twice. A new session is made with the first message.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import quote

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.port import (
    STANDARD_INPUT,
    AttachedText,
    ConversationFacts,
    UnfinishedRun,
    message_text,
)
from dataagent_cli.conversation.shell_output import SHELL_LINES
from dataagent_cli.messages import Messages
from dataagent_cli.remote.address import RemoteServer
from dataagent_cli.remote.backoff import delay_s
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.failures import ServerAwayError
from dataagent_cli.remote.feed import follow
from dataagent_cli.remote.files import RemoteFiles
from dataagent_cli.remote.handshake import hello
from dataagent_cli.remote.limits import PATIENCE_S_MAX, STOP_PATIENCE_S_MAX
from dataagent_cli.remote.message_texts import MessageTexts
from dataagent_cli.remote.plans import change_remote_plan, read_remote_plan
from dataagent_cli.remote.record import RemoteRecord
from dataagent_cli.remote.runs import unfinished_run
from dataagent_cli.remote.sessions import (
    RemoteSession,
    find_session,
    make_session,
    number_before_runs,
)
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.events import ModeChangedEvent, RunStartedEvent
from dataagent_core.events.system import Mode
from dataagent_core.ids import new_id
from dataagent_core.session.prompt import OTHERS_WORDS_KEY, OWN_WORDS_KEY

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.hitl import Decision
    from dataagent_core.planning import PlanEdit, WorkPlan

T = TypeVar("T")

# Sources that may be attached to a message.
_SENT_ALONG = frozenset({SHELL_LINES, STANDARD_INPUT})


class Listener(Protocol):
    """A terminal that shows notices about the server."""

    def note(self, text: str) -> None: ...

    def set_connected(self, connected: bool) -> None:
        """Note that the server answers again, or no longer."""
        ...


def first_remote_facts(
    request: ConversationRequest, server: RemoteServer, say: Messages
) -> ConversationFacts:
    """Return the facts of a session on a server before it has answered."""
    return ConversationFacts(
        session_id="",
        title="",
        model=say("remote_its_model"),
        mode=request.mode or "ask",
        workspace=server.url,
        sandbox="server",
        server=server.url,
    )


class RemoteConversation:
    """One session of a server; made on the event loop, it opens by itself."""

    def __init__(
        self,
        client: ServerClient,
        request: ConversationRequest,
        facts: ConversationFacts,
        files: RemoteFiles,
        *,
        say: Messages,
        terminal: Listener,
    ) -> None:
        self._client = client
        self._request = request
        self._facts = facts
        self._files = files
        self._say = say
        self._terminal = terminal
        self._message_texts = MessageTexts(client)
        self.record = RemoteRecord(client, self._session, on_rename=self._set_title, say=say)
        self._user_id = ""
        # The project of the session, if it has one.
        self.project_id: str | None = None
        # The id of the current run, for requests that must name it.
        self.run_id = ""
        # The session's last number when it was opened.
        self.opened_at_seq = 0
        self._making = asyncio.Lock()
        self._session_known = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None
        self._opening = asyncio.create_task(self._open())

    @property
    def facts(self) -> ConversationFacts:
        return self._facts

    async def wait_open(self) -> None:
        """Wait until the server has answered, or raise why it does not."""
        await asyncio.shield(self._opening)

    async def events(self, after: int = 0) -> AsyncGenerator["Event", None]:
        await self.wait_open()
        await self._session_known.wait()
        feed = follow(self._client, self._facts.session_id, after, self._say, self._set_connected)
        async with aclosing(feed):
            async for event in feed:
                self._apply_event(event)
                await self._files.fetch(event)
                yield event

    async def tail(self, runs: int) -> int:
        await self.wait_open()
        session_id = self._facts.session_id
        if not session_id:
            return 0
        return await self._retry(lambda: number_before_runs(self._client, session_id, runs))

    async def message(self, message_id: str) -> str:
        session_id = self._facts.session_id
        try:
            return await self._retry(lambda: self._message_texts.content(session_id, message_id))
        except ServerAwayError:
            return ""  # its text is missing; its events are shown

    async def say(
        self,
        text: str,
        others: AttachedText | None = None,
        answer_schema: Mapping[str, Any] | None = None,
        planning: Mapping[str, Any] | None = None,
    ) -> None:
        if answer_schema is not None or (others is not None and others.source not in _SENT_ALONG):
            raise ValidationError(self._say("remote_not_told", url=self._client.url))
        context = {}
        if others is not None:
            context = {OWN_WORDS_KEY: len(text), OTHERS_WORDS_KEY: others.source}
        chosen = self._request.planning | dict(planning or {})
        sending = self._send(message_text(text, others), context, chosen)
        self._sending = asyncio.create_task(sending)
        await asyncio.wait({self._sending})
        # A stopped task was stopped by the person, who knows.
        if not self._sending.cancelled():
            self._sending.result()

    async def answer(self, interrupt_id: str, decision: "Decision") -> None:
        tried: list[str] = []

        async def post() -> None:
            tried.append(interrupt_id)
            path = f"/requests/{quote(interrupt_id, safe='')}"
            await self._client.ask("POST", path, body={"decision": decision})

        try:
            await self._retry(post)
        except ConflictError:
            # The server took an answer whose response was lost; the events say which one counts.
            if len(tried) == 1:
                raise

    async def unfinished(self) -> UnfinishedRun | None:
        await self.wait_open()
        session_id = self._facts.session_id
        return await unfinished_run(self._client, session_id) if session_id else None

    async def go_on(self) -> bool:
        """Leave it to the server, which resumes its runs by itself."""
        await self.wait_open()
        return False

    async def stop(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        if self._facts.session_id:
            await self._retry(self._cancel_runs, STOP_PATIENCE_S_MAX)

    async def change_mode(self, mode: Mode) -> None:
        await self._session()
        await self._retry(lambda: self._put_mode(mode))
        self._facts = replace(self._facts, mode=mode)

    async def plan(self) -> "WorkPlan | None":
        await self.wait_open()
        session_id = self._facts.session_id
        if not session_id:
            return None
        return await self._retry(lambda: read_remote_plan(self._client, session_id))

    async def edit_plan(self, edits: "Sequence[PlanEdit]", version: int) -> "WorkPlan":
        session_id = await self._session()
        # Not sent again: what the server did before it was lost is seen in the events.
        return await change_remote_plan(self._client, session_id, edits, version)

    async def change_model(self, model: str) -> None:
        raise ValidationError(self._say("remote_no_model", model=model))

    async def compact(self, keep: str) -> None:
        path, key = f"/sessions/{await self._session()}/compact", new_id()
        await self._retry(lambda: self._client.begin(path, {"keep": keep}, key))

    async def renew(self) -> None:
        """Leave it to the server, which reads its settings for every run."""

    async def rest(self) -> bool:
        """Leave it to the server, where the run waits for an answer."""
        return False

    async def aclose(self) -> None:
        work = [task for task in (self._opening, self._sending) if task is not None]
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await self._client.aclose()

    async def _open(self) -> None:
        met = await hello(self._client, self._say)
        if met.notice:
            self._terminal.note(met.notice)
        self._user_id = met.user_id
        found = await find_session(self._client, self._request, self._say)
        if found is not None:
            await self._adopt_session(found)

    async def _session(self) -> str:
        """Return the session's id; make the session on first use."""
        await self.wait_open()
        async with self._making:
            if not self._facts.session_id:
                await self._adopt_session(await self._retry(lambda: make_session(self._client)))
        return self._facts.session_id

    async def _adopt_session(self, found: RemoteSession) -> None:
        self._files.ours = found.user_id == self._user_id
        self.opened_at_seq = found.last_seq
        self.project_id = found.project_id
        wanted = self._request.mode or found.mode
        self._facts = replace(
            self._facts, session_id=found.session_id, title=found.title, mode=found.mode
        )
        if wanted != found.mode:
            await self._put_mode(wanted)
            self._facts = replace(self._facts, mode=wanted)
        self._session_known.set()

    async def _send(
        self, text: str, context: Mapping[str, Any], planning: Mapping[str, Any]
    ) -> None:
        session_id = await self._session()
        body = {"message": text, "conversation_id": session_id, "context": dict(context)}
        if planning:
            body["planning"] = dict(planning)
        # The same key for every retry: a message whose response was lost is not sent twice.
        key = new_id()
        await self._retry(lambda: self._client.begin("/agent/chat", body, key))

    async def _put_mode(self, mode: Mode) -> None:
        path = f"/sessions/{self._facts.session_id}/mode"
        await self._client.ask("PUT", path, body={"mode": mode})

    async def _cancel_runs(self) -> None:
        path = f"/sessions/{self._facts.session_id}/runs"
        page = await self._client.ask("GET", path, query={"only_open": True})
        # The last one first, so that waiting runs are cancelled before they start.
        for run in reversed(page["items"]):
            if run["status"] != "queued" or run["user_id"] == self._user_id:
                with suppress(NotFoundError):  # over by now
                    await self._client.ask("POST", f"/runs/{run['run_id']}/cancel")

    def _apply_event(self, event: "Event") -> None:
        if isinstance(event, RunStartedEvent):
            self.run_id = event.run_id or ""
            # A message that was cancelled before its run started had no model.
            self._facts = replace(self._facts, model=event.model or self._facts.model)
        elif isinstance(event, ModeChangedEvent):
            self._facts = replace(self._facts, mode=event.mode)

    def _set_title(self, title: str) -> None:
        self._facts = replace(self._facts, title=title)

    def _set_connected(self, *, connected: bool) -> None:
        if self._facts.away == connected:
            self._facts = replace(self._facts, away=not connected)
            self._terminal.set_connected(connected)

    async def _retry(
        self, work: Callable[[], Awaitable[T]], patience_s: float = PATIENCE_S_MAX
    ) -> T:
        deadline_s = time.monotonic() + patience_s
        failures = 0
        while True:
            try:
                return await work()
            except ServerAwayError:
                if time.monotonic() > deadline_s:
                    raise
            await asyncio.sleep(delay_s(failures, random.random()))  # noqa: S311 (no secret)
            failures += 1
