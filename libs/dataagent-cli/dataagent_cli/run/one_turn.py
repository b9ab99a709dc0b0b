"""`dataagent run`: one turn of a conversation, from the request to the exit code.

open the conversation > send the message or resume the unfinished run > show its events and answer
its questions > say how to continue. The conversation decides whether this process or a server does
the work.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dataagent_cli.approval.budget_words import budget_words
from dataagent_cli.approval.decider import Decider, dialogue_maker
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.questions import OpenQuestions
from dataagent_cli.conversation.factory import make_conversation
from dataagent_cli.conversation.missing_mentions import note_missing
from dataagent_cli.conversation.pictures import with_pictures
from dataagent_cli.conversation.port import Conversation, message_text
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.run.ctrl_c import CtrlC
from dataagent_cli.run.outcome import RunOutcome
from dataagent_cli.run.run_request import RunRequest, resolve_workspace
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_cli.transcript.calls.tool_line import action as in_words
from dataagent_cli.transcript.own_questions import PLAN
from dataagent_cli.transcript.run_printer import printer_for
from dataagent_cli.wiring import App
from dataagent_core.errors import ConflictError, NoOneToAskError, NotFoundError, SessionBusyError
from dataagent_core.events import DoneEvent, ErrorEvent, RunStartedEvent
from dataagent_core.session import NO_RUN

if TYPE_CHECKING:
    from dataagent_core.events import Event, HITLRequestEvent
    from dataagent_core.hitl import ActionRequest

# The name of a request that is not a tool call.
_QUESTION = "question"


async def run_one_turn(app: App, run_request: RunRequest) -> int:
    """Carry out the request and return the exit code."""
    terminal = RunTerminal(app)
    request = run_request.conversation(person_is_there=_is_person_there(app, run_request))
    conversation, workbench = make_conversation(app, request, terminal, pictures=False)
    async with aclosing(conversation), aclosing(workbench):
        await workbench.ready()
        with CtrlC(app.output, app.say) as ctrl_c:
            terminal.ctrl_c = ctrl_c
            turn = _Turn(app, run_request, conversation, workbench, terminal)
            await turn.carry_out(ctrl_c.token)
        return turn.end()


def _is_person_there(app: App, run_request: RunRequest) -> bool:
    return not run_request.as_json and sys.stdin.isatty() and app.output.err_is_terminal


class RunTerminal:
    """The terminal of a run: lines on stderr."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.ctrl_c: CtrlC | None = None

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[None]:
        yield

    def pause(self) -> AbstractAsyncContextManager[None]:
        return self.borrow() if self.ctrl_c is None else self.ctrl_c.pause()

    def note(self, text: str) -> None:
        self._app.output.note(sanitize_text(text), fg="yellow")

    def set_connected(self, connected: bool) -> None:
        self.note(self._app.say("remote_heard_again" if connected else "remote_not_heard"))

    async def may_work_in(self, workspace: Path) -> None:
        """Allow it: the person named the directory, or started in it."""

    def workspace_is_gone(self, workspace: Path, here: Path) -> None:
        """Refuse: nobody may be there to see that the run works elsewhere."""
        del here
        resolve_workspace(workspace, self._app.say)


def _is_last(event: "Event") -> bool:
    """Say whether an event is the last of its run; an event outside the log has no `done`."""
    return isinstance(event, DoneEvent) or (isinstance(event, ErrorEvent) and event.seq is None)


class _Turn:
    """One run, from its first event to its last or to a request that nobody can answer."""

    def __init__(
        self,
        app: App,
        run_request: RunRequest,
        conversation: Conversation,
        workbench: Workbench,
        terminal: RunTerminal,
    ) -> None:
        self._app = app
        self._run_request = run_request
        self._conversation = conversation
        self._workbench = workbench
        previewed: set[str] = set()
        make_dialogue = None
        if _is_person_there(app, run_request):
            make_dialogue = dialogue_maker(
                workbench,
                Keyboard(sys.stdin.fileno()),
                terminal,
                output=app.output,
                say=app.say,
                previewed=previewed,
            )
        self._decider = Decider(run_request.approvals, make_dialogue, app.output, app.say)
        self._questions = OpenQuestions(conversation, self._decider, app.output, app.say)
        self._printer = printer_for(
            app.output,
            app.say,
            previewed,
            workbench.read,
            as_json=run_request.as_json,
            answer_at_the_end=run_request.answer_schema is not None,
            on_server=run_request.server is not None,
        )
        self._outcome = RunOutcome()
        # The id of our run; on a server others may write in the session too.
        self._run_id: str | None = None
        self._text = ""

    async def carry_out(self, token: asyncio.Event) -> None:
        """Show the run and answer its requests, until it is over or waits for another person."""
        after = await (self._take_up() if self._run_request.prompt is None else self._send())
        watching = asyncio.create_task(self._watch(after))
        others = [self._questions.run(), self._stop_when(token)]
        await self._until_done(watching, *others)

    def end(self) -> int:
        """Print the next step, and return the exit code."""
        questions = self._questions
        waiting = None if self._decider.can_ask else questions.first
        task = None if waiting is None else questions.find_task(waiting)
        print_next_step(
            self._app, self._run_request, self._session, self._outcome, waiting, task=task
        )
        return self._outcome.exit_code

    async def _send(self) -> int:
        """Send the message; return the number before its events."""
        run_request, conversation, workbench = (
            self._run_request,
            self._conversation,
            self._workbench,
        )
        say = self._app.say
        if await conversation.unfinished() is not None:
            raise SessionBusyError(say("has_unfinished", session=self._session))
        own = run_request.prompt or ""
        if run_request.is_typed:
            own = await with_pictures(own, workbench.here, workbench.attach_picture)
        note_missing(self._app.output, say, await workbench.missing_mentions(own))
        await self._change_mode()
        self._text = message_text(own, run_request.piped)
        await conversation.say(
            own, run_request.piped, run_request.answer_schema, run_request.planning
        )
        return conversation.opened_at_seq

    async def _take_up(self) -> int:
        """Resume the unfinished run; return the number before its new events."""
        conversation = self._conversation
        found = await conversation.unfinished()
        if found is None and conversation.facts.server is not None:
            raise NotFoundError(self._app.say("remote_nothing_open"))
        if found is None:
            session_id = conversation.facts.session_id
            raise ConflictError(
                f"the last run of session {session_id!r} is done; nothing to resume."
            )
        self._run_id = found.run_id
        await self._change_mode()
        for request in found.requests:
            self._questions.see(request)
        if await conversation.go_on():
            self._questions.hold()
        return found.last_seq

    async def _change_mode(self) -> None:
        mode = self._run_request.mode
        if mode is not None and mode != self._conversation.facts.mode:
            await self._conversation.change_mode(mode)

    async def _until_done(
        self, watching: asyncio.Task[None], *others: Coroutine[Any, Any, None]
    ) -> None:
        """Run all tasks until the run is over, or nobody can be asked."""
        tasks = [watching, *map(asyncio.create_task, others)]
        try:
            while not watching.done():
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        except NoOneToAskError:
            # The run may continue by itself: its request may have been answered meanwhile.
            if await self._conversation.rest():
                await watching
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, after: int) -> None:
        async with aclosing(self._conversation.events(after)) as events:
            async for event in events:
                if not await self._is_ours(event):
                    continue
                self._outcome.see(event)
                self._printer.show(event)
                self._questions.see(event)
                self._questions.go_on()
                # The conversation finishes its work before everything is closed.
                if _is_last(event) and not await self._conversation.rest():
                    return

    async def _is_ours(self, event: "Event") -> bool:
        if (
            self._run_id is None
            and isinstance(event, RunStartedEvent)
            and await self._conversation.message(event.message_id) == self._text
        ):
            self._run_id = event.run_id
        return event.run_id in {None, NO_RUN, self._run_id}

    async def _stop_when(self, token: asyncio.Event) -> None:
        await token.wait()
        await self._conversation.stop()
        # The result arrives as an event.
        await asyncio.Event().wait()

    @property
    def _session(self) -> str:
        """The session as it is typed after `--session` or `--resume`."""
        facts = self._conversation.facts
        at = "" if facts.server is None else f" --server {facts.server}"
        return facts.session_id + at


def print_next_step(
    app: App,
    run_request: RunRequest,
    session: str,
    outcome: RunOutcome,
    waiting: "HITLRequestEvent | None",
    *,
    task: TaskName | None,
) -> None:
    """Print what a run waits for, and how to continue; `session` follows `--session`."""
    if outcome.reason is None and waiting is not None:
        if waiting.question_type == PLAN and not run_request.as_json:
            app.output.line(sanitize_text(waiting.question or ""))
        by = "" if task is None else f"[{task.label}] "
        app.output.note(_describe_wait(waiting, by, session, app.say), fg="yellow")
    elif outcome.reason is None:
        app.output.note(app.say("unfinished", session=session), fg="yellow")
    elif run_request.session_is_new and not run_request.as_json:
        app.output.note(app.say("continue", session=session), dim=True)


def _describe_wait(request: "HITLRequestEvent", by: str, session: str, say: Messages) -> str:
    if request.kind == "approval":
        action = cast("ActionRequest", request.action_requests[0])
        key = "waits_for_a_person" if action.get("always_asked") else "waits"
        words = by + in_words(action["name"], action["args"], say)
        return say(key, action=words, session=session, tool=action["name"])
    question = request.question or ""
    if request.kind == "budget":
        question = budget_words(request, say)[-1]
    arguments = {"question": question, "question_type": request.question_type}
    key = "waits_with_a_plan" if request.question_type == PLAN else "waits_for_an_answer"
    words = by + in_words(_QUESTION, arguments, say)
    return say(key, action=words, session=session, tool=_QUESTION)
