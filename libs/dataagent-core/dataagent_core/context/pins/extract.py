"""Extracts from messages what a compaction must keep word for word. No model is involved.

Pins are instructions, constraints, decisions and identifiers (paths, addresses, ids, names in
backticks). Instructions come only from messages of users, never from a tool or a page. Marker words
are English and Chinese; they rather pin too much, and the budget in `pin_selection.py` decides what
is kept. The order of kinds is `pin.KINDS`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from dataagent_core.config.limits.context import (
    IDENTIFIERS_OF_A_MESSAGE_MAX,
    PIN_CHARS_MAX,
    PIN_PLAN_CHARS_MAX,
    PIN_REQUEST_CHARS_MAX,
    PINS_OF_A_MESSAGE_MAX,
)
from dataagent_core.context.pins.pin import ContextPin
from dataagent_core.context.pins.sentences import ends, one_line, sentences
from dataagent_core.tools.data.receipts.result_facts import read_result_facts
from dataagent_core.tools.pipeline.outcome import BY_PERSON_KEY


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


CONSTRAINT = _words(
    r"\b(must|never|always|only|shall|should|cannot|can't|mustn't|shouldn't|required?|requires|ensure|"
    r"forbidden|prohibited|avoid|prefer|remember|important|deadline|budget|limit(ed)?)\b",
    r"\b(do not|don't|make sure|at most|at least|no more than|no less than|not allowed|"
    r"no longer than|instead of|without|keep in mind|unless|except|from now on|by default)\b",
    "必须|不要|不得|不能|不可|不许|禁止|只能|只用|只看|务必|总是|始终|永远|请勿|一定|至少|最多|不超过|不少于|"
    "除非|除了|优先|记住|注意|重要|截止|预算|限制|避免|以后都|默认|为准",
)
# Standing instructions. Requests for one answer (show, count, compare) are not among them: every
# turn has one, and the last two turns are shown anyway.
STANDING = re.compile(
    r"^(?:\W*(?:please|and|so|then|also|now|next time)\b)*\W*"
    r"(?:use|keep|call|name|treat|assume|ignore|exclude|include|skip|leave|stick|round|format|answer|"
    r"reply|respond|write everything|start every|end every|work (?:in|on|with)|store|save|put|stop|"
    r"(?:i|we) (?:prefer|expect)|we use|my name is)\b"
    r"|^\W*(?:请|那就|以后|接下来)?(?:使用|统一|保留|保持|忽略|排除|包含|跳过|假设|改用|按照|沿用|停止|"
    r"用.{1,12}(?:回答|回复|输出|写|表示)|我希望|称呼|叫我)",
    re.IGNORECASE,
)
DECISION = _words(
    r"\b(decided|decision|decide to|agreed|we('| wi)ll use|let's (use|go with|take)|go(ing)? with|"
    r"chose|chosen|choose|picked|settled on|approved|confirmed)\b",
    "决定|确定|选择|选定|选用|采用|就用|同意|批准|确认|敲定",
)
RULED_OUT = _words(
    r"\b(ruled out|rule out|did(n't| not) work|does(n't| not) work|do(n't| not) work|"
    r"dead end|no effect|not the (cause|reason|problem)|not possible|impossible|rejected|"
    r"discarded|abandoned|gave up on|failed because|is wrong|was wrong|not supported|unsuitable)\b",
    "排除|行不通|不可行|无效|不是原因|没有用|没用|放弃|不支持|否决|不适用|走不通",
)


# Each alternative begins with something rare and repeats one class only, so that no text takes
# more than linear time.
_IDENTIFIER = re.compile(
    r"`([^`\n]{2,200})`"
    r"|(\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`\u3000-\u303f\uff00-\uffef]{1,400})"
    r"|((?<![\w/.~-])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@+-]+(?:[/\\][\w.@+-]+){0,40})"
    r"|(\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)"
    r"|(\b[A-Z][A-Z0-9]{1,9}-\d{1,9}\b)"
    r"|(\b(?=[a-z_]{0,20}\d)[a-z]{1,12}_[0-9A-Za-z]{4,64}\b)"
    r"|(\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,64}\b)"
    r"|(\b[\w-]{1,80}\.(?:csv|tsv|json|jsonl|parquet|xlsx|sql|py|md|txt|log|yml|yaml|toml|db|sqlite|html|pdf|png)\b)"
)
_TRAILING = ".,;:!?)]}\u3002\uff0c\uff1b"


def identifiers(text: str, found_max: int = IDENTIFIERS_OF_A_MESSAGE_MAX) -> list[str]:
    """List the identifiers of a text, each once, in order."""
    found: dict[str, None] = {}
    matches = (match for end in ends(text) for match in _IDENTIFIER.finditer(end))
    for match in matches:
        name = next(group for group in match.groups() if group).rstrip(_TRAILING)
        if 1 < len(name) <= PIN_CHARS_MAX:
            found[name] = None
        if len(found) >= found_max:
            break
    return list(found)


_QUESTION_MARKS = ("?", "\uff1f")
_QUESTION_TOOLS = frozenset(
    {"ask_clarification", "ask_decision", "propose_plan", "plan_enter", "plan_question"}
)


def extract(
    messages: Sequence[BaseMessage],
    seqs: Mapping[str, int],
    *,
    is_whole: Sequence[int] = (),
    lead: Sequence[BaseMessage] = (),
) -> list[ContextPin]:
    """List the pins of messages in their order; `seqs` are the events of messages by their ids.

    `is_whole` holds the positions of user messages that are pinned as a whole, like the first one.
    `lead` are the messages before them in the same turn, whose results their numbers come from.
    """
    pins: list[ContextPin] = []
    calls: dict[str, Mapping[str, Any]] = {}
    receipts = [
        one
        for m in lead
        if isinstance(m, ToolMessage)
        for one in _name_receipt(m, seqs.get(m.id or ""))
    ]
    for position, message in enumerate(messages):
        seq = seqs.get(message.id or "")
        match message:
            case HumanMessage():
                receipts = []
                found = _pin_user_message(message, seq, whole=position in is_whole)
            case ToolMessage():
                call = calls.get(message.tool_call_id, {})
                receipts += _name_receipt(message, seq)
                found = _pin_result(message, call, seq)
            case AIMessage():
                calls.update((str(call["id"]), call) for call in message.tool_calls)
                found = _pin_answer(message, seq, receipts)
            case _:
                found = iter(())
        pins += _keep_ends(list(found), PINS_OF_A_MESSAGE_MAX)
    return pins


def plan_pin(todos: Sequence[Mapping[str, Any]] | None) -> list[ContextPin]:
    """Pin the current plan."""
    steps = [f"[{todo.get('status', '?')}] {todo.get('content', '')}" for todo in todos or ()]
    return [ContextPin("plan", one_line("; ".join(steps), PIN_PLAN_CHARS_MAX))] if steps else []


def open_pins(questions: Sequence[tuple[str, int | None]]) -> list[ContextPin]:
    """Pin the human requests that have no answer."""
    return [ContextPin("open", one_line(text), seq) for text, seq in questions]


def _keep_ends(pins: list[ContextPin], pins_max: int) -> list[ContextPin]:
    # A user who pastes a document writes the request before or after it.
    half = pins_max // 2
    return pins if len(pins) <= pins_max else [*pins[:half], *pins[-half:]]


def _pin_user_message(
    message: HumanMessage, seq: int | None, *, whole: bool
) -> Iterator[ContextPin]:
    text = str(message.text)
    if whole and len(text) <= PIN_REQUEST_CHARS_MAX:
        yield ContextPin("instruction", one_line(text, PIN_REQUEST_CHARS_MAX), seq)
        yield from _pin_identifiers(text, seq)
        return
    lines = sentences(text)
    if whole and lines:
        yield ContextPin("instruction", one_line(lines[0]), seq)
    for line in lines:
        if CONSTRAINT.search(line) or (STANDING.match(line) and not line.endswith(_QUESTION_MARKS)):
            yield ContextPin("instruction", one_line(line), seq)
        elif DECISION.search(line):
            yield ContextPin("decision", one_line(line), seq)
        elif RULED_OUT.search(line):
            yield ContextPin("ruled_out", one_line(line), seq)
    yield from _pin_identifiers(text, seq)


def _pin_answer(
    message: AIMessage, seq: int | None, receipts: Sequence[str]
) -> Iterator[ContextPin]:
    text = str(message.text)
    for line in sentences(text):
        if RULED_OUT.search(line):
            yield ContextPin("ruled_out", one_line(line), seq)
        elif DECISION.search(line):
            yield ContextPin("decision", one_line(line), seq)
        elif receipts and any(char.isdigit() for char in line):
            yield ContextPin("number", f"{one_line(line)} (from {', '.join(receipts[-3:])})", seq)
    arguments = " ".join(_join_strings(call["args"]) for call in message.tool_calls)
    yield from _pin_identifiers(f"{text}\n{arguments}", seq)


def _pin_result(
    message: ToolMessage, call: Mapping[str, Any], seq: int | None
) -> Iterator[ContextPin]:
    text = str(message.text)
    if message.name in _QUESTION_TOOLS:
        args = call.get("args", {})
        question = args.get("question") or args.get("context") or ""
        yield ContextPin("decision", one_line(f"{question} {text}"), seq)
    match message.additional_kwargs.get(BY_PERSON_KEY):
        case "said":
            yield ContextPin("instruction", one_line(f"{message.name or 'tool'}: {text}"), seq)
            return
        case "changed":
            yield ContextPin("decision", one_line(text.partition("\n")[0]), seq)
        case _:
            pass
    if message.status == "error":
        lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
        # A traceback says what happened in its last line.
        summary_line = lines[0] if len(lines) == 1 else f"{lines[0]} \u2026 {lines[-1]}"
        yield ContextPin("error", one_line(f"{message.name or 'tool'}: {summary_line}"), seq)


def _name_receipt(message: ToolMessage, seq: int | None) -> list[str]:
    facts: Any = message.artifact
    result = read_result_facts(facts) if isinstance(facts, dict) else None
    if result is None:
        return []
    event = f", event {seq}" if seq is not None else ""
    return [f"result {result['result_id']} of {message.name or 'a query'}{event}"]


def _pin_identifiers(text: str, seq: int | None) -> Iterator[ContextPin]:
    return (ContextPin("identifier", name, seq) for name in identifiers(text))


def _join_strings(args: Mapping[str, Any]) -> str:
    return " ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for value in args.values()
    )
