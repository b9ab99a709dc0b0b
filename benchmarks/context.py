"""The context window: what showing a long history costs, and what of it survives.

Building: one turn of a session that grows to 2,000 messages, with everything the middleware does
but the model. Keeping: 500 scripted turns in a 32k window, ours beside the library's own
summarization, with the same model that summarizes in the same way: sentences taken evenly from what
it is given, 500 tokens of them. A request that is over the window is refused as a provider does.
"""

import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import token_estimate
from context_facts import Fact, Turn, held, session
from folders import new_folder
from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models.model_profile import ModelProfile
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import tool

from dataagent_core.context.token_counter import call_text, message_tokens, tools_tokens
from dataagent_core.models import Script, ScriptedChatModel

WINDOW = 32_000
TURNS = 500
MESSAGES = 2_000
SEED = 7
SUMMARY_CHARS = 2_000
HEADING = "## Context window"
_MATCH = re.compile(r"Turn (\d{4})\.")


class Model(ScriptedChatModel):
    """Answers by the turn's number, summarizes evenly, refuses long requests, checks facts."""

    facts: list[Fact] = []  # noqa: RUF012 (a field of pydantic's)
    counts: dict[str, int] = {}  # noqa: RUF012 (a field of pydantic's)
    missing: dict[str, int] = {}  # noqa: RUF012 (a field of pydantic's)

    def _resolve_model_profile(self) -> ModelProfile:
        return ModelProfile(max_input_tokens=WINDOW, max_output_tokens=4_096, tool_calling=True)

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        tools = list(kwargs.get("tools") or [])
        size = sum(map(message_tokens, messages)) + tools_tokens(tools)
        self._note("requests", 1)
        self.counts["largest"] = max(self.counts.get("largest", 0), size)
        if size > WINDOW:
            self._note("overflows", 1)
            raise ContextOverflowError(f"maximum context length is {WINDOW} tokens")
        if not tools:
            self._note("summaries", 1)
            text = summary_of("\n".join(str(message.text) for message in messages))
            yield ChatGenerationChunk(message=AIMessageChunk(content=text, chunk_position="last"))
            return
        self._check(messages)
        async for chunk in super()._astream(messages, *args, **kwargs):
            message: Any = chunk.message
            if usage := message.usage_metadata:
                # Counted as a provider does: with the schemas of the tools.
                usage["input_tokens"] = size
            yield chunk

    def _note(self, what: str, count: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + count

    def _check(self, messages: list[BaseMessage]) -> None:
        asked = [m for m in messages if isinstance(m, HumanMessage)]
        found = _MATCH.match(str(asked[-1].text)) if asked else None
        if found is None:
            self._note("lost_question", 1)
            return
        text = "\n".join(_all_of(message) for message in messages)
        for fact in held(self.facts, int(found[1])):
            self._note("facts", 1)
            if fact.text not in text:
                self._note("lost", 1)
                self.missing[fact.kind] = self.missing.get(fact.kind, 0) + 1


def _all_of(message: BaseMessage) -> str:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return " ".join([str(message.text), *map(call_text, calls)])


def summary_of(text: str) -> str:
    """Take sentences evenly from a history, about 500 tokens."""
    # Our prompt says where the history begins; a summary that repeats the question is not used.
    text = text.partition("<history>")[2] or text
    sentences = re.split(r"(?<=[.])\s+", text)
    step = max(len(text) // SUMMARY_CHARS, 1)
    return " ".join(sentences[::step])[:SUMMARY_CHARS]


def model(turns: list[Turn], facts: list[Fact]) -> Model:
    scripts = [
        {"match": rf"Turn {n:04}\.", "steps": [{"tool_calls": [turn.call]}, {"text": turn.answer}]}
        for n, turn in enumerate(turns)
    ]
    script = Script.model_validate({"scripts": [*scripts, {"steps": [{"text": "ok"}]}]})
    return Model(script=script, facts=facts, counts={}, missing={})


def tools() -> list[Any]:
    @tool
    async def lookup(words: int) -> str:
        """Look something up."""
        return " ".join(f"row{n % 7}" for n in range(words))

    @tool
    async def fail(why: str) -> str:
        """Fail."""
        raise RuntimeError(why)

    @tool(response_format="content_and_artifact")
    async def measure(seed: int) -> tuple[str, dict[str, Any]]:
        """Measure something."""
        receipt = {
            "result_id": f"r_{seed:06}",
            "source": "shop",
            "sql": "select 1",
            "sha256": "0",
            "row_count": 1,
            "truncated": False,
        }
        return "one row", {"result": receipt}

    return [lookup, fail, measure]


async def ours(folder: Path) -> dict[str, Any]:
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory

    turns, facts = session(TURNS, SEED)
    asked = model(turns, facts)
    settings = Settings(home=new_folder(folder, "home"), max_context_tokens=WINDOW, model_retries=0)
    config = AgentConfig(
        assistant_id="bench",
        model=asked,
        extra_tools=tools(),
        workspace_path=new_folder(folder, "work"),
    )
    executor = AgentFactory(settings).create_executor(config)
    compressions = failed = 0
    began = time.process_time()
    for turn in turns:
        async for event in executor.execute(turn.said, "s"):
            compressions += event.event_type == "context_compressed"
            failed += event.event_type == "error"
    return _figures(asked, time.process_time() - began, compressions, failed)


async def library(folder: Path) -> dict[str, Any]:
    from deepagents.backends import FilesystemBackend
    from deepagents.graph import DeepAgentState
    from deepagents.middleware.summarization import create_summarization_middleware
    from langchain.agents import create_agent
    from langchain.agents.middleware import TodoListMiddleware, ToolErrorMiddleware
    from langgraph.checkpoint.memory import InMemorySaver

    turns, facts = session(TURNS, SEED)
    asked = model(turns, facts)
    backend = FilesystemBackend(root_dir=str(folder), virtual_mode=True)
    around: list[Any] = [
        ToolErrorMiddleware(on_error=lambda error, _: f"{type(error).__name__}: {error}"),
        TodoListMiddleware(),
        create_summarization_middleware(asked, backend),
    ]
    agent = create_agent(
        asked,
        tools=tools(),
        middleware=around,
        state_schema=DeepAgentState,
        checkpointer=InMemorySaver(),
    )
    compressions = failed = 0
    event: Any = None
    began = time.process_time()
    for turn in turns:
        feed: Any = {"messages": [HumanMessage(turn.said)]}
        try:
            await agent.ainvoke(feed, {"configurable": {"thread_id": "t"}})
        except ContextOverflowError:
            failed += 1
        state = await agent.aget_state({"configurable": {"thread_id": "t"}})
        now = state.values.get("_summarization_event")
        compressions += now != event
        event = now
    return _figures(asked, time.process_time() - began, compressions, failed)


def _figures(asked: Model, cpu_s: float, compressions: int, failed: int) -> dict[str, Any]:
    checked, lost = asked.counts.get("facts", 0), asked.counts.get("lost", 0)
    return {
        "requests": asked.counts["requests"],
        "largest": asked.counts["largest"],
        "overflows": asked.counts.get("overflows", 0),
        "summaries": asked.counts.get("summaries", 0),
        "compressions": compressions,
        "failed": failed,
        "kept": 100 * (checked - lost) / max(checked, 1),
        "lost_question": asked.counts.get("lost_question", 0),
        "missing": asked.missing,
        "cpu_s": cpu_s,
    }


async def building(window: int) -> dict[str, float]:
    """Measure the cost of a turn while a session grows to 2,000 messages."""
    from langchain.agents.middleware.types import ModelRequest, ModelResponse

    from dataagent_core.context import (
        ContextMiddleware,
        ContextWindowConfig,
        ContextWindowManager,
    )
    from dataagent_core.permissions import RunPermissions, RunQuestions
    from dataagent_core.runs import RunContext
    from dataagent_core.session import Run, RunRecorder
    from dataagent_core.session.stores.bundle import Stores

    stores = Stores.in_memory()
    run = Run(run_id="r", session_id="s", message_id="m")
    recorder = RunRecorder(stores.log, run, lambda _: None)
    permissions = RunPermissions(questions=RunQuestions(session_id="s"))
    context = RunContext(run=run, recorder=recorder, permissions=permissions)
    manager = ContextWindowManager(ContextWindowConfig(max_context_tokens=window))
    middleware = ContextMiddleware(manager, stores.log, stores.messages)
    runtime: Any = type("Runtime", (), {"context": context})()
    turns, _ = session(MESSAGES // 4, SEED)
    asked, offered = model([], []), tools()
    history: list[Any] = []
    state: Any = {}
    times: list[float] = []
    cpu_s = 0.0

    async def answer(request: Any) -> Any:
        del request
        return ModelResponse(result=[AIMessage(content="A summary of it.")])

    for n, turn in enumerate(turns):
        call = {**turn.call, "id": f"c{n}"}
        history += [
            HumanMessage(content=turn.said, id=f"h{n}"),
            AIMessage(content="", tool_calls=[call], id=f"a{n}"),
            ToolMessage(content="row " * 300, name="lookup", tool_call_id=f"c{n}", id=f"t{n}"),
            AIMessage(content=turn.answer, id=f"b{n}"),
        ]
        request: Any = ModelRequest(
            model=asked, messages=list(history), tools=offered, state=state, runtime=runtime
        )
        began, cpu_began = time.perf_counter(), time.process_time()
        extended = await middleware.awrap_model_call(request, answer)
        times.append((time.perf_counter() - began) * 1_000)
        cpu_s += time.process_time() - cpu_began
        state = {**state, **extended.command.update}
    tenth = len(times) // 10
    return {
        "mean": statistics.mean(times),
        "cpu": 1_000 * cpu_s / len(times),
        "median": statistics.median(times),
        "first": statistics.median(times[:tenth]),
        "last": statistics.median(times[-tenth:]),
        "worst": max(times),
    }


def _run(which: str) -> dict[str, Any]:
    import subprocess

    out = subprocess.run(
        [sys.executable, __file__, which], capture_output=True, text=True, check=True
    )
    return json.loads(out.stdout.splitlines()[-1])


def main() -> dict[str, dict[str, Any]]:
    names = ("building-large", "building-small", "ours", "library")
    return {name: _run(name) for name in names}


def section() -> str:
    """Measure, and write the section of RESULTS.md."""
    figures = main()
    large, small = figures["building-large"], figures["building-small"]
    us, them = figures["ours"], figures["library"]

    def row(title: str, key: str, form: str = ",.0f") -> str:
        return f"| {title} | {us[key]:{form}} | {them[key]:{form}} |"

    return "\n".join(
        [
            HEADING,
            f"What a model is shown of a long conversation (`benchmarks/context.py`, seed {SEED}).",
            "",
            f"### Building it, in a session that grows to {MESSAGES:,} messages",
            "Aim: under 5 ms a turn on average, and flat. Compressions are among the turns; what",
            f"the machine did besides (load {os.getloadavg()[0]:.1f}) is in all but the CPU.",
            "",
            "| window | mean ms | CPU ms | median ms | first tenth | last tenth | slowest |",
            "|---|--:|--:|--:|--:|--:|--:|",
            *(
                f"| {title} | {f['mean']:.2f} | {f['cpu']:.2f} | {f['median']:.2f} "
                f"| {f['first']:.2f} | {f['last']:.2f} | {f['worst']:.1f} |"
                for title, f in (("1,000,000 (never full)", large), ("32,000", small))
            ),
            "",
            f"### {TURNS} turns in a window of {WINDOW:,} tokens",
            "Facts of the pinned kinds, planted at random, looked for word for word in every later",
            "request. The same model summarizes for both, by taking sentences evenly.",
            "",
            "| | DataAgent | deepagents' own summarization |",
            "|---|--:|--:|",
            row("requests over the window (aim: 0)", "overflows"),
            row("turns that failed (aim: 0)", "failed"),
            row("**planted facts held, %** (aim: 100)", "kept", ".1f"),
            row("requests without the person's question", "lost_question"),
            row("largest request, tokens", "largest"),
            row("times the view changed", "compressions"),
            row("summaries asked for", "summaries"),
            row("CPU seconds, everything on (theirs: the bare agent)", "cpu_s", ".1f"),
            "",
            f"Lost by kind: {us['missing'] or 'none'}; {them['missing'] or 'none'}.",
            "",
            token_estimate.section(),
        ]
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as name:
            variant: Any = {
                "ours": lambda: ours(Path(name)),
                "library": lambda: library(Path(name)),
                "building-large": lambda: building(1_000_000),
                "building-small": lambda: building(WINDOW),
            }[sys.argv[1]]
            print(json.dumps(asyncio.run(variant())))
    else:
        print(section())
