"""What agents share of MCP: connections, held calls and the sign-in page."""

from dataclasses import dataclass, field

from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.programs import ProgramApprovals
from dataagent_core.mcp.tools import HeldCalls, SignInPage


@dataclass(frozen=True, slots=True)
class MCPAccess:
    """Created once per process; its creator closes it."""

    manager: MCPConnectionManager
    held: HeldCalls = field(default_factory=HeldCalls)
    # The page where a run's person signs in; None in a terminal, which signs in itself.
    sign_in_page: SignInPage | None = None
    # Programs that are started only after an approval; None asks about none.
    programs: ProgramApprovals | None = None

    async def aclose(self) -> None:
        """Cancel held calls and close every connection."""
        await self.held.aclose()
        await self.manager.aclose()
