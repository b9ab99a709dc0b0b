"""S1's name for the middleware that offers skills; `engine/stack.py` puts it into every agent."""

from dataagent_core.engine.middleware.skills import SkillsMiddleware

__all__ = ["SkillsMiddleware"]
