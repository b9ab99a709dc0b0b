"""Writes a bundle; blocks. The file is complete or does not exist."""

import json
import os
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from dataagent_core.config.limits.sessions import BUNDLE_COPY_BYTES
from dataagent_core.errors import DirectoryError
from dataagent_core.events import to_json
from dataagent_core.session.bundle_file import names
from dataagent_core.session.bundle_file.workspace import (
    CollectedFiles,
    collect_workspace,
    open_plain,
)
from dataagent_core.session.export.as_json import message_values, session_values
from dataagent_core.session.export.turns import ExportedSession

# The earliest time of a zip file, so that it does not reveal when it was made.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


def write_bundle(
    target: Path,
    exported: ExportedSession,
    history: Mapping[str, Any],
    workspace: Path | None = None,
) -> CollectedFiles:
    """Write a session to a file; return the files of the workspace in it and those left out."""
    collected = collect_workspace(workspace) if workspace is not None else CollectedFiles([], [])
    head = {
        "format": names.FORMAT,
        "version": names.VERSION,
        "session": session_values(exported.session, exported.title),
    }
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=".bundle-", delete=False
        ) as file:
            try:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                    archive.writestr(_make_entry(names.HEAD), json.dumps(head, indent=1))
                    messages = (json.dumps(message_values(one)) for one in exported.messages)
                    _write_lines(archive, names.MESSAGES, messages)
                    _write_lines(archive, names.EVENTS, map(to_json, exported.events))
                    archive.writestr(
                        _make_entry(names.HISTORY), json.dumps(history, allow_nan=False)
                    )
                    if workspace is not None:
                        _write_files(archive, workspace, collected)
                Path(file.name).replace(target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise DirectoryError(f"{str(target)!r} cannot be written: {error.strerror}.") from error
    return collected


def _write_lines(archive: zipfile.ZipFile, name: str, lines: Iterable[str]) -> None:
    with archive.open(_make_entry(name), "w") as file:
        for line in lines:
            file.write(line.encode() + b"\n")


def _write_files(archive: zipfile.ZipFile, root: Path, collected: CollectedFiles) -> None:
    for path in collected.files:
        descriptor = open_plain(root, path)
        if descriptor is None:
            collected.left_out.append(path)
            continue
        with os.fdopen(descriptor, "rb") as source:
            program = os.fstat(descriptor).st_mode & stat.S_IXUSR
            entry = _make_entry(names.WORKSPACE + path, 0o755 if program else 0o644)
            with archive.open(entry, "w") as file:
                while piece := source.read(BUNDLE_COPY_BYTES):
                    file.write(piece)


def _make_entry(name: str, mode: int = 0o644) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _MOMENT)
    entry.external_attr = (stat.S_IFREG | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
