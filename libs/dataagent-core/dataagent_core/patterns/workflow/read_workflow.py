"""Reads a workflow: a YAML file that a person can read and change.

The file may come from anybody: reading is strict, limited, and says what is wrong. A text has its
places as `{{name}}`; `{fixed: value}` is a value that only looks like a place, and
`{model: what to write, like: an example}` is a place where a model is needed.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Final, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.config.files.yaml_file import read_yaml
from dataagent_core.config.limits.patterns import (
    PATTERN_ARGUMENTS_MAX,
    WORKFLOW_BYTES_MAX,
    WORKFLOW_LINES_MAX,
    WORKFLOW_NAMES_MAX,
    WORKFLOW_STEPS_MAX,
    WORKFLOW_TEXT_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.patterns.pattern_text import is_tool_name
from dataagent_core.patterns.workflow.result_shape import ResultKind, ResultShape
from dataagent_core.patterns.workflow.workflow import (
    NAME,
    PLACE,
    Arg,
    Baseline,
    Fixed,
    InputType,
    ModelPlace,
    TakenValue,
    TextTemplate,
    Workflow,
    WorkflowInput,
    WorkflowStep,
    walk_args,
)

FIXED: Final = "fixed"
MODEL: Final = "model"
LIKE: Final = "like"
# Large ones take a second to read.
_FILES_CACHED_MAX: Final = 32
# Around an object that has a field with the name of a place.
OBJECT: Final = "object"
PLACE_KEYS: Final = frozenset({FIXED, MODEL, OBJECT})
_WHAT: Final = "the workflow"
_Short = Annotated[str, Field(max_length=200)]
_Long = Annotated[str, Field(max_length=WORKFLOW_TEXT_CHARS_MAX)]


class _StrictFields(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _InputFields(_StrictFields):
    type: InputType = "text"
    example: _Long = ""
    private: bool = False


class _TakenFields(_StrictFields):
    path: list[str | Annotated[int, Field(ge=0)]] = Field(
        default_factory=list, max_length=PATTERN_ARGUMENTS_MAX
    )
    after: _Short = ""
    before: _Short = ""


class _ExpectFields(_StrictFields):
    kind: ResultKind = "any"
    fields: list[_Short] = Field(default_factory=list, max_length=PATTERN_ARGUMENTS_MAX)
    exit_code: int | None = None
    has_rows: bool | None = None


class _StepFields(_StrictFields):
    tool: _Short
    together: bool = False
    args: dict[str, Any] = Field(default_factory=dict)
    take: dict[str, _TakenFields] = Field(default_factory=dict)
    expect: _ExpectFields = _ExpectFields()


class _BaselineFields(_StrictFields):
    runs: int = Field(default=0, ge=0)
    tokens: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class _WorkflowFields(_StrictFields):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    pattern: _Short
    goal: Annotated[str, Field(min_length=1, max_length=WORKFLOW_TEXT_CHARS_MAX)]
    inputs: dict[str, _InputFields] = Field(default_factory=dict, max_length=WORKFLOW_NAMES_MAX)
    steps: list[_StepFields] = Field(min_length=1, max_length=WORKFLOW_STEPS_MAX)
    answer: Any
    measured: _BaselineFields = _BaselineFields()


@lru_cache(maxsize=_FILES_CACHED_MAX)
def read_workflow(text: str) -> Workflow:
    """Read a file; say what is wrong with it. A run reads its file at each turn."""
    lines = len(text.splitlines())
    if lines > WORKFLOW_LINES_MAX:
        raise ValidationError(
            f"{_WHAT} has {lines:,} lines, {WORKFLOW_LINES_MAX:,} are possible: split it."
        )
    document = read_yaml(text, _WHAT, WORKFLOW_BYTES_MAX)
    if not isinstance(document, dict):
        raise ValidationError(f"{_WHAT} has no fields: begin it with `name:`.")
    try:
        read = _WorkflowFields.model_validate(document)
    except PydanticValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ValidationError(f"{_WHAT}: {place}: {first['msg']}.") from error
    if not read.name.isprintable():
        raise ValidationError(f"{_WHAT}: name: write it in one line, without control characters.")
    answer = _read_arg(read.answer, "answer")
    if isinstance(answer, Fixed) and isinstance(answer.value, str):
        answer = TextTemplate(answer.value)
    if not isinstance(answer, TextTemplate | ModelPlace):
        raise ValidationError(f"{_WHAT}: answer: write a text, or `model:` with what to write.")
    workflow = Workflow(
        name=read.name,
        pattern_id=read.pattern,
        goal=TextTemplate(read.goal),
        inputs={
            name: WorkflowInput(type=one.type, example=one.example, is_private=one.private)
            for name, one in read.inputs.items()
        },
        steps=tuple(_read_step(step, number) for number, step in enumerate(read.steps, 1)),
        answer=answer,
        measured=Baseline(**read.measured.model_dump()),
    )
    _check_names(workflow)
    return workflow


def _read_step(step: _StepFields, number: int) -> WorkflowStep:
    place = f"step {number}"
    if not is_tool_name(step.tool):
        raise ValidationError(f"{_WHAT}: {place}: {step.tool!r:.60} is no name of a tool.")
    expect = step.expect
    return WorkflowStep(
        tool=step.tool,
        args={name: _read_arg(arg, f"{place}: {name:.60}") for name, arg in step.args.items()},
        takes={
            name: TakenValue(path=tuple(one.path), after=one.after, before=one.before)
            for name, one in step.take.items()
        },
        expect=ResultShape(
            kind=expect.kind,
            fields=tuple(expect.fields),
            exit_code=expect.exit_code,
            has_rows=expect.has_rows,
        ),
        is_together=step.together and number > 1,
    )


def _read_arg(value: Any, place: str) -> Arg:
    match value:
        case str():
            return TextTemplate(value) if PLACE.search(value) else Fixed(value)
        case None | bool() | int() | float():
            return _read_fixed(value, place)
        case list():
            items = cast("list[Any]", value)
            return tuple(_read_arg(item, place) for item in items) if items else Fixed([])
        case dict():
            return _read_object(cast("dict[Any, Any]", value), place)
        case _:
            raise ValidationError(
                f"{_WHAT}: {place}: {value!s:.60} is no JSON value: write it in quotes."
            )


def _read_object(value: dict[Any, Any], place: str) -> Arg:
    if not all(isinstance(key, str) for key in value):
        raise ValidationError(f"{_WHAT}: {place}: each name must be a text: write it in quotes.")
    match value:
        case {"fixed": fixed, **rest} if not rest:
            return _read_fixed(fixed, place)
        case {"object": dict() as inner, **rest} if not rest:
            return {key: _read_arg(one, place) for key, one in inner.items()}
        case {"model": str(what), **rest} if rest.keys() <= {LIKE}:
            like = rest.get(LIKE)
            if like is not None and not isinstance(like, str):
                raise ValidationError(f"{_WHAT}: {place}: `like` must be a text.")
            return ModelPlace(what, like)
        case _ if {FIXED, MODEL} & value.keys():
            raise ValidationError(
                f"{_WHAT}: {place}: a place is `model` with `like`, or `fixed`, and nothing else."
            )
        case _:
            return {key: _read_arg(one, place) for key, one in value.items()} or Fixed({})


def _read_fixed(value: Any, place: str) -> Fixed:
    waiting: list[Any] = [value]
    while waiting:
        match waiting.pop():
            case dict() as fields if all(isinstance(key, str) for key in fields):
                waiting.extend(fields.values())
            case list() as items:
                waiting.extend(items)
            case float() as number if not math.isfinite(number):
                raise ValidationError(f"{_WHAT}: {place}: {number} is no JSON number.")
            case None | bool() | int() | float() | str():
                pass
            case other:
                raise ValidationError(
                    f"{_WHAT}: {place}: {other!s:.60} is no JSON value: write it in quotes."
                )
    return Fixed(value)


def _check_names(workflow: Workflow) -> None:
    """Check that each place has a source before it, and each name one meaning."""
    for name in [*workflow.inputs, *(name for step in workflow.steps for name in step.takes)]:
        _check_name(name)
    known = set(workflow.inputs)
    coming: set[str] = set()
    _check_used(workflow.goal.names, known, "goal")
    for number, step in enumerate(workflow.steps, start=1):
        if not step.is_together:
            known |= coming
            coming = set()
        for _, arg in walk_args(step.args):
            if isinstance(arg, TextTemplate):
                _check_used(arg.names, known, f"step {number}")
        _check_taken(step, known | coming, number)
        coming |= step.takes.keys()
    known |= coming
    if isinstance(workflow.answer, TextTemplate):
        _check_used(workflow.answer.names, known, "answer")


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise ValidationError(f"{_WHAT}: {name!r:.60} is no name: use small letters, digits and _.")


def _check_taken(step: WorkflowStep, known: set[str], number: int) -> None:
    for name, taken in step.takes.items():
        if name in known:
            raise ValidationError(f"{_WHAT}: step {number}: the name {name!r} is taken already.")
        if not (taken.path or taken.after):
            raise ValidationError(
                f"{_WHAT}: step {number}: {name}: say where it stands, by `path` or `after`."
            )


def _check_used(names: Iterable[str], known: set[str], place: str) -> None:
    for name in names:
        if name not in known:
            raise ValidationError(
                f"{_WHAT}: {place}: {name} is neither an input nor taken from a step before it."
            )
