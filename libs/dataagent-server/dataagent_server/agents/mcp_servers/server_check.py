"""Decides whether a server may be stored: core's checks, the tenant's policy, its address."""

import asyncio
import os
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from dataagent_core.errors import ConfigurationError, MCPServerError, ValidationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.configuration.config_file import config_from
from dataagent_core.mcp.configuration.variables import expand_variables
from dataagent_core.mcp.transports.program.command import check_allowed, find_program
from dataagent_server.agents.credentials.base_url_check import BaseUrlCheck
from dataagent_server.agents.mcp_servers.mcp_policy import WORKSPACE, why_not_started
from dataagent_server.agents.mcp_servers.policy_service import ProgramRules
from dataagent_server.db.tables.mcp import COMMAND_CHARS_MAX
from dataagent_server.identity.auth import Principal

_WHERE: Final = "The request"
# WebSockets are dialled like HTTP.
_AS_WEB: Final = {"ws": "http", "wss": "https"}


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """Resolves the address of a server and decides."""

    addresses: BaseUrlCheck

    def read(self, data: dict[str, Any]) -> MCPServerConfig:
        """Read one server as from a file; core checks its fields."""
        entry = {name: value for name, value in data.items() if value is not None}
        if entry.get("oauth"):
            entry["oauth"] = entry["oauth"] | {"scopes": list(entry["oauth"].get("scopes") or ())}
        (config,) = config_from({"servers": [entry]}, _WHERE).servers
        if len(config.command) > COMMAND_CHARS_MAX:
            raise ValidationError(
                f"The command has {len(config.command):,} characters; {COMMAND_CHARS_MAX} fit."
            )
        _check_variables(config)
        return config

    async def require_allowed(
        self, config: MCPServerConfig, rules: ProgramRules, principal: Principal
    ) -> None:
        """Refuse what may not be started or reached from this tenant.

        The only user of a server is asked before a program starts, not here.
        """
        if config.transport == "stdio":
            if rules.sole_owner == principal.user_id and not rules.programs_off:
                return
            reason = why_not_started(config, rules.policy, programs_off=rules.programs_off)
            if reason is not None:
                raise ValidationError(f"The server {config.name!r} {reason}")
            await asyncio.to_thread(_check_program, config, rules)
            return
        for address in list_addresses(config):
            await self.require_reachable(address)

    async def require_reachable(self, url: str) -> None:
        """Refuse an address that tenants may not dial."""
        if "${" in url:
            raise ValidationError("On a server an address holds no variables: write it out.")
        if "@" in urlsplit(url).netloc:
            raise ValidationError(
                "The address holds a user name or password, which would be shown. Send an "
                "Authorization header instead, in `headers`."
            )
        scheme, _, rest = url.partition("://")
        scheme = scheme.lower()
        await self.addresses.check(f"{_AS_WEB.get(scheme, scheme)}://{rest}")


def _check_program(config: MCPServerConfig, rules: ProgramRules) -> None:
    try:
        program = find_program(config, os.environ)
        check_allowed(config, program, rules.policy.commands, os.environ)
    except MCPServerError as error:
        raise ValidationError(str(error)) from None


def list_addresses(config: MCPServerConfig) -> list[str]:
    """List every address a configuration names."""
    oauth = config.oauth
    named = [config.url]
    if oauth is not None:
        named += [oauth.authorization_endpoint, oauth.token_endpoint]
    return [address for address in named if address]


def _check_variables(config: MCPServerConfig) -> None:
    try:
        expand_variables(config, {WORKSPACE: "/"})
    except ConfigurationError as error:
        raise ValidationError(
            f"{error} On a server only ${{{WORKSPACE}}} is known, the folder of whoever uses it; "
            "write the value itself, it is kept encrypted."
        ) from None
