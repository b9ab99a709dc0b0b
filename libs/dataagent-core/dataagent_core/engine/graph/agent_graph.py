"""The graph that `AgentFactory.create_agent` returns (S0, S1): an agent with LangGraph's interface.

`ainvoke` and `astream` make a run with `AgentExecutor` (`executor.py`), with the agent's
permissions, budgets, limits, notes and log. `thread_id` names the session; without one each call is
a session of its own. A run that ends without an answer raises its error; one that waits for a
person returns with `__interrupt__`, and continues when it is called with `None`.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.messages import HumanMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from dataagent_core.engine.assembly.agent_resources import AgentResources
from dataagent_core.engine.executor import AgentExecutor
from dataagent_core.engine.graph import deep
from dataagent_core.engine.graph.graph_call import INTERRUPT, GraphCall
from dataagent_core.errors import ValidationError
from dataagent_core.events import Event
from dataagent_core.ids import new_id
from dataagent_core.session import runs_of

# Runs are always written at every step, which is the strongest durability.
_IGNORED_OPTIONS = ("durability",)


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
        # The engine reads the state's messages in the stream, so other output keys are refused.
        _refuse({**options, "output_keys": output_keys != self.output_channels and output_keys})
        wanted = stream_mode or self.stream_mode
        modes: list[Any] = [wanted] if isinstance(wanted, str) else list(wanted)
        given = [one for one in (config, self.config) if one]
        limits = [one["recursion_limit"] for one in given if "recursion_limit" in one]
        merged = merge_configs(self.config, config)
        merged["recursion_limit"] = limits[0] if limits else self.resources.recursion_limit
        call = GraphCall(modes=modes, subgraphs=subgraphs, output_keys=output_keys, config=merged)
        events = self._run(call, input, _read_session_id(given), context)
        async with aclosing(events):
            async for _ in events:
                for part in call.take():
                    yield _shape_part(part, wanted, subgraphs=subgraphs, version=version)
        for part in call.take():
            yield _shape_part(part, wanted, subgraphs=subgraphs, version=version)
        if call.error is not None:
            raise call.error

    async def aget_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """Return the state of a session's last run."""
        return await super().aget_state(await self._find_thread(config), subgraphs=subgraphs)

    async def aget_state_history(
        self, config: RunnableConfig, **options: Any
    ) -> AsyncIterator[StateSnapshot]:
        """Yield the states of a session's last run, newest first."""
        async for state in super().aget_state_history(await self._find_thread(config), **options):
            yield state

    async def abulk_update_state(self, *_: Any, **__: Any) -> Any:
        """Refuse: only runs change a session, and they write its log."""
        raise ValidationError("a session is changed by its runs alone: send it a message.")

    def stream(self, *_: Any, **__: Any) -> Any:
        """Refuse: an agent waits for models, tools and people."""
        raise _async_error("astream")

    def invoke(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _async_error("ainvoke")

    def get_state(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _async_error("aget_state")

    def get_state_history(self, *_: Any, **__: Any) -> Any:
        """Refuse, as `stream` does."""
        raise _async_error("aget_state_history")

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
        return executor.execute(_read_text(given), session_id, context)

    async def _find_thread(self, config: RunnableConfig) -> RunnableConfig:
        """Find the thread of a session's last run that has a state."""
        configurable = config.get("configurable", {})
        runs = await runs_of(self.resources.stores.log, str(configurable.get("thread_id", "")))
        for run in reversed(runs):
            own: RunnableConfig = {
                **config,
                "configurable": {**configurable, "thread_id": run.run_id},
            }
            if (await super().aget_state(own)).values:
                return own
        return config


def _refuse(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value and name not in _IGNORED_OPTIONS:
            raise ValidationError(
                f"{name}={value!r} cannot be used with an agent, whose runs stop for questions and "
                "are recorded. Leave it out."
            )


def _read_session_id(configs: Sequence[RunnableConfig]) -> str:
    """Return the session of a call. The configuration of a surrounding run does not count."""
    for configurable in (config.get("configurable", {}) for config in configs):
        if configurable.get("checkpoint_id"):
            raise ValidationError("a run goes on from where its session is, not from a checkpoint.")
        if configurable.get("thread_id"):
            return str(configurable["thread_id"])
    return new_id()


def _async_error(name: str) -> ValidationError:
    return ValidationError(f"this agent is asynchronous: use {name}.")


def _read_text(given: Any) -> str:
    """Read the user message of a call."""
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


def _shape_part(part: Mapping[str, Any], wanted: Any, *, subgraphs: bool, version: str) -> Any:
    """Convert a part of the stream to LangGraph's form."""
    if version == "v2":
        return part
    data = part["data"]
    if interrupts := part.get("interrupts"):
        data = {**data, INTERRUPT: interrupts}
    shaped = [part["ns"]] if subgraphs else []
    if not isinstance(wanted, str):
        shaped.append(part["type"])
    return (*shaped, data) if shaped else data
