"""Tools with which the agent asks the person: what was meant, and which way to go (S2 §6.4).

The wait is an interrupt like an approval's. Asking again after a crash is harmless, because the
answer is in the log by then.
"""

from functools import lru_cache
from typing import Any, Literal

from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import interrupt
from pydantic import BaseModel, Field, create_model, field_validator

from dataagent_core.config import Settings
from dataagent_core.config.limits import (
    CLARIFICATION_TIMEOUT_S,
    DECISION_TIMEOUT_S,
    QUESTION_CHARS_MAX,
    QUESTION_OPTIONS_MAX,
    QUESTION_TOOLS_KEPT_MAX,
)
from dataagent_core.hitl import answer_text, check_decision
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.pipeline.agent_call import running_call


class Option(BaseModel):
    """One way to answer; the person may always give another."""

    label: str = Field(min_length=1, max_length=80, description="What to show, in 1 to 5 words")
    description: str = Field(default="", max_length=500, description="What choosing it means")
    is_recommended: bool = Field(default=False, description="Whether you would choose it")


class DecisionOption(Option):
    """One way to go on, and what it would take."""

    estimated_duration_ms: int | None = Field(default=None, ge=0)
    resource_usage: dict[str, Any] | None = None


def _check_labels(options: list[Any]) -> list[Any]:
    labels = [option.label for option in options]
    if len(set(labels)) != len(labels):
        raise ValueError(f"every option needs a label of its own; these repeat: {labels}")
    return options


class Clarification(BaseModel):
    """A question about what the person means."""

    question_type: Literal["scope", "approach", "prerequisite", "priority"]
    question: str = Field(min_length=1, max_length=QUESTION_CHARS_MAX)
    options: list[Option] = Field(default_factory=list[Option], max_length=QUESTION_OPTIONS_MAX)
    required: bool = Field(
        default=False, description="Whether to wait; else the recommended option is taken in time"
    )
    timeout_seconds: int = Field(default=CLARIFICATION_TIMEOUT_S, ge=1)

    _unique = field_validator("options")(_check_labels)


class DecisionPoint(BaseModel):
    """A point at which the person should choose the way."""

    decision_type: Literal["branch", "method", "confirmation", "risk", "custom"]
    context: str = Field(min_length=1, max_length=QUESTION_CHARS_MAX)
    options: list[DecisionOption] = Field(
        default_factory=list[DecisionOption], max_length=QUESTION_OPTIONS_MAX
    )
    allow_multiple: bool = False
    required: bool = False
    timeout_seconds: int = Field(default=DECISION_TIMEOUT_S, ge=1)

    _unique = field_validator("options")(_check_labels)


async def _ask_clarification(**given: Any) -> str:
    asked = Clarification.model_validate(given)
    return _ask(
        "clarification",
        question=asked.question,
        question_type=asked.question_type,
        options=[option.model_dump() for option in asked.options],
        required=asked.required,
        timeout_s=float(asked.timeout_seconds),
    )


async def _ask_decision(**given: Any) -> str:
    asked = DecisionPoint.model_validate(given)
    running = running_call()
    return _ask(
        "decision",
        question=asked.context,
        context=asked.context,
        question_type=asked.decision_type,
        options=[option.model_dump() for option in asked.options],
        allow_multiple=asked.allow_multiple,
        required=asked.required,
        step_number=running.call.step_number if running else None,
        timeout_s=float(asked.timeout_seconds),
    )


def _ask(kind: Literal["clarification", "decision"], **request: Any) -> str:
    decision = check_decision(kind, interrupt({"kind": kind, **request}))
    return f"The person answered: {answer_text(decision)}"


@lru_cache(maxsize=QUESTION_TOOLS_KEPT_MAX)
def _question_tools(clarification_s: int, decision_s: int) -> tuple[BaseTool, ...]:
    return (
        StructuredTool.from_function(
            name="ask_clarification",
            description=(
                "Ask the person what they mean, before you plan or do the wrong thing. Offer "
                "options where you can and mark the one you recommend; they may answer freely."
            ),
            coroutine=_ask_clarification,
            args_schema=_with_timeout(Clarification, clarification_s),
            metadata=effect_metadata("pure"),
        ),
        StructuredTool.from_function(
            name="ask_decision",
            description=(
                "Let the person choose at a point that matters: a branch, a method, a risk. Say "
                "what each option means and mark the one you recommend."
            ),
            coroutine=_ask_decision,
            args_schema=_with_timeout(DecisionPoint, decision_s),
            metadata=effect_metadata("pure"),
        ),
    )


def _with_timeout(form: type[BaseModel], timeout_s: int) -> type[BaseModel]:
    """Give a form on which a question waits so long where the agent says nothing."""
    timeout: Any = (int, Field(default=timeout_s, ge=1))
    return create_model(form.__name__, __base__=form, __doc__=form.__doc__, timeout_seconds=timeout)


def make_question_tools(settings: Settings) -> list[BaseTool]:
    """Make `ask_clarification` and `ask_decision`; agents whose settings agree share them."""
    tools = list(_question_tools(settings.clarification_timeout, settings.decision_timeout))
    for tool in tools:
        # Made before anybody copies the tool, so that the copies share it.
        _ = tool.tool_call_schema
    return tools
