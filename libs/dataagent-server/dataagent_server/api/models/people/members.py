"""Members and users, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import Name
from dataagent_server.common.names import USERNAME_CHARS_MAX
from dataagent_server.identity.auth.limits import PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN
from dataagent_server.identity.auth.principal import Role

Username = Annotated[
    str, Field(min_length=1, max_length=USERNAME_CHARS_MAX, examples=["ann@acme.example"])
]
NewPassword = Annotated[
    SecretStr, Field(min_length=PASSWORD_CHARS_MIN, max_length=PASSWORD_CHARS_MAX)
]


class MemberInfo(ResponseModel):
    """A person in the tenant."""

    user_id: str
    username: str | None
    display_name: str
    role: Role
    is_active: bool
    has_password: bool
    at_home: bool = Field(description="False: another tenant administers this person")
    created_at: datetime


class NameInfo(ResponseModel):
    """What a person is called."""

    user_id: str
    name: str


class MemberAdd(RequestModel):
    """A new person; without a password, give them a sign-in URL."""

    username: Username
    role: Role = "member"
    display_name: Name | None = None
    password: NewPassword | None = None


class MemberChange(RequestModel):
    """Another role for a member."""

    role: Role


class UserInfo(ResponseModel):
    """A person, seen from your tenant."""

    user_id: str
    home_tenant_id: str
    username: str | None
    display_name: str
    role: Role
    is_active: bool
    has_password: bool
    learns_patterns: bool = Field(description="Whether patterns are used and learned in their runs")
    uses_memory: bool = Field(description="Whether their runs use notes and memories, and remember")
    created_at: datetime


class UserChange(RequestModel):
    """What is to change; what is left out stays."""

    display_name: Name | None = Field(default=None, description="The name others see")
    learns_patterns: bool | None = Field(
        default=None, description="Whether patterns are used and learned in your runs"
    )
    uses_memory: bool | None = Field(
        default=None, description="Whether your runs use notes and memories, and remember"
    )


class PasswordChange(RequestModel):
    """A new password; your own takes the current one as well."""

    new_password: NewPassword
    current_password: SecretStr | None = Field(default=None, max_length=PASSWORD_CHARS_MAX)


class SignInUrl(ResponseModel):
    """A URL that signs somebody in once."""

    url: str
    expires_in: int = Field(description="Seconds it is good for")
