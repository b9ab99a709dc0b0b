"""Which skills fit a message: `SkillMatcher`, and one for each set of skills in `SkillMatchers`."""

from dataagent_core.skills.match.skill_matcher import SkillMatch, SkillMatcher, SkillMatchers

__all__ = ["SkillMatch", "SkillMatcher", "SkillMatchers"]
