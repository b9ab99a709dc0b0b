"""S1's name for the skills of deepagents, which `engine/graph/deep.py` puts into every agent."""

from dataagent_core.engine.graph.deep import SkillsMiddleware

__all__ = ["SkillsMiddleware"]
