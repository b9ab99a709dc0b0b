"""The middleware S0 and S1 name, in the package they name it in.

Each is the class the engine's own stack is made of (`engine/stack.py`), or made of the same parts.
Use them with `AgentConfig.extra_middleware` or in an agent of your own.
"""

from dataagent_core.middleware.memory import AgentMemoryMiddleware
from dataagent_core.middleware.shell import ShellMiddleware
from dataagent_core.middleware.skills import SkillsMiddleware

__all__ = ["AgentMemoryMiddleware", "ShellMiddleware", "SkillsMiddleware"]
