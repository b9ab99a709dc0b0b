"""The steps of a skill as a composition: what `SkillExecutor` runs, and whether it can.

`tools` of a skill are its steps; `execution_template` and `fallback_alternatives` in its metadata
are those of a composition, as JSON.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill import Skill
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_check import check_template

_TEMPLATE: Final = "execution_template"
_FALLBACKS: Final = "fallback_alternatives"


def make_skill_composition(skill: Skill, inputs: Mapping[str, Any]) -> ToolComposition:
    """Make the composition of a skill's steps.

    Without a template of its own the steps run in their order, with the arguments that `inputs`
    gives for the number of a step or for its tool.
    """
    if not skill.tools:
        raise ValidationError(
            f"The skill {skill.name!r} has no steps of its own. Load it without inputs and follow "
            "its text."
        )
    composition = _make_composition(skill, inputs)
    wanted = check_template(composition).inputs
    missing = [
        name for name, form in wanted.items() if name not in inputs and "default" not in form
    ]
    if missing:
        forms = json.dumps({name: wanted[name] for name in missing}, ensure_ascii=False)
        raise ValidationError(f"The skill {skill.name!r} needs these inputs: {forms:.500}.")
    return composition


def find_step_problem(skill: Skill) -> str | None:
    """Say why the steps of a skill cannot run as one; None if they can, or if it has none."""
    if not skill.tools:
        return None
    try:
        check_template(_make_composition(skill, {}))
    except ValidationError as error:
        return str(error)
    return None


def _make_composition(skill: Skill, inputs: Mapping[str, Any]) -> ToolComposition:
    template = _read_json(skill, _TEMPLATE) or {
        "kind": "sequential",
        "steps": [
            {"args": _read_arguments(skill, inputs, number, tool)}
            for number, tool in enumerate(skill.tools, start=1)
        ],
    }
    return ToolComposition(
        id=f"skill:{skill.name}",
        name=skill.name,
        description=skill.description,
        tools=skill.tools,
        execution_template=template,
        fallback_alternatives=_read_json(skill, _FALLBACKS) or {},
    )


def _read_json(skill: Skill, key: str) -> dict[str, Any] | None:
    text = skill.metadata.get(key)
    if not text:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValidationError(
            f"`{key}` of the skill {skill.name!r} is not JSON: {error}. Correct its SKILL.md."
        ) from error
    if not isinstance(value, dict):
        raise ValidationError(f"`{key}` of the skill {skill.name!r} must be a JSON object.")
    return value


def _read_arguments(
    skill: Skill, inputs: Mapping[str, Any], number: int, tool: str
) -> dict[str, Any]:
    value = inputs.get(str(number), inputs.get(tool, {}))
    if not isinstance(value, dict):
        raise ValidationError(
            f"Step {number} of the skill {skill.name!r} ({tool}) needs its arguments as an object, "
            f"not {value!r:.80}."
        )
    return value
