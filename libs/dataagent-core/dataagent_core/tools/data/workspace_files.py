"""Makes sources of the data files of a workspace, and copies finished files into it."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from dataagent_core.config.limits import FILE_BYTES_MAX
from dataagent_core.config.limits.data import DATA_FILES_LISTED_MAX
from dataagent_core.errors import DataAgentError, DeniedError, ValidationError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.data.sources.file_formats import detect_format
from dataagent_core.tools.data.sources.read_options import FileReadOptions
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_names import make_source_name
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.output.artifacts import describe_files as described_artifacts

_DATABASES = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db")

OUTPUTS_FOLDER = "/outputs"


class WorkspaceFiles:
    """The data files beneath one root. A link may never lead out of it."""

    def __init__(
        self,
        root: SafeRoot,
        folder: Path,
        outputs: str = OUTPUTS_FOLDER,
        *,
        choices: FileReadOptions | None = None,
    ) -> None:
        self._root = root
        self._folder = folder
        self._outputs = outputs
        self._choices = choices

    async def spec(self, path: str) -> SourceSpec | None:
        """Make a source of a file or folder; None if there is none."""
        found = await asyncio.to_thread(self._make_spec, path)
        if found is None or self._choices is None or found.kind != "files":
            return found
        return (await self._choices(format_path(split_path(path)))).applied_to(found)

    async def listed(self) -> list[str]:
        """List data files in the root and the folders just below it."""
        return await asyncio.to_thread(self._list_data_files)

    async def deliver(self, file: Path, name: str) -> list[Any]:
        """Copy a finished file into the workspace and describe it as an artifact."""
        return await asyncio.to_thread(self._deliver, file, name)

    def _make_spec(self, path: str) -> SourceSpec | None:
        try:
            parts = split_path(path)
            # The target beneath the root; the engine opens it the same way.
            kind = self._root.stat(format_path(parts)).kind
        except DeniedError:
            raise
        except DataAgentError:
            return None
        if not parts or kind not in {"file", "dir"}:
            return None
        if kind == "dir":
            self._refuse_denied_files(format_path(parts))
        spec = make_source_spec(
            make_source_name(Path(parts[-1]).stem), "/".join(parts), self._folder
        )
        return replace(spec, beneath=str(self._folder))

    def _refuse_denied_files(self, folder: str) -> None:
        """Refuse a folder with a file that may not be read: all its files are one source."""
        for entry in self._root.list_dir(folder):
            if entry.kind == "file" and _is_data(entry.name):
                self._root.stat(f"{folder}/{entry.name}")

    def _list_data_files(self) -> list[str]:
        found: list[str] = []
        folders = ["/"]
        for folder in folders:
            # A folder that was just removed, or may not be entered, lists nothing.
            with suppress(DataAgentError):
                for entry in self._root.list_dir(folder):
                    path = f"{folder.rstrip('/')}/{entry.name}"
                    if entry.kind == "dir" and folder == "/" and entry.name[0] != ".":
                        folders.append(path)
                    elif entry.kind == "file" and _is_data(entry.name):
                        with suppress(DeniedError):
                            self._root.stat(path)
                            found.append(path)
        return sorted(found)[:DATA_FILES_LISTED_MAX]

    def _deliver(self, file: Path, name: str) -> list[Any]:
        size_bytes = file.stat().st_size
        if size_bytes > FILE_BYTES_MAX:
            raise ValidationError(
                f"The file has {size_bytes:,} bytes, {FILE_BYTES_MAX:,} fit here. Ask for fewer "
                "rows, or let the person export it: dataagent data export RESULT"
            )
        path = f"{self._outputs}/{name}"
        self._root.write_atomic(path, file.read_bytes())
        return described_artifacts(self._root, [path])


def _is_data(name: str) -> bool:
    return name.lower().endswith(_DATABASES) or detect_format(name) is not None
