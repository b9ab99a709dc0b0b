"""Models of sub-agents that are not the agent's own: resolved and built when one is first used."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from langchain_core.language_models import BaseChatModel

from dataagent_core.config import Settings
from dataagent_core.config.model_catalog import ModelMetadata, stated_limits
from dataagent_core.context import ContextWindowConfig, ContextWindowManager
from dataagent_core.context.middleware import AskWindow
from dataagent_core.context.window_size import ask_for_window
from dataagent_core.engine.attachments.media import MediaLoader
from dataagent_core.engine.model_calls.model_calls import ModelCalls
from dataagent_core.models import ResolvedModel
from dataagent_core.models.retry.circuit_breaker import EndpointBreakers

Resolve = Callable[[str | BaseChatModel | None, Settings], ResolvedModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentModel:
    """One model with the calls to it and its window."""

    resolved: ResolvedModel
    calls: ModelCalls
    window: ContextWindowManager
    # Set if the model's window is unknown.
    ask_window: AskWindow | None


@dataclass(slots=True, eq=False)
class SubAgentModels:
    """Makes each model once; one that cannot be resolved raises a `ConfigurationError`."""

    resolve: Resolve
    settings: Settings
    breakers: EndpointBreakers
    media: MediaLoader
    _made: dict[str, SubAgentModel] = field(default_factory=dict[str, SubAgentModel], init=False)

    def get(self, name: str) -> SubAgentModel:
        """Return the model of this name."""
        if name not in self._made:
            self._made[name] = self._make(self.resolve(name, self.settings))
        return self._made[name]

    async def aclose(self) -> None:
        """Close the connections of the models."""
        while self._made:
            await self._made.popitem()[1].resolved.aclose()

    def _make(self, resolved: ResolvedModel) -> SubAgentModel:
        limits = stated_limits(resolved.name, self.settings.models)
        usual = ModelMetadata(name=resolved.name)
        window = ContextWindowManager(ContextWindowConfig.of(self.settings, limits or usual))
        return SubAgentModel(
            resolved=resolved,
            calls=ModelCalls([resolved], self.settings, self.breakers, self.media),
            window=window,
            ask_window=None if limits else partial(ask_for_window, resolved.model, resolved.name),
        )
