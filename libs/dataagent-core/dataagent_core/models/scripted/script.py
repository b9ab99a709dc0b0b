"""The script a scripted model plays: plain JSON, documented in docs/testing-kit.md.

Values only. Which step answers a request is decided in `script_turn.py`, how a step becomes a
stream in `pieces.py`; nothing here knows LangChain or HTTP.
"""

import json
import re
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from dataagent_core.config.limits import SCRIPT_BYTES_MAX, SCRIPT_CHUNK_CHARS, SCRIPT_DELAY_S_MAX
from dataagent_core.errors import ConfigurationError


class _ScriptModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScriptedToolCall(_ScriptModel):
    """A tool call; `raw_args` sends that very text instead of JSON, to play a broken model."""

    name: str
    args: dict[str, Any] = Field(default_factory=dict[str, Any])
    raw_args: str | None = None
    id: str | None = None

    @property
    def arguments(self) -> str:
        """The arguments as the text a model sends."""
        if self.raw_args is not None:
            return self.raw_args
        return json.dumps(self.args, ensure_ascii=False)


class ScriptedFailure(_ScriptModel):
    """A failed try: an HTTP status, an answer that breaks off halfway, or one that says nothing.

    `shape` sends what real providers send in place of `status` and `message`.
    """

    status: int = Field(default=503, ge=400, le=599)
    retry_after_s: float | None = Field(default=None, ge=0)
    # As the moment when that is, the other way HTTP has to say it.
    retry_after_as_date: bool = False
    message: str = "scripted failure"
    shape: Literal["overflow", "rate_limit", "overloaded"] | None = None
    disconnect: bool = False
    empty: bool = False

    @property
    def answers(self) -> bool:
        """Whether an answer begins at all."""
        return self.disconnect or self.empty


class ScriptedUsage(_ScriptModel):
    """Tokens to report; without it they are estimated from the text."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    # Parts of the two above.
    cached_read_tokens: int = Field(default=0, ge=0)
    cached_write_tokens: int = Field(default=0, ge=0)
    reasoning_tokens: int = Field(default=0, ge=0)


class Step(_ScriptModel):
    """One answer of the model, after its failures have been played."""

    text: str = ""
    thought: str = ""
    tool_calls: tuple[ScriptedToolCall, ...] = ()
    chunk_chars: int = Field(default=SCRIPT_CHUNK_CHARS, ge=1)
    delay_s: float = Field(default=0.0, ge=0, le=SCRIPT_DELAY_S_MAX)
    chunk_delay_s: float = Field(default=0.0, ge=0, le=SCRIPT_DELAY_S_MAX)
    failures: tuple[ScriptedFailure, ...] = ()
    usage: ScriptedUsage | None = None
    finish_reason: str | None = None


class Scenario(_ScriptModel):
    """Steps for the requests whose last human message matches a regular expression, or for all.

    `recall` names what the steps take from the answers of tools: `{{name}}` in a text or an
    argument is the last thing a tool said that fits the expression, `{{name:0}}` the first.
    """

    match: str | None = None
    recall: dict[str, str] = Field(default_factory=dict[str, str])
    steps: tuple[Step, ...] = ()

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        for pattern in (self.match or "", *self.recall.values()):
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
        return self


class Script(_ScriptModel):
    """Scenarios in order; the first that matches plays."""

    scripts: tuple[Scenario, ...]

    @model_validator(mode="before")
    @classmethod
    def _single(cls, data: Any) -> Any:
        if isinstance(data, dict) and "steps" in data:
            return {"scripts": [data]}
        return data

    @classmethod
    def of(cls, *steps: Step) -> Self:
        """Play these steps for every request."""
        return cls(scripts=(Scenario(steps=steps),))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a script file, or say what is wrong with it."""
        try:
            with path.open("rb") as file:
                data = file.read(SCRIPT_BYTES_MAX + 1)
        except OSError as error:
            raise ConfigurationError(
                f"The script {path} cannot be read: {error.strerror or error}."
            ) from error
        if len(data) > SCRIPT_BYTES_MAX:
            raise ConfigurationError(f"The script {path} is over {SCRIPT_BYTES_MAX:,} bytes.")
        try:
            return cls.model_validate_json(data)
        except ValidationError as error:
            raise ConfigurationError(f"The script {path} is not valid: {error}") from error
