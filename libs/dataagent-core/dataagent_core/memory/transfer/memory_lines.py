"""Memories as JSON lines: one each, with all that is known of it."""

from typing import Final

from pydantic import TypeAdapter

from dataagent_core.memory.memory import Memory

_MEMORY: Final = TypeAdapter(Memory)


def write_line(memory: Memory) -> str:
    """Write a memory as one line of JSON."""
    return _MEMORY.dump_json(memory).decode() + "\n"
