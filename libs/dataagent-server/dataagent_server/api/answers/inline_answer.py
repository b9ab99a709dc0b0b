"""Answers that the console shows: pictures, and pages in a frame.

A page comes from a user or a model: it is shown where it can run no script, reach nobody, and is no
page of ours (`sandbox` gives it an origin of its own).
"""

from typing import Final

from dataagent_core.errors import ValidationError
from dataagent_server.api.answers.file_answer import FileAnswer
from dataagent_server.workspaces.files.paths import render_path
from dataagent_server.workspaces.files.workspace_files import OpenedFile

_PICTURES: Final = (".gif", ".jpeg", ".jpg", ".png", ".webp")
_PAGES: Final = (".html", ".htm")
_FRAMED: Final = {
    "content-type": "text/html; charset=utf-8",
    "content-disposition": "inline",
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
}


def picture_or_download(file: OpenedFile, wanted: str | None) -> FileAnswer:
    """Send a picture to be shown, and everything else as a download."""
    name = render_path(file.path).lower()
    if name.endswith(".svg"):
        # `<img>` also shows a download; opened on its own it would be a page.
        return FileAnswer(file, wanted, {"content-type": "image/svg+xml"})
    is_picture = name.endswith(_PICTURES)
    return FileAnswer(file, wanted, {"content-disposition": "inline"} if is_picture else None)


def page_in_frame(file: OpenedFile) -> FileAnswer:
    """Send a page for a frame of the console; nothing else has a preview."""
    if not render_path(file.path).lower().endswith(_PAGES):
        file.close()
        raise ValidationError("Only HTML has a preview; leave `preview` out to download the file.")
    return FileAnswer(file, None, _FRAMED)
