"""`/server:prompt name=value`: sends a prompt of an MCP server as a message.

The message shows the typed text and, between marks, the server's text: the person reads exactly
what is sent. The server's text is attached as text of others.
"""

import json
import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from dataagent_cli.conversation.port import AttachedText
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.commands.command import Shell
from dataagent_core.errors import ValidationError

if TYPE_CHECKING:
    from dataagent_core.mcp.tools import OfferedPrompt

_TYPED: Final = re.compile(r"/([\w.-]+):(\S+)(?:\s+(.*))?", re.DOTALL)
_NAMED: Final = re.compile(r"([\w.-]+)=(.*)", re.DOTALL)


async def send_prompt(shell: Shell, text: str) -> bool:
    """Send a server's prompt; return whether the text names one."""
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        return False
    await shell.workbench.ready()
    server, name, rest = found[1], found[2], found[3] or ""
    if server not in await shell.workbench.server_names():
        return False
    known = {prompt.name: prompt for prompt in await shell.workbench.prompts(server)}
    arguments: dict[str, str] = {}
    if name in known:
        arguments = await _ask_missing(shell, known[name], parse_arguments(rest, known[name]))
    content = await shell.workbench.prompt(server, name, arguments)
    given = " ".join(f"{key}={shlex.quote(value)}" for key, value in arguments.items())
    words = AttachedText(_mark_text(server, name, content), f"the MCP server {server!r}")
    await shell.send(f"/{server}:{name} {given}".rstrip(), words)
    return True


def parse_arguments(text: str, prompt: "OfferedPrompt") -> dict[str, str]:
    """Read `name=value` words; other words fill the remaining parameters in order. Pure."""
    names = [one.name for one in prompt.parameters]
    given: dict[str, str] = {}
    others: list[str] = []
    for word in _words(text):
        found = _NAMED.fullmatch(word)
        if found is not None:
            given[found[1]] = found[2]
        else:
            others.append(word)
    left = [name for name in names if name not in given]
    if len(left) == 1 and others:
        others = [" ".join(others)]
    if len(others) > len(left):
        raise ValidationError(
            f"the prompt {prompt.name!r} takes {prompt.usage or 'no arguments'}; "
            f"{others[len(left)]!r:.100} is one too many."
        )
    return given | dict(zip(left, others, strict=False))


async def _ask_missing(
    shell: Shell, prompt: "OfferedPrompt", arguments: dict[str, str]
) -> dict[str, str]:
    """Ask for missing arguments; the error names those that are still missing."""
    prompt.check_names(arguments)
    for parameter in prompt.parameters:
        if parameter.required and not arguments.get(parameter.name):
            about = f" ({one_line(parameter.about)})" if parameter.about else ""
            label = shell.app.say("repl_prompt_argument", name=parameter.name, about=about)
            answer = await shell.ask(label)
            if not answer:
                break
            arguments[parameter.name] = answer
    prompt.check(arguments)
    return arguments


def _words(text: str) -> Sequence[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an apostrophe is not an open quote
        return text.split()


def _mark_text(server: str, name: str, content: str) -> str:
    mark, number = "mcp-prompt", 1
    while f"</{mark}>" in content:
        number += 1
        mark = f"mcp-prompt-{number}"
    shown = json.dumps(name, ensure_ascii=False).replace("<", r"\u003c")
    return f'<{mark} server="{server}" name={shown}>\n{content}\n</{mark}>'
