"""The inline shell: sends what is typed to the conversation, and shows its events.

`screen/layout.py` says what is drawn where, `input/keys.py` binds the keys, and `approval/` asks
the questions; the shell connects them.
"""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from dataagent_cli.approval.decider import Decider, dialogue_maker
from dataagent_cli.approval.questions import OpenQuestions
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.missing_mentions import note_missing
from dataagent_cli.conversation.pictures import with_pictures
from dataagent_cli.conversation.port import AttachedText, Conversation
from dataagent_cli.conversation.shell_output import with_outputs
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.repl.activity import Activity
from dataagent_cli.repl.commands.command import Command
from dataagent_cli.repl.commands.dispatch import parse_command, run_command
from dataagent_cli.repl.commands.prompt import send_prompt
from dataagent_cli.repl.commands.user_commands import add_user_commands
from dataagent_cli.repl.input.clipboard import attach_clipboard
from dataagent_cli.repl.input.message_queue import MessageQueue
from dataagent_cli.repl.input.pastes import Pastes
from dataagent_cli.repl.input.stop_keys import Key, KeyContext, meaning
from dataagent_cli.repl.limits import RUNS_SHOWN_MAX, TICK_S
from dataagent_cli.repl.screen.application import PromptApplication
from dataagent_cli.repl.screen.event_printer import EventPrinter
from dataagent_cli.repl.screen.hints import HintState
from dataagent_cli.repl.screen.list_picker import pick
from dataagent_cli.repl.screen.status import Totals
from dataagent_cli.repl.shell_lines import LineRunner
from dataagent_cli.repl.welcome import opened_notes
from dataagent_cli.wiring import App
from dataagent_core import events as ev
from dataagent_core.errors import DataAgentError, NoOneToAskError
from dataagent_core.events.system import Mode
from dataagent_core.session.prompt import mention

if TYPE_CHECKING:
    from dataagent_core.events import Event

NEXT_MODE: dict[Mode, Mode] = {"ask": "plan", "plan": "auto", "auto": "ask"}


class InlineShell:
    """One conversation at an inline prompt."""

    def __init__(
        self,
        app: App,
        application: PromptApplication,
        conversation: Conversation,
        workbench: Workbench,
        *,
        request: ConversationRequest,
        commands: dict[str, Command],
        printing: EventPrinter,
    ) -> None:
        self.app = app
        self.request = request
        # The next conversation when this one is left; None ends the program.
        self.next_request: ConversationRequest | None = None
        self.conversation = conversation
        self.workbench = workbench
        self.commands = commands
        self.output = application.output
        self.activity = Activity()
        self.totals = Totals()
        self.printing = printing
        self._application = application
        self._pastes = Pastes(app.say)
        self._queue = MessageQueue()
        self._line = LineRunner(workbench, application.output, app.say)
        make_dialogue = dialogue_maker(
            workbench,
            application.answer_line,
            application.screen,
            output=application.output,
            say=app.say,
            previewed=printing.previewed,
        )
        decider = Decider(ApprovalRule(), make_dialogue, application.output, app.say)
        self._questions = OpenQuestions(conversation, decider, application.output, app.say)
        # Until then it is not known which session a message goes to.
        self._session_open = not request.takes_up
        # Whether the session has messages, so that resuming it makes sense.
        self.has_messages = False
        self._hint = ""
        self._warned = False
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()

    # Read by the application while it draws.

    def waiting(self) -> HintState:
        return HintState(
            sent=self.activity.sent,
            queued=self._queue.texts,
            hint=self._hint or ("" if self._session_open else self.app.say("repl_opening")),
            question_waits=self._application.answer_line.waits
            and bool(self._application.draft.text),
        )

    @property
    def waits_for_person(self) -> bool:
        return self._questions.waits_for_person

    def begin(self) -> None:
        """Start following the conversation; called once the prompt is drawn."""
        self._application.screen.begins()
        self._application.write_before(self.request.begun)
        if self.request.first_message:
            self._typed.put_nowait(self.request.first_message)
        for work in (self._follow(), self._answer_questions(), self._tick(), self._read_typed()):
            self._spawn(work)

    async def end(self) -> None:
        """Stop the shell's tasks; the caller closes the conversation."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Handlers of keys.

    def send_input(self) -> None:
        text = self._pastes.unfold(self._application.draft.text)
        self._application.remember(text)
        self._application.clear_draft()
        self._forget_hint()
        if text.strip():
            self._typed.put_nowait(text)

    def submit_answer(self) -> None:
        self._application.answer_line.submit()

    def paste(self, text: str) -> None:
        self._application.draft.insert_text(self._pastes.fold(text))

    def paste_picture(self) -> None:
        self._spawn(self._report_errors(self._paste_picture()))

    async def _paste_picture(self) -> None:
        name = await attach_clipboard(self.workbench.store_picture, self.app.say)
        draft = self._application.draft
        gap = "" if draft.document.char_before_cursor in ("", " ", "\n") else " "
        draft.insert_text(f"{gap}{mention(name)} ")

    def next_mode(self) -> None:
        self._spawn(self._report_errors(self._switch_mode()))

    async def _switch_mode(self) -> None:
        # Computed here, so that a key pressed twice switches twice.
        await self.conversation.change_mode(NEXT_MODE[self._mode])

    def take_back(self) -> bool:
        text = self._queue.take_back()
        if text is None:
            return False
        self._application.write(text)
        return True

    def unfold_last(self) -> None:
        self.unfold(None)

    def press_key(self, key: Key) -> None:
        application = self._application
        moment = KeyContext(
            active=self.activity.active or self._line.running,
            has_text=bool(application.typed_text),
            menu_open=application.draft.complete_state is not None,
            question_waits=application.answer_line.waits,
            answering=application.answer_line.active,
            warned=self._warned,
        )
        self._forget_hint()
        match meaning(key, moment):
            case "close_menu":
                application.draft.cancel_completion()
            case "turn_to_question":
                application.answer_line.set_draft_aside()
            case "stop_run":
                self._spawn(self._report_errors(self._stop()))
            case "clear_text":
                application.clear_draft()
            case "say_how_to_leave":
                self._hint = self.app.say("repl_how_to_leave")
            case "warn_before_leaving":
                remote = self.conversation.facts.server is not None
                self._hint = self.app.say("remote_warn_leaving" if remote else "repl_warn_leaving")
                self._warned = True
            case "leave":
                self.leave()
            case "delete_forward":
                application.current_buffer.delete()
            case "nothing":
                pass
        application.screen.draw()

    # Methods for slash commands.

    def show(self, *renderables: RenderableType) -> None:
        self.printing.show(*renderables)

    def unfold(self, number: int | None) -> None:
        transcript = self.printing.transcript
        self.printing.show(*transcript.unfold(number or transcript.last_folded))

    def clear(self) -> None:
        self._application.screen.clear()

    def leave(self) -> None:
        self._application.leave()

    @property
    def active(self) -> bool:
        return self.activity.active

    def turn_to(self, request: ConversationRequest) -> None:
        self.next_request = request
        self.leave()

    def borrow(self) -> AbstractAsyncContextManager[None]:
        return self._application.screen.borrow()

    def lend(self) -> AbstractAsyncContextManager[None]:
        return self._application.screen.lend()

    async def pick(self, title: str, rows: Sequence[str]) -> int | None:
        async with self.borrow():
            return await pick(title, rows, self.app.say("repl_pick_how"))

    async def ask(self, label: str) -> str | None:
        self.output.prompt(label)
        return await self._application.answer_line.line()

    async def submit(self, text: str) -> None:
        """Handle a typed text: a command, a shell line or a message."""
        if text.startswith("!"):
            # In its own task: it may take long.
            self._spawn(self._report_errors(self._line.run(text[1:])))
        elif typed := parse_command(text):
            self.printing.user_message(text)
            await run_command(self, *typed)
        elif not await send_prompt(self, text):
            await self.send(text)
        self._application.screen.draw()

    async def send(self, text: str, others: AttachedText | None = None) -> None:
        workbench = self.workbench
        message = await with_pictures(text, workbench.here, workbench.attach_picture)
        note_missing(self.output, self.app.say, await workbench.missing_mentions(message))
        self._queue.add(message, others)
        await self._send_next()

    # Following the conversation.

    @property
    def _mode(self) -> Mode:
        return self.conversation.facts.mode

    async def _follow(self) -> None:
        conversation = self.conversation
        began_s = time.time()
        if await conversation.go_on():
            self._questions.hold()
            self.activity.mark_sent(None)
        # Only now are the directory and its trust known.
        add_user_commands(self.commands, self.app, conversation.facts)
        after = await conversation.tail(RUNS_SHOWN_MAX)
        for note in await opened_notes(self.app, self.request, conversation, after):
            self.output.note(note, dim=True)
        self._session_open = True
        self._spawn(self._report_errors(self._send_next()))
        async with aclosing(conversation.events(after)) as events:
            async for event in events:
                await self._see(event)
                if event.timestamp >= began_s:
                    self._questions.go_on()
        self.leave()

    async def _see(self, event: "Event") -> None:
        if isinstance(event, ev.RunStartedEvent):
            self.has_messages = True
            # The argument of /compact is not a user message.
            if event.kind == "message":
                self.printing.user_message(await self.conversation.message(event.message_id))
        self.activity.see(event)
        self.totals.see(event)
        self.printing.event(event)
        # After printing, so that the question is below the event that led to it.
        self._questions.see(event)
        if not self.activity.active:
            if self._warned:
                self._forget_hint()
            self._spawn(self._after_run())
        self._application.screen.draw()

    async def _after_run(self) -> None:
        await self._report_errors(self._send_next())
        self.totals.context_share = await self.workbench.context_share()
        self._application.screen.draw()

    async def _answer_questions(self) -> None:
        try:
            await self._questions.run()
        except NoOneToAskError:
            self.leave()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if self.activity.active:
                self._application.screen.draw()

    async def _read_typed(self) -> None:
        while True:
            await self._report_errors(self.submit(await self._typed.get()))

    async def _send_next(self) -> None:
        if self.activity.active or not self._session_open:
            return
        message = self._queue.next()
        if message is None:
            return
        self.activity.mark_sent(message.text)
        outputs = self._line.outputs.take()
        try:
            await self.conversation.say(message.text, with_outputs(message.others, outputs))
        except DataAgentError:
            self._line.outputs.put_back(outputs)
            # It was not sent: it can be sent again.
            self._application.write_before(self.activity.take_back() or "")
            raise

    async def _stop(self) -> None:
        self._line.stop()
        back = [self._queue.take_all_back()]
        if self.activity.sent is not None:
            back.insert(0, self.activity.take_back() or "")
        elif self.activity.active:
            self.activity.stopping = True
        await self.conversation.stop()
        await self._questions.stop()
        self._application.write_before("\n".join(filter(None, back)))

    async def _report_errors(self, work: Coroutine[Any, Any, None]) -> None:
        """Await some work, and print its error."""
        try:
            await work
        except DataAgentError as error:
            text = self.app.say("error", text=sanitize_text(error.for_person))
            self.output.note(text, fg="red")

    def _forget_hint(self) -> None:
        self._hint = ""
        self._warned = False

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)

    def _forget_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # A defect, or a conversation that cannot be opened: the terminal is restored first.
            self._application.leave(error)
