"""Finds what a PostgreSQL login may do beyond reading."""

from collections.abc import Sequence

from .postgres_connection import Connection

_ROLE = """
SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, current_user::text,
       current_database()::text
FROM pg_roles WHERE rolname = current_user
"""
_STRONG_ROLES = """
SELECT rolname::text FROM pg_roles
WHERE rolname IN ('pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program',
                  'pg_write_all_data', 'pg_signal_backend', 'pg_maintain')
  AND pg_has_role(current_user, oid, 'MEMBER') ORDER BY rolname
"""
# Through any role the login could set, not only those it inherits.
_WRITABLE = """
SELECT format('%I.%I', n.nspname, c.relname), pg_has_role(current_user, c.relowner, 'MEMBER')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'f') AND NOT c.relispartition
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND (pg_has_role(current_user, c.relowner, 'MEMBER') OR EXISTS (
    SELECT FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
      AND (has_table_privilege(r.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
           OR has_any_column_privilege(r.oid, c.oid, 'INSERT, UPDATE'))))
ORDER BY 1
"""
_CREATES = """
SELECT format('schema %I', nspname) FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND has_schema_privilege(oid, 'CREATE')
UNION ALL
SELECT format('database %I', current_database())
WHERE has_database_privilege(current_database(), 'CREATE')
"""
_ATTRIBUTES = ("SUPERUSER", "CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS")
_NAMES_SHOWN_MAX = 3


def find_postgres_warnings(connection: Connection) -> list[str]:
    """Return a warning for each right beyond reading; none for a read-only login."""
    role = connection.execute(_ROLE).fetchone()
    if role is None:
        return []
    user, database = role[5], role[6]
    found: list[str] = []
    if role[0]:
        found.append(
            f"DANGER: the login {user!r} is a superuser: it may change and delete everything, "
            "read and write the server's files and run programs on it."
        )
    else:
        found += _find_role_warnings(connection, user, role)
    if found:
        found.append(_suggest_login(database))
    return found


def _find_role_warnings(connection: Connection, user: str, role: Sequence[bool]) -> list[str]:
    found: list[str] = []
    attributes = [name for name, has in zip(_ATTRIBUTES, role, strict=False) if has is True]
    if attributes:
        found.append(f"The login {user!r} has {', '.join(attributes)}.")
    strong = [row[0] for row in connection.execute(_STRONG_ROLES).fetchall()]
    if strong:
        found.append(
            f"DANGER: the login {user!r} is a member of {', '.join(strong)}, which reach beyond "
            "reading tables: files and programs of the server, every table, or other sessions."
        )
    writable = connection.execute(_WRITABLE).fetchall()
    if writable:
        owned = [name for name, owner in writable if owner]
        found.append(
            f"WARNING: the login {user!r} may change rows of {_list_some([r[0] for r in writable])}"
            + (f" and owns {_list_some(owned)}." if owned else ".")
        )
    creates = [row[0] for row in connection.execute(_CREATES).fetchall()]
    if creates:
        found.append(f"The login {user!r} may create things in {_list_some(creates)}.")
    return found


def _list_some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMES_SHOWN_MAX])
    more = len(names) - _NAMES_SHOWN_MAX
    return f"{shown} and {more} more" if more > 0 else shown


def _suggest_login(database: str) -> str:
    quoted = '"' + database.replace('"', '""') + '"'
    statements = (
        "CREATE ROLE dataagent_reader LOGIN PASSWORD '...'; "
        f"GRANT CONNECT ON DATABASE {quoted} TO dataagent_reader; "
        "GRANT USAGE ON SCHEMA public TO dataagent_reader; "
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO dataagent_reader; "
        "ALTER ROLE dataagent_reader SET default_transaction_read_only = on; "
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
    )
    return f"Give the source a login that can only read. As an administrator: {statements}"
