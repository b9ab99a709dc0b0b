"""Naming the setting whose value some part of the program refused.

What a value alone shows is refused when settings are read (`explain.py`); here are the others.
"""

from dataagent_core.config.layered import LayeredSettings
from dataagent_core.config.variables import variable_names
from dataagent_core.errors import ConfigurationError, DataAgentError


def setting_refused(settings: LayeredSettings, name: str, error: Exception) -> ConfigurationError:
    """Say which setting it is, where its value came from, and what is wrong with it."""
    shown = error.for_person if isinstance(error, DataAgentError) else f"{error}."
    variables = variable_names(name, type(settings).model_fields[name])
    named = variables[0] if variables else name
    return ConfigurationError(f"{named} (from {settings.source_of(name)}) cannot be used: {shown}")
