"""The conversation on a dumb terminal: lines in, lines out, nothing is redrawn.

The same conversation, commands and questions as inline; nothing is read while a run is active.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from dataagent_cli.approval.decider import Decider, dialogue_maker
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.questions import OpenQuestions
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.factory import make_conversation
from dataagent_cli.conversation.missing_mentions import note_missing
from dataagent_cli.conversation.pictures import with_pictures
from dataagent_cli.conversation.port import AttachedText, Conversation
from dataagent_cli.conversation.shell_output import with_outputs
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.output import exit_codes
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.repl.activity import Activity
from dataagent_cli.repl.commands.dispatch import parse_command, run_command
from dataagent_cli.repl.commands.prompt import send_prompt
from dataagent_cli.repl.commands.registry import COMMANDS
from dataagent_cli.repl.commands.user_commands import add_user_commands
from dataagent_cli.repl.limits import RUNS_SHOWN_MAX
from dataagent_cli.repl.session_choice import pick_by_number
from dataagent_cli.repl.shell_lines import LineRunner
from dataagent_cli.repl.trust_question import may_work_in
from dataagent_cli.repl.welcome import opened_notes, say_goodbye, welcome
from dataagent_cli.transcript.terminal.console import console_for
from dataagent_cli.transcript.terminal.detection import detect_style
from dataagent_cli.transcript.transcript import Transcript
from dataagent_cli.wiring import App
from dataagent_core import events as ev
from dataagent_core.errors import DataAgentError, NoOneToAskError

if TYPE_CHECKING:
    from dataagent_core.events import Event

_PROMPT = "> "


async def run_in_lines(app: App, request: ConversationRequest) -> int:
    """Hold a conversation on a terminal whose cursor cannot be moved."""
    following: ConversationRequest | None = request
    while following is not None:
        following = await _run_conversation(app, following)
    return exit_codes.DONE


async def _run_conversation(app: App, request: ConversationRequest) -> ConversationRequest | None:
    conversation, workbench = make_conversation(app, request, PlainTerminal(app))
    app.output.note(welcome(app, request))
    shell = PlainShell(app, conversation, workbench, request)
    try:
        await shell.run()
    finally:
        await conversation.aclose()
        await workbench.aclose()
    app.output.note()
    if shell.next_request is None:
        say_goodbye(app, conversation.facts, has_messages=shell.has_messages)
    return shell.next_request


class PlainTerminal:
    """The plain terminal; a question is a line, and an editor can use all of it."""

    def __init__(self, app: App) -> None:
        self._app = app

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[None]:
        yield

    pause = borrow

    def note(self, text: str) -> None:
        self._app.output.note(sanitize_text(text), fg="yellow")

    def set_connected(self, connected: bool) -> None:
        self.note(self._app.say("remote_heard_again" if connected else "remote_not_heard"))

    async def may_work_in(self, workspace: Path) -> None:
        if not await may_work_in(self._app, workspace):
            raise NoOneToAskError(self._app.say("repl_not_trusted", path=str(workspace)))

    def workspace_is_gone(self, workspace: Path, here: Path) -> None:
        self.note(self._app.say("repl_place_gone", path=str(workspace), here=str(here)))


class PlainShell:
    """One conversation, a line at a time."""

    def __init__(
        self,
        app: App,
        conversation: Conversation,
        workbench: Workbench,
        request: ConversationRequest,
    ) -> None:
        self.app = app
        self.request = request
        # The next conversation when this one is left; None ends the program.
        self.next_request: ConversationRequest | None = None
        self.conversation = conversation
        self.workbench = workbench
        self.commands = dict(COMMANDS)
        add_user_commands(self.commands, app, conversation.facts)
        self.output = app.output
        self.activity = Activity()
        self.has_messages = False
        self._keyboard = Keyboard(sys.stdin.fileno())
        look = detect_style(
            os.environ,
            is_terminal=True,
            width_cells=app.output.width_cells,
            height_rows=24,
            encoding=sys.stdout.encoding,
        )
        previewed: set[str] = set()
        self._transcript = Transcript(
            app.say,
            look,
            read=workbench.read,
            previewed=previewed,
            on_server=conversation.facts.server is not None,
        )
        self._console = console_for(look, sys.stdout)
        self._line = LineRunner(workbench, app.output, app.say)
        make_dialogue = dialogue_maker(
            workbench,
            self._keyboard,
            PlainTerminal(app),
            output=app.output,
            say=app.say,
            previewed=previewed,
        )
        decider = Decider(ApprovalRule(), make_dialogue, app.output, app.say)
        self._questions = OpenQuestions(conversation, decider, app.output, app.say)
        self._idle = asyncio.Event()
        self._left = asyncio.Event()
        self._stopping: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Run until the person leaves, or something fails."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupted)
        work = [
            asyncio.create_task(part)
            for part in (self._follow(), self._ask(), self._read_lines(), self._wait_to_leave())
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            loop.remove_signal_handler(signal.SIGINT)

    def show(self, *renderables: RenderableType) -> None:
        for part in renderables:
            self._console.print(part)

    def unfold(self, number: int | None) -> None:
        self.show(*self._transcript.unfold(number or self._transcript.last_folded))

    def clear(self) -> None:
        """Print an empty line: this terminal cannot be cleared."""
        self.output.note()

    def leave(self) -> None:
        self._left.set()

    @property
    def active(self) -> bool:
        return self.activity.active

    def turn_to(self, request: ConversationRequest) -> None:
        # A prepared message would be sent at once here.
        self.next_request = replace(request, begun="")
        self.leave()

    def borrow(self) -> AbstractAsyncContextManager[None]:
        return PlainTerminal(self.app).borrow()

    lend = borrow

    async def pick(self, title: str, rows: Sequence[str]) -> int | None:
        self.output.note(title)
        return await pick_by_number(self.app, rows)

    async def ask(self, label: str) -> str | None:
        self.output.prompt(label)
        return await self._keyboard.line()

    async def submit(self, text: str) -> None:
        if text.startswith("!"):
            await self._line.run(text[1:])
        elif typed := parse_command(text):
            await run_command(self, *typed)
        elif text.strip() and not await send_prompt(self, text):
            await self.send(text)

    async def send(self, text: str, others: AttachedText | None = None) -> None:
        workbench = self.workbench
        message = await with_pictures(text, workbench.here, workbench.attach_picture)
        note_missing(self.output, self.app.say, await workbench.missing_mentions(message))
        self.activity.mark_sent(message)
        self._idle.clear()
        outputs = self._line.outputs.take()
        try:
            await self.conversation.say(message, with_outputs(others, outputs))
        except DataAgentError:
            self._line.outputs.put_back(outputs)
            raise

    async def _read_lines(self) -> None:
        if first := self.request.first_message or self.request.begun:
            # This prompt cannot hold a prepared message.
            await self._idle.wait()
            self.show(*self._transcript.user_message(first))
            await self._report_errors(self.submit(first))
        while True:
            await self._idle.wait()
            self.output.prompt(f"[{self.conversation.facts.mode}] {_PROMPT}")
            line = await self._keyboard.line()
            if line is None:
                return
            while line.endswith("\\"):
                more = await self._keyboard.line()
                line = f"{line[:-1]}\n{more or ''}"
            await self._report_errors(self.submit(line))

    async def _follow(self) -> None:
        conversation = self.conversation
        began_s = time.time()
        if await conversation.go_on():
            self._questions.hold()
            self.activity.mark_sent(None)
        else:
            self._idle.set()
        # Only now are the directory and its trust known.
        add_user_commands(self.commands, self.app, conversation.facts)
        after = await conversation.tail(RUNS_SHOWN_MAX)
        for note in await opened_notes(self.app, self.request, conversation, after):
            self.output.note(note)
        async with aclosing(conversation.events(after)) as events:
            async for event in events:
                await self._see(event)
                if event.timestamp >= began_s:
                    self._questions.go_on()

    async def _see(self, event: "Event") -> None:
        if isinstance(event, ev.RunStartedEvent):
            self.has_messages = True
            text = await self.conversation.message(event.message_id)
            # The typed text is on the screen already.
            if text != self.activity.sent and event.kind == "message":
                self.show(*self._transcript.user_message(text))
        self.activity.see(event)
        self.show(*self._transcript.show(event))
        self._questions.see(event)
        if not self.activity.active:
            self._idle.set()

    async def _ask(self) -> None:
        with suppress(NoOneToAskError):
            await self._questions.run()

    async def _wait_to_leave(self) -> None:
        await self._left.wait()

    def _interrupted(self) -> None:
        if self._line.running:
            self._line.stop()
        elif self.activity.active:
            self.output.note(self.app.say("repl_stopping"))
            self._stopping = asyncio.ensure_future(self._stop())
        else:
            self.output.note()
            self.output.note(self.app.say("repl_how_to_leave"))

    async def _stop(self) -> None:
        try:
            await self.conversation.stop()
        except DataAgentError as error:
            self.output.note(self.app.say("error", text=sanitize_text(error.for_person)), fg="red")

    async def _report_errors(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except DataAgentError as error:
            self.activity.take_back()
            self._idle.set()
            self.output.note(self.app.say("error", text=sanitize_text(error.for_person)), fg="red")
