"""Pictures, sounds and files in a result: kept in the workspace, so that a person can open them.

What a server calls its data is a claim; the file's ending follows from how the data begins. The
same data has the same name, so that a call made again writes no second file.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass, field

from pydantic import JsonValue

from dataagent_core.config.limits import ARTIFACT_SNIFF_BYTES
from dataagent_core.config.limits.mcp import MCP_RESULT_FILE_BYTES_MAX, MCP_RESULT_FILES_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.mcp.tools.clean_text import in_one_line
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.output.artifacts import describe_files

MCP_FOLDER = "/mcp"
_KIND_CHARS_MAX = 60
_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
}


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """Keeps the files of one result; without a root nothing can be kept."""

    root: SafeRoot | None
    kept: list[str] = field(default_factory=list[str])

    def keep(self, data: str, said_type: str) -> str:
        """Write what a block holds and say where it is, or why it is not there. It blocks."""
        kind = in_one_line(said_type, _KIND_CHARS_MAX) or "unnamed"
        # A quarter less once it is decoded.
        if len(data) * 3 // 4 > MCP_RESULT_FILE_BYTES_MAX:
            return f"({kind} data of about {len(data) * 3 // 4} bytes: too large, left out)"
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            return f"({kind} data that is no base64: left out)"
        what = f"{kind} data of {len(content)} bytes"
        if self.root is None:
            return f"({what}: files cannot be kept here, left out)"
        if len(self.kept) >= MCP_RESULT_FILES_MAX:
            return f"({what}: {MCP_RESULT_FILES_MAX} files are kept of one result, left out)"
        found = detect_media_type("", content[:ARTIFACT_SNIFF_BYTES])
        name = hashlib.sha256(content).hexdigest()[:16]
        path = f"{MCP_FOLDER}/{name}{_ENDINGS.get(found, '.bin')}"
        try:
            self.root.write_atomic(path, content)
        except (DataAgentError, OSError) as error:
            # A full workspace must not lose the rest of a result that cost a call.
            return f"({what}: it could not be kept: {error})"
        self.kept.append(path)
        return f"({what}, kept as {path})"

    def artifacts(self) -> list[dict[str, JsonValue]]:
        """Describe what was kept. It blocks."""
        return [] if self.root is None else describe_files(self.root, self.kept)
