"""What came of connecting a person's servers: some tools, and some sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_types import Tool


@dataclass(frozen=True, slots=True)
class ConnectResult:
    """Both by the server's name; a server may have tools from before and a problem now."""

    tools: "Mapping[str, tuple[Tool, ...]]"
    problems: Mapping[str, str]
