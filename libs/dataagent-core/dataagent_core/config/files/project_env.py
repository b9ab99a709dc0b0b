"""Decides which settings of a project's `.env` are used, and which need the user's approval.

A project may be anybody's. Its `.env` chooses freely how the agent works here; where data, keys,
money and the log go it chooses only when the person trusts exactly these values. The answers are in
DATAAGENT_HOME, which no project sets.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic.fields import FieldInfo

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.files.text_file import parse_toml, read_text
from dataagent_core.config.limits import CONFIG_FILE_BYTES_MAX
from dataagent_core.config.resolve.layers import variable_names
from dataagent_core.config.resolve.setting_messages import is_secret

TRUSTED_ENV_NAME = "trusted_env.toml"
# Every other setting needs an approval, also one that is added later.
FREE_SETTINGS = frozenset(
    {
        "assistant_id",
        "clarification_timeout",
        "compression_trigger_pct",
        "data_workers_max",
        "decision_timeout",
        "fallback_model",
        "history_budget_pct",
        "language",
        "max_context_tokens",
        "max_output_tokens",
        "model",
        "model_retries",
        "output_reserve_pct",
        "recent_budget_pct",
        "results_max_bytes",
        "session_timeout",
        "summary_max_tokens",
        "system_budget_pct",
        "timeout",
    }
)

Answer = Literal["trusted", "refused", "open"]


@dataclass(frozen=True, slots=True)
class ProjectEnv:
    """The variables of a project's `.env` that need an approval, by setting."""

    home: Path
    folder: Path
    variables: Mapping[str, Mapping[str, str]]
    secret: frozenset[str] = frozenset()

    @property
    def withheld(self) -> frozenset[str]:
        """Return the settings that are not read from the file. Blocks."""
        if not self.variables or self.answer == "trusted":
            return frozenset()
        return frozenset(self.variables)

    @property
    def answer(self) -> Answer:
        """Return the user's answer about these values. Blocks."""
        noted = _read_answers(self.home).get(str(self.folder.resolve()), "")
        kind, _, fingerprint = noted.partition(":")
        if fingerprint != self._fingerprint():
            return "open"
        return "trusted" if kind == "trusted" else "refused"

    def decide(self, *, trusted: bool) -> None:
        """Store the user's answer about these values; other values need a new one."""
        kind = "trusted" if trusted else "refused"
        noted = {str(self.folder.resolve()): f"{kind}:{self._fingerprint()}"}
        answers = _read_answers(self.home) | noted
        lines = (f"{json.dumps(name)} = {json.dumps(mark)}\n" for name, mark in answers.items())
        write_atomically(self.home / TRUSTED_ENV_NAME, "".join(lines))

    def shown(self) -> list[str]:
        """Describe each variable with its host or path; a key is not shown."""
        return [
            variable if name in self.secret else f"{variable} → {_target_of(value)}"
            for name, pairs in self.variables.items()
            for variable, value in pairs.items()
        ]

    def _fingerprint(self) -> str:
        pairs = sorted(pair for pairs in self.variables.values() for pair in pairs.items())
        return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()


def project_env(
    fields: Mapping[str, FieldInfo], dotenv: Mapping[str, str], home: Path, folder: Path
) -> ProjectEnv:
    """Select from a `.env` what needs an approval."""
    found: dict[str, dict[str, str]] = {}
    for name, field in fields.items():
        pairs = {v: dotenv[v] for v in variable_names(name, field) if dotenv.get(v, "").strip()}
        if pairs and name not in FREE_SETTINGS:
            found[name] = pairs
    secret = frozenset(name for name in found if is_secret(fields[name]))
    return ProjectEnv(home, folder, found, secret)


def _target_of(value: str) -> str:
    """Return the target of an address, without a password."""
    try:
        parts = urlsplit(value if "://" in value else f"//{value}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return "?"
    if not host:
        return f"/{parts.path.lstrip('/')}" if parts.path else "?"
    return f"{host}:{port}" if port else host


def _read_answers(home: Path) -> dict[str, str]:
    path = home / TRUSTED_ENV_NAME
    what = "a list of folders"
    table = parse_toml(read_text(path, CONFIG_FILE_BYTES_MAX, what) or "", str(path), what)
    return {folder: mark for folder, mark in table.items() if isinstance(mark, str)}
