"""One call of each effect class that appends a line to an outside file, and its agent.

The worker and the test build the same agent from here: one is killed, the other resumes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.engine import AgentConfig
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.tools.effects import Effect, effect_metadata

EFFECTS: tuple[Effect, ...] = get_args(Effect)
# Point of `points.py` -> how often the call had taken effect when the process died there.
MOMENTS = {"intent written": 0, "tool done, outcome not committed": 1}


def lines_in(counter: Path) -> int:
    """Count how often the call really ran."""
    return len(counter.read_text().splitlines()) if counter.exists() else 0


def counting_tool(effect: Effect, counter: Path) -> BaseTool:
    """Make a tool of one effect class."""

    def work(what: str) -> str:
        """Do something that can be counted."""
        with counter.open("a") as file:
            file.write(f"{what}\n")
        return f"{what} is done"

    make: Callable[..., BaseTool] = StructuredTool.from_function
    return make(work, metadata=effect_metadata(effect))


def agent_config(workspace: Path, effect: Effect, counter: Path) -> AgentConfig:
    """Describe an agent that makes one call and then answers."""
    call: dict[str, Any] = {"name": "work", "args": {"what": "it"}}
    steps = [{"text": "Now.", "tool_calls": [call]}, {"text": "The work is done."}]
    return AgentConfig(
        assistant_id="victim",
        model=ScriptedChatModel(script=Script.model_validate({"steps": steps})),
        workspace_path=workspace,
        enable_shell=False,
        # The irreversible call is allowed; only an unknown outcome is asked about.
        auto_approve=True,
        extra_tools=[counting_tool(effect, counter)],
    )
