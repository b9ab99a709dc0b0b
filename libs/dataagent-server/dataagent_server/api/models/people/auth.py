"""Signing in and out, as the API takes and shows it."""

from pydantic import Field, SecretStr

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId
from dataagent_server.api.models.people.members import Username
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.identity.auth.limits import PASSWORD_CHARS_MAX, TOKEN_CHARS_MAX
from dataagent_server.identity.auth.principal import Role, Scope, Via


class Login(RequestModel):
    """A name and a password."""

    username: Username
    password: SecretStr = Field(max_length=PASSWORD_CHARS_MAX)
    tenant_id: ChosenId = Field(default=DEFAULT_TENANT, description="Where you are at home")


class SignIn(RequestModel):
    """The token of a sign-in URL."""

    token: SecretStr = Field(max_length=TOKEN_CHARS_MAX)


class TenantSwitch(RequestModel):
    """The tenant to go over to."""

    tenant_id: ChosenId


class Me(ResponseModel):
    """Who you are here and what you may be asked for."""

    tenant_id: str
    user_id: str
    name: str = Field(description="What people call you; your id where nobody has said")
    role: Role
    scopes: list[Scope] | None = Field(description="What your key is for; null is everything")
    via: Via
    key_id: str | None
    csrf_token: str | None = Field(
        default=None, description="For X-CSRF-Token, when you signed in by cookie"
    )
    tenants: list[str] = Field(default_factory=list[str], description="Where you are a member")


class TicketAsked(RequestModel):
    """The session a WebSocket is to be opened on."""

    session_id: ChosenId


class Ticket(ResponseModel):
    """Give it as `?ticket=` to the WebSocket, once."""

    ticket: str
    expires_in: int = Field(description="Seconds it is good for")
