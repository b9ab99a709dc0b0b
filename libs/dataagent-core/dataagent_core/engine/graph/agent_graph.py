"""The graph that `AgentFactory.create_agent` returns (S0, S1): an agent with LangGraph's interface.

`ainvoke` and `astream` are runs like any other: an executor works on them (`executor.py`), with the
agent's permissions, budgets, limits, notes and log. `thread_id` names the session; without one each
call is a session of its own. A run that does not end with an answer raises what it ended with; one
that waits for a person returns with `__interrupt__`, and goes on when it is called with `None`.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.messages import HumanMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from dataagent_core.engine.executor import AgentExecutor
from dataagent_core.engine.graph import deep
from dataagent_core.engine.graph.graph_call import INTERRUPT, GraphCall
from dataagent_core.engine.resources import AgentResources
from dataagent_core.errors import ValidationError
from dataagent_core.events import Event
from dataagent_core.ids import new_id
from dataagent_core.session import runs_of

# Runs are written through at every step, which is the most that can be asked for.
_ALWAYS_SO = ("durability",)


class AgentGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph together with everything its runs need."""

    def __init__(
        self, *, resources: AgentResources, backend: deep.CompositeBackend, **attributes: Any
    ) -> None:
        super().__init__(**attributes)
        self.resources = resources
        self.backend = backend

    @classmethod
    def of(cls, resources: AgentResources, backend: deep.CompositeBackend) -> "AgentGraph":
        """Make the graph of an agent."""
        attributes = {**vars(resources.graph), "config": {}}
        return cls(resources=resources, backend=backend, auto_validate=False, **attributes)

    async def astream(  # pyright: ignore[reportIncompatibleMethodOverride] (one signature for its overloads)
        self,
        input: Any,  # noqa: A002 (the library's name)
        config: RunnableConfig | None = None,
        *,
        context: Any = None,
        stream_mode: Any = None,
        output_keys: Any = None,
        subgraphs: bool = False,
        version: str = "v1",
        **options: Any,
    ) -> AsyncIterator[Any]:
        """Run the agent for one message; `context` is that of `AgentExecutor.execute`."""
        # The engine reads the state's messages in the stream: it is shown whole or as an output.
        _refuse({**options, "output_keys": output_keys != self.output_channels and output_keys})
        wanted = stream_mode or self.stream_mode
        modes: list[Any] = [wanted] if isinstance(wanted, str) else list(wanted)
        given = [one for one in (config, self.config) if one]
        limits = [one["recursion_limit"] for one in given if "recursion_limit" in one]
        merged = merge_configs(self.config, config)
        merged["recursion_limit"] = limits[0] if limits else self.resources.recursion_limit
        call = GraphCall(modes=modes, subgraphs=subgraphs, output_keys=output_keys, config=merged)
        events = self._run(call, input, _session_of(given), context)
        async with aclosing(events):
            async for _ in events:
                for part in call.take():
                    yield _shaped(part, wanted, subgraphs=subgraphs, version=version)
        for part in call.take():
            yield _shaped(part, wanted, subgraphs=subgraphs, version=version)
        if call.error is not None:
            raise call.error

    async def aget_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """Give the state a session's last run has left."""
        return await super().aget_state(await self._thread(config), subgraphs=subgraphs)

    async def aget_state_history(
        self, config: RunnableConfig, **options: Any
    ) -> AsyncIterator[StateSnapshot]:
        """Give the states of a session's last run, newest first."""
        async for state in super().aget_state_history(await self._thread(config), **options):
            yield state

    async def abulk_update_state(self, *_: Any, **__: Any) -> Any:
        """Refuse: what a conversation holds is what its log says."""
        raise ValidationError("a session is changed by its runs alone: send it a message.")

    def stream(self, *_: Any, **__: Any) -> Any:
        """Refuse: an agent waits for models, tools and people."""
        raise _asynchronous("astream")

    def invoke(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _asynchronous("ainvoke")

    def get_state(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _asynchronous("aget_state")

    def get_state_history(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _asynchronous("aget_state_history")

    def bulk_update_state(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `abulk_update_state` does."""
        raise ValidationError("a session is changed by its runs alone: send it a message.")

    async def aclose(self) -> None:
        """Close the agent's connections and programs."""
        await self.resources.aclose()

    def _run(
        self, call: GraphCall, given: Any, session_id: str, context: Any
    ) -> AsyncGenerator[Event, None]:
        executor = AgentExecutor(self, self.backend, call=call)
        if given is None:
            return executor.resume(session_id)
        return executor.execute(_text_of(given), session_id, context)

    async def _thread(self, config: RunnableConfig) -> RunnableConfig:
        """Find the thread of a session's last run that got anywhere; a run's own is itself."""
        named = config.get("configurable", {})
        runs = await runs_of(self.resources.stores.log, str(named.get("thread_id", "")))
        for run in reversed(runs):
            own: RunnableConfig = {**config, "configurable": {**named, "thread_id": run.run_id}}
            if (await super().aget_state(own)).values:
                return own
        return config


def _refuse(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value and name not in _ALWAYS_SO:
            raise ValidationError(
                f"{name}={value!r} cannot be used with an agent, whose runs stop for questions and "
                "are recorded. Leave it out."
            )


def _session_of(configs: Sequence[RunnableConfig]) -> str:
    """Name the session of a call. What surrounds the call, another agent's tool say, counts not."""
    for named in (config.get("configurable", {}) for config in configs):
        if named.get("checkpoint_id"):
            raise ValidationError("a run goes on from where its session is, not from a checkpoint.")
        if named.get("thread_id"):
            return str(named["thread_id"])
    return new_id()


def _asynchronous(name: str) -> ValidationError:
    return ValidationError(f"this agent is asynchronous: use {name}.")


def _text_of(given: Any) -> str:
    """Read the one message of a person that a run answers."""
    messages = given.get("messages") if isinstance(given, Mapping) and len(given) == 1 else None
    if isinstance(messages, str):
        return messages
    read = convert_to_messages(messages) if isinstance(messages, list) else []
    if len(read) == 1 and isinstance(read[0], HumanMessage):
        blocks = read[0].content_blocks
        if all(block["type"] == "text" for block in blocks):
            return read[0].text
    raise ValidationError(
        'give an agent one message with text: {"messages": [{"role": "user", "content": "..."}]}. '
        "What was said before is kept under the same thread_id; with None a run that was "
        "interrupted goes on."
    )


def _shaped(part: Mapping[str, Any], wanted: Any, *, subgraphs: bool, version: str) -> Any:
    """Give a part of the stream as LangGraph does."""
    if version == "v2":
        return part
    data = part["data"]
    if asked := part.get("interrupts"):
        data = {**data, INTERRUPT: asked}
    shaped = [part["ns"]] if subgraphs else []
    if not isinstance(wanted, str):
        shaped.append(part["type"])
    return (*shaped, data) if shaped else data
