"""A conversation whose agent works in this process.

One task opens the parts (`parts.py`) and then takes one message after another. Readers read the
event log, as with a server, and `LogUpdates` wakes them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dataagent_cli.conversation.local.parts import ConversationParts
from dataagent_cli.conversation.local.pending_answers import PendingAnswers
from dataagent_cli.conversation.local.record import LocalRecord
from dataagent_cli.conversation.port import (
    AttachedText,
    ConversationFacts,
    UnfinishedRun,
    message_text,
)
from dataagent_cli.conversation.shell_output import shown_words
from dataagent_cli.wiring import local_user
from dataagent_core.errors import ConflictError, DataAgentError
from dataagent_core.events import ErrorEvent, ModeChangedEvent
from dataagent_core.events.system import Mode
from dataagent_core.session import check_prompt, read_all
from dataagent_core.session.prompt import OTHERS_WORDS_KEY, OWN_WORDS_KEY

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.hitl import Decision

MESSAGES_WAITING_MAX: Final = 100
# A run that is stopped ends within a second; what hangs longer is left behind.
STOP_S_MAX: Final = 5.0
# Closing programs and a vendor's machine may take longer.
CLOSE_S_MAX: Final = 30.0


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What is given to the agent: a person's words, and below them those of others."""

    own: str
    others: AttachedText | None = None
    answer_schema: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        return message_text(self.own, self.others)

    def context(self) -> dict[str, Any]:
        """Give what is kept with it, so that others' words do not pass for the person's."""
        kept: dict[str, Any] = {}
        if self.answer_schema is not None:
            from dataagent_core.engine.answer_form import ANSWER_SCHEMA_KEY

            kept[ANSWER_SCHEMA_KEY] = self.answer_schema
        if self.others is not None:
            kept |= {OWN_WORDS_KEY: len(self.own), OTHERS_WORDS_KEY: self.others.source}
        return kept


@dataclass(frozen=True, slots=True)
class Compaction:
    """A run that only makes the history shorter, and what the person wants kept of it."""

    keep: str


class LocalConversation:
    """One session of this machine; made on the event loop, it opens by itself."""

    def __init__(
        self,
        parts: AbstractAsyncContextManager[ConversationParts],
        facts: ConversationFacts,
        mode: Mode | None = None,
    ) -> None:
        self._facts = facts
        # What the person chose before the session's own mode could be looked up.
        self._wanted_mode = mode
        self._pending = PendingAnswers()
        self._news = LogUpdates()
        # What no log could take: why a run did not even begin.
        self._unwritten: deque[Event] = deque()
        # Messages to take up; nothing stands for the unfinished run.
        self._waiting: deque[UserMessage | Compaction | None] = deque()
        self._wanted = asyncio.Event()
        self._token: asyncio.Event | None = None
        self._closing = False
        # Whether the parts may be closed; until then readers finish what there is.
        self._left = asyncio.Event()
        self._failure: Exception | None = None
        self.opened_at_seq = 0
        # The parts since the agent was made anew.
        self._renewed: ConversationParts | None = None
        self.record = LocalRecord(self.opened, renamed=self._has_title, written=self._news.tell)
        self._opened: asyncio.Future[ConversationParts] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(parts))

    @property
    def facts(self) -> ConversationFacts:
        return self._facts

    @property
    def is_open(self) -> bool:
        return self._opened.done() and not self._opened.cancelled()

    async def opened(self) -> ConversationParts:
        """Wait until the agent is there, or raise why it is not."""
        parts = await asyncio.shield(self._opened)
        return self._renewed or parts

    async def events(self, after: int = 0) -> AsyncGenerator["Event", None]:
        log = (await self.opened()).stores.log
        last = after
        while True:
            count = self._news.count
            page = await log.read(self._facts.session_id, after=last)
            for event in page:
                last = event.seq or last
                yield event
            if page:
                continue
            while self._unwritten:
                yield self._unwritten.popleft()
            if self._news.over:
                if self._failure is not None:
                    raise self._failure
                return
            await self._news.after(count)

    async def tail(self, runs: int) -> int:
        log = (await self.opened()).stores.log
        starts = await read_all(log, self._facts.session_id, types=("start",))
        first = starts[-runs:][:1]
        return (first[0].seq or 1) - 1 if first else 0

    async def message(self, message_id: str) -> str:
        stores = (await self.opened()).stores
        message = await stores.messages.get_message(self._facts.session_id, message_id)
        return shown_words(message.content, message.metadata) if message else ""

    async def say(
        self,
        text: str,
        others: AttachedText | None = None,
        answer_schema: Mapping[str, Any] | None = None,
    ) -> None:
        message = UserMessage(text, others, answer_schema)
        check_prompt(text)
        check_prompt(message.text)
        if len(self._waiting) >= MESSAGES_WAITING_MAX:
            raise ConflictError(
                f"{MESSAGES_WAITING_MAX} messages wait already. Let the agent answer some first."
            )
        self._waiting.append(message)
        self._wanted.set()

    async def answer(self, interrupt_id: str, decision: "Decision") -> None:
        self._pending.answer(interrupt_id, decision)

    async def unfinished(self) -> UnfinishedRun | None:
        run_id = (await self.opened()).unfinished_run_id
        if run_id is None:
            return None
        return UnfinishedRun(run_id, self._pending.open_requests, self.opened_at_seq)

    async def go_on(self) -> bool:
        if await self.unfinished() is None:
            return False
        self._waiting.append(None)
        self._wanted.set()
        return True

    async def stop(self) -> None:
        self._waiting.clear()
        if self._token is not None:
            self._token.set()

    async def change_mode(self, mode: Mode) -> None:
        self._facts = replace(self._facts, mode=mode)
        self._wanted_mode = mode
        if self._opened.done():
            await self._write_mode(await self.opened(), mode)

    async def change_model(self, model: str) -> None:
        parts = await self.opened()
        if self._token is not None:
            raise ConflictError("the agent is at work. Stop it first, or let it finish.")
        self._renewed = await parts.with_model(model)
        self._facts = replace(self._facts, model=model)

    async def compact(self, keep: str) -> None:
        self._waiting.append(Compaction(keep))
        self._wanted.set()

    async def renew(self) -> None:
        await self.change_model((await self.opened()).model)

    async def rest(self) -> bool:
        self._closing = True
        self._wanted.set()
        # The question stays open for whoever takes the session up.
        self._pending.leave()
        return True

    async def aclose(self) -> None:
        self._closing = True
        self._wanted.set()
        if self._pending.holds_the_run:
            self._pending.leave()
        elif self._token is not None:
            self._token.set()
        if not self._opened.done():
            self._task.cancel()
        self._left.set()
        late = not await self._news.ended(STOP_S_MAX)
        if late or (await asyncio.wait({self._task}, timeout=CLOSE_S_MAX))[1]:
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self, opening: AbstractAsyncContextManager[ConversationParts]) -> None:
        try:
            async with opening as parts:
                await self._begin(parts)
                self._opened.set_result(parts)
                await self._work_until_closed()
        except BaseException as error:
            # Whoever waits for the parts is told, instead of waiting for ever.
            if not self._opened.done():
                self._opened.set_exception(error)
                self._opened.exception()
            raise
        finally:
            self._news.end()

    async def _work_until_closed(self) -> None:
        try:
            await self._work()
        except Exception as error:  # noqa: BLE001 (raised where the events are read)
            self._failure = error
        finally:
            self._news.end()
        await self._left.wait()

    async def _begin(self, parts: ConversationParts) -> None:
        from dataagent_core.session.mode import mode_of

        log, session_id = parts.stores.log, parts.session_id
        self.opened_at_seq = await log.last_seq(session_id)
        for event in await read_all(log, session_id, types=("hitl_request", "hitl_answer")):
            self._pending.see(event)
        mode = await mode_of(log, session_id)
        self._facts = replace(
            self._facts,
            session_id=session_id,
            title=parts.title,
            model=parts.model,
            workspace=str(parts.workspace),
            mode=self._wanted_mode or mode,
        )
        if self._facts.mode != mode:
            await self._write_mode(parts, self._facts.mode)

    def _has_title(self, title: str) -> None:
        self._facts = replace(self._facts, title=title)

    async def _work(self) -> None:
        while not self._closing:
            await self._wanted.wait()
            self._wanted.clear()
            while self._waiting and not self._closing:
                await self._run(await self.opened(), self._waiting.popleft())

    async def _run(self, parts: ConversationParts, wanted: UserMessage | Compaction | None) -> None:
        from dataagent_core.permissions import ProjectRules, RunTerms

        rule_saver = ProjectRules(parts.home, parts.workspace)
        terms = RunTerms(hitl_handler=self._pending, rule_saver=rule_saver)
        self._token = token = asyncio.Event()
        executor, session_id = parts.executor, parts.session_id
        try:
            await parts.keep_session(wanted.own if isinstance(wanted, UserMessage) else None)
            match wanted:
                case None:
                    events = executor.resume(session_id, token, terms=terms)
                case Compaction(keep):
                    events = executor.compact(session_id, keep, token, terms=terms)
                case UserMessage():
                    context = {**parts.context(), **wanted.context()}
                    events = executor.execute(wanted.text, session_id, context, token, terms=terms)
            async with aclosing(events):
                async for event in events:
                    self._pending.see(event)
                    if isinstance(event, ModeChangedEvent):
                        # A plan was accepted: the run itself has switched the mode.
                        self._facts = replace(self._facts, mode=event.mode)
                    if event.seq is None:
                        self._unwritten.append(event)
                    self._news.tell()
        except DataAgentError as error:
            self._unwritten.append(_told(error))
        finally:
            self._token = None
            self._news.tell()

    async def _write_mode(self, parts: ConversationParts, mode: Mode) -> None:
        from dataagent_core.session.mode import change_mode

        await parts.keep_session()
        await change_mode(parts.stores.log, parts.session_id, mode, local_user())
        self._news.tell()


def _told(error: DataAgentError) -> ErrorEvent:
    return ErrorEvent(error=error.for_person, code=error.code, recoverable=error.recoverable)


class LogUpdates:
    """Counts what happened; a reader that looked at count N waits until there is more."""

    def __init__(self) -> None:
        self.count = 0
        self.over = False
        self._changed = asyncio.Event()

    def tell(self) -> None:
        self.count += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Let every reader finish what there is, and stop."""
        self.over = True
        self.tell()

    async def ended(self, timeout_s: float) -> bool:
        """Wait for the end; says whether it came in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not self.over:
                    await self.after(self.count)
        return self.over

    async def after(self, count: int) -> None:
        """Wait until something happened since the count was read."""
        while self.count == count and not self.over:
            await self._changed.wait()
