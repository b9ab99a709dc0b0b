"""Calls the file tools as the engine does, by name."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import ToolMessage

from dataagent_core.sandbox.files.root import Root
from dataagent_core.tools.files import make_file_tools

Run = Callable[..., str]


def runner(root: Root, **parts: Any) -> Run:
    """Make the tools over a root, and a function that calls one of them."""
    tools = {tool.name: tool for tool in make_file_tools(root, **parts)}

    def run(tool: str, **args: Any) -> str:
        call = {"name": tool, "args": args, "id": "1", "type": "tool_call"}
        message: ToolMessage = tools[tool].invoke(call)
        return message.text

    return run
