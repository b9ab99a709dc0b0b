"""The providers we know by heart: what each needs and which model it starts with.

A row names settings, not values. How a model of it is built is in `resolve.py`; any other
provider of LangChain is reached through `resolve.py` without a row here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from dataagent_core.config.resolve.layers import variable_names
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError

# SDKs insist on a key, local endpoints on none: they accept any text.
_NO_KEY = SecretStr("not-needed")


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider; `base_url_setting` set by a person makes the key optional."""

    name: str
    title: str
    key_setting: str | None = None
    base_url_setting: str | None = None
    default_model: str | None = None

    @property
    def key_variable(self) -> str | None:
        """The environment variable a person sets, for messages."""
        if self.key_setting is None:
            return None
        return variable_names(self.key_setting, Settings.model_fields[self.key_setting])[0]

    def key(self, settings: Settings) -> SecretStr | None:
        """Return the key that is set, if any."""
        return getattr(settings, self.key_setting) if self.key_setting else None

    def base_url(self, settings: Settings) -> str | None:
        """Return the address that is set, if any."""
        return getattr(settings, self.base_url_setting) if self.base_url_setting else None

    def is_ready(self, settings: Settings) -> bool:
        """Say whether a model of it can be asked: a key is set, or an address of one's own."""
        return self.key(settings) is not None or self._has_own_address(settings)

    def _has_own_address(self, settings: Settings) -> bool:
        name = self.base_url_setting
        return name is not None and settings.source_of(name) != "default"

    def required_key(self, settings: Settings) -> SecretStr:
        """Return the key, or say which variable to set."""
        key = self.key(settings)
        if key is not None:
            self._refuse_redirection(settings)
            return key
        if self._has_own_address(settings):
            return _NO_KEY
        raise ConfigurationError(
            f"{self.title} needs a key: set {self.key_variable} in the environment or in .env, "
            "or choose another model with DATAAGENT_MODEL=provider:name."
        )

    def _refuse_redirection(self, settings: Settings) -> None:
        # `.env` belongs to the project at hand, which may be anybody's: it may bring its own key
        # and address, but not send a person's key elsewhere.
        address, key = self.base_url_setting, self.key_setting
        if address is None or key is None or settings.source_of(address) != ".env":
            return
        if settings.source_of(key) != ".env":
            raise ConfigurationError(
                f"the .env of this directory would send your {self.key_variable} to "
                f"{self.base_url(settings)}. If that is what you want, set the address in the "
                "environment, or put the key into .env as well."
            )


# In the order in which a model is looked for when none is named.
PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "anthropic",
            "Anthropic",
            "anthropic_api_key",
            "anthropic_base_url",
            "claude-sonnet-5-5",
        ),
        Provider("openai", "OpenAI", "openai_api_key", "openai_base_url", "gpt-5.5"),
        Provider(
            "google_genai",
            "Google Gemini",
            "google_api_key",
            default_model="gemini-3.5-flash",
        ),
        Provider(
            "deepseek", "DeepSeek", "deepseek_api_key", "deepseek_base_url", "deepseek-v4-flash"
        ),
        Provider("dashscope", "DashScope", "dashscope_api_key", "dashscope_base_url", "qwen-plus"),
        Provider("ollama", "Ollama", base_url_setting="ollama_host"),
        Provider("demo", "The built-in demo", default_model="demo"),
        Provider("scripted", "A script file"),
    )
}
