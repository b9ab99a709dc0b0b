"""What the lines of SHOW GRANTS allow beyond reading. Pure: lines in, facts out.

A line may hold the hash of a password, so no line is ever shown.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_ON = re.compile(r"^GRANT (?P<rights>.+?) ON (?P<on>.+?) TO ", re.IGNORECASE)
_ROLE = re.compile(r"^GRANT (?P<roles>[`'\"].+?) TO ", re.IGNORECASE)
_NAME = re.compile(r"[`'\"]((?:[^`'\"]|``)+)[`'\"](?:@[`'\"]((?:[^`'\"])*)[`'\"])?")
_PARENTHESES = re.compile(r"\([^)]*\)")
# Rights that only look, or that everybody has.
_HARMLESS = frozenset(
    {"SELECT", "USAGE", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REFERENCES"}
    | {"REPLICATION CLIENT", "BINLOG MONITOR", "SLAVE MONITOR", "SHOW CREATE ROUTINE"}
)
_DANGEROUS = frozenset(
    {"ALL PRIVILEGES", "FILE", "SUPER", "SHUTDOWN", "CREATE USER", "GRANT OPTION", "SYSTEM_USER"}
)


@dataclass(frozen=True, slots=True)
class ExtraGrant:
    """Rights beyond reading, on what."""

    rights: tuple[str, ...]
    on: str

    @property
    def dangerous(self) -> bool:
        """Say whether it reaches beyond the rows of tables, or over all of them."""
        return bool(_DANGEROUS & set(self.rights)) or self.on == "*.*"


def find_extra_grants(lines: Iterable[str]) -> list[ExtraGrant]:
    """List what the lines allow beyond reading."""
    found: list[ExtraGrant] = []
    for line in lines:
        match = _ON.match(line)
        if match is None or match["rights"].upper() == "PROXY":
            continue
        rights = [part.strip().upper() for part in _PARENTHESES.sub("", match["rights"]).split(",")]
        if re.search(r" WITH GRANT OPTION\b", line[match.end() :], re.IGNORECASE):
            rights.append("GRANT OPTION")
        more = tuple(dict.fromkeys(right for right in rights if right and right not in _HARMLESS))
        if more:
            found.append(ExtraGrant(more, match["on"].replace("`", "")))
    return found


def list_roles(lines: Iterable[str]) -> list[tuple[str, str | None]]:
    """List the roles the lines give, each with its host where the server knows one."""
    found: list[tuple[str, str | None]] = []
    for line in lines:
        match = None if _ON.match(line) else _ROLE.match(line)
        if match is not None:
            found += [(name, host or None) for name, host in _NAME.findall(match["roles"])]
    return found
