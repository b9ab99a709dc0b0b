"""Telling a provider how long an answer may be: under the name its own wire has for that.

    OpenAI                   max_completion_tokens, and max_output_tokens of its Responses API
    others on OpenAI's wire  max_tokens, the one name that all of them know
    Anthropic                max_tokens
    Google                   max_output_tokens
    Ollama                   num_predict

What counts is which field the model class has, so that no SDK is imported to ask.
"""

from typing import Any
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel

_OPENAI_HOST = "api.openai.com"
# An answer ends for these reasons when it reached its cap.
_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})


def own_cap(model: BaseChatModel) -> int | None:
    """Give the cap that a model was built with, if any."""
    for name in ("max_tokens", "max_output_tokens", "num_predict"):
        cap = getattr(model, name, None)
        if isinstance(cap, int) and cap > 0:
            return cap
    return None


def cap_answer(
    model: BaseChatModel, settings: dict[str, Any], tokens_max: int
) -> tuple[BaseChatModel, dict[str, Any]]:
    """Give the model and the settings of a call whose answer has at most so many tokens."""
    fields = type(model).model_fields
    if "num_predict" in fields:
        # Given with a call, Ollama's options would replace all of the model's own.
        return model.model_copy(update={"num_predict": tokens_max}), settings
    if "max_output_tokens" in fields:
        return model, {**settings, "max_output_tokens": tokens_max}
    if "max_tokens" not in fields:
        # A model of somebody's own that knows no cap: it would not know what this is.
        return model, settings
    if _speaks_openai_elsewhere(model):
        body = {**(settings.get("extra_body") or {}), "max_tokens": tokens_max}
        return model, {**settings, "extra_body": body}
    return model, {**settings, "max_tokens": tokens_max}


def was_cut(told: dict[str, Any]) -> bool:
    """Say from an answer's `response_metadata` whether it reached its cap."""
    reason = told.get("finish_reason") or told.get("stop_reason") or ""
    incomplete = told.get("incomplete_details")
    if isinstance(incomplete, dict):
        reason = incomplete.get("reason") or reason
    return str(reason).lower() in _CUT


def _speaks_openai_elsewhere(model: BaseChatModel) -> bool:
    if not any(cls.__name__ == "ChatOpenAI" for cls in type(model).__mro__):
        return False
    address = getattr(model, "openai_api_base", None)
    return isinstance(address, str) and urlsplit(address).hostname != _OPENAI_HOST
