"""Which results are never pruned: instructions the agent loaded and still works by.

S2 §5.2.10 names the tools (`PRUNE_PROTECTED_TOOLS`). Our agents load a skill by reading its file,
so what `read_file` gave of one is protected too.
"""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.tool import ToolCall

from dataagent_core.config.context_limits import PRUNE_PROTECTED_TOOLS
from dataagent_core.config.skill_paths import ASSISTANT_SKILLS, PROJECT_SKILLS

_READ = "read_file"


def protected_calls(messages: Sequence[BaseMessage]) -> frozenset[str]:
    """Give the ids of the calls in a view whose results are protected."""
    return frozenset(
        str(call["id"])
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
        if call["name"] in PRUNE_PROTECTED_TOOLS or _reads_skill(call)
    )


def _reads_skill(call: ToolCall) -> bool:
    if call["name"] != _READ:
        return False
    # Not `parts_of`: a model may have written anything, and here nothing is opened.
    names = [
        name for name in str(call["args"].get("file_path")).split("/") if name not in {"", "."}
    ]
    return f"/{'/'.join(names[:2])}/" in {ASSISTANT_SKILLS, PROJECT_SKILLS}
