"""Checks what a person says of a sub-agent, before it is stored. Pure.

The sizes of texts and lists are the API's to check; what needs the tenant's rows is in
`subagent_service.py`.
"""

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from dataagent_core.config.limits.subagents import (
    SUBAGENT_ANSWER_TOKENS_MAX,
    SUBAGENT_ITERATIONS_MAX,
    TEMPERATURE_MAX,
)
from dataagent_core.errors import DeniedError, ValidationError
from dataagent_core.permissions.foreign_tools import read_tool_name
from dataagent_core.subagents import SubAgent
from dataagent_core.subagents.subagent import INHERIT
from dataagent_core.subagents.subagent_check import check_subagent
from dataagent_server.agents.subagents.agent_defaults import check_range
from dataagent_server.agents.subagents.stored_subagent import SubAgentDefinition
from dataagent_server.common.names import validate_model_name, validate_text
from dataagent_server.db.tables.subagents import (
    DISPLAY_NAME_CHARS_MAX,
    NAME_CHARS_MAX,
    VERSION_CHARS_MAX,
)

_LAST_NUMBER: Final = re.compile(r"(.*\.)(\d+)\Z")


def check_definition(
    definition: SubAgentDefinition, withheld_tools: AbstractSet[str]
) -> SubAgentDefinition:
    """Return the definition with its names in full, or raise with what is wrong.

    `withheld_tools` are those that its maker may not use.
    """
    name = definition.name
    trigger, prompt = definition.trigger, definition.system_prompt
    check_subagent(SubAgent(id=name, name=name, trigger=trigger, system_prompt=prompt))
    _check_length("name", name, NAME_CHARS_MAX)
    _check_length("display_name", definition.display_name, DISPLAY_NAME_CHARS_MAX)
    _check_length("version", definition.version, VERSION_CHARS_MAX)
    check_range("temperature", definition.temperature, 0, TEMPERATURE_MAX)
    check_range("top_p", definition.top_p, 0, 1)
    check_range("max_tokens", definition.max_tokens, 1, SUBAGENT_ANSWER_TOKENS_MAX)
    check_range("max_iterations", definition.max_iterations, 1, SUBAGENT_ITERATIONS_MAX)
    for tool in definition.allowed_tools or ():
        if not withheld_tools.isdisjoint(read_tool_name(tool).tools):
            raise DeniedError(
                f"allowed_tools names {tool!r}, which your organisation has switched off. "
                "Leave it out."
            )
    return replace(
        definition,
        display_name=validate_text(definition.display_name, "display_name").strip(),
        model=_check_model(definition.model),
    )


def next_version(version: str) -> str:
    """Return the version after a change: the last number grows by one."""
    found = _LAST_NUMBER.match(version)
    if found is None:
        return version
    grown = f"{found[1]}{int(found[2]) + 1}"
    return grown if len(grown) <= VERSION_CHARS_MAX else version


def _check_model(model: str | None) -> str | None:
    return model if model in {None, INHERIT} else validate_model_name(model or "")


def _check_length(what: str, text: str, chars_max: int) -> None:
    if len(text) > chars_max:
        raise ValidationError(f"{what} has {len(text):,} characters; give it at most {chars_max}.")
