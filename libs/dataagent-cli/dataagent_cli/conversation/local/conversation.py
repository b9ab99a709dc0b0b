"""A conversation whose agent works in this process.

One task opens the parts (`parts.py`) and then takes one message after another. Readers read the
event log, as with a server, and `LogUpdates` wakes them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from dataagent_cli.conversation.local.agents import ConversationRules
from dataagent_cli.conversation.local.parts import ConversationParts
from dataagent_cli.conversation.local.pending_answers import PendingAnswers
from dataagent_cli.conversation.local.record import LocalRecord
from dataagent_cli.conversation.port import (
    AttachedText,
    ConversationFacts,
    UnfinishedRun,
    message_text,
)
from dataagent_cli.conversation.shell_output import visible_text
from dataagent_cli.wiring import local_user
from dataagent_core.errors import ConflictError, DataAgentError
from dataagent_core.events import ErrorEvent, ModeChangedEvent
from dataagent_core.events.system import Mode
from dataagent_core.session import check_prompt, read_all
from dataagent_core.session.prompt import OTHERS_WORDS_KEY, OWN_WORDS_KEY

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.hitl import Decision
    from dataagent_core.planning import PlanEdit, WorkPlan

MESSAGES_WAITING_MAX: Final = 100
# A stopped run ends within a second; one that hangs longer is abandoned.
STOP_S_MAX: Final = 5.0
# Closing programs and a vendor's machine may take longer.
CLOSE_S_MAX: Final = 30.0


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message for the agent: the person's text, and below it text of others."""

    own: str
    others: AttachedText | None = None
    answer_schema: Mapping[str, Any] | None = None
    planning: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        return message_text(self.own, self.others)

    def context(self) -> dict[str, Any]:
        """Return the metadata stored with the message: what was chosen, and whose text it is."""
        kept: dict[str, Any] = {}
        if self.answer_schema is not None:
            from dataagent_core.engine.answer_form import ANSWER_SCHEMA_KEY

            kept[ANSWER_SCHEMA_KEY] = self.answer_schema
        if self.planning:
            from dataagent_core.planning.plan_terms import PLANNING_KEY

            kept[PLANNING_KEY] = dict(self.planning)
        if self.others is not None:
            kept |= {OWN_WORDS_KEY: len(self.own), OTHERS_WORDS_KEY: self.others.source}
        return kept


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compaction run, with the topics the person wants kept."""

    keep: str


class LocalConversation:
    """One session of this machine; made on the event loop, it opens by itself."""

    def __init__(
        self,
        parts: AbstractAsyncContextManager[ConversationParts],
        facts: ConversationFacts,
        mode: Mode | None = None,
        *,
        person_is_there: bool = False,
    ) -> None:
        self._facts = facts
        # Said beside every message: without somebody to ask, plans are carried out as they are.
        self._asking: Mapping[str, Any] = {"ask": True} if person_is_there else {}
        # The mode the person chose before the session's own mode was read.
        self._wanted_mode = mode
        self._pending = PendingAnswers()
        self._updates = LogUpdates()
        # Events that no log could take: why a run did not even start.
        self._unwritten: deque[Event] = deque()
        # Messages that wait; None stands for the unfinished run.
        self._waiting: deque[UserMessage | Compaction | None] = deque()
        self._work_available = asyncio.Event()
        self._token: asyncio.Event | None = None
        self._closing = False
        # Set when the parts may be closed; until then readers read the remaining events.
        self._closable = asyncio.Event()
        self._failure: Exception | None = None
        self.opened_at_seq = 0
        # The parts since the agent was built again.
        self._renewed: ConversationParts | None = None
        self.record = LocalRecord(
            self.wait_open, on_rename=self._set_title, on_write=self._updates.notify
        )
        self._opened: asyncio.Future[ConversationParts] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._open_and_work(parts))

    @property
    def facts(self) -> ConversationFacts:
        return self._facts

    @property
    def is_open(self) -> bool:
        return self._opened.done() and not self._opened.cancelled()

    async def wait_open(self) -> ConversationParts:
        """Wait until the agent is ready, or raise why it is not."""
        parts = await asyncio.shield(self._opened)
        return self._renewed or parts

    async def events(self, after: int = 0) -> AsyncGenerator["Event", None]:
        log = (await self.wait_open()).stores.log
        last = after
        while True:
            count = self._updates.count
            page = await log.read(self._facts.session_id, after=last)
            for event in page:
                last = event.seq or last
                yield event
            if page:
                continue
            while self._unwritten:
                yield self._unwritten.popleft()
            if self._updates.is_over:
                if self._failure is not None:
                    raise self._failure
                return
            await self._updates.wait_after(count)

    async def tail(self, runs: int) -> int:
        log = (await self.wait_open()).stores.log
        starts = await read_all(log, self._facts.session_id, types=("start",))
        first = starts[-runs:][:1]
        return (first[0].seq or 1) - 1 if first else 0

    async def message(self, message_id: str) -> str:
        stores = (await self.wait_open()).stores
        message = await stores.messages.get_message(self._facts.session_id, message_id)
        return visible_text(message.content, message.metadata) if message else ""

    async def say(
        self,
        text: str,
        others: AttachedText | None = None,
        answer_schema: Mapping[str, Any] | None = None,
        planning: Mapping[str, str] | None = None,
    ) -> None:
        chosen = {**self._asking, **(planning or {})}
        message = UserMessage(text, others, answer_schema, chosen)
        check_prompt(text)
        check_prompt(message.text)
        if len(self._waiting) >= MESSAGES_WAITING_MAX:
            raise ConflictError(
                f"{MESSAGES_WAITING_MAX} messages wait already. Let the agent answer some first."
            )
        self._waiting.append(message)
        self._work_available.set()

    async def answer(self, interrupt_id: str, decision: "Decision") -> None:
        self._pending.answer(interrupt_id, decision)

    async def unfinished(self) -> UnfinishedRun | None:
        run_id = (await self.wait_open()).unfinished_run_id
        if run_id is None:
            return None
        return UnfinishedRun(run_id, self._pending.open_requests, self.opened_at_seq)

    async def go_on(self) -> bool:
        if await self.unfinished() is None:
            return False
        self._waiting.append(None)
        self._work_available.set()
        return True

    async def stop(self) -> None:
        self._waiting.clear()
        if self._token is not None:
            self._token.set()

    async def change_mode(self, mode: Mode) -> None:
        self._facts = replace(self._facts, mode=mode)
        self._wanted_mode = mode
        if self._opened.done():
            await self._write_mode(await self.wait_open(), mode)

    async def plan(self) -> "WorkPlan | None":
        parts = await self.wait_open()
        from dataagent_core.planning import read_plan

        return await read_plan(parts.stores.log, parts.session_id)

    async def edit_plan(self, edits: "Sequence[PlanEdit]", version: int) -> "WorkPlan":
        parts = await self.wait_open()
        from dataagent_core.planning import edit_plan

        log, session_id = parts.stores.log, parts.session_id
        changed = await edit_plan(log, session_id, edits, version=version, by=local_user())
        self._updates.notify()
        return changed

    async def change_model(self, model: str) -> None:
        parts = await self.wait_open()
        if self._token is not None:
            raise ConflictError("the agent is at work. Stop it first, or let it finish.")
        self._renewed = await parts.with_model(model)
        self._facts = replace(self._facts, model=model)

    async def compact(self, keep: str) -> None:
        self._waiting.append(Compaction(keep))
        self._work_available.set()

    async def renew(self) -> None:
        await self.change_model((await self.wait_open()).model)

    async def rest(self) -> bool:
        self._closing = True
        self._work_available.set()
        # The request stays open for the process that resumes the session.
        self._pending.leave()
        return True

    async def aclose(self) -> None:
        self._closing = True
        self._work_available.set()
        if self._pending.holds_the_run:
            self._pending.leave()
        elif self._token is not None:
            self._token.set()
        if not self._opened.done():
            self._task.cancel()
        self._closable.set()
        late = not await self._updates.wait_end(STOP_S_MAX)
        if late or (await asyncio.wait({self._task}, timeout=CLOSE_S_MAX))[1]:
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _open_and_work(self, opening: AbstractAsyncContextManager[ConversationParts]) -> None:
        try:
            async with opening as parts:
                await self._begin(parts)
                self._opened.set_result(parts)
                await self._work_until_closed()
        except BaseException as error:
            # Tasks that wait for the parts get the error instead of waiting for ever.
            if not self._opened.done():
                self._opened.set_exception(error)
                self._opened.exception()
            raise
        finally:
            self._updates.end()

    async def _work_until_closed(self) -> None:
        try:
            await self._work()
        except Exception as error:  # noqa: BLE001 (raised where the events are read)
            self._failure = error
        finally:
            self._updates.end()
        await self._closable.wait()

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

    def _set_title(self, title: str) -> None:
        self._facts = replace(self._facts, title=title)

    async def _work(self) -> None:
        while not self._closing:
            await self._work_available.wait()
            self._work_available.clear()
            while self._waiting and not self._closing:
                await self._run(await self.wait_open(), self._waiting.popleft())

    async def _run(self, parts: ConversationParts, wanted: UserMessage | Compaction | None) -> None:
        from dataagent_core.permissions import ProjectRules, RunTerms

        project = ProjectRules(parts.home, parts.workspace)
        rule_saver = ConversationRules(project, parts.agents)
        terms = RunTerms(hitl_handler=self._pending, rule_saver=rule_saver)
        self._token = token = asyncio.Event()
        try:
            parts = self._renewed = await parts.up_to_date()
            executor, session_id = parts.executor, parts.session_id
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
                        # A plan was accepted: the run itself has changed the mode.
                        self._facts = replace(self._facts, mode=event.mode)
                    if event.seq is None:
                        self._unwritten.append(event)
                    self._updates.notify()
        except DataAgentError as error:
            self._unwritten.append(_to_error_event(error))
        finally:
            self._token = None
            self._updates.notify()

    async def _write_mode(self, parts: ConversationParts, mode: Mode) -> None:
        from dataagent_core.session.mode import change_mode

        await parts.keep_session()
        await change_mode(parts.stores.log, parts.session_id, mode, local_user())
        self._updates.notify()


def _to_error_event(error: DataAgentError) -> ErrorEvent:
    return ErrorEvent(error=error.for_person, code=error.code, recoverable=error.recoverable)


class LogUpdates:
    """Counts changes of the log; a reader that saw count N waits until there is more."""

    def __init__(self) -> None:
        self.count = 0
        self.is_over = False
        self._changed = asyncio.Event()

    def notify(self) -> None:
        self.count += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Let every reader read the remaining events and stop."""
        self.is_over = True
        self.notify()

    async def wait_end(self, timeout_s: float) -> bool:
        """Wait for the end; return whether it came in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not self.is_over:
                    await self.wait_after(self.count)
        return self.is_over

    async def wait_after(self, count: int) -> None:
        """Wait until something changed since the count was read."""
        while self.count == count and not self.is_over:
            await self._changed.wait()
