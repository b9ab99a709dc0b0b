"""The skills of one agent: loaded once for each run, narrowed for a sub-agent, matched to messages.

`source` says where they come from. A run keeps the set it began with; what it was told of it is in
its state (`engine/middleware/skills.py`), so that a resumed run reads the same.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dataagent_core.config.limits.match import MATCH_WAIT_S_MAX
from dataagent_core.config.limits.offered_skills import SKILL_RUNS_KEPT_MAX
from dataagent_core.permissions.denied.denied_skills import is_skill_denied
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.skills.availability import has_its_tools
from dataagent_core.skills.match import SkillMatch, SkillMatchers
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.source import SkillSet, SkillSource

# Where commands find the files of skills: at the paths of the file tools; at their real paths on
# the host; not at all, because commands run on a vendor's machine; or there are no commands.
SkillPlace = Literal["mounted", "host", "elsewhere", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSkills:
    """What an agent, or a sub-agent with fewer, knows of skills."""

    source: SkillSource
    matchers: SkillMatchers
    place: SkillPlace = "mounted"
    # The names a sub-agent may use; None means all.
    allowed: frozenset[str] | None = None
    # The tools the agent has, besides those of MCP servers; None where nobody knows.
    tools: frozenset[str] | None = None
    # A skill that they deny is not offered.
    rules: RuleSet = field(default_factory=RuleSet)
    # By run; shared with those made from this one.
    _sets: OrderedDict[str, SkillSet] = field(
        default_factory=OrderedDict[str, SkillSet], repr=False
    )

    def narrow(self, allowed: Collection[str] | None, tools: Collection[str]) -> "AgentSkills":
        """Return the skills of a sub-agent that may use only these, None for all, and has `tools`.

        It is not offered a skill that needs a tool it may not call.
        """
        names = self.allowed
        if allowed is not None:
            names = frozenset(allowed) if names is None else names.intersection(allowed)
        return replace(
            self,
            allowed=names,
            tools=None if self.tools is None else self.tools.intersection(tools),
        )

    async def of_run(self, run_id: str, without: Collection[str] = ()) -> SkillSet:
        """Return the skills of a run, loaded when it first asks for them.

        `without` are tools that have nothing to work on: skills that need one are left out.
        """
        loaded = self._sets.get(run_id)
        if loaded is None:
            loaded = await self.source.load()
            # Another call of the run may have been faster: all use the same set.
            loaded = self._sets.setdefault(run_id, loaded)
            while len(self._sets) > SKILL_RUNS_KEPT_MAX:
                self._sets.popitem(last=False)
        return self._keep_usable(loaded, without)

    async def load_usable(self) -> SkillSet:
        """Load the skills that a run would have now."""
        return self._keep_usable(await self.source.load())

    def _keep_usable(self, loaded: SkillSet, without: Collection[str] = ()) -> SkillSet:
        usable = tuple(
            one
            for one in loaded.skills
            if self._has_use_for(one) and not any(name in without for name in one.requires_tools)
        )
        if len(usable) == len(loaded.skills):
            return loaded
        # Fewer skills are another index of the matcher.
        names = ",".join(sorted(one.name for one in usable))
        digest = f"{loaded.digest}:{names}" if loaded.digest else ""
        return replace(loaded, skills=usable, digest=digest)

    def _has_use_for(self, skill: Skill) -> bool:
        if self.allowed is not None and skill.name not in self.allowed:
            return False
        if is_skill_denied(skill.name, self.rules):
            return False
        return self.tools is None or has_its_tools(skill, self.tools)

    def forget(self, run_id: str) -> None:
        """Drop the set of a run that has ended."""
        self._sets.pop(run_id, None)

    async def match(self, skills: SkillSet, message: str) -> Sequence[SkillMatch]:
        """List the skills that fit a message, the best first."""
        matcher = self.matchers.matcher_for(skills)
        return await matcher.find_fitting(message, wait_s=MATCH_WAIT_S_MAX)

    async def search(self, skills: SkillSet, text: str, limit: int) -> Sequence[SkillMatch]:
        """List the skills that anything in a text speaks for, the best first."""
        ranked = await self.matchers.matcher_for(skills).rank(text, MATCH_WAIT_S_MAX)
        return [each for each, _ in ranked][:limit]
