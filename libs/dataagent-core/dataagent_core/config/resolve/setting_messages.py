"""Error messages about settings: the variable, its value, what is allowed, and its origin.

They replace pydantic's messages when settings are read, and name the setting when another part of
the program refuses a value later. A message never shows a secret.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from dataagent_core.config.limits import CONFIG_ERRORS_SHOWN_MAX, CONFIG_VALUE_SHOWN_CHARS_MAX
from dataagent_core.config.resolve.layers import variable_names

MASK = "***"


def is_secret(field: FieldInfo) -> bool:
    """Return whether a setting's value must never be shown."""
    return SecretStr in getattr(field.annotation, "__args__", (field.annotation,))


def explain(
    error: ValidationError, fields: Mapping[str, FieldInfo], sources: Mapping[str, str]
) -> str:
    """Describe what is wrong with each setting, the first few in full."""
    details = error.errors(include_url=False, include_context=False)
    lines = [_sentence(d, fields, sources) for d in details[:CONFIG_ERRORS_SHOWN_MAX]]
    if len(details) > CONFIG_ERRORS_SHOWN_MAX:
        lines.append(f"{len(details) - CONFIG_ERRORS_SHOWN_MAX} more settings are wrong.")
    return "\n".join(lines)


def _sentence(
    detail: ErrorDetails, fields: Mapping[str, FieldInfo], sources: Mapping[str, str]
) -> str:
    name = str(detail["loc"][0]) if detail["loc"] else ""
    field = fields.get(name)
    if field is None:
        return f"{name!r} is not a setting; `dataagent config show` lists them all."
    source = sources.get(name, "the caller")
    reason = detail["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    return (
        f"{_named(name, field, source, detail)}={_shown(detail['input'], field)} (from {source}) "
        f"cannot be used: {reason}. Correct it, or remove it to use {_default(field)}."
    )


def _named(name: str, field: FieldInfo, source: str, detail: ErrorDetails) -> str:
    if source.startswith("environment "):
        return source.removeprefix("environment ")
    if source == ".env":
        return variable_names(name, field)[0]
    return ".".join(str(part) for part in detail["loc"])


def _shown(value: Any, field: FieldInfo) -> str:
    if is_secret(field):
        return MASK
    shown = repr(value)
    if len(shown) > CONFIG_VALUE_SHOWN_CHARS_MAX:
        return shown[:CONFIG_VALUE_SHOWN_CHARS_MAX] + "..."
    return shown


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    return "the default" if default is None else f"the default {default!r}"
