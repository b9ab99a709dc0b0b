"""The testing kit: a scripted model, the same behind HTTP, strategies and conformance suites.

Names are loaded on first use, so that the kit can be used where hypothesis and pytest are not
installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataagent_core.models.scripted.script import Script, Step
    from dataagent_core.models.scripted.scripted_model import ScriptedChatModel
    from dataagent_core.testing.endpoint import ScriptedEndpoint

_HOMES = {
    "Script": "dataagent_core.models.scripted.script",
    "ScriptedChatModel": "dataagent_core.models.scripted.scripted_model",
    "ScriptedEndpoint": "dataagent_core.testing.endpoint",
    "Step": "dataagent_core.models.scripted.script",
}

__all__ = ["Script", "ScriptedChatModel", "ScriptedEndpoint", "Step"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
