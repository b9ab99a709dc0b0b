"""Reads what was said in the span of a conversation that a memory rests on.

A person's words are their message and what they answered; their own alone, without what came from a
file or another program. Beside them are the agent's words and the results of tools. System prompts
are no events at all; skills, descriptions of tools and a project's instructions come as results,
and are left out like what was recalled from memory.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue

from dataagent_core.config.limits.memory import (
    MEMORY_SOURCE_CHARS_MAX,
)
from dataagent_core.events import (
    Event,
    FeedbackEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.hitl.answer_envelope import BY_TIMEOUT
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.memory.agent_memory import PROJECT_INSTRUCTIONS
from dataagent_core.memory.hygiene.recall_mark import (
    RECALL_TOOLS,
    holds_recalled,
    remove_recalled,
)
from dataagent_core.session.prompt import own_words, sources_of_others
from dataagent_core.session.state import Message
from dataagent_core.session.void_events import CallKey, call_key, remove_void

Voice = Literal["person", "agent", "tool"]
# They return skills, descriptions of tools, plans and questions: the agent's own side.
_INWARD_TOOLS: Final = RECALL_TOOLS | {
    "skill", "find_tools", "load_tools", "write_todos", "plan_enter", "propose_plan",
    "finish_step", "plan_question", "ask_clarification", "ask_decision",
}  # fmt: skip
# What they return was said in other conversations; `recall` returns what this one said before.
_MEMORY_TOOLS: Final = RECALL_TOOLS - {"recall"}
_QUOTED: Final = re.compile(r'"([^"]+)"')
_INSTRUCTION_FILES: Final = frozenset(
    path.rpartition("/")[2].lower() for path in PROJECT_INSTRUCTIONS
)
_INSTRUCTION_FOLDERS: Final = ("/skills/", "/memories/")
# Answers that no person gave (`engine/ask_person.py`), and those that may be a password.
_NOBODY: Final = frozenset({None, "", BY_TIMEOUT, "no handler", "recommended", "budget"})
_PRIVATE: Final = frozenset({"elicitation", "oauth"})
_SAID_IN: Final = ("answer", "message", "text", "feedback")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidPart:
    """Something that was said: by whom, and in which event."""

    voice: Voice
    text: str
    seq: int
    # Of a result: the tool; of a message's foreign part: where it came from.
    tool: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """What a memory may rest on, and what it may not repeat."""

    parts: tuple[SaidPart, ...] = ()
    # What was recalled from memory in the same runs, up to the end of the span.
    recalled: tuple[str, ...] = ()
    # What tools returned before in these runs: a person or an agent may repeat it.
    results: tuple[str, ...] = ()


def read_source_text(
    events: Sequence[Event],
    messages: Mapping[str, Message],
    memories: Sequence[str],
    seq_first: int,
    seq_last: int,
) -> SourceText:
    """Read the events of the runs that a span touches; `memories` were recalled in them."""
    paths: dict[CallKey, str] = {}
    parts: list[SaidPart] = []
    recalled = [*memories]
    for event in remove_void(events):
        if (event.seq or 0) > seq_last:
            break
        if isinstance(event, ToolCallEvent):
            paths[call_key(event)] = _read_path(event.tool_args)
        else:
            recalled += _read_recalled(event)
            parts += _read_parts(event, messages, paths)
    return SourceText(
        parts=tuple(part for part in parts if part.seq >= seq_first and part.text.strip()),
        recalled=tuple(recalled),
        results=tuple(part.text for part in parts if part.voice == "tool"),
    )


def join_texts(parts: Sequence[SaidPart], voice: Voice, tools: Collection[str] = ()) -> list[str]:
    """List what one voice said; of tools, only what the named ones returned, if any is named."""
    return [
        part.text for part in parts if part.voice == voice and (not tools or part.tool in tools)
    ]


def _read_parts(  # noqa: PLR0911 (one row per event)
    event: Event, messages: Mapping[str, Message], paths: Mapping[CallKey, str]
) -> list[SaidPart]:
    seq = event.seq or 0
    match event:
        case RunStartedEvent(subagent_id=None) if event.message_id in messages:
            return _read_message(messages[event.message_id], seq)
        case HITLAnswerEvent(superseded=False) if event.by not in _NOBODY:
            return [] if event.kind in _PRIVATE else _read_answer(event)
        case FeedbackEvent():
            return [_make_part("person", event.correction, seq)]
        case TextEvent(is_final=True, subagent_id=None):
            return [_make_part("agent", event.content, seq)]
        case HITLRequestEvent(subagent_id=None) if event.kind not in _PRIVATE:
            return [_make_part("agent", event.question or "", seq)]
        case ToolResultEvent() if not _is_inward(event, paths.get(call_key(event), "")):
            return [_make_part("tool", _read_result(event.result), seq, event.tool_name)]
        case _:
            return []


def _read_recalled(event: Event) -> list[str]:
    """List what a tool of memory returned, line by line, and each quotation of a line alone."""
    if not isinstance(event, ToolResultEvent) or event.tool_name not in _MEMORY_TOOLS:
        return []
    text = _read_result(event.result)
    if event.status != "success" or not holds_recalled(text):
        return []
    lines = [line for line in text.splitlines() if line.strip() and not holds_recalled(line)]
    return [*lines, *(one for line in lines for one in _QUOTED.findall(line))]


def _read_message(message: Message, seq: int) -> list[SaidPart]:
    own = own_words(message.content, message.metadata)
    foreign = message.content[len(own) :]
    named = ", ".join(sources_of_others(message.metadata))
    return [_make_part("person", own, seq), _make_part("tool", foreign, seq, named)]


def _read_answer(event: HITLAnswerEvent) -> list[SaidPart]:
    said = (event.decision.get(name) for name in _SAID_IN)
    return [_make_part("person", _read_result(one), event.seq or 0) for one in said if one]


def _make_part(voice: Voice, text: str, seq: int, tool: str = "") -> SaidPart:
    plain = keep_ends(remove_recalled(text), MEMORY_SOURCE_CHARS_MAX)
    return SaidPart(voice=voice, text=plain, seq=seq, tool=tool)


def _read_result(result: JsonValue) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def _read_path(args: Mapping[str, JsonValue]) -> str:
    found = args.get("file_path") or args.get("path") or ""
    return found if isinstance(found, str) else ""


def _is_inward(event: ToolResultEvent, path: str) -> bool:
    """Say whether a result is instructions or memory, and not something found out."""
    if event.tool_name in _INWARD_TOOLS or event.status != "success":
        return True
    is_instruction = path.rpartition("/")[2].lower() in _INSTRUCTION_FILES
    return is_instruction or any(folder in f"/{path}" for folder in _INSTRUCTION_FOLDERS)
