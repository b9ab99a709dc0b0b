"""Models a tenant can use, as the API takes and shows them."""

from typing import Annotated, Literal

from pydantic import Field

from dataagent_core.config import ModelOverride
from dataagent_server.agents.models.tenant_model import FigureSource
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import Name

_TOKENS_MAX = 1_000_000_000
_USD_MAX = 1_000_000
_Tokens = Annotated[int, Field(ge=1, le=_TOKENS_MAX)]
_Cost = Annotated[float, Field(ge=0, le=_USD_MAX, allow_inf_nan=False)]


class ModelInfo(ResponseModel):
    """A model as your tenant's runs have it; costs are in USD for a million tokens."""

    model: str = Field(description="Its full name", examples=["openai:gpt-5.5"])
    provider: str
    name: str
    context_length: int
    max_output_tokens: int
    input_cost_per_1m: float | None = Field(description="Null: nobody knows, which is not free")
    output_cost_per_1m: float | None
    sources: dict[str, FigureSource] = Field(
        description="Whose each figure is", examples=[{"context_length": "catalogue"}]
    )
    is_default: bool = Field(description="Used by runs that name none")
    is_own: bool = Field(description="The tenant put it on the list or corrected it")
    is_usable: bool = Field(description="Whether anybody has given its provider a key")


class ProviderInfo(ResponseModel):
    """A provider that a key or an address can be given for."""

    name: str
    title: str
    takes_key: bool
    takes_base_url: bool
    default_model: str | None
    by: Literal["tenant", "operator"] | None = Field(
        description="Whose key or address runs use; null: there is none yet"
    )


class ModelList(ResponseModel):
    """The models and where they come from; there are few, so this is all of them."""

    models: list[ModelInfo]
    providers: list[ProviderInfo]
    default: str | None = Field(
        description="What a run uses for which nobody chooses, with this assistant in this "
        "project; null: nobody can tell before it runs"
    )


class ModelPut(RequestModel):
    """A model to offer, with the figures that the catalogue has wrong; null keeps its own."""

    model: Name = Field(examples=["openai:gpt-5.5"])
    context_length: _Tokens | None = None
    max_output_tokens: _Tokens | None = None
    input_cost_per_1m: _Cost | None = None
    output_cost_per_1m: _Cost | None = None

    @property
    def override(self) -> ModelOverride:
        """What is said of it."""
        return ModelOverride(**self.model_dump(exclude={"model"}))


class ModelTestAsked(RequestModel):
    """Which provider to ask, and for which model."""

    provider: Name = Field(examples=["openai"])
    model: Name | None = Field(
        default=None, description="Without its provider; null: the default one"
    )


class ModelTestAnswer(ResponseModel):
    """What came of it."""

    ok: bool
    model: str | None = Field(description="The model that was asked")
    latency_ms: int
    models: list[str] = Field(description="What the endpoint lists, without the provider")
    tools: bool | None = Field(description="Whether it called a tool; null: nobody could tell")
    error: str | None
