"""A skill as the rest of the code uses it: the standard's fields and those of S2 §8.

Reading and writing `SKILL.md` is in `skill_file.py`; which of three tiers counts in `tiers.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

TriggerType = Literal["keyword", "semantic", "hybrid"]
SkillStatus = Literal["active", "disabled", "deprecated"]


class SkillScope(StrEnum):
    """The tier of a skill; a later one wins over an earlier one of the same name (S2 §8.4)."""

    SYSTEM = "system"
    TENANT = "tenant"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerPattern:
    """Words or a regular expression (`/.../`) that speak for a skill, and how much they count."""

    pattern: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillTrigger:
    """When a skill is offered: by words, by meaning, or by both."""

    type: TriggerType = "hybrid"
    # Phrases a person may say (`triggers` in SKILL.md, `trigger_phrases` in the table).
    phrases: tuple[str, ...] = ()
    patterns: tuple[TriggerPattern, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFile:
    """A file of a skill besides SKILL.md; `path` is relative (`scripts/parse.py`)."""

    path: str
    size_bytes: int
    sha256: str
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One skill: when to use it, what it says, and the files it brings."""

    # Of a row; the name where the skill is a folder.
    id: str
    tenant_id: str | None = None
    project_id: str | None = None
    scope: SkillScope = SkillScope.TENANT

    name: str
    description: str
    # The body of SKILL.md, after the front matter.
    content: str
    license: str | None = None
    compatibility: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    # `None`: the skill narrows nothing; a list: while it is active, only these tools.
    allowed_tools: tuple[str, ...] | None = None

    display_name: str = ""
    summary: str = ""
    category: str = "general"
    tags: tuple[str, ...] = ()
    trigger: SkillTrigger = field(default_factory=SkillTrigger)
    version: str = "1.0.0"
    status: SkillStatus = "active"
    # Tools with an order: the skill can be run as a composition (`SkillExecutor`).
    tools: tuple[str, ...] = ()
    # Its owner wants it among those offered, whatever the message is.
    always_offered: bool = False
    # Tools without which it is of no use: it is not offered to an agent that lacks one.
    requires_tools: tuple[str, ...] = ()

    files: tuple[SkillFile, ...] = ()
    # Where SKILL.md and the files are on this host; `None` while only a row has them.
    folder: Path | None = None
    # The SHA-256 of SKILL.md and of all files: two skills with one digest are the same.
    digest: str = ""

    @property
    def is_system_skill(self) -> bool:
        """Whether it is built in, so that nobody may change it."""
        return self.scope is SkillScope.SYSTEM

    @property
    def path(self) -> str:
        """Where the agent's tools find its files: `/skills/{scope}/{name}`."""
        return f"/skills/{self.scope}/{self.name}"
