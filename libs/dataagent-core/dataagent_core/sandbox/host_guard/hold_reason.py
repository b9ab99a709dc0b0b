"""Decides whether a changed file that programs of the host obey must be held back. Pure."""

import re
from collections.abc import Sequence

from dataagent_core.sandbox.git.git_file_checks import (
    is_harmless_common,
    is_harmless_config,
    is_harmless_modules,
    is_harmless_pointer,
    is_harmless_todo,
    list_attribute_drivers,
)
from dataagent_core.sandbox.host_guard.host_file_scan import ScannedFile
from dataagent_core.sandbox.host_guard.host_files import find_host_file
from dataagent_core.sandbox.paths.tool_paths import PathParts


def find_hold_reason(
    parts: PathParts,
    before: ScannedFile | None,
    after: ScannedFile,
    folder: str,
    places: Sequence[str],
) -> str | None:
    """Say who would obey a changed file in a folder; None for what git writes by itself.

    `places` are the folders that commands can write.
    """
    text, old = _text(after), _text(before)
    match after.what:
        case "config":
            harmless = is_harmless_config(text, old, folder, places)
        case "modules":
            harmless = is_harmless_modules(text, old)
        case "commondir":
            harmless = is_harmless_common(text, folder)
        case "pointer":
            harmless = is_harmless_pointer(text, folder, places)
        case "hook":
            harmless = parts[-1].endswith(".sample")
        case "remote" | "program":
            harmless = False
        case "attributes":
            known = (
                list_attribute_drivers(before.content or b"")
                if before is not None
                else frozenset[bytes]()
            )
            harmless = list_attribute_drivers(after.content or b"") <= known
        case "todo":
            harmless = is_harmless_todo(text)
        case "listed":
            return _reason_for_listed(parts, after)
    is_known = after.content is not None and not after.is_link
    return (
        None if harmless and is_known else "git runs programs it names, or sends to its addresses"
    )


def _reason_for_listed(parts: PathParts, after: ScannedFile) -> str | None:
    entry = find_host_file(parts)
    if entry is None:
        return "a link in the place of a listed folder"
    passes = entry.harmless is not None and after.content is not None and not after.is_link
    if passes and re.fullmatch(entry.harmless or "", _text(after)):
        return None
    return entry.who


def _text(found: ScannedFile | None) -> str:
    return "" if found is None else (found.content or b"").decode("utf-8", "replace")
