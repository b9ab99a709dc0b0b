"""Checks that a composition can work, before it is offered."""

from collections.abc import Iterator, Sequence
from typing import cast

import pydantic

from dataagent_core.config.limits import COMPOSITION_FALLBACKS_MAX, COMPOSITION_TOOLS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.composition.composition_template import (
    ConditionalStep,
    ConditionalTemplate,
    ParallelTemplate,
    SequentialStep,
    SequentialTemplate,
    Template,
)
from dataagent_core.tools.composition.definition import ToolComposition
from dataagent_core.tools.composition.template_values import TemplateReference, find_references

_TEMPLATE: pydantic.TypeAdapter[SequentialTemplate | ParallelTemplate | ConditionalTemplate] = (
    pydantic.TypeAdapter(Template)
)


def check_template(
    composition: ToolComposition,
) -> SequentialTemplate | ParallelTemplate | ConditionalTemplate:
    """Parse the template of a composition; the error lists everything that is wrong."""
    template, problems = _parse(composition)
    if template is None or problems:
        raise ValidationError(
            f"the composition {composition.name!r} cannot work: {'; '.join(problems)}."
        )
    return template


def find_template_problems(composition: ToolComposition) -> list[str]:
    """List everything that keeps a composition from working."""
    return _parse(composition)[1]


def _parse(
    composition: ToolComposition,
) -> tuple[SequentialTemplate | ParallelTemplate | ConditionalTemplate | None, list[str]]:
    try:
        template = _TEMPLATE.validate_python(dict(composition.execution_template))
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        return None, [f"execution_template, {where}: {first['msg']}"]
    try:
        return template, [*_check_sizes(composition, template), *_check_steps(template)]
    except RecursionError:
        return None, ["execution_template is nested too deep"]


def _check_sizes(
    composition: ToolComposition,
    template: SequentialTemplate | ParallelTemplate | ConditionalTemplate,
) -> Iterator[str]:
    count = len(composition.tools)
    if not 1 <= count <= COMPOSITION_TOOLS_MAX:
        yield f"it has {count} tools, and may have 1 to {COMPOSITION_TOOLS_MAX}"
    if len(template.steps) != count:
        yield f"it has {count} tools and {len(template.steps)} steps; give each tool one step"
    for name, alternatives in composition.fallback_alternatives.items():
        if name not in composition.tools:
            yield f"fallback_alternatives names {name!r}, which is not among its tools"
        if not _is_list_of_names(alternatives):
            yield f"{name!r} needs a list of at most {COMPOSITION_FALLBACKS_MAX} alternatives"


def _is_list_of_names(alternatives: object) -> bool:
    """Say whether they are names, at most as many as are tried: a stored one may be anything."""
    if not isinstance(alternatives, list | tuple):
        return False
    names = cast("Sequence[object]", alternatives)
    return len(names) <= COMPOSITION_FALLBACKS_MAX and all(isinstance(one, str) for one in names)


def _check_steps(
    template: SequentialTemplate | ParallelTemplate | ConditionalTemplate,
) -> Iterator[str]:
    for number, step in enumerate(template.steps, start=1):
        if number == 1 and isinstance(step, SequentialStep) and step.beside_previous:
            yield "step 1 cannot run beside the step before it: there is none"
        try:
            for reference in find_references(step.args):
                yield from _check_reference(template, number, reference)
            if isinstance(step, ConditionalStep):
                yield from _check_branches(template, number, step)
        except ValidationError as error:
            yield f"step {number}: {str(error).rstrip('.')}"


def _check_branches(
    template: SequentialTemplate | ParallelTemplate | ConditionalTemplate,
    number: int,
    step: ConditionalStep,
) -> Iterator[str]:
    for branch in step.next:
        if not number < branch.step <= len(template.steps):
            yield f"step {number} leads to {branch.step}; it can only lead to a later step"
        if branch.when is not None:
            for reference in find_references(branch.when.value):
                # A condition is evaluated after its step, so that step counts as an earlier one.
                yield from _check_reference(template, number + 1, reference)


def _check_reference(
    template: SequentialTemplate | ParallelTemplate | ConditionalTemplate,
    number: int,
    reference: TemplateReference,
) -> Iterator[str]:
    text = f"{{{{{reference.text}}}}} in step {number}"
    if reference.source == "input":
        if reference.path[0] not in template.inputs:
            yield f"{text} is not among its inputs ({', '.join(template.inputs) or 'it has none'})"
    elif isinstance(template, ParallelTemplate):
        yield f"{text}: tools side by side cannot use each other's results"
    elif number == 1 or (reference.step is not None and not 1 <= reference.step < number):
        yield f"{text} does not name an earlier step"
    elif isinstance(template, SequentialTemplate):
        used = number - 1 if reference.step is None else reference.step
        if any(used in stage and number in stage for stage in template.list_stages()):
            yield f"{text}: step {used} runs at the same time and has no result yet"
