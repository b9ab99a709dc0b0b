"""The approval desk: core's `HITLHandler` for one person at a terminal, or for nobody.

Nobody there: the run is left waiting (`NoOneToAskError`), and `left_waiting` says on what.
"""

import asyncio
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from dataagent_cli.approval.editing import (
    NotArgumentsError,
    edited_in_editor,
    editor_command,
    parsed,
)
from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.approval.preview import preview
from dataagent_cli.approval.question import BAR, question_lines, title
from dataagent_cli.approval.rule import ApprovalRule
from dataagent_cli.display.diff import Line, shortened
from dataagent_cli.display.tool_line import action as in_words
from dataagent_cli.messages import Messages
from dataagent_cli.output import Output
from dataagent_core.errors import NoOneToAskError
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.tools.file_tracker import FileSource

QUESTION_LINES_MAX = 60

_AT_ONCE: dict[str, Decision] = {
    "y": {"type": "approve", "scope": "once"},
    "a": {"type": "approve", "scope": "always"},
    "r": {"type": "reject"},
}


class Pausable(Protocol):
    """Ctrl-C that can be left to somebody else for a while."""

    def paused(self) -> AbstractContextManager[None]: ...


class ApprovalDesk:
    """Answers by rule, by asking, or not at all."""

    def __init__(
        self,
        *,
        rule: ApprovalRule,
        keyboard: Keyboard | None,
        files: FileSource,
        ctrl_c: Pausable,
        output: Output,
        say: Messages,
    ) -> None:
        self._rule = rule
        self._keyboard = keyboard
        self._files = files
        self._ctrl_c = ctrl_c
        self._output = output
        self._say = say
        self.previewed: set[str] = set()
        self.left_waiting: ActionRequest | None = None

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:  # noqa: ARG002 (core's signature)
        tool = action_request["name"]
        if self._rule.covers(tool):
            return {"type": "approve"}
        if self._keyboard is not None:
            # The display gets its turn first, so that the question stands below what led to it.
            await asyncio.sleep(0)
            return await self._ask(action_request, self._keyboard)
        if self._rule.alone:
            words = in_words(tool, action_request["args"], self._say)
            self._output.note(self._say("demo_approves", action=words), fg="yellow")
            return {"type": "approve"}
        self.left_waiting = action_request
        raise NoOneToAskError(self._say("nobody", tool=tool))

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Say nothing: the call's own line follows."""

    async def _ask(self, action: ActionRequest, keyboard: Keyboard) -> Decision:
        diff = await asyncio.to_thread(preview, action["name"], action["args"], self._files)
        lines = question_lines(action, diff, self._output.width_cells)
        self._show(action, lines)
        keyboard.forget_what_was_typed()
        while True:
            choice = (await self._line(keyboard, "choice")).strip().lower()
            decision = await self._decision(choice, action, keyboard)
            if decision is not None:
                if diff and decision["type"] == "approve":
                    self.previewed.add(action.get("tool_call_id", ""))
                return decision
            if choice == "v":
                self._write(lines)

    async def _decision(
        self, choice: str, action: ActionRequest, keyboard: Keyboard
    ) -> Decision | None:
        if choice in _AT_ONCE:
            return _AT_ONCE[choice]
        if choice == "n":
            why = (await self._line(keyboard, "why_not")).strip()
            return {"type": "respond", "message": why} if why else None
        if choice == "e":
            return await self._edited(action, keyboard)
        if choice != "v":
            self._output.note(self._say("bad_choice"))
        return None

    async def _edited(self, action: ActionRequest, keyboard: Keyboard) -> Decision | None:
        try:
            if command := editor_command(os.environ):
                with self._ctrl_c.paused():
                    args = await edited_in_editor(command, action["args"])
            else:
                args = parsed(await self._line(keyboard, "new_args"))
        except NotArgumentsError as error:
            self._output.note(self._say("bad_args", problem=error), fg="red")
            return None
        return {"type": "edit", "args": args}

    async def _line(self, keyboard: Keyboard, key: str) -> str:
        self._output.prompt(self._say(key))
        line = await keyboard.line()
        if line is None:
            self._output.note()
            raise NoOneToAskError(self._say("nobody", tool=""))
        return line

    def _show(self, action: ActionRequest, lines: list[Line]) -> None:
        self._output.note()
        self._output.note(f"╭ {title(action, self._say)}", fg="yellow", bold=True)
        kept, more = shortened(lines, QUESTION_LINES_MAX)
        self._write(kept)
        if more:
            self._output.note(BAR + self._say("more_lines", count=more), dim=True)
        self._output.note("├─", fg="yellow")
        choices = self._say("choices").split("\n")
        if more:
            choices.append(self._say("view_all", count=len(lines)))
        for number, text in enumerate(choices):
            bar = "╰ " if number == len(choices) - 1 else BAR
            self._output.note(bar + text, fg="yellow")

    def _write(self, lines: Sequence[Line]) -> None:
        for line in lines:
            style = {"fg": line.colour} if line.colour else {}
            self._output.note(line.text, **style)
