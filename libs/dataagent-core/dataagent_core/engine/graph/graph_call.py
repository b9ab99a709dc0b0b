"""One call of an agent's graph by a program: the stream parts it wants, and how the run ended.

`segment.py` adds the parts of the graph's stream; `agent_graph.py` passes them on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot, StreamMode

INTERRUPT = "__interrupt__"
# Keys of the engine; all others are values of the program for its tools.
_ENGINE_KEYS = ("__pregel_", "checkpoint_", "thread_id")


@dataclass(slots=True, kw_only=True)
class GraphCall:
    """The requested stream modes, and the parts that are not yet taken."""

    modes: Sequence[StreamMode]
    subgraphs: bool
    # The parts of the state to be shown; all when unset.
    output_keys: Any
    config: RunnableConfig
    # Raised to the caller if the run did not end with an answer.
    error: BaseException | None = None
    _parts: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    # Interrupts of the segment, shown to the caller only if they stay unanswered.
    _interrupt_parts: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    def see(self, part: Mapping[str, Any]) -> None:
        """Keep a part of the stream if its mode was requested."""
        if part["type"] not in self.modes:
            return
        is_interrupt = part.get("interrupts") or (
            part["type"] == "updates" and INTERRUPT in part["data"]
        )
        (self._interrupt_parts if is_interrupt else self._parts).append(part)

    def see_waiting(self, state: StateSnapshot) -> None:
        """Keep the interrupts of a waiting run, in the form of its stream."""
        named = state.values if self.output_keys is None else self.output_keys
        shown = {key: value for key, value in state.values.items() if key in named}
        parts: dict[StreamMode, Mapping[str, Any]] = {
            "updates": {"type": "updates", "ns": (), "data": {INTERRUPT: state.interrupts}},
            "values": {"type": "values", "ns": (), "data": shown, "interrupts": state.interrupts},
        }
        self._interrupt_parts[:] = [part for mode, part in parts.items() if mode in self.modes]

    def wait(self) -> None:
        """Show the interrupts that wait for a person."""
        self._parts.extend(self._interrupt_parts)

    def take(self) -> list[Mapping[str, Any]]:
        """Return the parts that were not yet taken."""
        taken, self._parts = self._parts, []
        return taken

    def begin_segment(self, thread: RunnableConfig) -> RunnableConfig:
        """Return a thread's configuration with the caller's callbacks, tags and values."""
        # The interrupts of the segment before have been answered.
        self._interrupt_parts.clear()
        given = {
            key: value
            for key, value in self.config.get("configurable", {}).items()
            if not key.startswith(_ENGINE_KEYS)
        }
        named = {**given, **thread.get("configurable", {})}
        config: RunnableConfig = {**self.config, **thread, "configurable": named}
        # An id may occur only once in a trace.
        self.config.pop("run_id", None)
        return config
