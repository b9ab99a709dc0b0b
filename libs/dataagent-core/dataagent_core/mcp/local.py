"""The MCP connections of one person on their own machine: their tokens, environment and sandbox.

What a server with many tenants allows instead is put together there.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config import Settings
from dataagent_core.config.limits.mcp import MCP_LOCAL_SERVERS_MAX
from dataagent_core.ids import checked_id
from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager
from dataagent_core.mcp.ports import OffersSampling, no_sampling
from dataagent_core.mcp.roots import no_roots, roots_in
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy
from dataagent_core.sandbox.paths.path_masks import DeniedFolder
from dataagent_core.secrets import Cipher, open_keyring

if TYPE_CHECKING:
    from dataagent_core.mcp.oauth import FileTokenStore


def local_manager(
    settings: Settings,
    *,
    sandboxed: bool = True,
    denied: Sequence[DeniedFolder] = (),
    workspace: Path | None = None,
    offers_sampling: OffersSampling = no_sampling,
) -> MCPConnectionManager:
    """Make the manager; nothing is connected yet. Whoever makes it closes it.

    `workspace` is told as a root to programs that may see it. Which servers are told that they may
    ask for answers of a model is `offers_sampling`'s to say; without a run there is none to ask.
    """
    from dataagent_core.mcp.oauth import auth_for

    place = ProgramPolicy(
        folder=local_homes(settings),
        # A server a person adds themselves may reach what they may.
        network="full",
        kept_away=(settings.home, settings.secret_key_path),
        sandboxed=sandboxed,
        denied=tuple(denied),
    )
    opener = transport_opener(
        place=place, auth=auth_for(local_tokens(settings)), variables=os.environ
    )
    limits = ConnectionLimits(
        servers_per_user=MCP_LOCAL_SERVERS_MAX, connections_per_user=MCP_LOCAL_SERVERS_MAX
    )
    return MCPConnectionManager(
        opener,
        limits,
        listings_folder=settings.home / "mcp" / "listings",
        roots_for=(
            no_roots
            if workspace is None
            else roots_in(workspace, sandboxed=sandboxed, variables=os.environ)
        ),
        offers_sampling=offers_sampling,
    )


def local_homes(settings: Settings) -> Path:
    """Name the folder in which servers keep what they fetched."""
    return settings.home / "mcp" / "homes"


def local_tokens(settings: Settings) -> "FileTokenStore":
    """Open the person's tokens, which lie beside their `mcp.json`."""
    from dataagent_core.mcp.oauth import FileTokenStore
    from dataagent_core.mcp.oauth.file_store import AUTH_FILE

    def cipher() -> Cipher:
        return Cipher(open_keyring(settings.secret_key_path))

    assistant_id = checked_id(settings.assistant_id, "assistant id")
    return FileTokenStore(settings.home / "agents" / assistant_id / AUTH_FILE, cipher)
