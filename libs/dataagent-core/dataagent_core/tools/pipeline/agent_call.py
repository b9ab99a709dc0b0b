"""One tool call as the pipeline sees it: who asked for what, and under which key it is journalled.

Some models reuse call ids ("call_0") in every message, so the key holds the message's id too.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, runtime_checkable

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.permissions.tool_groups import GROUPS
from dataagent_core.runs import RunContext, run_context
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation

# What a model's unreadable arguments are kept under, so that the call can be answered.
MALFORMED_KEY = "malformed_arguments"
# One line of text.
_DESCRIPTION_CHARS_MAX = 200
_FILE_TOOLS = GROUPS["read"] | GROUPS["write"]
# The arguments that hold paths; a pattern may begin with the place too, and a source of data may
# be a file.
_PATHS: Final = {
    **dict.fromkeys(_FILE_TOOLS, ("file_path", "path")),
    **dict.fromkeys(GROUPS["data"], ("source",)),
    "glob": ("pattern", "path"),
    "grep": ("glob", "path"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCall:
    """A call the model made."""

    name: str
    args: dict[str, Any]
    call_id: str
    message_id: str
    subagent: str | None
    # Which turn of the model in its run made the call, from 1 on.
    step_number: int | None = None
    # How many calls of this tool the message made.
    alike: int = 1
    # How many other calls the message made, of any tool.
    beside: int = 0

    @property
    def key(self) -> str:
        """Name this call uniquely within its run; not to be parsed, both ids may hold a colon."""
        return f"{self.message_id}:{self.call_id}"

    @property
    def args_hash(self) -> str:
        """Bind approvals, journal and receipts to the exact arguments."""
        return hash_of_args(self.args)

    def action_request(self) -> ActionRequest:
        """Put the call as a question to a person."""
        args = ", ".join(f"{name}={str(value)!r:.60}" for name, value in self.args.items())
        if len(args) > _DESCRIPTION_CHARS_MAX:
            args = args[:_DESCRIPTION_CHARS_MAX] + "..."
        return {
            "name": self.name,
            "args": self.args,
            "description": f"{self.name}({args})",
            "tool_call_id": self.call_id,
            "call_key": self.key,
            "subagent": self.subagent,
        }


def read_call(request: ToolCallRequest) -> AgentCall:
    """Read the call from the engine's request."""
    call_id = request.tool_call["id"] or ""
    context = run_context(request.runtime)
    message, step_number = _find_message(request.state["messages"], call_id, context.run.message_id)
    name = request.tool_call["name"]
    made = () if message is None else message.tool_calls
    return AgentCall(
        name=name,
        args=dict(request.tool_call["args"]),
        call_id=call_id,
        message_id="" if message is None else message.id or "",
        subagent=None if context.subagent is None else context.subagent.name,
        step_number=step_number,
        alike=sum(one["name"] == name for one in made) or 1,
        beside=max(0, len(made) - 1),
    )


def _find_message(
    messages: Sequence[BaseMessage], call_id: str, run_message_id: str | None
) -> tuple[AIMessage | None, int | None]:
    """Find the message that made a call, and which of the model's in this run it is.

    A sub-agent does not see the run's message: its turns are counted from its task on.
    """
    found: AIMessage | None = None
    turns = 0
    for message in reversed(messages):
        if found is not None and message.id == run_message_id:
            break
        if not isinstance(message, AIMessage):
            continue
        if found is None and any(call["id"] == call_id for call in message.tool_calls):
            found = message
        turns += found is not None
    return found, turns or None


def with_workspace_paths(call: AgentCall, place: WorkspaceLocation) -> AgentCall:
    """Give the call with its paths from the workspace's root; other tools' calls as they are.

    A model that runs commands knows files by the paths commands print (`/home/u/project/a.txt`).
    Its call is translated once, here, so that the judge, the tool, the log and whoever is asked
    about it all read `/a.txt`.
    """
    paths = {
        name: place.from_tool(path)
        for name in _PATHS.get(call.name, ())
        if isinstance(path := call.args.get(name), str)
    }
    return replace(call, args={**call.args, **paths}) if paths else call


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A call, and the run it belongs to.

    LangChain hands a tool its arguments and nothing else, and most need no more. One that reports
    progress, or asks a person in the middle of its work, needs the run's recorder and its call.
    """

    call: AgentCall
    context: RunContext


_RUNNING: ContextVar[RunningCall | None] = ContextVar("running_call", default=None)


@contextmanager
def enter_call(call: AgentCall, context: RunContext) -> Generator[None]:
    """Let whatever is started inside know its call."""
    token = _RUNNING.set(RunningCall(call, context))
    try:
        yield
    finally:
        _RUNNING.reset(token)


def running_call() -> RunningCall | None:
    """Give the call this code runs for; None where a tool is used without a run."""
    return _RUNNING.get()


@runtime_checkable
class InterruptibleTool(Protocol):
    """A tool whose calls may wait for a person in the middle.

    Such a call has begun and has no outcome, like one that a crash cut off. Its tool knows better.
    """

    def count_begun(self, call: AgentCall, context: RunContext) -> int:
        """Say how often a call of unknown outcome began in earlier attempts.

        0: it did nothing since it asked. An attempt that goes on here is not counted.
        """
        ...
