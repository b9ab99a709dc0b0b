"""Skills, as the API takes and shows them (S2 §14.4)."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits import TOOL_NAME_CHARS_MAX
from dataagent_core.config.limits import skills as limits
from dataagent_core.config.limits.match import MATCH_RESULTS_MAX
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills import (
    SkillProblem,
    SkillScope,
    SkillStatus,
    TriggerPattern,
    TriggerType,
)
from dataagent_core.skills.availability import list_missing_tools
from dataagent_core.skills.match import SkillMatch
from dataagent_server.agents.skills.skill_record import SkillVersion
from dataagent_server.agents.skills.skill_view import SkillDetails, SkillView
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, Name, Prompt, Text, without_nul

_TOOL_PATTERN: Final = rf"^[A-Za-z0-9_.:/()*-]{{1,{TOOL_NAME_CHARS_MAX}}}$"
_SYSTEM_NAME_CHARS_MAX: Final = 200
_EXAMPLE: Final = "---\nname: custom-review\ndescription: Review code our way.\n---\n# Review\n"


SkillText = Annotated[
    str,
    StringConstraints(max_length=limits.SKILL_FILE_BYTES_MAX),
    AfterValidator(without_nul),
]
_SkillName = Annotated[
    str, StringConstraints(pattern=rf"^[a-z0-9-]{{1,{limits.SKILL_NAME_CHARS_MAX}}}$")
]
_Description = Annotated[Text, Field(min_length=1, max_length=limits.SKILL_DESCRIPTION_CHARS_MAX)]
_Tool = Annotated[str, StringConstraints(pattern=_TOOL_PATTERN)]
_Tools = Annotated[tuple[_Tool, ...], Field(max_length=limits.SKILL_TOOLS_MAX)]


class SkillPattern(RequestModel):
    """Words or a regular expression (`/.../`) that speak for a skill."""

    pattern: Annotated[Text, Field(max_length=limits.SKILL_PATTERN_CHARS_MAX)]
    weight: float = Field(default=1.0, gt=0, le=limits.SKILL_PATTERN_WEIGHT_MAX)


class SkillPatternInfo(ResponseModel):
    """A pattern as SKILL.md has it: one that is checked may be too long, or weigh nothing."""

    pattern: str
    weight: float


class SkillFileInfo(ResponseModel):
    """A file of a skill beside SKILL.md."""

    path: str
    size_bytes: int
    sha256: str
    executable: bool


class SkillProblemInfo(ResponseModel):
    """What there is to say about a SKILL.md, and where."""

    message: str
    line: int | None
    column: int | None
    is_warning: bool

    @classmethod
    def list_of(cls, problems: tuple[SkillProblem, ...] | list[SkillProblem]) -> list[Self]:
        """Show problems."""
        return [cls.model_validate(one) for one in problems]


class SkillInfo(ResponseModel):
    """One skill of a list."""

    id: str
    name: str
    display_name: str
    description: str
    summary: str
    category: str
    tags: list[str]
    scope: SkillScope
    project_id: str | None
    is_system_skill: bool
    is_disabled: bool = Field(description="Switched off, or disabled by the tenant")
    is_overridden: bool = Field(description="A nearer one of its name, or one chosen, counts")
    override_skill_id: str | None
    enabled: bool
    status: SkillStatus
    version: str
    trigger_type: TriggerType
    trigger_patterns: list[SkillPatternInfo]
    triggers: list[str]
    tools: list[str]
    allowed_tools: list[str] | None = Field(description="null: it narrows nothing")
    requires_tools: list[str]
    missing_tools: list[str] = Field(
        description="The tools it needs that no agent here has: until then it is not offered"
    )
    always_offered: bool
    files: list[SkillFileInfo]
    created_at: datetime | None
    updated_at: datetime | None

    @classmethod
    def of(cls, view: SkillView) -> "SkillInfo":
        """Show a skill."""
        return SkillInfo.model_validate(_values(view))


class SkillDetail(SkillInfo):
    """One skill with its SKILL.md."""

    content: str = Field(description="The text of SKILL.md")
    problems: list[SkillProblemInfo]

    @classmethod
    def of_details(cls, details: SkillDetails) -> Self:
        """Show a skill with its text."""
        return cls.model_validate(
            _values(details.view)
            | {
                "content": details.text,
                "problems": SkillProblemInfo.list_of(details.problems),
            }
        )


def _values(view: SkillView) -> dict[str, Any]:
    skill = view.skill
    return {
        "id": skill.id,
        "name": skill.name,
        "display_name": skill.display_name or skill.name,
        "description": skill.description,
        "summary": skill.summary,
        "category": skill.category,
        "tags": list(skill.tags),
        "scope": skill.scope,
        "project_id": skill.project_id,
        "is_system_skill": skill.is_system_skill,
        "is_disabled": view.is_disabled,
        "is_overridden": view.is_overridden,
        "override_skill_id": view.override_skill_id,
        "enabled": view.enabled,
        "status": skill.status,
        "version": skill.version,
        "trigger_type": skill.trigger.type,
        "trigger_patterns": [
            SkillPatternInfo.model_validate(one) for one in skill.trigger.patterns
        ],
        "triggers": list(skill.trigger.phrases),
        "tools": list(skill.tools),
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "requires_tools": list(skill.requires_tools),
        "missing_tools": list_missing_tools(skill, OWN_TOOLS),
        "always_offered": skill.always_offered,
        "files": [SkillFileInfo.model_validate(file) for file in skill.files],
        "created_at": view.created_at,
        "updated_at": view.updated_at,
    }


class SkillList(ResponseModel):
    """Skills of one or more tiers."""

    skills: list[SkillInfo]


class _SkillFields(RequestModel):
    """What can be said of a skill beside its text; it is written into SKILL.md."""

    display_name: Annotated[Text, Field(max_length=limits.SKILL_DISPLAY_NAME_CHARS_MAX)] | None = (
        None
    )
    summary: Annotated[Text, Field(max_length=limits.SKILL_SUMMARY_CHARS_MAX)] | None = None
    category: Annotated[Text, Field(max_length=limits.SKILL_CATEGORY_CHARS_MAX)] | None = None
    tags: (
        Annotated[
            tuple[Annotated[Text, Field(max_length=limits.SKILL_TAG_CHARS_MAX)], ...],
            Field(max_length=limits.SKILL_TAGS_MAX),
        ]
        | None
    ) = None
    version: Annotated[Text, Field(max_length=limits.SKILL_VERSION_CHARS_MAX)] | None = None
    status: SkillStatus | None = None
    trigger_type: TriggerType | None = None
    trigger_patterns: (
        Annotated[tuple[SkillPattern, ...], Field(max_length=limits.SKILL_PATTERNS_MAX)] | None
    ) = None
    triggers: (
        Annotated[
            tuple[Annotated[Text, Field(max_length=limits.SKILL_PHRASE_CHARS_MAX)], ...],
            Field(max_length=limits.SKILL_PHRASES_MAX),
        ]
        | None
    ) = None
    tools: _Tools | None = Field(default=None, description="In the order in which they are run")
    allowed_tools: _Tools | None = None
    always_offered: bool | None = None
    enabled: bool | None = None
    content: SkillText | None = Field(
        default=None, description="SKILL.md, or its text without front matter", examples=[_EXAMPLE]
    )

    def _fields(self) -> dict[str, Any]:
        given = {
            name: getattr(self, name)
            for name in self.model_fields_set
            if name not in {"content", "enabled", "scope", "project_id"}
        }
        # `allowed_tools: null` says that it narrows nothing any more.
        kept = {
            name: value
            for name, value in given.items()
            if value is not None or name == "allowed_tools"
        }
        if self.trigger_patterns is not None:
            kept["trigger_patterns"] = tuple(
                TriggerPattern(pattern=one.pattern, weight=one.weight)
                for one in self.trigger_patterns
            )
        return kept


class SkillCreate(_SkillFields):
    """A new skill (S2 §14.4.1)."""

    name: _SkillName = Field(examples=["custom-review"])
    description: _Description = Field(examples=["Review code our way."])
    scope: Literal["tenant", "project"] = "tenant"
    project_id: ChosenId | None = Field(default=None, description="For the scope `project`")

    def fields(self) -> dict[str, Any]:
        """Return what is said beside the text."""
        return self._fields()


class SkillChange(_SkillFields):
    """What is to change; fields left out stay."""

    name: _SkillName | None = None
    description: _Description | None = None

    def fields(self) -> dict[str, Any]:
        """Return what is said beside the text."""
        return self._fields()


class SkillContent(RequestModel):
    """A whole SKILL.md."""

    content: SkillText = Field(examples=[_EXAMPLE])


class SkillToCheck(RequestModel):
    """A SKILL.md that is not stored."""

    # NUL too: the answer says where it stands.
    content: str = Field(max_length=limits.SKILL_FILE_BYTES_MAX, examples=[_EXAMPLE])
    name: Annotated[Text, Field(max_length=limits.SKILL_NAME_CHARS_MAX)] | None = Field(
        default=None, description="The folder or skill whose name it must have"
    )


class SkillCheckResult(ResponseModel):
    """Whether a SKILL.md can be stored, and as what."""

    valid: bool
    problems: list[SkillProblemInfo]
    skill: SkillInfo | None = Field(description="null if its front matter cannot be read")


class SkillMessage(RequestModel):
    """A message that skills are to fit."""

    message: Prompt = Field(examples=["Please review this change"])
    project_id: ChosenId | None = None
    limit: int = Field(default=MATCH_RESULTS_MAX, ge=1, le=100)


class SkillMatchInfo(ResponseModel):
    """A skill that fits, and why; scores are from 0 to 1."""

    id: str
    name: str
    scope: SkillScope
    score: float
    keyword_score: float
    semantic_score: float | None = Field(description="null where the meaning was not compared")
    reason: str

    @classmethod
    def of(cls, match: SkillMatch) -> Self:
        """Show a match."""
        return cls(
            id=match.skill.id,
            name=match.skill.name,
            scope=match.skill.scope,
            score=match.score,
            keyword_score=match.keyword_score,
            semantic_score=match.semantic_score,
            reason=match.reason,
        )


class SkillMatchList(ResponseModel):
    """The skills that fit a message, the best first."""

    matches: list[SkillMatchInfo]


class SkillEvalInfo(ResponseModel):
    """How one skill did."""

    name: str
    prompts: int
    hits: int
    false_alarms: int = Field(description="Times it fired on a prompt that is not its own")
    recall: float | None
    precision: float | None


class SkillMissInfo(ResponseModel):
    """A prompt that did not fire its skill, or fired one that it should not."""

    prompt: str
    missing: str | None = Field(description="null where one fired that should not")
    fired: list[str]


class SkillEvalReport(ResponseModel):
    """What became of the evals of a skill, among all skills that are offered beside it."""

    recall: float | None = Field(description="Of the prompts that should fire it; null without")
    precision: float | None
    prompts: int
    skills: list[SkillEvalInfo]
    misses: list[SkillMissInfo]
    confusion: dict[str, dict[str, int]] = Field(
        description="By the skill a prompt belongs to, which skills fired how often"
    )


class SkillVersionInfo(ResponseModel):
    """A version of a skill."""

    number: int
    version: str
    created_at: datetime
    created_by: str


class SkillVersionDetail(SkillVersionInfo):
    """A version with its text."""

    content: str
    files: list[SkillFileInfo]

    @classmethod
    def of(cls, version: SkillVersion) -> Self:
        """Show a version."""
        return cls.model_validate(version)


class SkillVersionList(ResponseModel):
    """What a skill was, the newest first."""

    versions: list[SkillVersionInfo]


class SkillConfigInfo(ResponseModel):
    """What the tenant says of a system skill."""

    id: str
    system_skill_name: str
    action: Literal["disable", "override"]
    override_skill_id: str | None


class SkillConfigList(ResponseModel):
    """All that the tenant says of system skills."""

    configs: list[SkillConfigInfo]


class SystemSkillName(RequestModel):
    """A system skill."""

    skill_name: Name = Field(max_length=_SYSTEM_NAME_CHARS_MAX, examples=["code-review"])


class SystemSkillOverride(SystemSkillName):
    """A system skill, and the tenant's skill in its place."""

    override_skill_id: ChosenId
