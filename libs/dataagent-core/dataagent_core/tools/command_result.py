"""What a model reads of a command that has run: both streams, how it ended, and what was left out.

Pure. A long output keeps its beginning and its end: a build says at its start what it does and at
its end what went wrong.
"""

from dataagent_core.config.limits import OUTPUT_BYTES_MAX
from dataagent_core.sandbox.port import Completed, KilledReason
from dataagent_core.tools.bounds import truncate_by_bytes

_KILLED: dict[KilledReason, str] = {
    "timeout": "stopped: it took longer than {timeout_s:g} s. Give a larger timeout_s or do less",
    "memory": "stopped: all its processes together used too much memory",
    "processes": "stopped: it had too many processes",
    "disk": "stopped: it wrote too much to disk. What it wrote is still there",
    "output": "stopped: it wrote too much output. Redirect it into a file",
}


def full_output(done: Completed) -> str:
    """Join both streams as they were kept."""
    stdout, stderr = (
        stream.data.decode("utf-8", "replace") for stream in (done.stdout, done.stderr)
    )
    if not stderr.strip():
        return stdout
    between = "" if not stdout or stdout.endswith("\n") else "\n"
    return f"{stdout}{between}[stderr]\n{stderr}" if stdout.strip() else stderr


def ending(done: Completed, timeout_s: float) -> str:
    """Say in one line how a command ended."""
    if done.killed_reason is not None:
        return f"({_KILLED[done.killed_reason].format(timeout_s=timeout_s)})"
    return f"(exit code {done.exit_code})"


def head_and_tail(text: str, bytes_max: int = OUTPUT_BYTES_MAX) -> tuple[str, str, int]:
    """Split off what does not fit: the beginning, the end, and how many bytes between were cut."""
    whole = truncate_by_bytes(text, bytes_max)
    if not whole.bytes_left_out:
        return text, "", 0
    head = truncate_by_bytes(text, bytes_max // 2)
    tail = _last_bytes(text, bytes_max - bytes_max // 2)
    size = len(text.encode("utf-8", "replace"))
    kept = len(head.text.encode("utf-8", "replace")) + len(tail.encode("utf-8", "replace"))
    return head.text, tail, size - kept


def shown_result(done: Completed, timeout_s: float, kept_at: str | None) -> str:
    """Put together what the model reads."""
    head, tail, cut_bytes = head_and_tail(full_output(done))
    parts = [head.rstrip("\n")] if head.strip() else []
    if cut_bytes:
        where = f"; all of it is in {kept_at}" if kept_at else ""
        parts += [f"... ({cut_bytes} bytes left out{where}) ...", tail.rstrip("\n")]
    notes = [f"({note})" for note in done.notes]
    return "\n".join([*(parts or ["(no output)"]), ending(done, timeout_s), *notes])


def _last_bytes(text: str, bytes_max: int) -> str:
    data = text.encode("utf-8", "replace")[-bytes_max:]
    start = 0
    while start < len(data) and data[start] & 0xC0 == 0x80:  # noqa: PLR2004 (inside a character)
        start += 1
    return data[start:].decode("utf-8")
