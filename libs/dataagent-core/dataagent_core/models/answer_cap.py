"""Limits the length of an answer, with the parameter of each provider.

    OpenAI                   max_completion_tokens, and max_output_tokens of its Responses API
    others with OpenAI's API max_tokens, which all of them know
    Anthropic                max_tokens
    Google                   max_output_tokens
    Ollama                   num_predict

The fields of the model class decide, so that no SDK is imported.
"""

from typing import Any
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel

_OPENAI_HOST = "api.openai.com"
# The reasons with which a capped answer ends.
_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})


def own_cap(model: BaseChatModel) -> int | None:
    """Return the cap that a model was built with, if any."""
    for name in ("max_tokens", "max_output_tokens", "num_predict"):
        cap = getattr(model, name, None)
        if isinstance(cap, int) and cap > 0:
            return cap
    return None


def cap_answer(
    model: BaseChatModel, settings: dict[str, Any], tokens_max: int
) -> tuple[BaseChatModel, dict[str, Any]]:
    """Return the model and the settings of a call whose answer has at most `tokens_max`."""
    fields = type(model).model_fields
    if "num_predict" in fields:
        # Passed with a call, Ollama's options would replace all of the model's own.
        return model.model_copy(update={"num_predict": tokens_max}), settings
    if "max_output_tokens" in fields:
        return model, {**settings, "max_output_tokens": tokens_max}
    if "max_tokens" not in fields:
        # A custom model without a cap would not know the parameter.
        return model, settings
    if _uses_openai_api_elsewhere(model):
        body = {**(settings.get("extra_body") or {}), "max_tokens": tokens_max}
        return model, {**settings, "extra_body": body}
    return model, {**settings, "max_tokens": tokens_max}


def was_cut(metadata: dict[str, Any]) -> bool:
    """Return from an answer's `response_metadata` whether it reached its cap."""
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or ""
    incomplete = metadata.get("incomplete_details")
    if isinstance(incomplete, dict):
        reason = incomplete.get("reason") or reason
    return str(reason).lower() in _CUT


def _uses_openai_api_elsewhere(model: BaseChatModel) -> bool:
    if not any(cls.__name__ == "ChatOpenAI" for cls in type(model).__mro__):
        return False
    address = getattr(model, "openai_api_base", None)
    return isinstance(address, str) and urlsplit(address).hostname != _OPENAI_HOST
