"""A picture in the system's clipboard, read with the program that this system has for it.

A terminal pastes text only. What a program gives counts by its content, is bounded in size and
time, and is put where the agent can open it like a picture that was named by its path.
"""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_cli.conversation.attaching import PICTURE_BYTES_MAX
from dataagent_cli.harmless import one_line
from dataagent_cli.messages import Messages
from dataagent_cli.repl.limits import CLIPBOARD_REASON_CHARS_MAX, CLIPBOARD_S_MAX
from dataagent_core.errors import NotFoundError, ValidationError

_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
_HEX: Final = re.compile(rb"\xc2\xabdata PNGf([0-9A-Fa-f]+)\xc2\xbb")


@dataclass(frozen=True, slots=True)
class Reader:
    """A program that writes the clipboard's picture to its output."""

    command: tuple[str, ...]
    # AppleScript writes bytes as hexadecimal digits.
    is_hex: bool = False


# Wayland, X11, macOS with and without an extra program; the first that gives a picture counts.
READERS: Final = (
    Reader(("wl-paste", "--no-newline", "--type", "image/png")),
    Reader(("xclip", "-selection", "clipboard", "-target", "image/png", "-out")),
    Reader(("pngpaste", "-")),
    Reader(("osascript", "-e", "get the clipboard as \u00abclass PNGf\u00bb"), is_hex=True),
)


async def attach_clipboard(attach: Callable[[str], Awaitable[str]], say: Messages) -> str:
    """Put the clipboard's picture where the agent can open it, and name it."""
    data, ending = await read_picture(say)
    with tempfile.TemporaryDirectory(prefix="dataagent-clipboard-") as folder:
        path = Path(folder, f"clipboard.{ending}")
        await asyncio.to_thread(path.write_bytes, data)
        return await attach(str(path))


async def read_picture(say: Messages) -> tuple[bytes, str]:
    """Read the clipboard's picture, and say how a file of it ends."""
    from dataagent_core.tools.media_type import media_type

    present = [one for one in READERS if shutil.which(one.command[0])]
    if not present:
        raise NotFoundError(say("clipboard_no_program"))
    reason = ""
    for reader in present:
        data, complaint = await _output(reader.command)
        data = _decoded(data) if reader.is_hex else data
        ending = _ENDINGS.get(media_type("", data[:64]))
        if len(data) > PICTURE_BYTES_MAX:
            raise ValidationError(say("clipboard_too_large", limit=PICTURE_BYTES_MAX))
        if ending is not None:
            return data, ending
        reason = f"{reader.command[0]}: {complaint}" if complaint else reason
    raise NotFoundError(say("clipboard_no_picture", reason=f" ({reason})" if reason else ""))


async def _output(command: tuple[str, ...]) -> tuple[bytes, str]:
    """Run a program; gives what it wrote, and what it complained of in one line."""
    try:
        child = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return b"", str(error.strerror)
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        async with asyncio.timeout(CLIPBOARD_S_MAX):
            data = await _read(child.stdout)
            is_whole = len(data) <= PICTURE_BYTES_MAX
            complaint = await child.stderr.read(CLIPBOARD_REASON_CHARS_MAX) if is_whole else b""
    except TimeoutError:
        return b"", f"> {CLIPBOARD_S_MAX:g} s"
    finally:
        # With all that it started; what is left in the pipes is read, or its end is never seen.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        await child.communicate()
    return data, one_line(complaint.decode("utf-8", "replace")).strip()


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Read to the end, or as soon as it is too much."""
    parts: list[bytes] = []
    size_bytes = 0
    while size_bytes <= PICTURE_BYTES_MAX and (part := await stream.read(1 << 20)):
        parts.append(part)
        size_bytes += len(part)
    return b"".join(parts)


def _decoded(written: bytes) -> bytes:
    found = _HEX.search(written)
    return bytes.fromhex(found[1].decode()) if found and len(found[1]) % 2 == 0 else b""
