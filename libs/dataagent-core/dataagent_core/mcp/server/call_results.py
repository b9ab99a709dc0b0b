"""Builds the answer to a call: text and structure, bounded; errors in the form of our API."""

import json
from collections.abc import Sequence
from typing import Any, Final

from fastmcp.tools.base import ToolResult
from langchain_core.messages import ToolMessage
from mcp_types import ContentBlock, ResourceLink, TextContent

from dataagent_core.config.limits.mcp import MCP_SERVED_OUTPUT_BYTES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.language.unicode_text import storable
from dataagent_core.mcp.server.resource_addresses import result_address
from dataagent_core.tools.data.receipts.result_facts import RESULT_KEY, read_result_facts
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY
from dataagent_core.tools.output.output_bounds import truncate_by_bytes

ERROR_CODE: Final = "error_code"


def answer_of(message: ToolMessage, files: Sequence[ContentBlock] = ()) -> ToolResult:
    """Answer with a tool's text, its result, and the files it made or the pictures it read."""
    if message.status == "error":
        return error_result("TOOL_EXECUTION_ERROR", message.text)
    facts: dict[str, Any] = message.artifact if isinstance(message.artifact, dict) else {}
    structured: dict[str, Any] = {}
    content: list[ContentBlock] = [_make_text(message.text)]
    if (result := read_result_facts(facts)) is not None:
        structured[RESULT_KEY] = result
        content.append(
            ResourceLink(
                type="resource_link",
                name=str(result["result_id"]),
                uri=result_address(str(result["result_id"])),
                mime_type="application/json",
            )
        )
    if ARTIFACTS_KEY in facts:
        structured[ARTIFACTS_KEY] = facts[ARTIFACTS_KEY]
    content += files
    return ToolResult(content=content, structured_content=structured or None)


def answer_with(
    text: str, structured: dict[str, Any], files: Sequence[ContentBlock] = ()
) -> ToolResult:
    """Answer with a text, the same as structured fields, and the files that were made."""
    return ToolResult(
        content=[_make_text(text), *files], structured_content=limit_result(structured)
    )


def error_result(code: str, message: str, details: dict[str, Any] | None = None) -> ToolResult:
    """Answer a call that failed."""
    text = truncate_by_bytes(storable(message), MCP_SERVED_OUTPUT_BYTES_MAX).text
    error = {ERROR_CODE: code, "message": text, "details": details}
    return ToolResult(content=[_make_text(text)], structured_content=error, is_error=True)


def failure_of(error: DataAgentError) -> ToolResult:
    """Answer with one of our errors, in the form REST uses."""
    return error_result(error.code, str(error) or error.code, getattr(error, "details", None))


def limit_result(structured: dict[str, Any]) -> dict[str, Any]:
    """Leave out nested values if the structure is larger than an answer may be."""
    clean: dict[str, Any] = storable(structured)
    size_bytes = len(json.dumps(clean, default=str))
    if size_bytes <= MCP_SERVED_OUTPUT_BYTES_MAX:
        return clean
    small = {name: value for name, value in clean.items() if not isinstance(value, (dict, list))}
    return {**small, "left_out": f"{size_bytes} bytes of structure"}


def _make_text(text: str) -> TextContent:
    cut = truncate_by_bytes(storable(text), MCP_SERVED_OUTPUT_BYTES_MAX)
    more = f"\n({cut.bytes_left_out} more bytes left out)" if cut.bytes_left_out else ""
    return TextContent(type="text", text=cut.text + more)
