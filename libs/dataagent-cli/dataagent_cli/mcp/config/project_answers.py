"""The person's answers about a project's servers, each bound to the entry as it was then.

An entry that changed since then is asked about again.
"""

import hashlib
import json
from pathlib import Path
from typing import Literal, cast

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.limits.mcp import MCP_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.configuration.config_file import as_entry, parse_json, read_file

FILE_NAME = "trusted_mcp.json"

Answer = Literal["allowed", "refused"]
_ANSWERS: dict[object, Answer] = {"allowed": "allowed", "refused": "refused"}


class ProjectAnswers:
    """The answers about one folder's servers, stored in DATAAGENT_HOME."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._path = home / FILE_NAME
        self._folder = str(folder.resolve())

    def get_answer(self, server: MCPServerConfig) -> Answer | None:
        """Return the answer about this server as it is now, if there is one."""
        mark, answer = self._parse_folder(self._read()).get(server.name, ("", None))
        return answer if mark == _fingerprint(server) else None

    def keep(self, server: MCPServerConfig, answer: Answer) -> None:
        """Store an answer."""
        known = self._read()
        kept = self._parse_folder(known) | {server.name: (_fingerprint(server), answer)}
        text = json.dumps({**known, self._folder: kept}, indent=2)
        write_atomically(self._path, text + "\n")

    def _parse_folder(self, known: dict[str, object]) -> dict[str, tuple[str, Answer | None]]:
        folder = known.get(self._folder, {})
        if not isinstance(folder, dict):
            raise self._damaged_error()
        found: dict[str, tuple[str, Answer | None]] = {}
        for name, pair in cast("dict[str, object]", folder).items():
            match pair:
                case [str() as mark, str() as answer]:
                    found[name] = (mark, _ANSWERS.get(answer))
                case _:
                    raise self._damaged_error()
        return found

    def _read(self) -> dict[str, object]:
        text = read_file(self._path, MCP_FILE_BYTES_MAX)
        known = {} if text is None else parse_json(text, str(self._path))
        if not isinstance(known, dict):
            raise self._damaged_error()
        return cast("dict[str, object]", known)

    def _damaged_error(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self._path} is not a list of answers any more. Remove it: the servers of projects "
            "are asked about again."
        )


def _fingerprint(server: MCPServerConfig) -> str:
    # Disabling and enabling a server does not change what it would do.
    entry = {key: value for key, value in as_entry(server).items() if key != "disabled"}
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
