"""What a MySQL or MariaDB login may do beyond reading, also through its roles."""

from contextlib import suppress

import pymysql

from .mysql_connection import Connection
from .mysql_grants import ExtraGrant, find_extra_grants, list_roles

_ROLES_MAX = 50
_SHOWN_MAX = 5


def find_mysql_warnings(connection: Connection, user: str, database: str) -> list[str]:
    """Say what is more than reading; nothing for a login that may only read."""
    beyond = list(dict.fromkeys(find_extra_grants(_all_grants(connection))))
    if not beyond:
        return []
    found = [_sentence(each, user) for each in sorted(beyond, key=lambda b: not b.dangerous)]
    if len(found) > _SHOWN_MAX:
        found = [*found[:_SHOWN_MAX], f"And {len(found) - _SHOWN_MAX} more such grants."]
    return [*found, _way_out(database)]


def _all_grants(connection: Connection) -> list[str]:
    lines = _grants(connection, "SHOW GRANTS")
    waiting, seen = list_roles(lines), set[tuple[str, str | None]]()
    while waiting and len(seen) < _ROLES_MAX:
        role = waiting.pop()
        if role in seen:
            continue
        seen.add(role)
        with suppress(pymysql.MySQLError):  # a role that cannot be put on gives us nothing
            more = _of_role(connection, *role)
            lines += more
            waiting += list_roles(more)
    return lines


def _of_role(connection: Connection, name: str, host: str | None) -> list[str]:
    if host is not None:
        role = f"{_quoted(name)}@{_quoted(host)}"
        return _grants(connection, f"SHOW GRANTS FOR CURRENT_USER() USING {role}")
    # MariaDB shows what a role may do only to who has put it on; the connection is ours alone.
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {_quoted(name)}")
    return _grants(connection, "SHOW GRANTS")


def _grants(connection: Connection, statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]


def _sentence(beyond: ExtraGrant, user: str) -> str:
    rights = ", ".join(beyond.rights)
    if beyond.dangerous:
        return (
            f"DANGER: the login {user!r} has {rights} on {beyond.on}: it reaches far beyond "
            "reading tables."
        )
    return f"WARNING: the login {user!r} may change things: {rights} on {beyond.on}."


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _way_out(database: str) -> str:
    on = f"{_quoted(database or 'your_database')}.*"
    statements = (
        "CREATE USER dataagent_reader@'%' IDENTIFIED BY '...'; "
        f"GRANT SELECT, SHOW VIEW ON {on} TO dataagent_reader@'%';"
    )
    return f"Give the source a login that can only read. As an administrator: {statements}"
