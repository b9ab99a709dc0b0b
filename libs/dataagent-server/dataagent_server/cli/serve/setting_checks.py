"""Refuses settings with which no run could begin, before anything is opened.

`settings/` checks single values when settings are read. The rest is checked here by the parts that
use the values, so that the start fails and not the first run.
"""

from collections.abc import Callable, Mapping
from typing import Final

from dataagent_core.config.resolve.provenance import setting_error
from dataagent_core.errors import ConfigurationError, DataAgentError
from dataagent_core.ids import checked_id
from dataagent_core.models.spec import parse_spec
from dataagent_core.permissions.rule_files.load import operator_rules
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.composition import make_redis
from dataagent_server.identity.auth.configured_keys import check_configured_keys
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.owners import usable_range

Check = Callable[[ServerSettings], object]


def check_settings(settings: ServerSettings) -> None:
    """Raise for the first setting that cannot be used."""
    for name, check in CHECKS.items():
        try:
            check(settings)
        except (DataAgentError, ValueError) as error:
            raise setting_error(settings, name, error) from None


def _check_model(settings: ServerSettings) -> None:
    if settings.model:
        parse_spec(settings.model)


def _check_fallback_models(settings: ServerSettings) -> None:
    for spec in (settings.fallback_model or "").split(","):
        if spec.strip():
            parse_spec(spec)


def _check_workspaces(settings: ServerSettings) -> None:
    if settings.workspaces.exists() and not settings.workspaces.is_dir():
        raise ConfigurationError(f"{str(settings.workspaces)!r} is no folder. Name one.")


CHECKS: Final[Mapping[str, Check]] = {
    "api_keys": lambda settings: check_configured_keys(settings.api_keys),
    "model": _check_model,
    "fallback_model": _check_fallback_models,
    "assistant_id": lambda settings: checked_id(settings.assistant_id, "assistant id"),
    "permissions": operator_rules,
    "web_allow_hosts": make_web_policy,
    "redis_url": make_redis,
    "workspace_base_path": _check_workspaces,
    "workspace_uid_first": lambda settings: usable_range(
        settings.workspace_uid_first, settings.workspace_uid_count
    ),
}
