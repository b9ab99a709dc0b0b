"""How a planner's answer is read: JSON as a model writes it, which is not always as asked. Pure.

A step needs a description, and what it depends on must be clear. Anything else that cannot be read
is as if it were not there: a plan is not lost for an estimate in words.
"""

import math
import re
from typing import Annotated, Any, Final, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.config.limits import QUESTION_CHARS_MAX, QUESTION_OPTIONS_MAX
from dataagent_core.config.limits.planning import (
    STEP_DESCRIPTION_CHARS_MAX,
    STEP_NAMES_MAX,
    STEP_TEXT_CHARS_MAX,
)
from dataagent_core.language.unicode_text import storable

_LABEL_CHARS_MAX: Final = 80
# How sure a planner is that does not say so: a person who is there is asked.
CONFIDENCE: Final = 0.7
_DecisionType = Literal["branch", "method", "confirmation", "risk", "custom"]
# "2", "step 2", "#2", "步骤 2".
_NUMBER = re.compile(
    r"(?:(?:steps?|#|\u6b65\u9aa4|\u7b2c)\s*)?(-?\d{1,40})\s*\u6b65?", re.IGNORECASE | re.ASCII
)
# What models write instead of an empty list.
_NOTHING: Final = frozenset({"", "none", "n/a", "null", "nothing", "-", "\u65e0"})
_BETWEEN = re.compile(r"[,;\u3001\uff0c\uff1b]|\band\b|\u548c")


def _shorten(chars_max: int) -> AfterValidator:
    """Cut a text that is too long: it is worth more than no plan."""
    return AfterValidator(lambda text: storable(text.strip())[:chars_max])


def _or(default: Any) -> WrapValidator:
    """Take the default for what cannot be read."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except PydanticValidationError:
            return default

    return WrapValidator(read)


def _list_names(value: Any) -> list[str]:
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [name for name in cast("list[Any]", names) if isinstance(name, str)][:STEP_NAMES_MAX]


def _read_number(value: Any) -> Any:
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else value


def _read_numbers(value: Any) -> Any:
    if isinstance(value, str) and value.strip(" .").casefold() in _NOTHING:
        return []
    if isinstance(value, str):
        value = [part for part in _BETWEEN.split(value) if part.strip()]
    elif isinstance(value, int):
        value = [value]
    return (
        [_read_number(one) for one in cast("list[Any]", value)]
        if isinstance(value, list)
        else value
    )


def _drop_fraction(value: Any) -> Any:
    return int(value) if isinstance(value, float) and math.isfinite(value) else value


Names = Annotated[list[str], BeforeValidator(_list_names)]
Estimate = Annotated[int | None, BeforeValidator(_drop_fraction), Field(ge=0, le=2**53), _or(None)]
Prompt = Annotated[str, _shorten(STEP_TEXT_CHARS_MAX), _or("")]


class _PlannerPart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _leave_out_empty(cls, data: Any) -> Any:
        """Many models write null for what they have nothing to say about."""
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, Any]", data)
        return {name: value for name, value in given.items() if value is not None}


class AnswerOption(_PlannerPart):
    """One way to answer a decision."""

    label: Annotated[str, Field(min_length=1), _shorten(_LABEL_CHARS_MAX)]
    description: Annotated[str, _shorten(STEP_DESCRIPTION_CHARS_MAX), _or("")] = ""
    is_recommended: Annotated[bool, _or(default=False)] = False


class AnswerDecision(_PlannerPart):
    """What a person should choose before a step."""

    decision_type: Annotated[_DecisionType, _or("branch")] = "branch"
    context: Annotated[str, Field(min_length=1), _shorten(QUESTION_CHARS_MAX)]
    options: Annotated[
        list[AnswerOption],
        Field(min_length=1),
        AfterValidator(lambda options: options[:QUESTION_OPTIONS_MAX]),
    ]


class AnswerStep(_PlannerPart):
    """A step as the planner wrote it; its number may be left out."""

    step_number: Annotated[int | None, BeforeValidator(_read_number)] = None
    description: Annotated[str, _shorten(STEP_DESCRIPTION_CHARS_MAX)]
    thought_prompt: Prompt = ""
    expected_output: Prompt = ""
    required_tools: Names = Field(default_factory=list)
    required_skills: Names = Field(default_factory=list)
    assigned_agent: Annotated[str, _or("")] = ""
    dependencies: Annotated[list[int], BeforeValidator(_read_numbers)] = Field(default_factory=list)
    estimated_duration_ms: Estimate = None
    estimated_bytes: Estimate = None
    decision: Annotated[AnswerDecision | None, _or(None)] = None


class PlannerAnswer(BaseModel):
    """The whole answer."""

    model_config = ConfigDict(extra="ignore")

    confidence: Annotated[float, Field(ge=0, le=1), _or(CONFIDENCE)] = CONFIDENCE
    steps: list[AnswerStep] = Field(min_length=1)
