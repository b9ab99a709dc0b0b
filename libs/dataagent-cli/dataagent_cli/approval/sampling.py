"""A server's request for an answer of the model, as a person reads it before they allow it. Pure.

All of it is shown, message by message. The server's words stand deeper than ours, so that no text
looks like another message or like what is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from dataagent_cli.approval.action_lines import argument_lines, behind_bar
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import spelled_out
from dataagent_cli.transcript.calls.diff import ScreenLine
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.sampling_policy import SAMPLING

_DEEPER: Final = "    "


def is_sampling(action: ActionRequest) -> bool:
    """Say whether a server wants the model to answer; no tool has such a name."""
    return action["name"].startswith("mcp__") and action["name"].endswith(SAMPLING)


def sampling_title(action: ActionRequest, say: Messages) -> str:
    """Say who asks."""
    return say("mcp_wants_model", server=spelled_out(str(action["args"].get("server", ""))))


def sampling_lines(action: ActionRequest, say: Messages, width_cells: int) -> list[ScreenLine]:
    """Give the whole request, and what a yes means."""
    args = {name: value for name, value in action["args"].items() if name != "server"}
    messages = cast("Sequence[Mapping[str, Any]]", args.pop("messages", ()))
    said = [(str(one.get("role", "")), str(one.get("text", ""))) for one in messages]
    if system_prompt := args.pop("system_prompt", ""):
        said.insert(0, (say("mcp_system_prompt"), str(system_prompt)))
    lines: list[ScreenLine] = []
    for who, text in said:
        lines += behind_bar([ScreenLine(f"[{who}]", "cyan")], width_cells)
        lines += behind_bar(map(ScreenLine, text.split("\n")), width_cells, _DEEPER)
    rest = [line for name, value in args.items() for line in argument_lines(name, value)]
    return [*lines, *behind_bar([*rest, ScreenLine(say("mcp_model_words"), "cyan")], width_cells)]
