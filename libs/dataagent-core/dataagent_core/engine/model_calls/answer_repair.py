"""Makes whatever a model sent a message the loop can go on with.

Unreadable tool arguments become a call that the tool pipeline answers with an error: otherwise
the loop would take a message without calls for the final answer. Missing and repeated call ids
get new ones, because results are matched to calls by id; and the message gets an id of ours,
because an endpoint that repeats its ids would make the history overwrite itself.
"""

import json

from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall, tool_call

from dataagent_core.ids import new_id
from dataagent_core.language.unicode_text import storable
from dataagent_core.models.answer_cap import was_cut
from dataagent_core.tools.pipeline.agent_call import MALFORMED_KEY
from dataagent_core.tools.pipeline.outcome import pack_value


def repair_answer(message: AIMessage) -> AIMessage:
    """Return a copy of the message that the loop, the journal and the checkpoint can hold."""
    seen: set[str] = set()
    calls = [_with_unique_id(_storable_call(call), seen) for call in message.tool_calls]
    for broken in message.invalid_tool_calls:
        args = {MALFORMED_KEY: storable(broken.get("args") or "")}
        name = broken.get("name") or "unknown"
        calls.append(_with_unique_id(tool_call(name=name, args=args, id=broken.get("id")), seen))
    if calls and was_cut(message.response_metadata):
        # LangChain completes half-sent JSON, so a cut `write_file` would write half a file.
        cut = calls.pop()
        args = {MALFORMED_KEY: "(cut off: the answer reached its length limit)"}
        calls.append(tool_call(name=cut["name"], args=args, id=cut["id"]))
    # The raw calls some providers keep aside would contradict the repaired ones.
    extras = {k: v for k, v in message.additional_kwargs.items() if k != "tool_calls"}
    return message.model_copy(
        update={
            "id": new_id(),
            "content": storable(message.content),
            "tool_calls": calls,
            "invalid_tool_calls": [],
            "additional_kwargs": extras,
        }
    )


def _storable_call(call: ToolCall) -> ToolCall:
    """Take arguments that neither JSON nor a checkpoint can hold for what they are: malformed.

    NaN and infinity, numbers beyond 64 bits, and nesting without end all parse, and would end the
    run later, where the model no longer hears of it.
    """
    try:
        json.dumps(call["args"], allow_nan=False)
        pack_value(call["args"])
    except (ValueError, TypeError, RecursionError):
        args = {MALFORMED_KEY: "(numbers or nesting that cannot be stored)"}
        return tool_call(name=call["name"], args=args, id=call["id"])
    return call


def _with_unique_id(call: ToolCall, seen: set[str]) -> ToolCall:
    call_id = storable(call["id"])
    if not call_id or call_id in seen:
        call_id = f"call_{new_id()}"
    seen.add(call_id)
    return tool_call(name=storable(call["name"]), args=storable(call["args"]), id=call_id)
