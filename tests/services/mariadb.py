"""MariaDB: the system's own, or the Debian package that `get_mariadb.sh` unpacked."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pymysql

from tests.services.process import Service, ServiceMissingError
from tests.services.reachable import reachable

_UNPACKED = Path(__file__).parents[2] / ".venv" / "services" / "mariadb"
_BOOTSTRAP = ("mysql_system_tables.sql", "mysql_system_tables_data.sql")


class MariaDB:
    """A running server, used as its root user."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, name: str) -> str:
        return f"mysql://root@127.0.0.1:{self.port}/{name}"

    def execute(self, *statements: str) -> list[tuple[object, ...]]:
        connection = pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user="root",
            autocommit=True,
            connect_timeout=5,
            ssl_disabled=True,  # reading the certificates takes ten times as long as the rest
        )
        rows: list[tuple[object, ...]] = []
        with connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
                rows = list(cursor.fetchall())
        return rows

    def create(self, name: str) -> None:
        self.execute(f"CREATE DATABASE `{name}`")

    def drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS `{name}`")

    def empty(self, name: str) -> None:
        """Delete all rows except the schema's version; this is faster than creating tables."""
        used = self.execute(f"SELECT id FROM information_schema.processlist WHERE db = '{name}'")
        for (connection,) in used:
            with suppress(pymysql.err.Error):  # it may have ended already
                self.execute(f"KILL {connection}")
        tables = self.execute(
            f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{name}' "
            "AND table_name <> 'alembic_version'"
        )
        deletions = [f"DELETE FROM `{name}`.`{table}`" for (table,) in tables]
        self.execute("SET foreign_key_checks = 0", *deletions)


class MariaDBService(Service):
    """The server's process."""

    name = "mariadb"

    def __init__(self) -> None:
        root = _root()
        super().__init__()
        self.client = MariaDB(self.port)
        self._root = root if root == Path("/") else reachable(root, self.directory)
        self._server = str(self._root / "usr/sbin/mariadbd")
        self._data = self.directory / "data"
        share = self._root / "usr/share/mysql"
        sql = ["CREATE DATABASE mysql;", "USE mysql;", "SET @auth_root_socket = NULL;"]
        sql += [(share / name).read_text() for name in _BOOTSTRAP]
        self.run(["mkdir", "-p", str(self._data)])
        self.run([self._server, *self._options(), "--bootstrap"], "\n".join(sql).encode())

    def _options(self) -> list[str]:
        return [
            "--no-defaults",
            f"--datadir={self._data}",
            f"--lc-messages-dir={self._root / 'usr/share/mysql'}",
            f"--character-sets-dir={self._root / 'usr/share/mysql/charsets'}",
            f"--tmpdir={self.directory}",
            # Committed data is with the operating system, so it survives a kill.
            "--innodb-flush-log-at-trx-commit=2",
            "--innodb-flush-method=nosync",
            "--innodb-doublewrite=0",
            "--innodb-use-native-aio=0",
            "--innodb-buffer-pool-size=128M",
            "--innodb-log-file-size=64M",
            "--skip-log-bin",
            "--max-allowed-packet=256M",
        ]

    def command(self) -> Sequence[str]:
        return [
            self._server,
            *self._options(),
            "--bind-address=127.0.0.1",
            f"--port={self.port}",
            f"--socket={self.directory / 'socket'}",
            f"--pid-file={self.directory / 'pid'}",
            "--skip-name-resolve",
            "--max-connections=400",
        ]

    def environment(self) -> Mapping[str, str]:
        libraries = [str(path) for path in (self._root / "usr/lib", self._root / "lib")]
        found = [str(p.parent) for root in libraries for p in Path(root).glob("*/*.so*")]
        return {} if self._root == Path("/") else {"LD_LIBRARY_PATH": ":".join(sorted(set(found)))}

    def is_ready(self) -> bool:
        try:
            self.client.execute("SELECT 1")
        except (pymysql.err.OperationalError, OSError):
            return False
        return True


def _root() -> Path:
    if (_UNPACKED / "usr/sbin/mariadbd").exists():
        return _UNPACKED
    if shutil.which("mariadbd", path="/usr/sbin:/usr/bin"):
        return Path("/")
    raise ServiceMissingError(
        "MariaDB is not on this machine: run `make .venv/.services` where apt-get works."
    )
