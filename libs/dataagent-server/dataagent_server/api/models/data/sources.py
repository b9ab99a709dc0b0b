"""Data sources, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr

from dataagent_core.config.limits.data import DATA_URL_CHARS_MAX
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.data.readings import ReadingChange, ReadingInfo
from dataagent_server.api.models.fields import ChosenId, Text
from dataagent_server.data.sources.data_source import (
    PATTERN_CHARS_MAX,
    PATTERNS_MAX,
    ReadingChanges,
    SourceChanges,
)

_Location = Annotated[SecretStr, Field(min_length=1, max_length=DATA_URL_CHARS_MAX)]
_Patterns = Annotated[
    tuple[Annotated[str, Field(max_length=PATTERN_CHARS_MAX)], ...],
    Field(max_length=PATTERNS_MAX, examples=[["customers.phone", "staff.*"]]),
]
_LOCATION = (
    "postgresql:// or mysql:// with user, password, host and database; or the path of a file or "
    "folder that the operator opened to all tenants"
)
_WRITE = "Where `sql_write` may write, with a login of its own; an empty text takes it away"
_PERSONAL = "`table.column` patterns that a model reads masked"
_NOT_PERSONAL = "Patterns that are not personal, whatever they look like"
_HIDDEN = "Patterns that nobody can ask for"


class DataSourceInfo(ResponseModel):
    """A source; passwords and options of its addresses are never shown."""

    name: str
    project_id: str | None = Field(description="null: of the whole tenant")
    owner_id: str
    kind: str
    dialect: str
    place: str = Field(description="Of a file or folder only its name, unless you may change it")
    write_place: str | None
    description: str
    read_only_confirmed: bool
    personal: list[str]
    not_personal: list[str]
    hidden: list[str]
    reading: ReadingInfo
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime


class _SourceFields(RequestModel):
    write_url: Annotated[SecretStr, Field(max_length=DATA_URL_CHARS_MAX)] | None = Field(
        default=None, description=_WRITE
    )
    description: Text | None = None
    read_only_confirmed: bool | None = Field(
        default=None, description="Your word that the login can only read"
    )
    personal: _Patterns | None = Field(default=None, description=_PERSONAL)
    not_personal: _Patterns | None = Field(default=None, description=_NOT_PERSONAL)
    hidden: _Patterns | None = Field(default=None, description=_HIDDEN)
    reading: ReadingChange | None = Field(
        default=None, description="How the text files of a file or folder are read"
    )

    def wishes(self, location: SecretStr | None) -> SourceChanges:
        """Say it to the service."""
        return SourceChanges(
            location=None if location is None else location.get_secret_value(),
            write_url=None if self.write_url is None else self.write_url.get_secret_value(),
            description=self.description,
            read_only_confirmed=self.read_only_confirmed,
            personal=self.personal,
            not_personal=self.not_personal,
            hidden=self.hidden,
            reading=ReadingChanges() if self.reading is None else self.reading.wish,
        )


class DataSourceCreate(_SourceFields):
    """A new source; it is not connected to before somebody asks."""

    name: ChosenId = Field(examples=["shop"])
    location: _Location = Field(
        description=_LOCATION, examples=["postgresql://reader:password@db.example/shop"]
    )


class DataSourceChange(_SourceFields):
    """What is to change; fields left out stay."""

    location: _Location | None = Field(
        default=None, description="Another address takes the password again"
    )
    version: int | None = Field(default=None, description="Refuse if it has changed since")


class SourceTest(ResponseModel):
    """What came of connecting."""

    name: str
    tables: int
    notes: list[str] = Field(description="Files or tables that could not be read")
    warnings: list[str] = Field(description="What the login may do beyond reading")
    elapsed_ms: int
