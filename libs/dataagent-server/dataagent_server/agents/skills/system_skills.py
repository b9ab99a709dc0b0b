"""The skills that come with DataAgent, under ids that no row has: `system.{name}`."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from dataagent_core.errors import NotFoundError
from dataagent_core.skills import Skill, SkillProblem, SkillScope, built_in_folder, load_folder
from dataagent_server.agents.skills.limits import SYSTEM_SKILLS_RETRY_S

logger = logging.getLogger(__name__)

_PREFIX: Final = "system."


@dataclass(slots=True)
class SystemSkills:
    """They do not change while a server runs, so they are read once.

    After a problem they are read again, at most once in `SYSTEM_SKILLS_RETRY_S`.
    """

    folder: Path = field(default_factory=built_in_folder)
    clock: Callable[[], float] = time.monotonic
    _skills: tuple[Skill, ...] | None = None
    _problems: tuple[SkillProblem, ...] = ()
    _retry_at: float = 0.0

    async def load(self) -> tuple[Skill, ...]:
        """Return all of them by name."""
        if self._skills is not None and (not self._problems or self.clock() < self._retry_at):
            return self._skills
        found = await asyncio.to_thread(load_folder, self.folder, SkillScope.SYSTEM)
        problems = tuple(one for one in found.problems if not one.is_warning)
        for problem in problems:
            if problem not in self._problems:
                logger.warning(
                    "the system skill %r cannot be used: %s", problem.name, problem.render()
                )
        self._problems, self._retry_at = problems, self.clock() + SYSTEM_SKILLS_RETRY_S
        self._skills = tuple(replace(one, id=f"{_PREFIX}{one.name}") for one in found.skills)
        return self._skills

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
