"""A worker of `child_process` that reads the text of one PDF, which may be hostile."""

import codecs
import contextlib
import importlib
import io
import logging
import time
from typing import Any

from pypdf import PasswordType, PdfReader

# Codecs are files too; what pypdf or a font may name is opened before files are given up. Bytes are
# tried as text in UTF-16 first, among them the keys of an encrypted document.
_CODECS = ("utf-16-be", "utf-16-le", "utf-16", "gbk", "gb2312", "gb18030", "big5", "shift_jis",
           "cp932", "euc_jp", "euc_kr", "cp949", "cp950", "cp1250", "cp1252", "cp1254", "cp1257",
           "latin-1", "iso8859-15", "mac_roman", "ascii", "charmap")  # fmt: skip


class _LockedError(Exception):
    pass


class _DamagedError(Exception):
    pass


def prepare(_job: dict[str, Any]) -> None:
    """Open what reading may need, before files are given up."""
    # It speaks of every odd object of a file.
    logging.disable()
    for name in _CODECS:
        codecs.lookup(name)
    # pypdf imports it at the first font that needs it.
    with contextlib.suppress(ImportError):
        importlib.import_module("fontTools.cffLib")


def work(job: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Read a document; the head says what is wrong with it, or how much of it was read."""
    head: dict[str, Any] = {"problem": "", "pages": 0, "pages_read": 0, "is_cut": False}
    head["pages_unreadable"] = 0
    text = ""
    try:
        text = _read_text(data, job, head)
    except _LockedError:
        head["problem"] = "locked"
    except Exception:  # noqa: BLE001 (readers raise anything over bytes that are damaged)
        head["problem"] = "damaged"
    return head, text.encode("utf-8", "replace")


def _read_text(data: bytes, job: dict[str, Any], head: dict[str, Any]) -> str:
    reader = PdfReader(io.BytesIO(data))
    # Many are locked against changes only: those open with no password.
    if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
        raise _LockedError
    head["pages"] = len(reader.pages)
    parts: list[str] = []
    room: int = job["chars_max"]
    for number, page in enumerate(reader.pages, 1):
        late = time.process_time() > job["reading_s"]
        if number > job["pages_max"] or room <= 0 or late:
            head["is_cut"] = True
            break
        text = ""
        try:
            text = page.extract_text().strip()
        except Exception:  # noqa: BLE001 (a page that cannot be read does not take the others with it)
            head["pages_unreadable"] += 1
        if text:
            shown = text[: min(room, job["page_chars_max"])]
            head["is_cut"] = head["is_cut"] or len(shown) < len(text)
            parts.append(f"[page {number}]\n{shown}")
            room -= len(shown)
        head["pages_read"] = number
    if head["pages_unreadable"] and not parts:
        raise _DamagedError
    return "\n\n".join(parts)
