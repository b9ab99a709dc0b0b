"""Finds what a MySQL or MariaDB login may do beyond reading, also through its roles.

A line of SHOW GRANTS may hold the hash of a password, so no line is ever shown.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import pymysql

from .mysql_connection import Connection

_ON = re.compile(r"^GRANT (?P<rights>.+?) ON (?P<on>.+?) TO ", re.IGNORECASE)
_ROLE = re.compile(r"^GRANT (?P<roles>[`'\"].+?) TO ", re.IGNORECASE)
_NAME = re.compile(r"[`'\"]((?:[^`'\"]|``)+)[`'\"](?:@[`'\"]((?:[^`'\"])*)[`'\"])?")
_PARENTHESES = re.compile(r"\([^)]*\)")
# Rights that only read, or that every login has.
_HARMLESS = frozenset(
    {"SELECT", "USAGE", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REFERENCES"}
    | {"REPLICATION CLIENT", "BINLOG MONITOR", "SLAVE MONITOR", "SHOW CREATE ROUTINE"}
)
_DANGEROUS = frozenset(
    {"ALL PRIVILEGES", "FILE", "SUPER", "SHUTDOWN", "CREATE USER", "GRANT OPTION", "SYSTEM_USER"}
)
_ROLES_MAX = 50
_SHOWN_MAX = 5


@dataclass(frozen=True, slots=True)
class ExtraGrant:
    """Rights beyond reading, and the object they are on."""

    rights: tuple[str, ...]
    on: str

    @property
    def dangerous(self) -> bool:
        """Whether it reaches beyond the rows of tables, or covers all tables."""
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
    """List the granted roles, each with its host if there is one."""
    found: list[tuple[str, str | None]] = []
    for line in lines:
        match = None if _ON.match(line) else _ROLE.match(line)
        if match is not None:
            found += [(name, host or None) for name, host in _NAME.findall(match["roles"])]
    return found


def find_mysql_warnings(connection: Connection, user: str, database: str) -> list[str]:
    """Return a warning for each right beyond reading; none for a read-only login."""
    grants = list(dict.fromkeys(find_extra_grants(_list_all_grants(connection))))
    if not grants:
        return []
    found = [_describe_grant(each, user) for each in sorted(grants, key=lambda b: not b.dangerous)]
    if len(found) > _SHOWN_MAX:
        found = [*found[:_SHOWN_MAX], f"And {len(found) - _SHOWN_MAX} more such grants."]
    return [*found, _suggest_login(database)]


def _list_all_grants(connection: Connection) -> list[str]:
    lines = _list_grants(connection, "SHOW GRANTS")
    pending, seen = list_roles(lines), set[tuple[str, str | None]]()
    while pending and len(seen) < _ROLES_MAX:
        role = pending.pop()
        if role in seen:
            continue
        seen.add(role)
        with suppress(pymysql.MySQLError):  # a role that cannot be set grants nothing
            more = _list_role_grants(connection, *role)
            lines += more
            pending += list_roles(more)
    return lines


def _list_role_grants(connection: Connection, name: str, host: str | None) -> list[str]:
    if host is not None:
        role = f"{_quote_name(name)}@{_quote_name(host)}"
        return _list_grants(connection, f"SHOW GRANTS FOR CURRENT_USER() USING {role}")
    # MariaDB shows the rights of a role only after SET ROLE; the connection is not shared.
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {_quote_name(name)}")
    return _list_grants(connection, "SHOW GRANTS")


def _list_grants(connection: Connection, statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]


def _describe_grant(grant: ExtraGrant, user: str) -> str:
    rights = ", ".join(grant.rights)
    if grant.dangerous:
        return (
            f"DANGER: the login {user!r} has {rights} on {grant.on}: it reaches far beyond "
            "reading tables."
        )
    return f"WARNING: the login {user!r} may change things: {rights} on {grant.on}."


def _quote_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _suggest_login(database: str) -> str:
    on = f"{_quote_name(database or 'your_database')}.*"
    statements = (
        "CREATE USER dataagent_reader@'%' IDENTIFIED BY '...'; "
        f"GRANT SELECT, SHOW VIEW ON {on} TO dataagent_reader@'%';"
    )
    return f"Give the source a login that can only read. As an administrator: {statements}"
