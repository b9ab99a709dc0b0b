"""Skills as an agent gets them: the list in its prompt, the tool `skill`, and their execution."""

from dataagent_core.skills.offer.agent_skills import AgentSkills, SkillPlace

__all__ = ["AgentSkills", "SkillPlace"]
