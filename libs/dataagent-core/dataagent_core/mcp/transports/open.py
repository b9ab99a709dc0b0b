"""The composition of this package: which transport a configuration gets, and with what rules.

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
    place: ProgramPolicy | None,
    dialable: "Dialable | None" = None,
    auth: AuthFor | None = None,
    variables: Mapping[str, str] | None = None,
) -> OpenTransport:
    """Give what opens transports.

    `place` is where programs run; without one they are refused. `dialable` judges the addresses of
    URLs where they are dialled; without one any may be. `variables` are those that a configuration
    may name as `${VAR}`: a person's own environment in the CLI, and none of ours for a tenant.
    """

    def open_transport(owner: Owner, config: MCPServerConfig) -> "Transport":
        return _opened(_Rules(place, dialable, auth, variables or {}), owner, config)

    return open_transport


class _Rules:
    def __init__(
        self,
        place: ProgramPolicy | None,
        dialable: "Dialable | None",
        auth: AuthFor | None,
        variables: Mapping[str, str],
    ) -> None:
        self._place = place
        self._dialable = dialable
        self._auth = auth
        self._variables = variables

    def transport(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        """Choose by what the configuration says."""
        config = expand_variables(config, self._variables)
        match config.transport:
            case "stdio":
                return self._program(owner, config)
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

    def _program(self, owner: Owner, config: MCPServerConfig) -> "Transport":
        from dataagent_core.mcp.transports.program.plain_program import start_plain
        from dataagent_core.mcp.transports.program.secret_filter import SecretFilter
        from dataagent_core.mcp.transports.program.start_program import start_sandboxed
        from dataagent_core.mcp.transports.program.stdio import stdio_transport

        place = self._place
        if place is None:
            raise MCPServerError(config.name, NO_PROGRAMS)

        async def start() -> "RunningProgram":
            if place.sandboxed:
                return await start_sandboxed(owner, config, place, os.environ)
            return await start_plain(config, place, os.environ)

        return stdio_transport(config.name, start, SecretFilter.of(config))


@asynccontextmanager
async def _opened(
    rules: _Rules, owner: Owner, config: MCPServerConfig
) -> "AsyncGenerator[TransportStreams]":
    """Enter the transport; what keeps it from opening is said in a sentence."""
    async with AsyncExitStack() as stack:
        try:
            streams = await stack.enter_async_context(rules.transport(owner, config))
        except Exception as error:
            # Whatever it was, this server cannot be used, and the others can.
            from dataagent_core.mcp.transports.problems import problem_of

            problem = problem_of(error, config.name)
            if problem is error:
                raise
            raise problem from error
        yield streams
