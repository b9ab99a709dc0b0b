"""Models: from `provider:name` to a chat model, and models that play a script.

Names are loaded on first use: the script format alone (which the testing endpoint needs) must not
load LangChain, and no provider's SDK is loaded before a model of it is built.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataagent_core.models.model_detection import DetectedModel, detect_model
    from dataagent_core.models.providers import PROVIDERS, Provider
    from dataagent_core.models.resolve import ResolvedModel, resolve_model
    from dataagent_core.models.retry.classify import FailureClass, classify
    from dataagent_core.models.retry.retry_policy import RetryPolicy
    from dataagent_core.models.scripted.demo import DEMO_PROMPT, demo_model
    from dataagent_core.models.scripted.script import Script, Step
    from dataagent_core.models.scripted.scripted_model import ScriptedChatModel

_HOMES = {
    "DEMO_PROMPT": "scripted.demo",
    "DetectedModel": "model_detection",
    "FailureClass": "retry.classify",
    "PROVIDERS": "providers",
    "Provider": "providers",
    "ResolvedModel": "resolve",
    "RetryPolicy": "retry.retry_policy",
    "Script": "scripted.script",
    "ScriptedChatModel": "scripted.scripted_model",
    "Step": "scripted.script",
    "classify": "retry.classify",
    "demo_model": "scripted.demo",
    "detect_model": "model_detection",
    "resolve_model": "resolve",
}

__all__ = [
    "DEMO_PROMPT",
    "PROVIDERS",
    "DetectedModel",
    "FailureClass",
    "Provider",
    "ResolvedModel",
    "RetryPolicy",
    "Script",
    "ScriptedChatModel",
    "Step",
    "classify",
    "demo_model",
    "detect_model",
    "resolve_model",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
