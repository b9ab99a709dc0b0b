"""What the server says of itself (S0 property 34)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class HealthResponse(BaseModel):
    """The process is alive."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={"examples": [{"status": "ok", "version": "0.1.0", "uptime": 12.5}]},
    )

    status: Literal["ok", "stopping"]
    version: str
    uptime: float = Field(description="Seconds since this process started")


class ReadyResponse(BaseModel):
    """The server can do its work."""

    model_config = ConfigDict(frozen=True)

    status: Literal["ready"]
    checks: dict[str, Literal["ok"]] = Field(description="Each part that was asked")


class VersionResponse(BaseModel):
    """Which software this is."""

    model_config = ConfigDict(frozen=True)

    version: str
    api_version: Literal["v1"] = "v1"
    python: str
