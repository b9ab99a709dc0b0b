"""Leaves malformed tools out of a listing, each by itself, and remembers which.

The SDK refuses a whole page of `tools/list` for one tool that is not as the protocol says, and a
server without its page is a server without tools. So a page is looked at before the SDK sees it.
"""

from collections.abc import Mapping
from typing import Any, cast

from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types import ListToolsResult
from mcp_types.methods import validate_server_result
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from dataagent_core.config.mcp_limits import MCP_WARNINGS_PER_SERVER_MAX
from dataagent_core.mcp.connections.reasons import shortened

_METHOD = "tools/list"
_NAME_CHARS_MAX = 100
_WHY_CHARS_MAX = 200


class ToolPages:
    """The pages of one listing; `version` is the protocol the session speaks."""

    def __init__(self) -> None:
        self.version: str = LATEST_HANDSHAKE_VERSION
        self._left_out: list[str] = []

    def begin(self) -> None:
        """Forget what was left out of the listing before."""
        self._left_out = []

    def look_at(self, result: dict[str, Any]) -> None:
        """Take the malformed tools out of a result, if it is a page of tools at all."""
        listed = result.get("tools")
        if not isinstance(listed, list):
            return
        tools = cast("list[object]", listed)
        rest = {key: value for key, value in result.items() if key != "tools"}
        # Most pages are right as a whole; and where the rest is wrong no tool is to blame.
        if self._problem(rest, tools) is None or self._problem(rest, []) is not None:
            return
        kept: list[object] = []
        for number, tool in enumerate(tools, start=1):
            problem = self._problem(rest, [tool])
            if problem is None:
                kept.append(tool)
            else:
                self._left_out.append(f"{_name(tool, number)} ({problem})")
        result["tools"] = kept

    @property
    def note(self) -> str:
        """Name the tools that were left out, in a sentence; empty where none was."""
        if not self._left_out:
            return ""
        shown = self._left_out[:MCP_WARNINGS_PER_SERVER_MAX]
        more = len(self._left_out) - len(shown)
        names = "; ".join(shown) + (f"; and {more} more" if more else "")
        return f"Tools it describes wrongly are left out: {names}."

    def _problem(self, rest: Mapping[str, Any], tools: list[object]) -> str | None:
        page = {**rest, "tools": tools}
        try:
            validate_server_result(_METHOD, self.version, page)
            read = ListToolsResult.model_validate(page, by_name=False)
            # What cannot be written out cannot be kept or shown to a model.
            for tool in read.tools:
                tool.model_dump_json()
                if self.version in MODERN_PROTOCOL_VERSIONS and (
                    wrong := find_invalid_x_mcp_header(tool.input_schema)
                ):
                    return wrong
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"][2:]) or "the tool"
            return shortened(f"{where}: {first['msg']}")[:_WHY_CHARS_MAX]
        except (ValueError, TypeError, RecursionError) as error:
            return shortened(str(error))[:_WHY_CHARS_MAX]
        return None


def _name(tool: object, number: int) -> str:
    if isinstance(tool, dict):
        name = cast("dict[str, object]", tool).get("name")
        if isinstance(name, str) and name:
            return f"{name!r:.{_NAME_CHARS_MAX}}"
    return f"number {number} of its list"
