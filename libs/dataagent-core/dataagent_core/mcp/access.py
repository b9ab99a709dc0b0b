"""What agents share of MCP: connections, calls that wait for a person, the way to sign in."""

from dataclasses import dataclass, field

from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.programs import ProgramApprovals
from dataagent_core.mcp.tools import HeldCalls, SignInPage


@dataclass(frozen=True, slots=True)
class MCPAccess:
    """Made once per process; whoever makes it closes it."""

    manager: MCPConnectionManager
    held: HeldCalls = field(default_factory=HeldCalls)
    # Where a run's person signs in at a server; in a terminal the terminal sees to it.
    sign_in_page: SignInPage | None = None
    # Programs that are started only after a yes; without it none is asked about.
    programs: ProgramApprovals | None = None

    async def aclose(self) -> None:
        """Give up waiting calls and close every connection."""
        await self.held.aclose()
        await self.manager.aclose()
