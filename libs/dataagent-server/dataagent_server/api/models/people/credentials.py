"""Model credentials, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import Name

_KEY_CHARS_MAX = 4_096
_URL_CHARS_MAX = 2_000


class CredentialInfo(ResponseModel):
    """What the tenant says of a provider; of the key only its end is ever shown."""

    provider: str
    has_key: bool
    last_four: str | None
    base_url: str | None
    default_model: str | None
    version: int
    created_at: datetime
    updated_at: datetime


class CredentialPut(RequestModel):
    """Everything the tenant says of a provider."""

    key: Annotated[SecretStr, Field(max_length=_KEY_CHARS_MAX)] | None = Field(
        default=None, description="`***` keeps the stored key, null has none"
    )
    base_url: Annotated[str, Field(max_length=_URL_CHARS_MAX)] | None = Field(
        default=None, description="Another address than the provider's own"
    )
    default_model: Name | None = Field(
        default=None, description="Used where a run names none", examples=["gpt-5.5"]
    )
    version: int | None = Field(default=None, description="Refuse if it has changed; 0 is new")
