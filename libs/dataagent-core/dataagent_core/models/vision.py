"""Whether a model takes pictures and PDF documents, and where in a conversation.

What a person says of a model in `config.toml` wins (`capabilities`), then LangChain's own facts of
it, then the presets. Of others nothing is known here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataagent_core.config.model_catalog import ModelCapability, ModelOverride, stated_limits
from dataagent_core.models.resolve import ResolvedModel

# OpenAI's chat completions and their like refuse anything but text in the result of a tool.
_PROVIDERS_SEEING_RESULTS = frozenset({"anthropic"})


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionSupport:
    """What a model can look at."""

    pictures: bool
    pdf: bool
    # Whether both may stand in the result of a tool.
    in_results: bool


BLIND = VisionSupport(pictures=False, pdf=False, in_results=False)


def stated_sight(
    model: ResolvedModel, overrides: Mapping[str, ModelOverride] | None = None
) -> VisionSupport | None:
    """Say what is known of a model's sight; None if nothing is."""
    provider, _, bare = model.name.partition(":")
    in_results = provider in _PROVIDERS_SEEING_RESULTS
    for key in (model.name, bare):
        stated = (overrides or {}).get(key)
        if stated is not None and stated.capabilities is not None:
            return _as_listed(stated.capabilities, in_results=in_results)
    profile: Mapping[str, Any] = getattr(model.model, "profile", None) or {}
    sees = profile.get("image_inputs")
    if sees is not None:
        # Some lists say of all models of a provider that they take PDF; only those that see do.
        pdf = bool(sees and profile.get("pdf_inputs"))
        return VisionSupport(pictures=bool(sees), pdf=pdf, in_results=in_results)
    preset = stated_limits(model.name)
    return None if preset is None else _as_listed(preset.capabilities, in_results=in_results)


def _as_listed(capabilities: tuple[ModelCapability, ...], *, in_results: bool) -> VisionSupport:
    return VisionSupport(
        pictures=ModelCapability.VISION in capabilities,
        pdf=ModelCapability.PDF in capabilities,
        in_results=in_results,
    )
