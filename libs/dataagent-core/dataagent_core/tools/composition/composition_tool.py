"""A composition as one tool of the agent: its name, arguments and effect.

Its members run in `tools/pipeline/tool_pipeline.py`, where permission, journal and events are; so
the composition itself needs no approval, and entering it again after a crash repeats nothing the
journal knows.
"""

from collections.abc import Mapping
from typing import Any, get_args

from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import ConfigurationError
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.effects import Effect, effect_metadata

_EFFECTS_BY_SEVERITY: tuple[Effect, ...] = get_args(Effect)


def list_member_names(composition: ToolComposition) -> list[str]:
    """List every tool a composition may call."""
    alternatives = composition.fallback_alternatives.values()
    return [*composition.tools, *(name for found in alternatives for name in found)]


def make_composition_tool(composition: ToolComposition, effects: Mapping[str, Effect]) -> BaseTool:
    """Make the tool of a composition; `effects` are those of its members."""
    template = check_template(composition)
    worst = max(
        _EFFECTS_BY_SEVERITY.index(effects[name]) for name in list_member_names(composition)
    )

    async def run(**inputs: Any) -> str:  # noqa: ARG001 (the agent's pipeline runs the members)
        raise ConfigurationError(
            f"the composition {composition.name!r} runs only inside an agent, which asks for and "
            "records each of its calls. Give it to `AgentConfig.compositions`."
        )

    return StructuredTool(
        name=composition.name,
        description=_describe(composition),
        args_schema={
            "type": "object",
            "properties": template.inputs,
            "required": [n for n, schema in template.inputs.items() if "default" not in schema],
            "additionalProperties": False,
        },
        coroutine=run,
        metadata=effect_metadata(_EFFECTS_BY_SEVERITY[worst]),
    )


def _describe(composition: ToolComposition) -> str:
    rate = composition.success_rate
    if rate is None:
        return composition.description
    executions = composition.success_count + composition.failure_count
    return f"{composition.description} (It succeeded in {rate:.0%} of {executions} executions.)"
