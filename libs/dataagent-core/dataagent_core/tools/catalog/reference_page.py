"""The reference page of tools, for `docs/tools.md`: every tool, its effect and its purpose."""

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from dataagent_core.tools.catalog.catalog_text import shorten_purpose
from dataagent_core.tools.effects import read_effect

_PURPOSE_CHARS_MAX = 160

_HEAD = """\
# Tools

What each built-in tool does to the world decides what happens to a call whose outcome nobody knows,
because the process died in the middle of it. Made from the code by `python docs/generate.py`.

| effect | meaning | on resume |
|---|---|---|
| pure | only reads | runs again |
| idempotent | twice is the same as once | runs again |
| compensable | can be checked or undone | a probe or a person decides |
| irreversible | may have happened | a person decides |

A tool that states no effect counts as irreversible; so do MCP tools.

| tool | effect | purpose |
|---|---|---|
"""


def render_tools_page(tools: Sequence[BaseTool]) -> str:
    """Describe the tools, by name."""
    rows = [
        f"| `{tool.name}` | {read_effect(tool)} | {_cell(tool.description)} |\n"
        for tool in sorted(tools, key=lambda tool: tool.name)
    ]
    return _HEAD + "".join(rows)


def _cell(description: str) -> str:
    return shorten_purpose(description, _PURPOSE_CHARS_MAX).replace("|", "\\|")
