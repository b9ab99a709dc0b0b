"""The dialogue about one tool call: show it, read the decision, ask again if it is not one.

A person may also save a decision for the whole project; the rules that would be saved are shown
first.
"""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from dataagent_cli.approval.action_lines import question_lines, title
from dataagent_cli.approval.agent_question import answer_from, option_labels, show_question
from dataagent_cli.approval.edit_arguments import (
    NotArgumentsError,
    edit_in_editor,
    editor_command,
    parse_arguments,
)
from dataagent_cli.approval.elicitation import answer_elicitation
from dataagent_cli.approval.keyboard import Lines
from dataagent_cli.approval.preview import preview
from dataagent_cli.approval.question_box import QuestionBox
from dataagent_cli.approval.sampling import is_sampling, sampling_lines, sampling_title
from dataagent_cli.approval.sign_in import SignInDialogue
from dataagent_cli.conversation.workbench import QuestionServices
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.output.streams import Output
from dataagent_cli.transcript.calls.task_names import TaskName
from dataagent_core.errors import NoOneToAskError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.permissions import ProjectRules
from dataagent_core.permissions.rule_files.rule_saver import rules_shown_in

Ask = Callable[[str], Awaitable[str]]
_AT_ONCE: dict[str, Decision] = {
    "y": {"type": "approve", "scope": "once"},
    "r": {"type": "reject"},
}


class PausableTerminal(Protocol):
    """A terminal that another program can use for a while, Ctrl-C included."""

    def pause(self) -> AbstractAsyncContextManager[None]: ...


class Dialogue:
    """Asks the person at a keyboard; `previewed` names the calls whose change they have seen."""

    def __init__(
        self,
        keyboard: Lines,
        services: QuestionServices,
        terminal: PausableTerminal,
        *,
        output: Output,
        say: Messages,
        previewed: set[str],
    ) -> None:
        self._keyboard = keyboard
        self._files = services.files
        self._project = services.project
        self._terminal = terminal
        self._output = output
        self._say = say
        self._sign_in_dialogue = SignInDialogue(services.sign_in, self._ask, output, say)
        self._previewed = previewed

    async def decide(self, action: ActionRequest, task: TaskName | None = None) -> Decision:
        """Ask until the answer is a decision; Ctrl-D leaves the call undecided."""
        diff = await asyncio.to_thread(preview, action["name"], action["args"], self._files)
        width_cells = self._output.width_cells
        whole = is_sampling(action)
        if whole:
            lines = sampling_lines(action, self._say, width_cells)
            heading = sampling_title(action, self._say)
        else:
            lines = question_lines(action, diff, self._say, width_cells, task)
            heading = title(action, self._say, task)
        box = QuestionBox(heading, lines, self._output, self._say, whole=whole)
        box.show()
        self._keyboard.forget_what_was_typed()
        while True:
            choice = (await self._read_line("choice")).strip().lower()
            if choice == "v":
                box.show_all_lines()
            elif decision := await self._decision(choice, action):
                if diff and decision["type"] == "approve":
                    self._previewed.add(action.get("tool_call_id", ""))
                return decision

    async def answer(self, request: HITLRequestEvent, task: TaskName | None = None) -> Decision:
        """Ask a question of the agent or of an MCP server."""
        self._keyboard.forget_what_was_typed()
        match request.kind:
            case "elicitation":
                return await answer_elicitation(request, self._ask, self._output, self._say)
            case "oauth":
                return await self._sign_in_dialogue.answer(request)
            case _:
                return await self._answer(request, task)

    async def _answer(self, request: HITLRequestEvent, task: TaskName | None) -> Decision:
        """Read an answer on one line: a number chooses an option, anything else is free text."""
        labels = option_labels(request)
        show_question(request, labels, self._output, self._say, task)
        while True:
            typed = (await self._read_line("answer")).strip()
            decision = answer_from(typed, request, labels)
            if decision is not None:
                return decision
            if labels:
                self._output.note(self._say("bad_number", count=len(labels)))
            else:
                self._output.note(self._say("bad_answer"))

    async def _decision(self, choice: str, action: ActionRequest) -> Decision | None:
        if choice in _AT_ONCE:
            return _AT_ONCE[choice]
        if choice == "a":
            return self._approve_for_session(action)
        if choice == "p":
            project, output = self._project, self._output
            return await save_to_project(action, project, self._read_line, output, self._say)
        if choice == "n":
            why = (await self._read_line("why_not")).strip()
            return {"type": "respond", "message": why} if why else None
        if choice == "e":
            return await self._edit(action)
        self._output.note(self._say("bad_choice"))
        return None

    def _approve_for_session(self, action: ActionRequest) -> Decision | None:
        if action.get("saves"):
            return {"type": "approve", "scope": "always"}
        self._output.note(self._say("always_nothing"))
        return None

    async def _edit(self, action: ActionRequest) -> Decision | None:
        try:
            if command := editor_command(os.environ):
                async with self._terminal.pause():
                    args = await edit_in_editor(command, action["args"])
            else:
                begun = json.dumps(action["args"], ensure_ascii=False)
                args = parse_arguments(await self._ask(self._say("new_args"), begun))
        except NotArgumentsError as error:
            self._output.note(self._say("bad_args", problem=error), fg="red")
            return None
        return {"type": "edit", "args": args}

    async def _read_line(self, key: str) -> str:
        return await self._ask(self._say(key))

    async def _ask(self, prompt: str, begun: str = "") -> str:
        self._output.prompt(prompt)
        line = await self._keyboard.line(begun)
        if line is None:
            self._output.note()
            raise NoOneToAskError(self._say("nobody", tool=""))
        return line


async def save_to_project(
    action: ActionRequest, project: ProjectRules | None, ask: Ask, output: Output, say: Messages
) -> Decision | None:
    """Show the rules and their file, and ask for confirmation; None if they cannot be saved.

    The engine saves the rules when it receives the decision.
    """
    rules = rules_shown_in(action, "project")
    if not rules:
        output.note(say("always_nothing"))
        return None
    if project is None:
        output.note(say("remote_no_project"), fg="yellow")
        return None
    if not project.trusted:
        output.note(say("project_not_trusted"), fg="yellow")
        return None
    output.note(say("project_would_save", path=spell_out(str(project.path))))
    for rule in rules:
        output.note(f"  {rule.action} {rule.tool} {spell_out(rule.resource)}", fg="cyan")
    if (await ask("project_sure")).strip().lower() != "y":
        return None
    return {"type": "approve", "scope": "always", "save": "project"}
