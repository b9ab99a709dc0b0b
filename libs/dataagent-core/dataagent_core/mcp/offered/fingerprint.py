"""What makes a tool the tool a person allowed: which server, its name, its words, its arguments.

A server may change any of these at any time. The fingerprint then changes, and what was allowed is
no longer allowed. Secrets (`env`, headers) are not part of it, or every new token would ask again.
"""

import hashlib
import json
from typing import TYPE_CHECKING

from dataagent_core.mcp.config import MCPServerConfig

if TYPE_CHECKING:
    from mcp_types import Tool

_CHARS = 32


def fingerprint(config: MCPServerConfig, tool: "Tool") -> str:
    """Hash what an answer about this tool relies on."""
    annotations = tool.annotations
    identity = {
        "server": [config.name, config.transport, config.command, config.args, config.url],
        "tool": [tool.name, tool.title, tool.description, tool.input_schema],
        "annotations": None if annotations is None else annotations.model_dump(mode="json"),
    }
    text = json.dumps(identity, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_CHARS]
