"""Rules of permission, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dataagent_core.config.limits import PERMISSION_PATTERN_CHARS_MAX
from dataagent_core.permissions import Rule
from dataagent_core.permissions.decision import PartDecision
from dataagent_core.permissions.rules import Action, Source
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId
from dataagent_server.runs.agents.explain import Explanation

_SUBJECT_CHARS_MAX = 20_000
_Pattern = Annotated[str, StringConstraints(min_length=1, max_length=PERMISSION_PATTERN_CHARS_MAX)]
_Where = Annotated[
    ChosenId | None, Field(description="Where it counts; null: in sessions of no project")
]


class KeptRuleInfo(ResponseModel):
    """An "always", or a rule written by hand: what becomes of such calls of this person."""

    rule_id: str
    user_id: str
    project_id: str | None = Field(description="Where it counts; null: in sessions of no project")
    tool: str = Field(examples=["shell"])
    resource: str = Field(description="A pattern", examples=["git status *"])
    action: Action
    session_id: str | None = Field(description="Where it was said; null: written by hand")
    created_by: str = Field(description="Who said it")
    created_at: datetime


class RuleCreate(RequestModel):
    """A rule for a person; to deny or to ask, no "always" lifts it but for an ask."""

    action: Action
    tool: _Pattern = Field(
        description="A tool, a group (read, write, web, data) or a pattern", examples=["shell"]
    )
    resource: _Pattern = Field(default="**", examples=["git push *"])
    user_id: ChosenId | None = Field(default=None, description="Whose calls; by default yours")
    project_id: _Where = None


class ExplainAsked(RequestModel):
    """A call nobody makes."""

    tool: _Pattern = Field(examples=["shell"])
    resource: Annotated[str, StringConstraints(max_length=_SUBJECT_CHARS_MAX)] = Field(
        default="",
        description="The command, path, address or source it would be about",
        examples=["git push origin main"],
    )
    user_id: ChosenId | None = Field(default=None, description="Whose call; by default yours")
    project_id: _Where = None


class RuleText(BaseModel):
    """A rule as it reads."""

    model_config = ConfigDict(frozen=True)

    action: Action
    tool: str
    resource: str
    source: Source

    @classmethod
    def of(cls, rule: Rule) -> Self:
        """Show a rule of the engine's."""
        return cls(action=rule.action, tool=rule.tool, resource=rule.resource, source=rule.source)


class PartExplained(BaseModel):
    """What becomes of one part: a simple command of a line, a file it opens."""

    model_config = ConfigDict(frozen=True)

    part: str
    action: Action
    reason: str
    rule: RuleText | None

    @classmethod
    def of(cls, part: PartDecision) -> Self:
        """Show the verdict on a part."""
        rule = RuleText.of(part.rule) if part.rule else None
        return cls(part=part.part, action=part.action, reason=part.reason, rule=rule)


class ExplainAnswer(BaseModel):
    """What would become of the call: that of its strictest part."""

    model_config = ConfigDict(frozen=True)

    action: Action
    reason: str
    rule: RuleText | None = Field(description="The rule that decided; null: the default")
    parts: list[PartExplained]
    always: list[RuleText] = Field(description='What an "always" would keep, where it asks')

    @classmethod
    def of(cls, explained: Explanation) -> Self:
        """Show an explanation."""
        verdict = explained.verdict
        return cls(
            action=verdict.action,
            reason=verdict.reason,
            rule=RuleText.of(verdict.rule) if verdict.rule else None,
            parts=[PartExplained.of(part) for part in verdict.commands],
            always=[RuleText.of(rule) for rule in explained.always],
        )


class PermissionPolicy(BaseModel):
    """What holds for everybody, whatever rules people have."""

    model_config = ConfigDict(frozen=True)

    operator: list[RuleText] = Field(
        description="Rules of whoever runs the installation; admins see them"
    )
    operator_count: int = Field(description="How many of them there are")
    allowed_by_default: list[str] = Field(description="Tools that run without asking; others ask")
    groups: dict[str, list[str]] = Field(description="Names a rule may use for several tools")
