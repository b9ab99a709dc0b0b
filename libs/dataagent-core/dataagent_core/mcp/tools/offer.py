"""`ToolOffer`: a tool of a server as the agent sees it: renamed, sanitized, checked. Pure.

The fingerprint covers the server, the name, the description and the arguments of the tool. A server
may change any of them; then the fingerprint changes and the approval of a user no longer holds.
Secrets (`env`, headers) are not part of it, so that a new token does not ask again.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataagent_core.config.limits.mcp import (
    MCP_DESCRIPTION_CHARS_MAX,
    MCP_DESCRIPTION_SHOWN_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.tool_names import tool_name
from dataagent_core.mcp.tools.clean_text import clean_text, in_one_line
from dataagent_core.mcp.tools.input_schema import (
    arguments_schema,
    check_input_schema,
    make_provider_schema,
)
from dataagent_core.tools.definition.tool_origin import (
    make_mcp_origin,
    make_origin_metadata,
    make_outside_metadata,
)
from dataagent_core.tools.effects import effect_metadata

if TYPE_CHECKING:
    from mcp_types import Tool

_CHARS = 32


def fingerprint(config: MCPServerConfig, tool: "Tool") -> str:
    """Hash what an approval of this tool relies on."""
    annotations = tool.annotations
    identity = {
        "server": [config.name, config.transport, config.command, config.args, config.url],
        "tool": [tool.name, tool.title, tool.description, tool.input_schema],
        "annotations": None if annotations is None else annotations.model_dump(mode="json"),
    }
    text = json.dumps(identity, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_CHARS]


_NAME_SHOWN_CHARS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """One tool as the agent sees it; `tool` is the server's own name for it."""

    server: str
    tool: str
    # As the server lists it.
    listed: "Tool"
    name: str
    description: str
    schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    fingerprint: str
    once_only: bool

    @property
    def shown_schema(self) -> dict[str, Any]:
        """The schema of the arguments as providers accept it."""
        return make_provider_schema(self.schema)

    @property
    def metadata(self) -> dict[str, Any]:
        """The tool's origin, effect, version and description for approvals."""
        return {
            # Whatever the server says: its effects are unknown.
            **effect_metadata("irreversible"),
            **make_origin_metadata(make_mcp_origin(self.server)),
            **make_outside_metadata(
                version=self.fingerprint, shown_as=self._shown_as(), once_only=self.once_only
            ),
        }

    def _shown_as(self) -> str:
        tool = in_one_line(self.tool, _NAME_SHOWN_CHARS_MAX)
        words = in_one_line(self.description, MCP_DESCRIPTION_SHOWN_CHARS_MAX)
        return (
            f"This is the tool {tool!r} of the MCP server {self.server!r}. The server says of it, "
            f"and nobody has checked: {words!r}"
        )


def offer_of(config: MCPServerConfig, tool: "Tool", tenant: str) -> ToolOffer:
    """Make the offer of a listed tool; `ValidationError` says why it cannot be offered."""
    description = tool.description or tool.title or ""
    hints = tool.annotations
    return ToolOffer(
        server=config.name,
        tool=tool.name,
        listed=tool,
        name=tool_name(tenant, config.name, tool.name),
        description=clean_text(description, MCP_DESCRIPTION_CHARS_MAX)
        or "(The server says nothing of it.)",
        schema=arguments_schema(tool.input_schema),
        output_schema=_check_output_schema(tool.output_schema),
        fingerprint=fingerprint(config, tool),
        # The only hint that tightens. `read_only` is a claim and loosens nothing.
        once_only=hints is not None and hints.destructive_hint is True,
    )


def _check_output_schema(schema: dict[str, Any] | None) -> dict[str, Any] | None:
    if schema is None or schema.get("type", "object") != "object":
        return None
    try:
        return check_input_schema(schema)
    except ValidationError:
        # A schema that cannot be checked counts as none.
        return None
