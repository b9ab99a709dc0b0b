"""What all tools of one server share: the connection, whose it is, and where things are kept."""

from collections.abc import Callable
from dataclasses import dataclass

from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Connection
from dataagent_core.mcp.tools.held_calls import HeldCalls
from dataagent_core.mcp.tools.sampling import SamplingHandler
from dataagent_core.sandbox.files.safe_root import SafeRoot

# Gives the address where the person of a run (its id) signs in at a server (its name).
SignInPage = Callable[[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MCPToolContext:
    """One server as its tools know it."""

    owner: Owner
    connection: Connection
    held: HeldCalls
    # The workspace, for pictures and files in results.
    files: SafeRoot | None = None
    sign_in_page: SignInPage | None = None
    # Decides about and answers the server's requests for the agent's model; None refuses them.
    sampling: SamplingHandler | None = None

    def connected(self) -> bool:
        """Say whether the server is there just now."""
        return self.connection.status.state == "connected"

    def speaks_modern(self) -> bool:
        """Say whether a question ends the request, so that nothing is held open at the server."""
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        return self.connection.status.protocol_version in MODERN_PROTOCOL_VERSIONS
