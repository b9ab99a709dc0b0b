"""What the kernel answered to one piece of code, and what the model reads of it. Pure."""

import json
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from dataagent_core.config.limits import CODE_FILES_SHOWN_MAX
from dataagent_core.language.unicode_text import storable


class KernelReply(BaseModel):
    """One line of the kernel."""

    id: int
    output: str = ""
    value: str | None = None
    error: str | None = None
    plots: list[str] = []
    files: list[str] = []


@dataclass(frozen=True, slots=True)
class CodeResult:
    """How one piece of code went; `reply` is None when the kernel ended meanwhile."""

    reply: KernelReply | None
    notes: tuple[str, ...] = ()
    killed: str | None = None
    timed_out: bool = False


def parse_reply(line: bytes) -> KernelReply | None:
    """Read an answer; what cannot be read is as good as none."""
    try:
        # File names and messages may hold what is no character.
        return KernelReply.model_validate(storable(json.loads(line)))
    except (ValueError, ValidationError):
        return None


def render_code_result(result: CodeResult) -> str:
    """Put together what the model reads."""
    parts = [f"({note})" for note in result.notes]
    if result.reply is not None:
        parts += _render_reply(result.reply)
    if result.killed is not None:
        parts.append(f"(Python was ended: {result.killed}. Variables and imports are lost)")
    elif result.timed_out:
        parts.append("(interrupted: it took too long. Variables are still there)")
    return "\n".join(parts) or "(no output)"


def _render_reply(reply: KernelReply) -> list[str]:
    parts = [reply.output.rstrip("\n")] if reply.output.strip() else []
    if reply.value is not None:
        parts.append(reply.value)
    if reply.error is not None:
        parts.append(reply.error.rstrip("\n"))
    plots = [f"/{path}" for path in reply.plots]
    files = [f"/{path}" for path in reply.files if path not in reply.plots]
    if plots:
        parts.append(f"(plots: {', '.join(plots)})")
    if files:
        more = len(files) - CODE_FILES_SHOWN_MAX
        tail = f" and {more} more" if more > 0 else ""
        parts.append(f"(files written: {', '.join(files[:CODE_FILES_SHOWN_MAX])}{tail})")
    return parts or ["(no output)"]
