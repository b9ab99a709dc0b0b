"""The port through which an agent gets its skills: folders in the terminal, rows on a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from dataagent_core.skills.skill import Skill, SkillScope


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillProblem:
    """Why a skill is not offered, or offered with a warning; for people, with the way out."""

    name: str
    message: str
    # Of the skill, where it is a folder; `path` is a file in it.
    folder: Path | None = None
    path: str = ""
    line: int | None = None
    column: int | None = None
    is_warning: bool = False
    # The field of the front matter it is about, if it is about one.
    field: str = ""

    def render(self) -> str:
        """Return the message behind its place."""
        if self.line is None:
            return self.message
        return f"line {self.line}, column {self.column}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSet:
    """The skills an agent may use: one for each name, tiers resolved, disabled ones left out."""

    skills: tuple[Skill, ...] = ()
    problems: tuple[SkillProblem, ...] = ()
    # Changes when any skill does.
    digest: str = ""

    def find(self, name: str) -> Skill | None:
        """Find a skill by its name."""
        return next((skill for skill in self.skills if skill.name == name), None)


class SkillSource(Protocol):
    """Gives an agent its skills. A run keeps the set it began with."""

    @property
    def folders(self) -> Mapping[SkillScope, Path]:
        """The folder of each tier on this host, mounted read-only at `/skills/{scope}/`."""
        ...

    async def load(self) -> SkillSet:
        """Return the skills as they are now; cheap while nothing has changed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSkills:
    """Skills that do not change: a server makes an agent anew when they do."""

    skill_set: SkillSet
    folders: Mapping[SkillScope, Path] = field(default_factory=dict[SkillScope, Path])

    async def load(self) -> SkillSet:
        """Return the set."""
        return self.skill_set
