"""An assistant: the agent configuration that users of a tenant gave a name."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dataagent_core.engine import AgentConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One assistant; without an owner it is the built-in one."""

    assistant_id: str
    owner_id: str | None = None
    name: str
    description: str = ""
    model: str | None = None
    system_prompt: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    is_active: bool = True
    created_at: datetime | None = None
    updated_at: datetime | None = None

    @property
    def config(self) -> AgentConfig:
        """The agent configuration; the run adds the user and the workspace."""
        return AgentConfig(
            assistant_id=self.assistant_id,
            model=self.model,
            system_prompt=self.system_prompt,
            **{name: self.options[name] for name in OPTIONS if name in self.options},
        )


# The options an assistant may set, by their names in `AgentConfig`. Automatic approval is not among
# them: on a server a user approves. Nor is `sandbox_id`: it could name a machine that another
# tenant uses.
OPTIONS = ("enable_memory", "enable_skills", "enable_shell", "enable_mcp", "sandbox_type", "loop")


def make_built_in(assistant_id: str) -> Assistant:
    """Make the assistant that every tenant has."""
    return Assistant(
        assistant_id=assistant_id,
        name="DataAgent",
        description="Works with your files and tools; asks before it changes anything.",
    )
