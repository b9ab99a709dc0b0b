"""Sends bytes made for this request as a download, in the form of `file_answer.py`."""

import os
from pathlib import Path

from starlette.responses import Response

from dataagent_core.errors import NotFoundError
from dataagent_core.sandbox.files.file_node import make_node
from dataagent_server.api.answers.file_answer import FileAnswer, disposition
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.files.workspace_files import OpenedFile


def bytes_answer(name: str, data: bytes) -> Response:
    """Send bytes under a name."""
    headers = {
        **disposition(name),
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, no-store",
    }
    return Response(data, headers=headers)


def make_scratch_folder(settings: ServerSettings) -> Path:
    """Return the folder for files of one answer."""
    folder = settings.home / "scratch"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def once_answer(file: Path, name: str) -> FileAnswer:
    """Stream a temporary file; its name is removed before it is sent."""
    answer = file_answer(file, name)
    file.unlink()
    return answer


def file_answer(file: Path, name: str) -> FileAnswer:
    """Stream a file of ours under a given name."""
    return FileAnswer(open_file(file, name), None)


def open_file(file: Path, name: str) -> OpenedFile:
    """Open a file of ours under a given name."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise NotFoundError(f"{name[:80]!r} is not there any more.") from None
    return OpenedFile(descriptor, make_node(os.fstat(descriptor)), name)
