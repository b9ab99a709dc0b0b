"""One call of an agent's graph by a program: what it wants to see, and how the run ended.

A segment shows it the parts of the graph's stream (`segment.py`); `agent_graph.py` passes them on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot, StreamMode

INTERRUPT = "__interrupt__"
# The engine's own; what a program put beside them is for its tools.
_ENGINE_KEYS = ("__pregel_", "checkpoint_", "thread_id")


@dataclass(slots=True, kw_only=True)
class GraphCall:
    """The stream modes somebody asked for, and the parts they have not taken yet."""

    modes: Sequence[StreamMode]
    subgraphs: bool
    # The parts of the state to be shown; all where unset.
    output_keys: Any
    config: RunnableConfig
    # What the run ended with, if not with an answer; whoever called gets it raised.
    error: BaseException | None = None
    _parts: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    # The questions of a segment concern the caller only when nobody answers them.
    _questions: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    def see(self, part: Mapping[str, Any]) -> None:
        """Keep a part of the stream if it was asked for."""
        if part["type"] not in self.modes:
            return
        asks = part.get("interrupts") or (part["type"] == "updates" and INTERRUPT in part["data"])
        (self._questions if asks else self._parts).append(part)

    def see_waiting(self, state: StateSnapshot) -> None:
        """Keep the questions of a run that waits where it stands, as its stream had them."""
        named = state.values if self.output_keys is None else self.output_keys
        shown = {key: value for key, value in state.values.items() if key in named}
        parts: dict[StreamMode, Mapping[str, Any]] = {
            "updates": {"type": "updates", "ns": (), "data": {INTERRUPT: state.interrupts}},
            "values": {"type": "values", "ns": (), "data": shown, "interrupts": state.interrupts},
        }
        self._questions[:] = [part for mode, part in parts.items() if mode in self.modes]

    def wait(self) -> None:
        """Show the questions that wait for a person."""
        self._parts.extend(self._questions)

    def take(self) -> list[Mapping[str, Any]]:
        """Give the parts that were not given yet."""
        taken, self._parts = self._parts, []
        return taken

    def begin_segment(self, thread: RunnableConfig) -> RunnableConfig:
        """Say how to run a thread: with the caller's callbacks, tags and values for tools."""
        # The questions of the segment before have been answered.
        self._questions.clear()
        given = {
            key: value
            for key, value in self.config.get("configurable", {}).items()
            if not key.startswith(_ENGINE_KEYS)
        }
        named = {**given, **thread.get("configurable", {})}
        config: RunnableConfig = {**self.config, **thread, "configurable": named}
        # A trace knows an id once.
        self.config.pop("run_id", None)
        return config
