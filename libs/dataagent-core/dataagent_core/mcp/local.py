"""The MCP connections of one person on their own machine: their tokens, environment and sandbox.

A server with many tenants composes its own.
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
    """Make the manager; nothing is connected yet. The caller closes it.

    `workspace` is the root of programs that may see it. `offers_sampling` decides which servers are
    offered a model; without a run there is none.
    """
    from dataagent_core.mcp.oauth import auth_for

    policy = ProgramPolicy(
        folder=local_homes(settings),
        # A server a person adds may reach what the person may reach.
        network="full",
        kept_away=(settings.home, settings.secret_key_path),
        sandboxed=sandboxed,
        denied=tuple(denied),
    )
    opener = transport_opener(
        policy=policy, auth=auth_for(local_tokens(settings)), variables=os.environ
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
    """Return the folder of the servers' home folders."""
    return settings.home / "mcp" / "homes"


def local_tokens(settings: Settings) -> "FileTokenStore":
    """Open the person's tokens, which are stored beside `mcp.json`."""
    from dataagent_core.mcp.oauth import FileTokenStore
    from dataagent_core.mcp.oauth.file_store import AUTH_FILE

    def cipher() -> Cipher:
        return Cipher(open_keyring(settings.secret_key_path))

    assistant_id = checked_id(settings.assistant_id, "assistant id")
    return FileTokenStore(settings.home / "agents" / assistant_id / AUTH_FILE, cipher)
