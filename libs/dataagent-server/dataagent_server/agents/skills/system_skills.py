"""The skills that come with DataAgent, under ids that no row has: `system.{name}`."""

import asyncio
import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from dataagent_core.errors import NotFoundError
from dataagent_core.skills import Skill, SkillScope, built_in_folder, load_folder

logger = logging.getLogger(__name__)

_PREFIX: Final = "system."


@dataclass(slots=True)
class SystemSkills:
    """They do not change while a server runs, so they are read once without a problem."""

    folder: Path = field(default_factory=built_in_folder)
    _skills: tuple[Skill, ...] | None = None

    async def load(self) -> tuple[Skill, ...]:
        """Return all of them by name."""
        if self._skills is not None:
            return self._skills
        found = await asyncio.to_thread(load_folder, self.folder, SkillScope.SYSTEM)
        skills = tuple(replace(one, id=f"{_PREFIX}{one.name}") for one in found.skills)
        problems = [one for one in found.problems if not one.is_warning]
        for problem in problems:
            logger.warning("the system skill %r cannot be used: %s", problem.name, problem.render())
        if not problems:
            self._skills = skills
        return skills

    async def find(self, skill_id: str) -> Skill | None:
        """Find one by its id."""
        return next((one for one in await self.load() if one.id == skill_id), None)

    async def require_name(self, name: str) -> None:
        """Raise unless a skill of this name comes with DataAgent."""
        names = [one.name for one in await self.load()]
        if name not in names:
            raise NotFoundError(
                f"There is no system skill {name[:80]!r}. These are: {', '.join(names)}."
            )
