"""Converts rows to core's `MCPServerConfig` and back; secrets are encrypted, bound to their scope.

A ciphertext moved to another tenant, user, project or name does not decrypt.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import RowMapping

from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_server.agents.mcp_servers.mcp_server import MCPServer, ServerScope
from dataagent_server.agents.mcp_servers.secret_masks import STARS, mask_url, mask_values
from dataagent_server.common.ids import TenantId

_PLAIN = (
    "transport", "command", "args", "network", "hosts", "read_paths", "write_paths", "disabled",
    "timeout",
)  # fmt: skip
_SEALED = ("env", "headers", "url", "oauth")


@dataclass(frozen=True, slots=True)
class ServerSealer:
    """Encrypts and decrypts the secrets of servers."""

    cipher: Cipher

    def seal(
        self, tenant_id: TenantId, belongs: ServerScope, config: MCPServerConfig
    ) -> dict[str, Any]:
        """Return the columns a configuration is stored in."""
        values = asdict(config)
        columns = {name: values[name] for name in _PLAIN}
        for name in _SEALED:
            location = _secret_location(tenant_id, belongs, config.name, name)
            value = values[name]
            columns[name] = (
                None if value is None else self.cipher.encrypt(json.dumps(value), location)
            )
        return columns

    def open(self, row: RowMapping) -> MCPServerConfig:
        """Return a configuration with its secrets."""
        found = {name: self._open(row, name) for name in _SEALED}
        if found["oauth"] is not None:
            scopes = tuple(found["oauth"].pop("scopes"))
            found["oauth"] = OAuthSettings(**found["oauth"], scopes=scopes)
        plain = {name: row[name] for name in _PLAIN} | {"disabled": bool(row["disabled"])}
        return MCPServerConfig(name=row["name"], **plain, **found)

    def show(self, row: RowMapping) -> MCPServer:
        """Return a server without its secrets."""
        config = self.open(row)
        oauth = None if config.oauth is None else asdict(config.oauth)
        if oauth is not None and oauth["client_secret"]:
            oauth["client_secret"] = STARS
        values = asdict(config) | {
            "env": mask_values(config.env),
            "headers": mask_values(config.headers),
            "url": mask_url(config.url),
            "oauth": oauth,
        }
        more = {n: row[n] for n in ("created_by", "version", "created_at", "updated_at")}
        return MCPServer(belongs=scope_of(row), **values, **more)

    def _open(self, row: RowMapping, column: str) -> Any:
        if row[column] is None:
            return None
        location = _secret_location(TenantId(row["tenant_id"]), scope_of(row), row["name"], column)
        return json.loads(self.cipher.decrypt(row[column], location))


def scope_of(row: RowMapping) -> ServerScope:
    """Return the scope of a row."""
    return ServerScope(user_id=row["user_id"], project_id=row["project_id"])


def _secret_location(
    tenant_id: TenantId, belongs: ServerScope, name: str, column: str
) -> SecretLocation:
    # No id and no name holds a slash, so the names of two scopes differ.
    return SecretLocation(
        tenant_id, f"MCP server {column}", f"{belongs.user_id}/{belongs.project_id}/{name}"
    )
