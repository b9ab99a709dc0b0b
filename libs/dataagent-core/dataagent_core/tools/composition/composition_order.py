"""Writes another order of its steps into a sequential composition. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template
from dataagent_core.tools.composition.template_values import REFERENCE, parse_reference


def apply_stages(composition: ToolComposition, stages: Sequence[Sequence[int]]) -> ToolComposition:
    """Return the composition with its steps in these stages, given by their present numbers.

    References name the new numbers of the steps they meant.
    """
    order = [*chain(*stages)]
    places = {number: place for place, number in enumerate(order, start=1)}
    first = {stage[0] for stage in stages}
    old: list[Mapping[str, Any]] = list(composition.execution_template["steps"])
    steps: list[dict[str, Any]] = []
    for number in order:
        step = {"args": _rename(old[number - 1].get("args", {}), number, places)}
        steps.append(step if number in first else {**step, "beside_previous": True})
    changed = replace(
        composition,
        tools=tuple(composition.tools[number - 1] for number in order),
        execution_template={**composition.execution_template, "steps": steps},
    )
    check_template(changed)
    return changed


def _rename(template: Any, number: int, places: Mapping[int, int]) -> Any:
    match template:
        case str():
            return REFERENCE.sub(lambda found: _rename_one(found[1], number, places), template)
        case dict():
            return {key: _rename(item, number, places) for key, item in template.items()}
        case list():
            return [_rename(item, number, places) for item in template]
        case _:
            return template


def _rename_one(text: str, number: int, places: Mapping[int, int]) -> str:
    reference = parse_reference(text)
    if reference.source == "input":
        return f"{{{{{text}}}}}"
    used = number - 1 if reference.step is None else reference.step
    return f"{{{{{'.'.join(['step', str(places[used]), *reference.path])}}}}}"
