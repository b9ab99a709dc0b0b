"""Keys and addresses of the model providers, under the names their own SDKs read.

Users of these providers have the variables set already.
"""

from typing import Annotated

from pydantic import Field, SecretStr

from dataagent_core.config.resolve.layered_settings import LayeredSettings
from dataagent_core.config.resolve.layers import Variables

DASHSCOPE_BASE_URL = "https://dashscope.aliyuncs.com/compatible-mode/v1"


def _key(what: str) -> SecretStr | None:
    return Field(default=None, min_length=1, description=f"Key of {what}")


def _url(what: str) -> str | None:
    return Field(default=None, pattern=r"^https?://", description=f"Address of {what}")


class ProviderSettings(LayeredSettings):
    """One field per key and address."""

    openai_api_key: Annotated[SecretStr | None, Variables(("OPENAI_API_KEY",))] = _key("OpenAI")
    anthropic_api_key: Annotated[SecretStr | None, Variables(("ANTHROPIC_API_KEY",))] = _key(
        "Anthropic"
    )
    google_api_key: Annotated[SecretStr | None, Variables(("GOOGLE_API_KEY", "GEMINI_API_KEY"))] = (
        _key("Google Gemini")
    )
    deepseek_api_key: Annotated[SecretStr | None, Variables(("DEEPSEEK_API_KEY",))] = _key(
        "DeepSeek"
    )
    dashscope_api_key: Annotated[SecretStr | None, Variables(("DASHSCOPE_API_KEY",))] = _key(
        "DashScope, for Qwen"
    )
    tavily_api_key: Annotated[SecretStr | None, Variables(("TAVILY_API_KEY",))] = _key(
        "Tavily, for web search"
    )

    openai_base_url: Annotated[str | None, Variables(("OPENAI_BASE_URL", "OPENAI_API_BASE"))] = (
        _url("OpenAI, or of anything that speaks its chat completions")
    )
    anthropic_base_url: Annotated[
        str | None, Variables(("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"))
    ] = _url("Anthropic, or of a gateway to it")
    deepseek_base_url: Annotated[
        str | None, Variables(("DEEPSEEK_API_BASE", "DEEPSEEK_BASE_URL"))
    ] = _url("DeepSeek, or of a gateway to it")
    dashscope_base_url: Annotated[str, Variables(("DASHSCOPE_BASE_URL",))] = Field(
        default=DASHSCOPE_BASE_URL,
        pattern=r"^https?://",
        description="Address of DashScope's OpenAI-compatible endpoint",
    )
    ollama_host: Annotated[str | None, Variables(("OLLAMA_HOST",))] = Field(
        default=None, description="Address of Ollama; 127.0.0.1:11434 when unset"
    )

    @property
    def has_tavily(self) -> bool:
        """Whether web search is configured."""
        return self.tavily_api_key is not None
