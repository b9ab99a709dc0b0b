"""What all tools of one server share: owner, connection, held calls and workspace."""

from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Connection
from dataagent_core.mcp.tools.held_calls import HeldCalls
from dataagent_core.mcp.tools.sampling import SamplingHandler
from dataagent_core.sandbox.files.safe_root import SafeRoot

# Returns the sign-in page for a run id and a server name.
SignInPage = Callable[[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPToolContext:
    """One server as its tools see it."""

    owner: Owner
    connection: Connection
    held: HeldCalls
    # The workspace, for pictures and files in results.
    files: SafeRoot | None = None
    sign_in_page: SignInPage | None = None
    # Decides on and answers the server's requests to the agent's model; None refuses them.
    sampling: SamplingHandler | None = None

    def is_connected(self) -> bool:
        return self.connection.status.state == "connected"

    def speaks_modern(self) -> bool:
        """Return whether a question ends the request, so that the server holds nothing open."""
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        return self.connection.status.protocol_version in MODERN_PROTOCOL_VERSIONS
