"""Which package registries the commands of a project may reach: asked once, kept in the home.

A project cannot answer for itself, so the answer lies beside the list of trusted folders. Commands
reach these hosts through the sandbox's proxy and no others (`sandbox/network/egress.py`).
"""

import json
import re
from pathlib import Path
from typing import Final

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.files.text_file import parse_toml
from dataagent_core.errors import ValidationError
from dataagent_core.permissions.rule_files.rule_file import read_text
from dataagent_core.permissions.rule_files.rule_file_names import REGISTRIES_NAME

# What stands at the top of a project -> where its packages come from.
_REGISTRIES: Final = {
    "pyproject.toml": ("pypi.org", "files.pythonhosted.org"),
    "setup.py": ("pypi.org", "files.pythonhosted.org"),
    "requirements.txt": ("pypi.org", "files.pythonhosted.org"),
    "package.json": ("registry.npmjs.org",),
    "go.mod": ("proxy.golang.org", "sum.golang.org"),
    "Cargo.toml": ("index.crates.io", "static.crates.io"),
}
_HOST = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?", re.ASCII)


def usual_registries(folder: Path) -> tuple[str, ...]:
    """Name the registries a project's packages usually come from."""
    found = (hosts for mark, hosts in _REGISTRIES.items() if (folder / mark).is_file())
    return tuple(dict.fromkeys(host for hosts in found for host in hosts))


def allowed_registries(home: Path, folder: Path) -> tuple[str, ...]:
    """Give the hosts a person allowed for a folder; none where they were not asked."""
    return _kept(home).get(str(folder.resolve()), ())


def were_registries_asked(home: Path, folder: Path) -> bool:
    """Say whether the person has decided, whatever they said."""
    return str(folder.resolve()) in _kept(home)


def allow_registries(home: Path, folder: Path, hosts: tuple[str, ...]) -> None:
    """Keep a person's answer; no hosts is a no."""
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ValidationError(
                f"{host!r} is no host. Write its name alone, as in pypi.org, or with a port, as in "
                "127.0.0.1:8080."
            )
    kept = _kept(home) | {str(folder.resolve()): hosts}
    lines = (f"{json.dumps(path)} = {json.dumps(list(some))}\n" for path, some in kept.items())
    write_atomically(home / REGISTRIES_NAME, "".join(lines))


def _kept(home: Path) -> dict[str, tuple[str, ...]]:
    path = home / REGISTRIES_NAME
    table = parse_toml(read_text(path) or "", str(path), "a list of registries")
    return {
        folder: tuple(host for host in hosts if isinstance(host, str) and _HOST.fullmatch(host))
        for folder, hosts in table.items()
        if isinstance(hosts, list)
    }
