"""What the kernel said, as an error that names the path and the way out."""

import errno
import os

from dataagent_core.errors import (
    DataAgentError,
    NotFoundError,
    PathEscapeError,
    ToolExecutionError,
    ValidationError,
)

_OUTSIDE = {
    errno.EXDEV: "it leads outside the workspace",
    errno.ELOOP: "it leads through a link that may not be followed",
    errno.EAGAIN: "its folders were being renamed while it was opened",
    errno.ENXIO: "it is a device, socket or pipe",
    errno.ENAMETOOLONG: "it is too long",
}


def translate_os_error(error: OSError, path: str) -> DataAgentError:
    """Translate a refusal of the kernel."""
    number = error.errno or 0
    if number in _OUTSIDE:
        return PathEscapeError(
            f"{path!r} is refused: {_OUTSIDE[number]}. Name a regular file inside the workspace."
        )
    if number == errno.ENOENT:
        return NotFoundError(f"There is no {path!r}. Look with ls or glob.")
    if number == errno.ENOTDIR:
        return NotFoundError(f"{path!r} or a folder in it is not a directory. Look with ls.")
    if number == errno.EISDIR:
        return ValidationError(f"{path!r} is a directory, not a file. Use ls for directories.")
    return ToolExecutionError(
        f"{path!r} cannot be used: {os.strerror(number)}. Choose another path, or ask the person "
        "to make it accessible."
    )
