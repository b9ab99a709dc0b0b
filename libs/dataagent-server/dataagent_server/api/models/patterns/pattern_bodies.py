"""Interaction patterns, as people write them (S2 §14.2)."""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits.patterns import (
    PATTERN_ARGUMENTS_MAX,
    PATTERN_CHAIN_CALLS_MAX,
    PATTERN_CHAINS_MAX,
    PATTERN_CORRECTIONS_MAX,
    PATTERN_NAME_CHARS_MAX,
    PATTERN_STEPS_MAX,
)
from dataagent_core.patterns import PatternStep
from dataagent_core.patterns.interaction_pattern import (
    PatternCall,
)
from dataagent_server.agents.patterns.pattern_record import (
    NewPattern,
    PatternChange,
)
from dataagent_server.api.models.base import RequestModel
from dataagent_server.api.models.fields import Text, without_nul

VERSION_MAX: Final = 2**31
_ToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$")]
_ArgumentName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$")]
_ArgumentType = Literal["boolean", "integer", "number", "text", "list", "object", "nothing"]
_Arguments = Annotated[dict[_ArgumentName, _ArgumentType], Field(max_length=PATTERN_ARGUMENTS_MAX)]
_Texts = Annotated[tuple[Text, ...], Field(max_length=PATTERN_CORRECTIONS_MAX)]
_Tools = Annotated[tuple[_ToolName, ...], Field(max_length=PATTERN_CHAIN_CALLS_MAX)]
_PatternName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=PATTERN_NAME_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
_Goal = Annotated[
    str, StringConstraints(min_length=1, max_length=2_000), AfterValidator(without_nul)
]


class PatternStepBody(RequestModel):
    """A step as a person writes it; secrets and personal data are taken out."""

    description: Text = ""
    expected_output: Text = ""
    tools: _Tools = ()
    decision_points: _Texts = ()
    corrections: _Texts = ()

    def step(self) -> PatternStep:
        """Say it to core."""
        return PatternStep(**self.model_dump())


class PatternCallBody(RequestModel):
    """One call of a chain of tools."""

    tool: _ToolName
    args: _Arguments = Field(default_factory=dict)

    def call(self) -> PatternCall:
        """Say it to core."""
        return PatternCall(tool=self.tool, args=self.args)


_Steps = Annotated[tuple[PatternStepBody, ...], Field(max_length=PATTERN_STEPS_MAX)]
_Chain = Annotated[
    tuple[PatternCallBody, ...], Field(min_length=1, max_length=PATTERN_CHAIN_CALLS_MAX)
]


class PatternCreate(RequestModel):
    """A new pattern; it is used once runs have shown that it works."""

    name: _PatternName = Field(examples=["Weekly sales by region"])
    goal: _Goal = Field(
        description="A message as a person would write it: for those like it the pattern is",
        examples=["Sum up last week's sales by region"],
    )
    description: Text = ""
    steps: _Steps = ()
    tool_compositions: Annotated[tuple[_Chain, ...], Field(max_length=PATTERN_CHAINS_MAX)] = ()

    def pattern(self) -> NewPattern:
        """Say it to the service."""
        return NewPattern(
            name=self.name,
            goal=self.goal,
            description=self.description,
            steps=[step.step() for step in self.steps],
            tool_chains=[tuple(call.call() for call in one) for one in self.tool_compositions],
        )


class PatternUpdate(RequestModel):
    """What is to change; fields left out stay."""

    version: int = Field(ge=1, le=VERSION_MAX, description="Of the pattern you looked at")
    name: _PatternName | None = None
    description: Text | None = None
    steps: _Steps | None = None

    def change(self) -> PatternChange:
        """Say it to the service."""
        return PatternChange(
            version=self.version,
            name=self.name,
            description=self.description,
            steps=None if self.steps is None else [step.step() for step in self.steps],
        )
