"""Files of the workspace on the server: listed, fetched before they are shown, uploaded.

The transcript reads files synchronously (`read`), so the files of an event are fetched before the
event is passed on, within limits of time and size; a file that is missing then is shown as a path.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_cli.conversation.attachments import read_picture_file, upload_path
from dataagent_cli.remote import limits
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.transcript.calls.plots import is_spec
from dataagent_core.errors import DataAgentError
from dataagent_core.events import ToolResultEvent

if TYPE_CHECKING:
    from dataagent_core.events import Event


@dataclass(frozen=True, slots=True)
class _DownloadedFile:
    content: bytes | None


class RemoteFiles:
    """The person's workspace; `pictures` says whether their terminal can show any."""

    def __init__(self, client: ServerClient, *, pictures: bool) -> None:
        self._client = client
        self._pictures = pictures
        self._loop = asyncio.get_running_loop()
        self._workspace: str | None = None
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        # In another user's session the files are theirs.
        self.ours = True

    async def fetch(self, event: "Event") -> None:
        """Fetch the files that an event shows, within a time limit."""
        if not isinstance(event, ToolResultEvent) or not self.ours:
            return
        paths = [
            str(artifact.get("path", ""))
            for artifact in event.artifacts
            if self._is_shown(artifact)
        ]
        with suppress(TimeoutError, DataAgentError):
            async with asyncio.timeout(limits.FILES_S_MAX):
                for path in paths[: limits.FILES_OF_EVENT_MAX]:
                    data = await self._download(path, limits.FILE_BYTES_MAX)
                    if data is not None:
                        self._cache_file(path, data)

    def read(self, path: str, bytes_max: int) -> bytes | None:
        """Return a fetched file."""
        data = self._cache.get(path)
        return data if data is not None and len(data) <= bytes_max else None

    def download_files(self, paths: list[str]) -> Sequence[_DownloadedFile]:
        """Read files for the preview of a change; called from a thread, and waits."""
        return [_DownloadedFile(self._download_from_thread(path)) for path in paths]

    async def names(self) -> list[str]:
        """List the files, up to a few pages."""
        names: list[str] = []
        after: str | None = None
        place = await self._workspace_path()
        while len(names) < limits.FILE_NAMES_MAX:
            query: dict[str, Any] = {"path": "/", "recursive": True}
            query |= {"limit": limits.FILE_NAMES_PAGE} | ({"after": after} if after else {})
            page = await self._client.ask("GET", f"{place}/files", query=query)
            found = [str(one["path"]) for one in page["items"] if one["kind"] == "file"]
            # A name that could steer the terminal cannot be typed either.
            names += [path.lstrip("/") for path in found if path.isprintable()]
            after = page.get("next")
            if after is None:
                break
        return names[: limits.FILE_NAMES_MAX]

    async def put(self, here: Path, path: str) -> str:
        """Upload a picture of this machine for the agent, and return its name."""
        data = await asyncio.to_thread(lambda: read_picture_file(here / Path(path).expanduser()))
        return await self.store_picture(Path(path).name, data)

    async def store_picture(self, name: str, data: bytes) -> str:
        """Upload a picture for the agent, and return its name."""
        place = await self._workspace_path()
        query = {"path": f"/{upload_path(name, data)}"}
        stored = await self._client.upload(f"{place}/files/content", query, data)
        return str(stored["path"]).lstrip("/")

    def _is_shown(self, artifact: Any) -> bool:
        if is_spec(str(artifact.get("path", ""))):
            return True
        return self._pictures and str(artifact.get("media_type", "")).startswith("image/")

    def _download_from_thread(self, path: str) -> bytes | None:
        if not self.ours:
            return None
        waiting = asyncio.run_coroutine_threadsafe(
            self._download(path, limits.FILE_BYTES_MAX), self._loop
        )
        try:
            return waiting.result(limits.FILES_S_MAX)
        except (DataAgentError, TimeoutError):
            waiting.cancel()
            return None

    async def _download(self, path: str, bytes_max: int) -> bytes | None:
        place = await self._workspace_path()
        query = {"path": f"/{path.lstrip('/')}"}
        return await self._client.download(f"{place}/files/content", query, bytes_max)

    async def _workspace_path(self) -> str:
        if self._workspace is None:
            found = await self._client.ask("GET", "/workspaces/default")
            self._workspace = str(found["workspace_id"])
        return f"/workspaces/{self._workspace}"

    def _cache_file(self, path: str, data: bytes) -> None:
        self._cache[path] = data
        while sum(map(len, self._cache.values())) > limits.FILES_KEPT_BYTES_MAX:
            self._cache.popitem(last=False)
