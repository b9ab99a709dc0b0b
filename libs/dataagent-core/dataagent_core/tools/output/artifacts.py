"""The files a call made, as its result lists them: `{id, media_type, name, path, bytes}`.

A tool attaches them to its message under `artifacts`; `read_artifacts` reads them for the event.
The paths come from an untrusted program, so each is opened beneath the root first.
"""

import hashlib
import os
from collections.abc import Iterable
from typing import Any

from langchain_core.messages import ToolMessage
from pydantic import JsonValue

from dataagent_core.config.limits import ARTIFACT_SNIFF_BYTES, ARTIFACTS_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.language.unicode_text import storable
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.pipeline.agent_call import AgentCall

ARTIFACTS_KEY = "artifacts"


def describe_files(root: SafeRoot, paths: Iterable[str]) -> list[dict[str, JsonValue]]:
    """Describe the regular files among paths, the first ones first, up to a limit. It blocks."""
    found: dict[str, dict[str, JsonValue]] = {}
    for path in paths:
        if len(found) >= ARTIFACTS_MAX:
            break
        try:
            shown = format_path(split_path(path))
            if shown not in found:
                found[shown] = _describe_file(root, shown)
        except (DataAgentError, OSError):
            continue  # gone, a link out of the workspace, or no file at all
    return list(found.values())


def read_artifacts(call: AgentCall, message: ToolMessage) -> list[dict[str, JsonValue]]:
    """List what a message says its call made; anything that does not look like it is left out."""
    attached = message.artifact if isinstance(message.artifact, dict) else {}
    listed: Any = attached.get(ARTIFACTS_KEY)
    if not isinstance(listed, list):
        return []
    artifacts: list[dict[str, JsonValue]] = []
    for item in listed[:ARTIFACTS_MAX]:
        match item:
            case {"media_type": str(), "name": str(), "path": str(path), "bytes": int()}:
                name = f"{call.key}:{path}".encode("utf-8", "surrogatepass")
                made = {key: item[key] for key in ("media_type", "name", "path", "bytes")}
                artifacts.append({"id": hashlib.sha256(name).hexdigest()[:32], **storable(made)})
            case _:
                continue
    return artifacts


def _describe_file(root: SafeRoot, path: str) -> dict[str, JsonValue]:
    descriptor = root.open_fd(path)
    try:
        beginning = os.read(descriptor, ARTIFACT_SNIFF_BYTES)
        size_bytes = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    name = path.rpartition("/")[2]
    return {
        "media_type": detect_media_type(name, beginning),
        "name": name,
        "path": path,
        "bytes": size_bytes,
    }
