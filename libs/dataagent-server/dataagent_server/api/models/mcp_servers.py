"""MCP servers, as the API takes and shows them (S0's fields first)."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from dataagent_core.config.limits.mcp import (
    MCP_ITEMS_MAX,
    MCP_TEXT_CHARS_MAX,
    MCP_TIMEOUT_S_MAX,
    MCP_TIMEOUT_S_MIN,
)
from dataagent_core.errors import ValidationError
from dataagent_core.mcp.config import TransportKind
from dataagent_core.mcp.ports import ServerState, ServerStatus
from dataagent_core.sandbox.port import Network
from dataagent_server.agents.mcp_servers.limits import POLICY_ENTRIES_MAX, POLICY_TEXT_CHARS_MAX
from dataagent_server.agents.mcp_servers.mcp_server import MCPServer, Scope, ServerChanges
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, without_nul
from dataagent_server.db.tables.mcp import COMMAND_CHARS_MAX

_Text = Annotated[
    str, StringConstraints(max_length=MCP_TEXT_CHARS_MAX), AfterValidator(without_nul)
]
_Texts = Annotated[list[_Text], Field(max_length=MCP_ITEMS_MAX)]
_Secret = Annotated[SecretStr, Field(max_length=MCP_TEXT_CHARS_MAX)]
_Secrets = Annotated[dict[_Text, _Secret], Field(max_length=MCP_ITEMS_MAX)]
_Timeout = Annotated[int, Field(ge=MCP_TIMEOUT_S_MIN, le=MCP_TIMEOUT_S_MAX)]
_Command = Annotated[_Text, Field(max_length=COMMAND_CHARS_MAX, examples=["uvx"])]
_ENV = "Environment of the program; `***` keeps a stored value"
_HEADERS = "Sent with every request; `***` keeps a stored value"
_PATHS = "`${WORKSPACE}` is the folder of whoever uses the server"


class OAuthInfo(ResponseModel):
    """What is known of a server's authorization."""

    authorization_endpoint: str
    token_endpoint: str
    client_id: str
    client_secret: str = Field(description="`***` when there is one")
    scopes: list[str]


class MCPServerInfo(ResponseModel):
    """A server; the values of `env` and `headers` are never shown."""

    name: str
    command: str
    args: list[str]
    env: dict[str, str]
    disabled: bool
    timeout: int = Field(description="Seconds in which it must be connected")
    status: ServerState = Field(description="How it is for you, in the process that answers")
    status_detail: str
    needs_allow: bool = Field(
        description="Its program is started after your yes (`.../allow`), and you have not said it"
    )
    scope: Scope
    user_id: str | None
    project_id: str | None
    created_by: str
    transport: TransportKind
    url: str = Field(description="The values of its query are not shown")
    headers: dict[str, str]
    oauth: OAuthInfo | None
    network: Network | None = Field(description="null: what the tenant gives")
    hosts: list[str]
    read_paths: list[str]
    write_paths: list[str]
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, server: MCPServer, status: ServerStatus, *, needs_allow: bool) -> Self:
        """Show a server and how it is."""
        names = set(cls.model_fields) - {"status", "status_detail", "needs_allow"}
        values = {name: getattr(server, name) for name in names}
        return cls.model_validate(
            {
                **values,
                "status": status.state,
                "status_detail": status.detail,
                "needs_allow": needs_allow,
            }
        )


# S0's name.
MCPServerConfigResponse = MCPServerInfo


class OAuthSaid(RequestModel):
    """What a person knows of a server's authorization; what is left out is discovered."""

    authorization_endpoint: _Text = ""
    token_endpoint: _Text = ""
    client_id: _Text = ""
    client_secret: _Secret = SecretStr("")
    scopes: _Texts = Field(default_factory=list[str])


class _ServerFields(RequestModel):
    command: _Command | None = None
    args: _Texts | None = Field(
        default=None, description="Shown to whoever sees the server: no secrets"
    )
    env: _Secrets | Literal["***"] | None = Field(default=None, description=_ENV)
    disabled: bool | None = None
    timeout: _Timeout | None = None
    transport: TransportKind | None = Field(
        default=None, description="Left out: by whether there is a command or an address"
    )
    url: _Secret | None = Field(default=None, examples=["https://mcp.example/mcp"])
    headers: _Secrets | Literal["***"] | None = Field(default=None, description=_HEADERS)
    oauth: OAuthSaid | None = None
    network: Network | Literal["default"] | None = Field(
        default=None, description="What a program may reach; `default` is what the tenant gives"
    )
    hosts: _Texts | None = Field(default=None, description="What `network: hosts` lets through")
    read_paths: _Texts | None = Field(default=None, description=_PATHS)
    write_paths: _Texts | None = Field(default=None, description=_PATHS)

    def wishes(self) -> ServerChanges:
        """Say it to the service."""
        oauth = None
        if self.oauth is not None:
            secret = self.oauth.client_secret.get_secret_value()
            oauth = self.oauth.model_dump() | {"client_secret": secret}
        return ServerChanges(
            command=self.command,
            args=self.args,
            env=_plain(self.env),
            disabled=self.disabled,
            timeout=self.timeout,
            transport=self.transport,
            url=None if self.url is None else self.url.get_secret_value(),
            headers=_plain(self.headers),
            oauth=oauth,
            network=self.network,
            hosts=self.hosts,
            read_paths=self.read_paths,
            write_paths=self.write_paths,
        )


class MCPServerCreate(_ServerFields):
    """A new server: a `command` that is started, or a `url`. It is not connected to yet."""

    name: ChosenId = Field(examples=["filesystem"])


# S0's name.
MCPServerConfigRequest = MCPServerCreate


class MCPServerChange(_ServerFields):
    """What is to change; fields left out stay."""

    version: int | None = Field(default=None, description="Refuse if it has changed since")


class MCPServerReplace(_ServerFields):
    """All that is to be said of the server; fields left out get their defaults."""

    version: int | None = Field(default=None, description="Refuse if it has changed since")
    name: ChosenId | None = Field(default=None, description="The same as in the path, if at all")

    def check_name(self, name: str) -> None:
        """Refuse to rename: tools are called by the name."""
        if self.name not in (None, name):
            raise ValidationError(f"The server is called {name!r}; it cannot be renamed.")

    def wishes(self) -> ServerChanges:
        """Say it to the service, the defaults too."""
        return super().wishes().with_defaults()


class DeletedServer(ResponseModel):
    """S0's answer to a deletion."""

    status: Literal["deleted"] = "deleted"
    server_name: str


class MCPToolInfo(ResponseModel):
    """One tool of a server."""

    name: str
    title: str | None
    description: str | None
    input_schema: dict[str, object]


class MCPTools(ResponseModel):
    """What a server offers."""

    server: str
    tools: list[MCPToolInfo]


class MCPTest(ResponseModel):
    """What came of connecting."""

    name: str
    status: ServerState
    detail: str
    protocol_version: str
    tools: int
    elapsed_ms: int


class SignInBegun(ResponseModel):
    """Where the person goes on in their browser."""

    authorization_url: str
    expires_in: int = Field(description="Seconds in which they must be back")


class SignedOut(ResponseModel):
    """What became of your tokens; here they are gone."""

    revoked: bool = Field(description="Whether the server took them back, too")


class PolicyInfo(ResponseModel):
    """What MCP programs may do in the tenant."""

    commands: list[str] = Field(description="Words that may stand as `command`")
    network: Network = Field(description="Of a program that says nothing")
    network_max: Network
    read_paths: list[str]
    write_paths: list[str]
    programs: list[str] = Field(
        description="What the only person of an installation allowed; worth nothing with two"
    )


_Entries = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=POLICY_TEXT_CHARS_MAX)]],
    Field(max_length=POLICY_ENTRIES_MAX),
]


class PolicyChange(RequestModel):
    """What is to change; the last four are for whoever runs the installation."""

    commands: _Entries | None = Field(default=None, examples=[["uvx", "npx"]])
    network: Network | None = None
    network_max: Network | None = None
    read_paths: _Entries | None = None
    write_paths: _Entries | None = None
    programs: Annotated[list[str], Field(max_length=0)] | None = Field(
        default=None, description="Give an empty list to be asked about each program again"
    )

    def values(self) -> dict[str, object]:
        """Give what is not left out."""
        given = self.model_dump(exclude_none=True)
        return {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}


def _plain(
    secrets: dict[str, SecretStr] | Literal["***"] | None,
) -> dict[str, str] | Literal["***"] | None:
    if secrets is None or isinstance(secrets, str):
        return secrets
    return {name: secret.get_secret_value() for name, secret in secrets.items()}
