"""Reads a picture from the system's clipboard, with the program this system has for it.

A terminal pastes text only. The program's output is checked by its content, limited in size and
time, and stored for the agent like a picture that was named by its path.
"""

import asyncio
import contextlib
import os
import re
import shutil
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from dataagent_cli.conversation.attachments import PICTURE_BYTES_MAX
from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.repl.limits import CLIPBOARD_REASON_CHARS_MAX, CLIPBOARD_S_MAX
from dataagent_core.errors import NotFoundError, ValidationError

_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
_HEX: Final = re.compile(rb"\xc2\xabdata PNGf([0-9A-Fa-f]+)\xc2\xbb")
# The characters around the digits, with the line break.
_HEX_FRAME_BYTES: Final = len("\u00abdata PNGf\u00bb\n".encode())


@dataclass(frozen=True, slots=True)
class Reader:
    """A program that writes the clipboard's picture to its output."""

    command: tuple[str, ...]
    # AppleScript writes bytes as hexadecimal digits.
    is_hex: bool = False

    @property
    def output_bytes_max(self) -> int:
        """The size of its output for the largest allowed picture."""
        return 2 * PICTURE_BYTES_MAX + _HEX_FRAME_BYTES if self.is_hex else PICTURE_BYTES_MAX


# Wayland, X11, macOS with and without an extra program; the first that returns a picture counts.
READERS: Final = (
    Reader(("wl-paste", "--no-newline", "--type", "image/png")),
    Reader(("xclip", "-selection", "clipboard", "-target", "image/png", "-out")),
    Reader(("pngpaste", "-")),
    Reader(("osascript", "-e", "get the clipboard as \u00abclass PNGf\u00bb"), is_hex=True),
)


async def attach_clipboard(store: Callable[[str, bytes], Awaitable[str]], say: Messages) -> str:
    """Store the clipboard's picture for the agent, and return its name."""
    data, ending = await read_picture(say)
    try:
        return await store(f"clipboard.{ending}", data)
    except OSError as error:
        raise ValidationError(
            say("clipboard_not_stored", reason=error.strerror or error)
        ) from error


async def read_picture(say: Messages) -> tuple[bytes, str]:
    """Read the clipboard's picture, and return it with its file suffix."""
    from dataagent_core.tools.media.media_type import detect_media_type

    present = [one for one in READERS if shutil.which(one.command[0])]
    if not present:
        raise NotFoundError(say("clipboard_no_program"))
    reason = ""
    for reader in present:
        output, complaint = await _output(reader)
        if len(output) > reader.output_bytes_max:
            raise ValidationError(say("clipboard_too_large", limit=PICTURE_BYTES_MAX))
        data = _decode_hex(output) if reader.is_hex else output
        ending = _ENDINGS.get(detect_media_type("", data[:64]))
        if ending is not None:
            return data, ending
        reason = f"{reader.command[0]}: {complaint}" if complaint else reason
    raise NotFoundError(say("clipboard_no_picture", reason=f" ({reason})" if reason else ""))


async def _output(reader: Reader) -> tuple[bytes, str]:
    """Run a program; return its output, and its error message on one line."""
    try:
        child = await asyncio.create_subprocess_exec(
            *reader.command,
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
            data = await _read(child.stdout, reader.output_bytes_max)
            is_whole = len(data) <= reader.output_bytes_max
            complaint = await child.stderr.read(CLIPBOARD_REASON_CHARS_MAX) if is_whole else b""
    except TimeoutError:
        return b"", f"> {CLIPBOARD_S_MAX:g} s"
    finally:
        # Kill its process group, and drain the pipes, or their end is never seen. macOS refuses to
        # signal a group of which only zombies are left.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        await child.communicate()
    return data, one_line(complaint.decode("utf-8", "replace")).strip()


async def _read(stream: asyncio.StreamReader, bytes_max: int) -> bytes:
    """Read to the end, or until the limit is exceeded."""
    parts: list[bytes] = []
    size_bytes = 0
    while size_bytes <= bytes_max and (part := await stream.read(1 << 20)):
        parts.append(part)
        size_bytes += len(part)
    return b"".join(parts)


def _decode_hex(written: bytes) -> bytes:
    found = _HEX.search(written)
    return bytes.fromhex(found[1].decode()) if found and len(found[1]) % 2 == 0 else b""
