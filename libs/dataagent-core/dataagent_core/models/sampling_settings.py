"""Sets `temperature` and `top_p` of one call, with what each provider's model takes.

A model that reasons refuses them, and one whose class does not know them would fail; both are left
as they are. Some providers refuse the two together, so `top_p` replaces `temperature`.
"""

from typing import Any

from langchain_core.language_models import BaseChatModel

from dataagent_core.config.model_catalog import ModelCapability, ModelMetadata


def set_sampling(
    model: BaseChatModel,
    settings: dict[str, Any],
    metadata: ModelMetadata,
    *,
    temperature: float,
    top_p: float | None,
) -> tuple[BaseChatModel, dict[str, Any]]:
    """Return the model and the settings of a call that samples like this."""
    name, value = ("temperature", temperature) if top_p is None else ("top_p", top_p)
    fields = type(model).model_fields
    if name not in fields or ModelCapability.REASONING in metadata.capabilities:
        return model, settings
    if "num_predict" in fields:
        # Passed with a call, Ollama's options would replace all of the model's own.
        return model.model_copy(update={name: value}), settings
    return model, {**settings, name: value}
