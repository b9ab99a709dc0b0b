"""`dataagent run --server`: one run that a server carries out, shown and answered here.

The same display, desk and exit codes as a run of this process (`conduct.py`); between them and the
run are a conversation's events and answers only.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_cli.approval.desk import ApprovalDesk
from dataagent_cli.conversation.missing_mentions import note_missing
from dataagent_cli.conversation.order import TalkOrder
from dataagent_cli.conversation.remote import RemoteConversation, first_remote_facts
from dataagent_cli.conversation.remote_workbench import RemoteWorkbench
from dataagent_cli.display.protocol import Display
from dataagent_cli.harmless import cleaned
from dataagent_cli.remote.address import Server
from dataagent_cli.remote.files import RemoteFiles
from dataagent_cli.remote.link import Link
from dataagent_cli.remote.runs import open_requests, under_way
from dataagent_cli.run.answering import Answering
from dataagent_cli.run.ctrl_c import CtrlC
from dataagent_cli.run.facing import dialogue_for, display_for
from dataagent_cli.run.going_on import say_how_to_go_on
from dataagent_cli.run.order import RunOrder
from dataagent_cli.run.outcome import Outcome
from dataagent_cli.run.pictures import with_typed_pictures
from dataagent_cli.wiring import App
from dataagent_core.errors import NoOneToAskError, NotFoundError, SessionBusyError
from dataagent_core.events import DoneEvent, RunStartedEvent

if TYPE_CHECKING:
    from dataagent_core.events import Event

# Goes on beside other work, for its effects.
Work = Coroutine[Any, Any, None]


async def conduct_on_server(app: App, order: RunOrder, server: Server) -> int:
    """Carry out the order on a server and return the exit code."""
    talk = TalkOrder(
        workspace=Path.cwd(),
        session_id=None if order.session_is_new else order.session_id,
        must_exist=order.prompt is None,
        mode=order.mode,
        server=server,
    )
    link = Link(server, app.say)
    files = RemoteFiles(link, pictures=False)
    terminal = _Terminal(app)
    facts = first_remote_facts(talk, server, app.say)
    conversation = RemoteConversation(link, talk, facts, files, say=app.say, terminal=terminal)
    async with aclosing(conversation):
        await conversation.opened()
        workbench = RemoteWorkbench(app, link, conversation, files, terminal)
        return await _Run(app, order, link, conversation, workbench).conduct()


class _Run:
    """One run, from its first event to its last or to a question nobody can be asked."""

    def __init__(
        self,
        app: App,
        order: RunOrder,
        link: Link,
        conversation: RemoteConversation,
        workbench: RemoteWorkbench,
    ) -> None:
        self._app = app
        self._order = order
        self._link = link
        self._conversation = conversation
        self._workbench = workbench
        self._outcome = Outcome()
        # Which run is ours; others may speak in the session too.
        self._run_id: str | None = None

    async def conduct(self) -> int:
        app, order = self._app, self._order
        with CtrlC(app.output, app.say) as ctrl_c:
            dialogue = dialogue_for(app, order, ctrl_c, await self._workbench.for_questions())
            desk = ApprovalDesk(order.approvals, dialogue, app.output, app.say)
            display = display_for(app, order, dialogue, self._workbench.read)
            answering = Answering(self._conversation, desk)
            after = await self._begun(answering)
            await self._carried_out(
                self._watch(after, display, answering),
                answering.run(),
                self._stop_when(ctrl_c.token),
            )
        facts = self._conversation.facts
        named = f"{facts.session_id} --server {facts.server}"
        say_how_to_go_on(app, order, named, self._outcome, desk)
        return self._outcome.exit_code

    async def _begun(self, answering: Answering) -> int:
        """Start the run, or find the one to finish; return the number before its events."""
        conversation, session_id = self._conversation, self._conversation.facts.session_id
        if self._order.prompt is not None:
            if session_id and (await under_way(self._link, session_id)).run_id is not None:
                named = f"{session_id} --server {conversation.facts.server}"
                raise SessionBusyError(self._app.say("remote_has_unfinished", session=named))
            self._order = order = await with_typed_pictures(
                self._order, self._workbench.here, self._workbench.attached
            )
            missing = await self._workbench.missing_mentions(order.own_words)
            note_missing(self._app.output, self._app.say, missing)
            await conversation.say(order.prompt or "")
            return conversation.taken_at
        found = await under_way(self._link, session_id)
        if found.run_id is None:
            raise NotFoundError(self._app.say("remote_nothing_open"))
        self._run_id = found.run_id
        for request in await open_requests(self._link, session_id):
            answering.see(request)
        return found.last_seq

    async def _carried_out(self, watch: Work, *others: Work) -> None:
        """Let them all go on until the run is over, or nobody is there to ask."""
        watching = asyncio.create_task(watch)
        tasks = [watching, *map(asyncio.create_task, others)]
        try:
            while not watching.done():
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        except NoOneToAskError:
            pass  # the run waits there; what it waits for is said
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, after: int, display: Display, answering: Answering) -> None:
        async with aclosing(self._conversation.events(after)) as events:
            async for event in events:
                if not await self._is_ours(event):
                    continue
                self._outcome.see(event)
                display.show(event)
                answering.see(event)
                if isinstance(event, DoneEvent):
                    return

    async def _is_ours(self, event: "Event") -> bool:
        if self._run_id is None and isinstance(event, RunStartedEvent):
            said = await self._conversation.message(event.message_id)
            if said == self._order.prompt:
                self._run_id = event.run_id
        return event.run_id is None or event.run_id == self._run_id

    async def _stop_when(self, token: asyncio.Event) -> None:
        await token.wait()
        await self._conversation.stop()
        # Whatever comes of it comes as an event.
        await asyncio.Event().wait()


class _Terminal:
    """The terminal of a run: lines on stderr."""

    def __init__(self, app: App) -> None:
        self._app = app

    @asynccontextmanager
    async def borrowed(self) -> AsyncGenerator[None]:
        yield

    def note(self, text: str) -> None:
        self._app.output.note(cleaned(text), fg="yellow")

    def heard(self, heard: bool) -> None:
        self.note(self._app.say("remote_heard_again" if heard else "remote_not_heard"))
