"""Where a tenant's source may be.

A database server: on the public internet, or a host and port the operator allows in
`web_allow_hosts`. It is checked when it is stored and at every use; the checked address is the one
that is dialled, so that a name cannot lead elsewhere in between.

A file or folder: only below a folder the operator opened to all tenants with `data_folders`, and
not in DataAgent's own folders.
"""

import asyncio
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import httpcore

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.own_files import refuse_own_files
from dataagent_core.tools.data.sources.server_url import SCHEMES, parse_server_address
from dataagent_core.tools.data.sources.source_kinds import check_name, make_source_spec
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_core.tools.web.web_transport import Resolver, resolve_by_system
from dataagent_server.agents.credentials.base_url_check import why_not

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_FILE_URLS = ("file", "sqlite", "duckdb")


@dataclass(frozen=True, slots=True)
class OwnFolders:
    """DataAgent's own folders, and which of them may be a source."""

    home: Path
    sample: Path


class SourceLocations:
    """Checks addresses and the operator's folders."""

    def __init__(
        self,
        policy: WebPolicy,
        folders: Sequence[Path] = (),
        resolver: Resolver = resolve_by_system,
        own: OwnFolders | None = None,
    ) -> None:
        self._policy = policy
        self._own = own
        self._folders = tuple(folders)
        self._resolver = resolver

    async def check(self, name: str, location: str) -> SourceSpec:
        """Return the source at a location; refuse a location that tenants may not use."""
        check_name(name)
        if (kind := _find_server_kind(location)) is not None:
            dialled = await self.resolve(location)
            return SourceSpec(name=name, kind=kind, location=location, dialled=dialled)
        return await asyncio.to_thread(self._find_in_folders, name, _require_path(location))

    async def resolve(self, url: str) -> str:
        """Resolve a server's host; return the address to dial, if a tenant may dial it."""
        address = parse_server_address(url)
        host, port = address.host.lower().rstrip("."), address.port
        try:
            found = await self._resolver(host, port)
        except httpcore.ConnectError as error:
            raise ValidationError(f"The host of the source cannot be found: {error}.") from None
        if reason := why_not(found, vouched=(host, port) in self._policy.vouched):
            raise ValidationError(
                f"{host!r} {reason}. The operator can add '{host}:{port}' to web_allow_hosts in "
                "config.toml."
            )
        # Always the same one of several, so that one server has one engine.
        return min(map(str, found), key=lambda text: (":" in text, text))

    async def recheck(self, spec: SourceSpec) -> SourceSpec:
        """Check a stored source again at its use."""
        checked = await self.check(spec.name, spec.location)
        write_dialled = await self.resolve(spec.write_url) if spec.write_url else None
        return replace(
            spec, dialled=checked.dialled, write_dialled=write_dialled, beneath=checked.beneath
        )

    def _find_in_folders(self, name: str, path: str) -> SourceSpec:
        wanted = os.path.normpath(path)
        for folder in self._folders:
            base = os.path.normpath(folder)
            if wanted == base or wanted.startswith(f"{base}{os.sep}"):
                inside = os.path.relpath(wanted, base)
                spec = make_source_spec(name, inside, Path(base))
                if self._own is not None:
                    refuse_own_files(spec, self._own.home, self._own.sample)
                return replace(spec, beneath=base)
        raise ValidationError(
            f"{path[:200]!r} is not in a folder that is open to tenants. Upload the file into your "
            "workspace and give its path as the source, or ask the operator to name the folder in "
            "DATAAGENT_DATA_FOLDERS."
        )


def _find_server_kind(location: str) -> SourceKind | None:
    scheme = _read_scheme(location)
    return None if scheme is None or scheme in _FILE_URLS else _require_kind(scheme)


def _require_kind(scheme: str) -> SourceKind:
    kind = SCHEMES.get(scheme)
    if kind is None:
        raise ValidationError(
            f"{scheme[:40]}: is no source that can be added over the API. These can: "
            f"{', '.join(sorted(SCHEMES))}. Others are added on the machine itself: "
            "dataagent sources add"
        )
    return kind


def _require_path(location: str) -> str:
    if _read_scheme(location) is not None:
        raise ValidationError("Give the path of a file or folder without file: or sqlite:.")
    if not location.startswith("/") or "\0" in location:
        raise ValidationError(
            f"{location[:200]!r} is neither an address of a database nor an absolute path."
        )
    return location


def _read_scheme(location: str) -> str | None:
    found = _SCHEME.match(location)
    return None if found is None else found[1].lower().partition("+")[0]
