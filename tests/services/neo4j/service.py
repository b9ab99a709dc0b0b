"""Neo4j 5 Community with Bolt alone, in half a gigabyte of heap.

It has one database for everybody; tests keep apart by tenant. It starts in 7 s on a quiet core.
"""

import shutil
from collections.abc import Sequence

from tests.services.neo4j.get_jars import FOLDER, read_list
from tests.services.process import Service, ServiceMissingError

USER = "neo4j"
PASSWORD = "a password of tests"
_FIRST_PASSWORD = "neo4j"

_HEAP = "512m"
_SETTINGS = {
    "server.default_listen_address": "127.0.0.1",
    "server.bolt.enabled": "true",
    "server.http.enabled": "false",
    "server.https.enabled": "false",
    "server.memory.pagecache.size": "64m",
    "dbms.usage_report.enabled": "false",
    # Otherwise every start writes files of 256 MB, and `/tmp` is memory.
    "db.tx_log.preallocate": "false",
    "db.tx_log.rotation.size": "16m",
}
# What Neo4j's own start script gives its Java.
_OPEN = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


class Neo4jService(Service):
    """The server's process. It reads its jars where they are, so it stays the user of the tests."""

    name = "neo4j"
    as_nobody = False
    # A machine with ten other things to do takes 30.
    ready_s = 240.0

    def __init__(self) -> None:
        self._java = shutil.which("java")
        if self._java is None or any(not (FOLDER / jar.name).exists() for jar in read_list()):
            raise ServiceMissingError(
                "Neo4j is not on this machine: run `make .venv/.neo4j` where Java 17 is and Maven "
                "Central can be reached."
            )
        super().__init__()
        settings = _SETTINGS | {"server.bolt.listen_address": f"127.0.0.1:{self.port}"}
        lines = "".join(f"{name}={value}\n" for name, value in settings.items())
        (self.directory / "neo4j.conf").write_text(lines)

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    def command(self) -> Sequence[str]:
        assert self._java is not None
        return [
            self._java,
            f"-Xmx{_HEAP}",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPEN),
            *("-cp", str(FOLDER / "*")),
            "org.neo4j.server.CommunityEntryPoint",
            f"--home-dir={self.directory}",
            f"--config-dir={self.directory}",
        ]

    def is_ready(self) -> bool:
        """Connect; the first time, change the password, without which nothing else is allowed."""
        from neo4j.exceptions import AuthError, ServiceUnavailable

        if not super().is_ready():
            return False
        try:
            self._execute("RETURN 1", PASSWORD)
        except AuthError:
            self._execute(
                f"ALTER CURRENT USER SET PASSWORD FROM '{_FIRST_PASSWORD}' TO '{PASSWORD}'",
                _FIRST_PASSWORD,
                "system",
            )
            return False
        except ServiceUnavailable:
            return False
        return True

    def _execute(self, statement: str, password: str, database: str = "neo4j") -> None:
        # Only processes that start it pay for the import.
        from neo4j import GraphDatabase, Query

        with (
            GraphDatabase.driver(self.uri, auth=(USER, password)) as driver,
            driver.session(database=database) as session,
        ):
            session.run(Query(statement)).consume()  # pyright: ignore[reportArgumentType]
