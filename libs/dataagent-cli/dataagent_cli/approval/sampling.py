"""A sampling request of an MCP server, as the person reads it before they allow it. Pure.

All of it is shown, message by message. The server's text is indented more than ours, so that it
cannot look like another message or like the question.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from dataagent_cli.approval.action_lines import argument_lines, behind_bar
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.transcript.calls.diff import ScreenLine
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.sampling_policy import SAMPLING

_DEEPER: Final = "    "


def is_sampling(action: ActionRequest) -> bool:
    """Say whether a server asks for an answer of the model; no tool has such a name."""
    return action["name"].startswith("mcp__") and action["name"].endswith(SAMPLING)


def sampling_title(action: ActionRequest, say: Messages) -> str:
    """Name the server that asks."""
    return say("mcp_wants_model", server=spell_out(str(action["args"].get("server", ""))))


def sampling_lines(action: ActionRequest, say: Messages, width_cells: int) -> list[ScreenLine]:
    """Write the whole request, and what an approval means."""
    args = {name: value for name, value in action["args"].items() if name != "server"}
    messages = cast("Sequence[Mapping[str, Any]]", args.pop("messages", ()))
    shown = [(str(one.get("role", "")), str(one.get("text", ""))) for one in messages]
    if system_prompt := args.pop("system_prompt", ""):
        shown.insert(0, (say("mcp_system_prompt"), str(system_prompt)))
    lines: list[ScreenLine] = []
    for role, text in shown:
        lines += behind_bar([ScreenLine(f"[{role}]", "cyan")], width_cells)
        lines += behind_bar(map(ScreenLine, text.split("\n")), width_cells, _DEEPER)
    rest = [line for name, value in args.items() for line in argument_lines(name, value)]
    return [*lines, *behind_bar([*rest, ScreenLine(say("mcp_model_words"), "cyan")], width_cells)]
