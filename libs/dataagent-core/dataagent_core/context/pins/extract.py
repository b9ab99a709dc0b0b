"""Takes from messages what must survive word for word. Code does this, never a model.

Instructions come only from people's own messages: what a tool or a page says is never one. The
order of kinds is `pin.KINDS`; which pins are kept is `ranking.py`'s.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.config.context_limits import (
    PIN_PLAN_CHARS_MAX,
    PIN_REQUEST_CHARS_MAX,
    PINS_OF_A_MESSAGE_MAX,
)
from dataagent_core.context.pins.identifiers import identifiers
from dataagent_core.context.pins.markers import CONSTRAINT, DECISION, RULED_OUT, STANDING
from dataagent_core.context.pins.pin import Pin
from dataagent_core.context.pins.sentences import one_line, sentences
from dataagent_core.tools.data.receipts.receipt import result_in
from dataagent_core.tools.outcome import BY_PERSON_KEY

_ASKS = ("?", "\uff1f")
_QUESTIONS = frozenset({"ask_clarification", "ask_decision", "propose_plan"})


def extract(
    messages: Sequence[BaseMessage],
    seqs: Mapping[str, int],
    *,
    is_whole: Sequence[int] = (),
    lead: Sequence[BaseMessage] = (),
) -> list[Pin]:
    """List the pins of messages in their order; `seqs` are the events of messages by their ids.

    `is_whole` names the positions of requests that are pinned as a whole: what the person wanted
    first. `lead` is what came before them in the same turn: where their numbers come from.
    """
    pins: list[Pin] = []
    calls: dict[str, Mapping[str, Any]] = {}
    receipts = [
        one for m in lead if isinstance(m, ToolMessage) for one in _receipt(m, seqs.get(m.id or ""))
    ]
    for position, message in enumerate(messages):
        seq = seqs.get(message.id or "")
        match message:
            case HumanMessage():
                receipts = []
                found = _of_person(message, seq, whole=position in is_whole)
            case ToolMessage():
                call = calls.get(message.tool_call_id, {})
                receipts += _receipt(message, seq)
                found = _of_result(message, call, seq)
            case AIMessage():
                calls.update((str(call["id"]), call) for call in message.tool_calls)
                found = _of_answer(message, seq, receipts)
            case _:
                found = iter(())
        pins += _ends(list(found), PINS_OF_A_MESSAGE_MAX)
    return pins


def plan_pin(todos: Sequence[Mapping[str, Any]] | None) -> list[Pin]:
    """Pin the plan as it stands."""
    steps = [f"[{todo.get('status', '?')}] {todo.get('content', '')}" for todo in todos or ()]
    return [Pin("plan", one_line("; ".join(steps), PIN_PLAN_CHARS_MAX))] if steps else []


def open_pins(questions: Sequence[tuple[str, int | None]]) -> list[Pin]:
    """Pin what a person has been asked and has not answered."""
    return [Pin("open", one_line(text), seq) for text, seq in questions]


def _ends(pins: list[Pin], pins_max: int) -> list[Pin]:
    # Whoever pastes a document says what they want of it before it or after it.
    half = pins_max // 2
    return pins if len(pins) <= pins_max else [*pins[:half], *pins[-half:]]


def _of_person(message: HumanMessage, seq: int | None, *, whole: bool) -> Iterator[Pin]:
    text = str(message.text)
    if whole and len(text) <= PIN_REQUEST_CHARS_MAX:
        yield Pin("instruction", one_line(text, PIN_REQUEST_CHARS_MAX), seq)
        yield from _identifiers(text, seq)
        return
    lines = sentences(text)
    if whole and lines:
        yield Pin("instruction", one_line(lines[0]), seq)
    for line in lines:
        if CONSTRAINT.search(line) or (STANDING.match(line) and not line.endswith(_ASKS)):
            yield Pin("instruction", one_line(line), seq)
        elif DECISION.search(line):
            yield Pin("decision", one_line(line), seq)
        elif RULED_OUT.search(line):
            yield Pin("ruled_out", one_line(line), seq)
    yield from _identifiers(text, seq)


def _of_answer(message: AIMessage, seq: int | None, receipts: Sequence[str]) -> Iterator[Pin]:
    text = str(message.text)
    for line in sentences(text):
        if RULED_OUT.search(line):
            yield Pin("ruled_out", one_line(line), seq)
        elif DECISION.search(line):
            yield Pin("decision", one_line(line), seq)
        elif receipts and any(char.isdigit() for char in line):
            yield Pin("number", f"{one_line(line)} (from {', '.join(receipts[-3:])})", seq)
    arguments = " ".join(_strings(call["args"]) for call in message.tool_calls)
    yield from _identifiers(f"{text}\n{arguments}", seq)


def _of_result(message: ToolMessage, call: Mapping[str, Any], seq: int | None) -> Iterator[Pin]:
    text = str(message.text)
    if message.name in _QUESTIONS:
        args = call.get("args", {})
        asked = args.get("question") or args.get("context") or ""
        yield Pin("decision", one_line(f"{asked} {text}"), seq)
    match message.additional_kwargs.get(BY_PERSON_KEY):
        case "said":
            yield Pin("instruction", one_line(f"{message.name or 'tool'}: {text}"), seq)
            return
        case "changed":
            yield Pin("decision", one_line(text.partition("\n")[0]), seq)
        case _:
            pass
    if message.status == "error":
        lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
        # A traceback says what happened in its last line.
        said = lines[0] if len(lines) == 1 else f"{lines[0]} \u2026 {lines[-1]}"
        yield Pin("error", one_line(f"{message.name or 'tool'}: {said}"), seq)


def _receipt(message: ToolMessage, seq: int | None) -> list[str]:
    facts: Any = message.artifact
    result = result_in(facts) if isinstance(facts, dict) else None
    if result is None:
        return []
    event = f", event {seq}" if seq is not None else ""
    return [f"result {result['result_id']} of {message.name or 'a query'}{event}"]


def _identifiers(text: str, seq: int | None) -> Iterator[Pin]:
    return (Pin("identifier", name, seq) for name in identifiers(text))


def _strings(args: Mapping[str, Any]) -> str:
    return " ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for value in args.values()
    )
