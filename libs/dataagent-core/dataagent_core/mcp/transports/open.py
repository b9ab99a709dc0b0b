"""Opens the transport that a configuration names, with the rules of the host.

Everything of the SDK is imported when a transport is entered, so that importing this is cheap.
"""

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.configuration.variables import expand_variables
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import AuthFor, OpenTransport
from dataagent_core.mcp.transports.program.program_policy import ProgramPolicy

if TYPE_CHECKING:
    from mcp.client import Transport
    from mcp.client._transport import TransportStreams

    from dataagent_core.mcp.transports.http.checked_dial import Dialable
    from dataagent_core.mcp.transports.program.running_program import RunningProgram

NO_PROGRAMS = (
    "is a program, and programs are not started here. Use a server with a URL, or ask the person "
    "who runs DataAgent to allow programs."
)


def transport_opener(
    *,
    policy: ProgramPolicy | None,
    dialable: "Dialable | None" = None,
    auth: AuthFor | None = None,
    variables: Mapping[str, str] | None = None,
) -> OpenTransport:
    """Return a function that opens transports.

    `policy` limits programs; without one they are refused. `dialable` selects the addresses that
    may be dialled; without one any may. `variables` are those that a configuration may name as
    `${VAR}`: a person's own environment in the CLI, and none of ours for a tenant.
    """

    def open_transport(owner: Owner, config: MCPServerConfig) -> "Transport":
        return _enter_transport(
            _TransportRules(policy, dialable, auth, variables or {}), owner, config
        )

    return open_transport


class _TransportRules:
    def __init__(
        self,
        policy: ProgramPolicy | None,
        dialable: "Dialable | None",
        auth: AuthFor | None,
        variables: Mapping[str, str],
    ) -> None:
        self._policy = policy
        self._dialable = dialable
        self._auth = auth
        self._variables = variables

    def transport(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        config = expand_variables(config, self._variables)
        match config.transport:
            case "stdio":
                return self._open_program(owner, config)
            case "http":
                from dataagent_core.mcp.transports.http.streamable_http import http_transport

                auth = self._auth(owner, config) if self._auth else None
                return http_transport(config, self._dialable, auth)
            case "sse":
                from dataagent_core.mcp.transports.http.sse import sse_transport

                auth = self._auth(owner, config) if self._auth else None
                return sse_transport(config, self._dialable, auth)
            case "ws":
                from dataagent_core.mcp.transports.http.websocket import websocket_transport

                return websocket_transport(config, self._dialable)

    def _open_program(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        from dataagent_core.mcp.transports.program.plain_program import start_plain
        from dataagent_core.mcp.transports.program.secret_filter import SecretFilter
        from dataagent_core.mcp.transports.program.start_program import start_sandboxed
        from dataagent_core.mcp.transports.program.stdio import stdio_transport

        policy = self._policy
        if policy is None:
            raise MCPServerError(config.name, NO_PROGRAMS)

        async def start() -> "RunningProgram":
            if policy.sandboxed:
                return await start_sandboxed(owner, config, policy, os.environ)
            return await start_plain(config, policy, os.environ)

        return stdio_transport(config.name, start, SecretFilter.of(config))


@asynccontextmanager
async def _enter_transport(
    rules: _TransportRules, owner: Owner, config: MCPServerConfig
) -> "AsyncGenerator[TransportStreams]":
    """Enter the transport; a failure becomes an error about the server."""
    async with AsyncExitStack() as stack:
        try:
            streams = await stack.enter_async_context(rules.transport(owner, config))
        except Exception as error:
            # Any failure concerns this server only.
            from dataagent_core.mcp.transports.problems import problem_of

            problem = problem_of(error, config.name)
            if problem is error:
                raise
            raise problem from error
        yield streams
