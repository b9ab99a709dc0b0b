"""The defaults of a tenant for its sub-agents (S2 §4.1's TenantAgentConfig). Pure."""

from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar

from dataagent_core.config import Settings
from dataagent_core.config.limits.subagents import (
    SUBAGENT_ANSWER_TOKENS_MAX,
    SUBAGENT_DEPTH_MAX,
    SUBAGENT_ITERATIONS_MAX,
    TEMPERATURE_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.subagents import SubAgent
from dataagent_server.agents.subagents.limits import TIMEOUT_S_MAX
from dataagent_server.agents.subagents.stored_subagent import StoredSubAgent, SubAgentDefinition
from dataagent_server.common.names import validate_model_name

S = TypeVar("S", bound=Settings)
# What a sub-agent may leave to its tenant.
INHERITED: Final = ("model", "max_tokens", "temperature", "top_p", "max_iterations")
_S2_DEFAULTS: Final = {
    field.name: field.default for field in fields(SubAgent) if field.name in INHERITED
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantAgentConfig:
    """The tenant's defaults; None is that of the server."""

    model: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_iterations: int | None = None
    # How deep sub-agents may delegate: 1 means that they may not.
    max_depth: int | None = None
    # How long one task of a sub-agent may take.
    timeout_s: int | None = None


def delegation_settings(settings: S, defaults: TenantAgentConfig) -> S:
    """Return the settings with the tenant's depth and time; it may not raise the operator's."""
    wanted = {"subagent_depth": defaults.max_depth, "subagent_timeout_s": defaults.timeout_s}
    lowered = {
        name: value
        for name, value in wanted.items()
        if value is not None and value < getattr(settings, name)
    }
    return settings.model_copy(update=lowered) if lowered else settings


def make_subagent(tenant_id: str, stored: StoredSubAgent, defaults: TenantAgentConfig) -> SubAgent:
    """Return the sub-agent that a run gets: the row, filled up with the tenant's defaults."""
    definition = stored.definition
    chosen = {name: getattr(definition, name) for name in INHERITED}
    return SubAgent(
        id=stored.id,
        tenant_id=tenant_id,
        project_id=stored.project_id,
        name=definition.name,
        display_name=definition.display_name,
        trigger=definition.trigger,
        system_prompt=definition.system_prompt,
        color=definition.color,
        allowed_tools=definition.allowed_tools,
        allowed_skills=definition.allowed_skills,
        allowed_mcp_servers=definition.allowed_mcp_servers,
        rules=definition.rules,
        requires_tools=definition.requires_tools,
        hidden=definition.hidden,
        enabled=definition.enabled,
        version=definition.version,
        **{
            name: value if value is not None else _find_default(defaults, name)
            for name, value in chosen.items()
        },
    )


def adapt_built_in(built_in: SubAgent, defaults: TenantAgentConfig) -> SubAgent:
    """Fill a built-in sub-agent up: what it leaves at S2's default is the tenant's to say."""
    left = [name for name in INHERITED if getattr(built_in, name) == _S2_DEFAULTS[name]]
    return replace(built_in, **{name: _find_default(defaults, name) for name in left})


def define_copy(built_in: SubAgent, *, enabled: bool) -> SubAgentDefinition:
    """Copy a built-in sub-agent, so that a tenant can change it."""
    own: dict[str, Any] = {
        name: value
        for name in INHERITED
        if (value := getattr(built_in, name)) != _S2_DEFAULTS[name]
    }
    return SubAgentDefinition(
        name=built_in.name,
        display_name=built_in.display_name,
        trigger=built_in.trigger,
        system_prompt=built_in.system_prompt,
        color=built_in.color,
        allowed_tools=built_in.allowed_tools,
        allowed_skills=built_in.allowed_skills,
        allowed_mcp_servers=built_in.allowed_mcp_servers,
        rules=built_in.rules,
        requires_tools=built_in.requires_tools,
        hidden=built_in.hidden,
        enabled=enabled,
        version=built_in.version,
        **own,
    )


def check_config(config: TenantAgentConfig) -> TenantAgentConfig:
    """Return the configuration with its model's full name, or raise with what is wrong."""
    if config.model is not None:
        config = replace(config, model=validate_model_name(config.model))
    check_range("temperature", config.temperature, 0, TEMPERATURE_MAX)
    check_range("top_p", config.top_p, 0, 1)
    check_range("max_tokens", config.max_tokens, 1, SUBAGENT_ANSWER_TOKENS_MAX)
    check_range("max_iterations", config.max_iterations, 1, SUBAGENT_ITERATIONS_MAX)
    check_range("max_depth", config.max_depth, 1, SUBAGENT_DEPTH_MAX)
    check_range("timeout_s", config.timeout_s, 1, TIMEOUT_S_MAX)
    return config


def check_range(name: str, value: float | None, lowest: float, highest: float) -> None:
    """Raise where a number is out of bounds; None says nothing."""
    if value is not None and not lowest <= value <= highest:
        raise ValidationError(f"{name} is {value:g}; it must be {lowest:g} to {highest:,g}.")


def _find_default(defaults: TenantAgentConfig, name: str) -> Any:
    value = getattr(defaults, name)
    return _S2_DEFAULTS[name] if value is None else value
