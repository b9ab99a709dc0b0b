"""Every setting with its value and where that came from, for `dataagent config show`.

Pure; secrets and passwords inside URLs are masked.
"""

import re
from dataclasses import dataclass
from typing import Any

from dataagent_core.config.resolve.layered_settings import LayeredSettings
from dataagent_core.config.resolve.layers import variable_names
from dataagent_core.config.resolve.setting_messages import MASK, is_secret
from dataagent_core.errors import ConfigurationError, DataAgentError

_URL_PASSWORD = re.compile(r"(?<=://)([^/@\s]*):([^/@\s]*)@")


@dataclass(frozen=True, slots=True)
class SettingOrigin:
    """One line of `config show`; `variable` is empty for what only `config.toml` can set."""

    name: str
    variable: str
    shown: str
    source: str
    description: str


def provenance(settings: LayeredSettings) -> tuple[SettingOrigin, ...]:
    """List every setting in the order of its class."""
    lines: list[SettingOrigin] = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        lines.append(
            SettingOrigin(
                name=name,
                variable=next(iter(variable_names(name, field)), ""),
                shown=MASK if is_secret(field) and value else _format_value(value),
                source=settings.source_of(name),
                description=field.description or "",
            )
        )
    return tuple(lines)


def _format_value(value: Any) -> str:
    if value is None or value in ({}, (), []):
        return ""
    return _URL_PASSWORD.sub(rf"\1:{MASK}@", str(value))


def setting_error(settings: LayeredSettings, name: str, error: Exception) -> ConfigurationError:
    """Describe a setting: where its value came from, and what is wrong with it."""
    shown = error.for_person if isinstance(error, DataAgentError) else f"{error}."
    variables = variable_names(name, type(settings).model_fields[name])
    named = variables[0] if variables else name
    return ConfigurationError(f"{named} (from {settings.source_of(name)}) cannot be used: {shown}")
