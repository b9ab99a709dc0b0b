"""A sub-agent as the rest of the code uses it: the fields of S2 §9.1 and appendix C.2.6.

Reading `.dataagent/agents/*.md` is in `subagent_file.py`, choosing one in `router.py`.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from dataagent_core.permissions.rules import Rule

AgentColor = Literal["blue", "green", "orange", "purple", "red", "teal", "yellow", "gray"]

# The model of whoever delegates.
INHERIT: Final = "inherit"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentTrigger:
    """When a sub-agent is the right one (S2's `AgentTrigger`)."""

    description: str
    examples: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgent:
    """One specialist: its prompt, when it is chosen, and what it may use.

    The three lists of what it may use only narrow what the agent itself has; `None` means all of
    it, an empty list nothing.
    """

    # Of a row; the name where it is a file or built in.
    id: str
    tenant_id: str | None = None
    project_id: str | None = None
    name: str
    display_name: str = ""
    trigger: SubAgentTrigger
    system_prompt: str
    model: str = INHERIT
    color: AgentColor = "blue"
    allowed_tools: tuple[str, ...] | None = None
    allowed_skills: tuple[str, ...] | None = None
    allowed_mcp_servers: tuple[str, ...] | None = None
    # Its own permission rules; they may only tighten those of the agent.
    rules: tuple[Rule, ...] = ()
    # Without all of these it can do nothing: it is hidden until they exist.
    requires_tools: tuple[str, ...] = ()
    max_tokens: int = 4096
    temperature: float = 0.7
    top_p: float | None = None
    # Turns of the model in one task.
    max_iterations: int = 10
    # Not offered to the model or the router; it can still be asked for by name.
    hidden: bool = False
    enabled: bool = True
    version: str = "1.0.0"
    is_built_in: bool = False
    # What its file said that is not known here; people see it, nothing is refused.
    warnings: tuple[str, ...] = field(default=())
