"""Histories of every shape for the tests of the context window, and what they are compacted to."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.context.compaction.fit import TokenAllowance
from dataagent_core.context.compaction.plan import CompactionInput, plan_compaction, settle_record
from dataagent_core.context.context_record import ContextRecord
from dataagent_core.context.token_counter import message_tokens

WORDS = (
    "Please look at the orders of last year. ",
    "Never touch the table payments. ",
    "必须使用中文回答。",
    "We decided to use DuckDB for this. ",
    "The join on city did not work. ",
    "See /data/orders.csv and ABC-123. ",
    "Revenue was 1,234.50 in May. ",
    "x",
    "",
)
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def number(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Give each message an id, as the agent's state does."""
    return [
        message.model_copy(update={"id": f"m{position}"})
        for position, message in enumerate(messages)
    ]


def seqs_for(messages: Sequence[BaseMessage]) -> dict[str, int]:
    """Number the messages as if each were one event."""
    return {str(message.id): position + 1 for position, message in enumerate(messages)}


@st.composite
def texts(draw: st.DrawFn) -> str:
    said = "".join(draw(st.lists(st.sampled_from(WORDS), max_size=4)))
    return said * draw(st.sampled_from([1, 1, 1, 3, 40, 200]))


@st.composite
def histories(draw: st.DrawFn, turns_max: int = 5) -> list[BaseMessage]:
    """Turns of a person, answers, calls in parallel, results in any order, errors and images.

    Some models name all their calls alike, and some calls never got a result.
    """
    messages: list[BaseMessage] = []
    alike = draw(st.booleans())
    for turn in range(draw(st.integers(1, turns_max))):
        messages.append(HumanMessage(content=_content(draw)))
        for step in range(draw(st.integers(0, 4))):
            where = "" if alike else f"{turn}.{step}."
            calls = [_call(draw, f"{where}{n}") for n in range(draw(st.integers(0, 3)))]
            messages.append(AIMessage(content=draw(texts()), tool_calls=calls))
            answered = [call for call in calls if draw(st.integers(0, 9))]
            messages += [_result(draw, call) for call in draw(st.permutations(answered))]
    return number(messages)


def _content(draw: st.DrawFn) -> Any:
    text = draw(texts())
    return [{"type": "text", "text": text}, IMAGE] if draw(st.booleans()) else text


def _call(draw: st.DrawFn, call_id: str) -> Any:
    args = draw(st.sampled_from([{}, {"path": "/a/b.csv"}, {"text": "y" * 20_000}]))
    return {"name": draw(st.sampled_from(["read_file", "skill"])), "args": args, "id": call_id}


def _result(draw: st.DrawFn, call: Any) -> ToolMessage:
    status = draw(st.sampled_from(["success", "success", "error"]))
    return ToolMessage(
        content=draw(texts()), name=call["name"], tool_call_id=call["id"], status=status
    )


def room(window: int, usable: int | None = None) -> TokenAllowance:
    """The room a window of this size has with S2's shares."""
    free = int(window * 0.75) if usable is None else usable
    return TokenAllowance(usable=free, recent=window // 4, window=window, pins=int(window * 0.15))


def situation(messages: Sequence[BaseMessage], window: int, **more: Any) -> CompactionInput:
    known: dict[str, Any] = {
        "record": ContextRecord(),
        "allowance": room(window),
        "seqs": seqs_for(messages),
    }
    return CompactionInput(messages=messages, **(known | more))


def compacted(
    given: CompactionInput, summary: str | None = None, summary_tokens: int = 100
) -> ContextRecord:
    plan = plan_compaction(given, summary_tokens=summary_tokens)
    return settle_record(given, plan, summary, summary_tokens=summary_tokens)[0]


def pairs(messages: Sequence[BaseMessage]) -> list[tuple[str | None, str | None]]:
    """List calls and the results that answer them, by the ids of their messages."""
    asked: dict[str, str | None] = {}
    found: list[tuple[str | None, str | None]] = []
    for message in messages:
        if isinstance(message, AIMessage):
            asked |= {str(call["id"]): message.id for call in message.tool_calls}
        elif isinstance(message, ToolMessage):
            found.append((asked.get(message.tool_call_id), message.id))
    return found


def tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(map(message_tokens, messages))
