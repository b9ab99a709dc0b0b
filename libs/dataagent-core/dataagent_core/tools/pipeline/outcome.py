"""What a tool returned, in the three forms it is needed: for the graph, the journal, the log."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command

from dataagent_core.config.limits import TOOL_RESULT_EVENT_CHARS_MAX
from dataagent_core.language.unicode_text import storable
from dataagent_core.tools.data.receipts.result_facts import RESULT_KEY, read_result_facts
from dataagent_core.tools.output.output_bounds import truncate_by_bytes

# Beside the message, which a model reads: what the person is told instead.
FOR_PERSON_KEY = "for_person"
# On a message that begins with what a person did at an approval: they "said" why not, or "changed"
# the arguments. Only the pipeline sets it: what a tool writes into its text proves nothing.
BY_PERSON_KEY = "by_person"
ToolReturn = ToolMessage | Command[Any] | list[ToolMessage | Command[Any]]

# Strict: a journal read back from disk may rebuild messages and commands, and nothing else.
_SERIALIZER = JsonPlusSerializer(allowed_msgpack_modules=None)


def pack_value(value: Any) -> bytes:
    """Serialize a value as journal and checkpoint do; what they cannot hold raises."""
    return _SERIALIZER.dumps_typed(value)[1]


def make_storable_result(result: ToolReturn, call_id: str) -> tuple[ToolReturn, bytes]:
    """Return a result that can be kept, and it packed.

    A tool may attach any object; what cannot be stored is left out rather than losing the call,
    which has already had its effect.
    """
    message = find_message(result, call_id)
    message.content = storable(message.content)
    try:
        return result, pack_value(result)
    except (TypeError, ValueError, RecursionError):
        kept = ToolMessage(
            content=message.text + "\n(What the tool attached cannot be stored and was left out.)",
            name=message.name,
            tool_call_id=call_id,
            status=message.status,
        )
        return kept, pack_value(kept)


def unpack(payload: bytes) -> ToolReturn:
    """Rebuild a result from the journal."""
    return _SERIALIZER.loads_typed(("msgpack", payload))


def unpack_artifacts(payloads: Iterable[bytes]) -> list[Any]:
    """List what tools attached to results that the journal holds."""
    results = (unpack(payload) for payload in payloads)
    return [result.artifact for result in results if isinstance(result, ToolMessage)]


def unpack_output(payload: bytes, max_bytes: int) -> str:
    """Give what a person is shown of a result that the journal holds, cut to a number of bytes."""
    # The journal has one call, so the result has one answer to it.
    text = next((_text_for_person(message) for message in _messages_in(unpack(payload))), "")
    cut = truncate_by_bytes(text, max_bytes)
    if not cut.bytes_left_out:
        return text
    return f"{cut.text}\n... ({cut.bytes_left_out} more bytes not shown)"


def find_message(result: ToolReturn, call_id: str) -> ToolMessage:
    """Find the message that answers the model."""
    for message in _messages_in(result):
        if message.tool_call_id == call_id:
            return message
    return ToolMessage(content="", tool_call_id=call_id)


def _messages_in(result: ToolReturn) -> Iterator[ToolMessage]:
    for part in result if isinstance(result, list) else [result]:
        update = part.update if isinstance(part, Command) else None
        found = update.get("messages", []) if isinstance(update, dict) else [part]
        yield from (one for one in found if isinstance(one, ToolMessage))


def collect_state_update(result: ToolReturn) -> dict[str, Any]:
    """Collect what a tool wrote into the agent's state besides messages."""
    found: dict[str, Any] = {}
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, Command) and isinstance(part.update, dict):
            found.update(part.update)
    return found


def render_result(message: ToolMessage) -> str:
    """Cut a result to what an event may hold, saying so; a person reads an error in full."""
    text = _text_for_person(message)
    if len(text) <= TOOL_RESULT_EVENT_CHARS_MAX:
        return text
    cut = len(text) - TOOL_RESULT_EVENT_CHARS_MAX
    return f"{text[:TOOL_RESULT_EVENT_CHARS_MAX]}\n... ({cut} more characters not shown)"


def _text_for_person(message: ToolMessage) -> str:
    facts = message.artifact if isinstance(message.artifact, dict) else {}
    for_person = facts.get(FOR_PERSON_KEY)
    return storable(for_person) if isinstance(for_person, str) else message.text


def make_receipt(args_hash: str, message: ToolMessage) -> dict[str, Any]:
    """Write down what the harness saw, so that a figure can be traced to its call."""
    content = json.dumps(message.content, default=str).encode("utf-8", "surrogatepass")
    facts = message.artifact if isinstance(message.artifact, dict) else {}
    # What a tool may say of itself: how a program ended, which rows a query gave.
    exit_code = {"exit_code": facts["exit_code"]} if "exit_code" in facts else {}
    result = read_result_facts(facts)
    return {
        **exit_code,
        **({RESULT_KEY: result} if result is not None else {}),
        "args_hash": args_hash,
        "result_hash": hashlib.sha256(content).hexdigest(),
        "result_bytes": len(content),
        "status": message.status,
    }
