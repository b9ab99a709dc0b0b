"""A composition as one tool of the agent.

Its members run through `run_tool`, where permission, journal and events are; so the composition
itself needs no approval, and entering it again after a crash repeats nothing the journal knows.
"""

from collections.abc import Awaitable, Callable
from typing import Any, get_args

from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.calls import MemberCall
from dataagent_core.tools.composition.check import checked_template
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.run import run_composition
from dataagent_core.tools.effects import Effect, effect_metadata
from dataagent_core.tools.hooks import Refusal
from dataagent_core.tools.registry import ToolRegistry, checked_tool_name

Runtime = ToolRuntime[Any, Any]
RunInRuntime = Callable[[MemberCall, Runtime], Awaitable[ToolMessage | Refusal]]
AdmitInRuntime = Callable[[MemberCall, Runtime], Awaitable[MemberCall | Refusal]]

_COMPOSITION_KEY = "composition_id"
_MILD_TO_GRAVE: tuple[Effect, ...] = get_args(Effect)


def is_composition(tool: BaseTool) -> bool:
    """Say whether a tool is made of others."""
    return _COMPOSITION_KEY in (tool.metadata or {})


def make_composition_tool(
    composition: ToolComposition,
    registry: ToolRegistry,
    run_tool: RunInRuntime,
    *,
    admit: AdmitInRuntime,
) -> BaseTool:
    """Make the tool, after checking that the composition can work with these tools."""
    template = checked_template(composition)
    effect = _worst_effect(composition, registry)

    async def run(runtime: Runtime, **inputs: Any) -> ToolMessage:
        call_id = runtime.tool_call_id or ""
        result = await run_composition(
            composition,
            inputs,
            call_id=call_id,
            run_tool=lambda call: run_tool(call, runtime),
            admit=lambda call: admit(call, runtime),
        )
        return ToolMessage(
            content=result.text(),
            name=composition.name,
            tool_call_id=call_id,
            artifact=result.artifact(),
            status="success" if result.succeeded else "error",
        )

    return StructuredTool(
        name=checked_tool_name(composition.name),
        description=composition.description,
        args_schema={
            "type": "object",
            "properties": template.inputs,
            "required": [n for n, schema in template.inputs.items() if "default" not in schema],
            "additionalProperties": False,
        },
        coroutine=run,
        metadata={**effect_metadata(effect), _COMPOSITION_KEY: composition.id},
    )


def _worst_effect(composition: ToolComposition, registry: ToolRegistry) -> Effect:
    alternatives = composition.fallback_alternatives.values()
    names = [*composition.tools, *(name for found in alternatives for name in found)]
    worst = 0
    for name in names:
        member = registry.find(name)
        if is_composition(member.tool):
            raise ValidationError(
                f"the composition {composition.name!r} cannot hold {name!r}, itself a composition. "
                "List its tools instead."
            )
        worst = max(worst, _MILD_TO_GRAVE.index(member.effect))
    return _MILD_TO_GRAVE[worst]
