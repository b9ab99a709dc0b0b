"""Makes the calls of one run from a workflow: inputs, values taken from results, texts. Pure."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import WORKFLOW_TEXT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.patterns.workflow.workflow import (
    PLACE,
    Arg,
    Fixed,
    ModelPlace,
    TakenValue,
    TextTemplate,
    Workflow,
    WorkflowInput,
    WorkflowStep,
    walk_args,
)

Values = Mapping[str, JsonValue]
_WHOLE: Final = re.compile(r"-?\d{1,300}", re.ASCII)
# Of a number of 300 digits.
_NUMBER_BITS_MAX: Final = 1_000


def check_inputs(workflow: Workflow, given: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return the inputs with their types; say which are missing, unknown or wrong."""
    wanted = ", ".join(workflow.inputs) or "none"
    unknown = [name for name in given if name not in workflow.inputs]
    if unknown:
        raise ValidationError(
            f"The workflow {workflow.name} has no input {unknown[0]!r:.60}: it has {wanted}."
        )
    missing = [name for name in workflow.inputs if given.get(name) is None or given[name] == ""]
    if missing:
        raise ValidationError(
            f"The workflow {workflow.name} needs the input {', '.join(missing)}: give "
            f"{missing[0]}=VALUE."
        )
    return {name: _read_input(name, one, given[name]) for name, one in workflow.inputs.items()}


def list_places(step: WorkflowStep) -> dict[str, ModelPlace]:
    """List the places of a step that a model fills, by their paths."""
    return {path: one for path, one in walk_args(step.args) if isinstance(one, ModelPlace)}


def fill_args(step: WorkflowStep, values: Values, written: Values) -> dict[str, JsonValue]:
    """Return the arguments of a call; `written` is what a model wrote, by paths."""
    return {name: _fill(arg, name, values, written) for name, arg in step.args.items()}


def fill_text(text: TextTemplate, values: Values) -> str:
    """Return a text with the values in its places."""
    return PLACE.sub(lambda place: _to_text(values[place[1]]), text.template)


def take_values(step: WorkflowStep, result: str) -> dict[str, JsonValue]:
    """Take what later steps need from a result; what is not there is left out."""
    found = {name: take_value(one, result) for name, one in step.takes.items()}
    return {name: value for name, value in found.items() if value is not None}


def take_value(taken: TakenValue, result: str) -> JsonValue:
    """Take one value from a result; None if it is not there."""
    return _take_from_json(taken.path, result) if taken.path else _take_between(taken, result)


def _fill(arg: Arg, path: str, values: Values, written: Values) -> JsonValue:
    match arg:
        case Fixed():
            # Of the call alone: the workflow is read once for many runs.
            return deepcopy(arg.value)
        case ModelPlace():
            return written[path]
        case TextTemplate():
            whole = PLACE.fullmatch(arg.template)
            return values[whole[1]] if whole else fill_text(arg, values)
        case Mapping():
            return {key: _fill(one, f"{path}.{key}", values, written) for key, one in arg.items()}
        case _:
            return [_fill(one, f"{path}.{n}", values, written) for n, one in enumerate(arg)]


def _read_input(name: str, wanted: WorkflowInput, given: Any) -> JsonValue:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise ValidationError(f"The input {name} is {given!r:.60}: give a text or a number.")
    _check_length(name, given)
    if wanted.type == "text":
        text = str(given)
        if "\x00" in text or storable(text) is not text:
            raise ValidationError(f"The input {name} has a character that cannot be stored.")
        if len(text) > WORKFLOW_TEXT_CHARS_MAX:
            raise ValidationError(
                f"The input {name} has {len(text):,} characters: {WORKFLOW_TEXT_CHARS_MAX:,} are "
                "possible."
            )
        return text
    if wanted.type == "integer" and isinstance(given, float) and not given.is_integer():
        raise ValidationError(f"The input {name} is {given!r:.60}: give a whole number.")
    try:
        is_whole = wanted.type == "integer" or _WHOLE.fullmatch(str(given))
        number = int(given) if is_whole else float(given)
    except (ValueError, OverflowError) as error:
        raise ValidationError(f"The input {name} is {given!r:.60}: give a number.") from error
    _check_length(name, number)
    if not math.isfinite(number):
        raise ValidationError(f"The input {name} is {given!r:.60}: give a finite number.")
    return number


def _check_length(name: str, given: str | float) -> None:
    if isinstance(given, int) and given.bit_length() > _NUMBER_BITS_MAX:
        raise ValidationError(f"The input {name} is too long a number: 300 digits are possible.")


def _take_from_json(path: Sequence[str | int], result: str) -> JsonValue:
    try:
        value: Any = json.loads(result)
    except (ValueError, RecursionError):
        return None
    for key in path:
        match value, key:
            case dict(), str() if key in value:
                value = value[key]
            case list(), int() if 0 <= key < len(value):
                value = value[key]
            case _:
                return None
    is_scalar = isinstance(value, str | int | float) and not isinstance(value, bool)
    return value if is_scalar else None


def _take_between(taken: TakenValue, result: str) -> str | None:
    _, found, rest = result.partition(taken.after)
    if not found:
        return None
    line = rest.split("\n", 1)[0]
    if taken.before:
        value, found, _ = line.partition(taken.before)
        return value if found and value else None
    parts = line.split(maxsplit=1) if line[:1].strip() else []
    return parts[0] if parts else None


def _to_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value)
