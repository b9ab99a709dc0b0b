"""`ServerSettings`: core's settings and the server's own (S0), with ARCHITECTURE.md's defaults.

Read as core's: environment, `.env`, then the table `[server]` of `config.toml`. `checks.py` refuses
contradictions.
"""

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationInfo, field_validator

from dataagent_core.config import Settings
from dataagent_core.config.sandbox_types import SandboxType
from dataagent_server.settings import limits
from dataagent_server.settings.checks import (
    check_sandbox,
    check_session_store,
    validate_auth_disabled,
    validate_issuer,
    validate_origins,
    validate_proxies,
)
from dataagent_server.settings.database_url import mysql_url, sqlite_url

OAuthAlgorithm = Literal[
    "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA"
]
_Bytes = Annotated[int, Field(ge=1, le=1 << 50)]
_Seconds = Annotated[float, Field(gt=0, le=7 * 86_400, allow_inf_nan=False)]


def parse_list(value: Any) -> Any:
    """Turn the text of a variable into a list; other types are checked by pydantic."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        message = 'it is not a JSON list; write ["first", "second"], or first,second'
        raise ValueError(message) from None


class ServerSettings(Settings):
    """The settings of the server; S0 names most of them."""

    table: ClassVar[str | None] = "server"
    # It is started in its operator's folder, not in a project.
    env_is_projects: ClassVar[bool] = False

    host: str = Field(default="127.0.0.1", min_length=1, description="Address to listen at")
    port: int = Field(default=8000, ge=0, le=65_535, description="Port to listen at; 0 takes one")
    workers: int = Field(
        default=1, ge=1, le=limits.WORKERS_MAX, description="Processes that serve one address"
    )
    api_keys: Annotated[list[SecretStr], BeforeValidator(parse_list)] = Field(
        default_factory=list[SecretStr],
        description="First keys of the default tenant's admin, as a JSON list",
    )
    auth_disabled: bool = Field(
        default=False,
        description="Let everyone on this machine in as admin; refused beyond loopback",
    )
    cors_origins: Annotated[list[str], BeforeValidator(parse_list)] = Field(
        default_factory=list[str], description="Web sites that may call the API, as a JSON list"
    )
    max_connections: int = Field(
        default=limits.CONNECTIONS_MAX, ge=1, description="Live connections of one process"
    )
    max_connections_per_tenant: int | None = Field(
        default=None,
        ge=1,
        description="How many of them one tenant may have; unset: its share of what is free",
    )
    trusted_proxies: Annotated[list[str], BeforeValidator(parse_list)] = Field(
        default_factory=list[str],
        description="Addresses of reverse proxies whose X-Forwarded-* headers count",
    )

    mysql_host: str = Field(default="localhost", description="MySQL's host (S0)")
    mysql_port: int = Field(default=3306, ge=1, le=65_535, description="MySQL's port (S0)")
    mysql_user: str = Field(default="root", description="MySQL's user (S0)")
    mysql_password: SecretStr = Field(default=SecretStr(""), description="MySQL's password (S0)")
    mysql_database: str = Field(default="dataagent", description="MySQL's database (S0)")
    mysql_pool_size: int = Field(
        default=10, ge=1, le=1_000, description="Database connections kept open, PostgreSQL's too"
    )
    mysql_max_overflow: int = Field(
        default=20, ge=0, le=1_000, description="Database connections opened beyond those"
    )

    workspace_uid_first: int | None = Field(
        default=None,
        description="First user number for tenants' own files and commands; only root can",
    )
    workspace_uid_count: int = Field(
        default=10_000, ge=1, description="How many user numbers tenants may have"
    )
    max_sessions_per_user: int = Field(
        default=10, ge=1, description="Active runs one person of a new tenant may have"
    )
    max_runs_per_tenant: int = Field(
        default=200, ge=1, description="Active runs one tenant may have"
    )
    max_queued_per_session: int = Field(
        default=10, ge=0, description="Messages that may wait while a session's run goes on"
    )
    approval_timeout: _Seconds = Field(
        default=86_400, description="Seconds an approval waits before it counts as a no"
    )

    assistant_sandbox_types: Annotated[list[SandboxType], BeforeValidator(parse_list)] = Field(
        default_factory=list[SandboxType],
        description="Sandboxes assistants may choose beside the server's own, as a JSON list",
    )

    data_folders: Annotated[list[str], BeforeValidator(parse_list)] = Field(
        default_factory=list[str],
        description="Folders of this machine whose files every tenant may query, as a JSON list",
    )

    session_retention_days: int | None = Field(
        default=None,
        ge=1,
        le=36_500,
        description="Days after which a session that nobody used is deleted; unset: never",
    )

    max_body_bytes: _Bytes = Field(
        default=limits.BODY_BYTES_MAX, description="Bytes of a request's body"
    )
    max_upload_bytes: _Bytes = Field(
        default=limits.UPLOAD_BYTES_MAX, description="Bytes of an uploaded file"
    )
    max_requests: int = Field(
        default=limits.REQUESTS_AT_ONCE_MAX, ge=1, description="Requests served at once"
    )
    request_timeout: _Seconds = Field(
        default=limits.REQUEST_S_MAX, description="Seconds until a request must begin to answer"
    )
    rate_limit_per_minute: int = Field(
        default=limits.RATE_PER_MINUTE, ge=0, description="Requests per key and minute; 0 is any"
    )
    rate_limit_burst: int = Field(
        default=limits.RATE_BURST, ge=1, description="Requests per key at once"
    )
    lease_timeout: float = Field(
        default=limits.LEASE_S,
        ge=1,
        le=3_600,
        allow_inf_nan=False,
        description="Seconds without a sign of life until a process's runs go to another",
    )
    stop_timeout: int = Field(
        default=limits.STOP_S, ge=1, le=3_600, description="Seconds the server takes to stop"
    )

    mcp_enabled: bool = Field(default=True, description="Serve MCP at /mcp")
    mcp_stateless: bool | None = Field(
        default=None,
        description="Keep no MCP sessions in a process; unset: with more than one worker",
    )
    mcp_oauth_issuer: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="Issuer whose tokens /mcp takes beside keys; needs public_url",
    )
    mcp_oauth_jwks_url: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="Where that issuer's keys are; unset: as its metadata says",
    )
    mcp_oauth_algorithms: Annotated[list[OAuthAlgorithm], BeforeValidator(parse_list)] = Field(
        default=["RS256", "ES256"], description="How that issuer signs, as a JSON list"
    )
    mcp_oauth_user_claim: str = Field(
        default="sub", min_length=1, description="Claim that names a user, by id or user name"
    )
    mcp_oauth_tenant_claim: str = Field(
        default="tenant", min_length=1, description="Claim that names the tenant, if there is one"
    )

    metrics_token: SecretStr | None = Field(
        default=None, min_length=1, description="Token that reads /metrics from elsewhere"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is logged"
    )
    log_format: Literal["auto", "json", "text"] = Field(
        default="auto", description="Form of log lines; auto is text on a terminal, else JSON"
    )

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: list[str]) -> list[str]:
        return validate_origins(origins)

    @field_validator("trusted_proxies")
    @classmethod
    def _proxies(cls, proxies: list[str]) -> list[str]:
        return validate_proxies(proxies)

    @field_validator("mcp_oauth_issuer")
    @classmethod
    def _issuer(cls, issuer: str | None, info: ValidationInfo) -> str | None:
        # An invalid public_url is reported already.
        return validate_issuer(issuer, info.data.get("public_url", ""))

    @field_validator("auth_disabled")
    @classmethod
    def _auth(cls, disabled: bool, info: ValidationInfo) -> bool:  # noqa: FBT001 (pydantic calls it)
        return validate_auth_disabled(disabled=disabled, host=info.data.get("host"))

    @field_validator("sandbox_type")
    @classmethod
    def _sandbox(cls, kind: SandboxType | None) -> SandboxType | None:
        if kind is not None:
            check_sandbox(kind)
        return kind

    @field_validator("assistant_sandbox_types")
    @classmethod
    def _sandboxes(cls, kinds: list[SandboxType]) -> list[SandboxType]:
        for kind in kinds:
            check_sandbox(kind)
        return kinds

    @property
    def effective_database_url(self) -> str:
        """The database to open: the URL, S0's MySQL settings, or the file in HOME.

        All code that opens the database calls this first, so a `session_store` that contradicts it
        is refused before anything is served.
        """
        if self.source_of("session_store") != "default":
            check_session_store(
                self.session_store,
                database_url=self.database_url,
                redis_url=self.redis_url,
                workers=self.workers,
            )
        if self.database_url is not None:
            return self.database_url
        if self.session_store == "mysql":
            return mysql_url(
                self.mysql_host,
                self.mysql_port,
                self.mysql_user,
                self.mysql_password.get_secret_value(),
                self.mysql_database,
            )
        return sqlite_url(self.home)
