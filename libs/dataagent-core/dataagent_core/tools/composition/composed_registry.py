"""Adds compositions to the tools of an agent, after checking that their members are there."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from dataagent_core.errors import ConfigurationError, NotFoundError, ValidationError
from dataagent_core.tools.composition.composition_tool import (
    list_member_names,
    make_composition_tool,
)
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.definition.tool_origin import COMPOSED
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.registry import ToolRegistry

logger = logging.getLogger(__name__)


def add_compositions(
    registry: ToolRegistry, compositions: Iterable[ToolComposition]
) -> ToolRegistry:
    """Return a registry that also has these compositions, each as one tool."""
    for composition in compositions:
        registry = _add_composition(registry, composition)
    return registry


def add_usable_compositions(
    registry: ToolRegistry, compositions: Iterable[ToolComposition]
) -> ToolRegistry:
    """Add stored compositions; one whose tools this agent does not have is left out."""
    for composition in compositions:
        try:
            registry = _add_composition(registry, composition)
        except (ConfigurationError, NotFoundError, ValidationError) as error:
            logger.info("the composition %s is left out: %s", composition.name, error)
    return registry


def _add_composition(registry: ToolRegistry, composition: ToolComposition) -> ToolRegistry:
    tool = make_composition_tool(composition, _member_effects(composition, registry))
    registry = registry.adding([tool], COMPOSED)
    entry = replace(registry.entries[tool.name], composition=composition)
    entries = {**registry.entries, tool.name: entry}
    return replace(registry, entries=MappingProxyType(entries))


def _member_effects(composition: ToolComposition, registry: ToolRegistry) -> dict[str, Effect]:
    members = {name: registry.find(name) for name in list_member_names(composition)}
    for name, member in members.items():
        if member.composition is not None:
            raise ValidationError(
                f"the composition {composition.name!r} cannot hold {name!r}, itself a composition. "
                "List its tools instead."
            )
    return {name: member.effect for name, member in members.items()}
