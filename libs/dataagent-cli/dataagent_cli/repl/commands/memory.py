"""/memory: what the agent remembers: which memories the last answer was given, and its notes.

`wrong N` and `forget N` are about the memories of the last answer, by the numbers shown; all other
words are those of the program's own command.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import needs_idle, needs_this_machine, workspace_of
from dataagent_cli.repl.commands.outside import run_program
from dataagent_cli.transcript.memory_lines import say_memory
from dataagent_core.errors import NotFoundError

WORDS: Final = (
    "wrong", "forget", "add", "list", "search", "show", "export", "doctor", "on", "off",
)  # fmt: skip
_LINES_MAX: Final = 100
_NUMBER_CHARS_MAX: Final = 3


async def memory(shell: Shell, argument: str) -> None:
    """Show what is remembered, or change it."""
    word, _, rest = argument.strip().partition(" ")
    match word:
        case "":
            await _show(shell)
        case "wrong":
            await _mark_wrong(shell, rest)
        case "forget":
            await _forget(shell, rest)
        case "on" | "off":
            await shell.conversation.record.want_memory(wanted=word == "on")
            shell.output.note(shell.app.say(f"memory_switched.{word}"))
        case _:
            needs_this_machine(shell, "memory")
            needs_idle(shell)
            await run_program(shell, "memory", argument)


async def _show(shell: Shell) -> None:
    say = shell.app.say
    recalled = await shell.conversation.record.recalled()
    shell.output.note(say("memory_used" if recalled else "memory_used_none"), bold=bool(recalled))
    for number, one in enumerate(recalled, start=1):
        shell.output.note(f"  {number}. {say_memory(one, say)}")
    if shell.conversation.facts.server is None:
        await _show_notes(shell)
    shell.output.note(say("command_memory_how"), dim=True)


async def _show_notes(shell: Shell) -> None:
    """Show the notes and instructions that the agent reads before every run."""
    from dataagent_core.memory import memory_files, read_memory

    settings, say = shell.app.settings, shell.app.say
    files = memory_files(settings.ensure_agent_dir(settings.assistant_id), workspace_of(shell))
    for file in files:
        text = await asyncio.to_thread(read_memory, [file])
        shell.output.note(f"{file.shown_path}  {one_line(str(file.path))}", bold=bool(text))
        # The first two lines repeat the file's name.
        lines = sanitize_text(text).split("\n")[2:]
        for line in lines[:_LINES_MAX]:
            shell.output.note(f"  {line.expandtabs(4)}")
        if len(lines) > _LINES_MAX:
            more = say("more_lines", count=len(lines) - _LINES_MAX)
            shell.output.note(f"  {more}", dim=True)
        if not text:
            shell.output.note(f"  {say('command_no_memory')}", dim=True)


async def _mark_wrong(shell: Shell, argument: str) -> None:
    """Call a memory of the last answer wrong, and say so where no event of it is shown."""
    number, _, correction = argument.strip().partition(" ")
    found = await _find_recalled(shell, number)
    record = shell.conversation.record
    corrected = await record.mark_wrong(str(found["id"]), correction.strip())
    if corrected is None:
        return
    for change, memory in (
        ("retired", corrected["memory"]),
        ("added", corrected["replacement"]),
    ):
        if memory is not None:
            content = one_line(str(memory["content"]))
            shell.output.note(shell.app.say(f"memory_change.{change}", content=content))


async def _forget(shell: Shell, argument: str) -> None:
    """Remove a memory of the last answer, and print the receipt."""
    found = await _find_recalled(shell, argument.strip())
    receipt = await shell.conversation.record.forget(str(found["id"]))
    say, notes = shell.app.say, int(receipt["notes_changed"])
    removed = sum(map(int, receipt["removed"].values())) + notes
    left = sum(map(int, receipt["remaining"].values()))
    shell.output.note(say("memory_receipt", removed=removed, left=left))
    for session in dict.fromkeys(str(one["session_id"]) for one in receipt["still_in"]):
        shell.output.note(say("memory_still_in", session=one_line(session)), dim=True)


async def _find_recalled(shell: Shell, number: str) -> Mapping[str, Any]:
    """Find a memory of the last answer by its number."""
    recalled = await shell.conversation.record.recalled()
    digits = number.lstrip("#")
    if digits.isascii() and digits.isdecimal() and len(digits) <= _NUMBER_CHARS_MAX:
        place = int(digits)
        if 1 <= place <= len(recalled):
            return recalled[place - 1]
    say = shell.app.say
    raise NotFoundError(say("memory_no_number", given=one_line(number), count=len(recalled)))
