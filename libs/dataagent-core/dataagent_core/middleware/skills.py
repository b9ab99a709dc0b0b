"""S1's name for the skills of deepagents, which `engine/deep.py` puts into every agent."""

from dataagent_core.engine.deep import SkillsMiddleware

__all__ = ["SkillsMiddleware"]
