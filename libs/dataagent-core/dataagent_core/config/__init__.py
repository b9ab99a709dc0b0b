"""Configuration: settings and where they came from, prompts, limits, the model catalogue.

Kept light on purpose: nothing here loads LangChain, so a command that only reads settings starts
fast.
"""

from dataagent_core.config.model_catalog import (
    ModelCapability,
    ModelMetadata,
    ModelOverride,
    lookup,
)
from dataagent_core.config.prompts import get_default_system_prompt, get_system_prompt
from dataagent_core.config.resolve.provenance import SettingOrigin, provenance
from dataagent_core.config.settings import Settings

__all__ = [
    "ModelCapability",
    "ModelMetadata",
    "ModelOverride",
    "SettingOrigin",
    "Settings",
    "get_default_system_prompt",
    "get_system_prompt",
    "lookup",
    "provenance",
]
